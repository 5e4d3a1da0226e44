//! An order (a mount, a clone, a test) that was refused with a status which something in front of the ZVM may have given.
//!
//! Owns: that it is sent again only after a 401, and only where nothing came of it. Must not: know what the order is.

use crate::zvm::error::{ChangeError, ZvmError, ZvmErrorKind};

/// Sends an order, and decides by what came of it what a doubtful refusal means: refused, or an answer that was lost.
/// `nothing_came` asks the ZVM, and so gets a new token after a 401; it holds only where the ZVM says so. What is still
/// doubtful then has come, or may have.
pub(super) fn sent<T>(
    send: impl Fn() -> Result<T, ChangeError>,
    nothing_came: impl Fn(&ZvmError) -> bool,
) -> Result<T, ChangeError> {
    let mut answer = send();
    for may_send in [true, false] {
        let Err(ChangeError::Doubtful(error)) = answer else { return answer };
        if !nothing_came(&error) {
            return Err(ChangeError::Doubtful(error));
        }
        if !may_send || error.kind != ZvmErrorKind::Login {
            return Err(ChangeError::Refused(error));
        }
        answer = send();
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn what_a_doubtful_refusal_means() {
        use ZvmErrorKind::{Login, Refused};
        let error = |kind| ZvmError { kind, message: String::new(), hint: String::new(), wait: None };
        for (answers, nothing_came, sends, expected) in [
            (vec![Ok(7)], true, 1, Ok(7)),
            (vec![Err(Refused(500))], true, 1, Err(ChangeError::Refused(error(Refused(500))))),
            (vec![Err(Refused(500))], false, 1, Err(ChangeError::Doubtful(error(Refused(500))))),
            (vec![Err(Login), Ok(7)], true, 2, Ok(7)),
            (vec![Err(Login), Ok(7)], false, 1, Err(ChangeError::Doubtful(error(Login)))),
            (vec![Err(Login), Err(Login), Ok(7)], true, 2, Err(ChangeError::Refused(error(Login)))),
            (vec![Err(Login), Err(Refused(503))], true, 2, Err(ChangeError::Refused(error(Refused(503))))),
        ] {
            let sent_so_far = Cell::new(0);
            let send = || {
                let at = sent_so_far.replace(sent_so_far.get() + 1);
                answers[at].map_err(|kind| ChangeError::Doubtful(error(kind)))
            };
            assert_eq!((sent(send, |_| nothing_came), sent_so_far.get()), (expected, sends), "{answers:?}");
        }
    }
}
