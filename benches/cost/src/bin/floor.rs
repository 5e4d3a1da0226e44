//! The floor: the least that a hook can do. Reads all of stdin and parses it as JSON.

use std::io::Read as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut bytes = Vec::new();
    let whole = std::io::stdin().lock().read_to_end(&mut bytes).is_ok();
    match serde_json::from_slice::<serde_json::Value>(&bytes) {
        Ok(json) if whole && json.is_object() => ExitCode::SUCCESS,
        _ => ExitCode::from(2),
    }
}
