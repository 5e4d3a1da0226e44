//! Redirections: what is opened, and what stdin is then.

use super::{Shell, Walk};
use crate::classify::effect::Stdin;
use crate::classify::shell::tree::{Redirect, Redirection};

impl Walk<'_> {
    /// Follows a compound command with its redirections.
    pub(super) fn with_redirects(
        &mut self,
        redirects: &[Redirect],
        shell: &mut Shell,
        run: impl FnOnce(&mut Self, &mut Shell),
    ) {
        if redirects.is_empty() {
            return run(self, shell);
        }
        let stdin = self.redirects(redirects, shell);
        // One that is redirected elsewhere only reads on where the last one stopped.
        if stdin == shell.stdin.get() {
            return run(self, shell);
        }
        let outer = shell.stdin.clone();
        shell.feed(stdin);
        run(self, shell);
        shell.stdin = outer;
    }

    /// Opens what is redirected, and says what stdin is then.
    pub(super) fn redirects(&mut self, redirects: &[Redirect], shell: &mut Shell) -> Stdin {
        let mut stdin = shell.stdin.get();
        for redirect in redirects {
            let is_stdin = matches!(redirect.descriptor, None | Some(0));
            match &redirect.what {
                Redirection::Read(source) => {
                    let file = self.one(source, shell);
                    self.opened(&file, false, shell);
                    if is_stdin {
                        stdin = if file.known() == Some("/dev/null") { Stdin::Nothing } else { Stdin::File(file) };
                    }
                }
                Redirection::Write(source) => {
                    let file = self.one(source, shell);
                    self.opened(&file, true, shell);
                }
                Redirection::ReadWrite(source) => {
                    let file = self.one(source, shell);
                    self.opened(&file, true, shell);
                    if is_stdin {
                        stdin = Stdin::Unknown;
                    }
                }
                Redirection::Copy(source) => {
                    let from = self.one(source, shell);
                    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '-');
                    if !from.known().is_some_and(digits) {
                        // `>& $file` may be a file's name.
                        self.opened(&from, true, shell);
                    }
                    if redirect.descriptor == Some(0) || (redirect.descriptor.is_none() && from.known() != Some("2")) {
                        stdin = if from.known() == Some("-") { Stdin::Nothing } else { Stdin::Unknown };
                    }
                }
                Redirection::HereDocument(source) | Redirection::HereString(source) => {
                    let text = self.one(source, shell);
                    if is_stdin {
                        stdin = Stdin::Text(text);
                    }
                }
            }
        }
        stdin
    }
}
