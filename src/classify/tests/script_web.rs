//! Web requests: what only fetches, and which machine is asked to change something.

use super::*;

#[test]
fn curl() {}
