//! `mysql`, `mariadb`, and programs that change one of their servers. Pure.

use super::copied;
use super::database::{self, Session};
use super::options::{self, Parsed, Spec};
use crate::classify::Found;
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::sql::{Client, Dialect, Says};
use crate::classify::word::Word;

#[rustfmt::skip]
const SPEC: Spec = Spec {
    flags: "?IABbCcEfgGHijLnNoqrstvVwWUXT",
    values: "DehlmOPRSu",
    glued: "p#d",
    long_flags: &[
        "help", "auto-rehash", "no-auto-rehash", "auto-vertical-output", "batch", "binary-as-hex", "column-names",
        "skip-column-names", "column-type-info", "comments", "skip-comments", "compress", "debug-check", "debug-info", "enable-cleartext-plugin",
        "force", "named-commands", "skip-named-commands", "no-beep", "html", "ignore-spaces", "line-numbers", "skip-line-numbers",
        "local-infile", "no-defaults", "one-database", "password", "pipe", "quick", "raw", "reconnect", "skip-reconnect", "safe-updates",
        "i-am-a-dummy", "secure-auth", "show-warnings", "sigint-ignore", "silent", "skip-pager", "no-pager", "no-tee", "table",
        "unbuffered", "verbose", "version", "vertical", "wait", "xml", "ssl", "skip-ssl", "ssl-verify-server-cert",
        "get-server-public-key", "disable-ssl-verify-server-cert", "skip-ssl-verify-server-cert", "print-defaults", "abort-source-on-error",
        "syslog", "binary-mode", "sandbox", "disable-named-commands", "disable-pager", "disable-tee", "disable-local-infile",
    ],
    long_values: &[
        "character-sets-dir", "connect-timeout", "database", "default-character-set", "defaults-extra-file", "defaults-file",
        "defaults-group-suffix", "delimiter", "execute", "host", "init-command", "login-path", "max-allowed-packet",
        "max-join-size", "net-buffer-length", "pager", "port", "prompt", "protocol", "select-limit", "socket", "ssl-ca",
        "ssl-capath", "ssl-cert", "ssl-cipher", "ssl-crl", "ssl-crlpath", "ssl-key", "ssl-mode", "tee", "tls-version", "user",
        "server-public-key-path", "init-command-add",
    ],
    ..Spec::MIXED
};

/// Judges a command of `mysql`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let parsed = match options::parse(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["?", "help", "V", "version", "print-defaults"]) {
        return Report::reads();
    }
    let mut session = Session::new(Dialect::MySql, Client::MySql, facts);
    let mut given = false;
    for (name, value) in &parsed.options {
        let Some(value) = value else { continue };
        match name.as_str() {
            "e" | "execute" => {
                given = true;
                session.script(value);
            }
            "init-command" | "init-command-add" => session.plain(value),
            "tee" => session.output(&value.as_one()),
            "pager" => session.here(value),
            "delimiter" => session.says(Says::Unknown("ends its statements by a delimiter of its own".into())),
            "d" | "#" => session.doubt("what it writes to debug it can't be told"),
            _ => {}
        }
    }
    if !given {
        session.stdin(&command.stdin);
    }
    session.report(hosts(&parsed, facts))
}

fn hosts(parsed: &Parsed, facts: &Facts) -> Vec<Host> {
    // Named pipes and sockets are of this machine.
    if let Some(name) = parsed.values(&["h", "host"]).last() {
        return vec![database::machine(name)];
    }
    vec![of_files(parsed, facts)]
}

/// The machine that the files of settings name.
fn of_files(parsed: &Parsed, facts: &Facts) -> Host {
    if parsed.has(&["login-path"]) {
        return Host::Unknown("a login path names the machine".into());
    }
    if parsed.has(&["no-defaults"]) {
        return Host::Same;
    }
    if parsed.has(&["defaults-group-suffix"]) {
        return Host::Unknown("a group of its settings may name the machine".into());
    }
    let mut settings = Settings { facts, files: 0, host: None };
    let given = parsed.values(&["defaults-file"]).last();
    for path in given.into_iter().chain(parsed.values(&["defaults-extra-file"])) {
        match copied::text_of(path, facts) {
            Ok(text) => settings.text(&text),
            Err(why) => settings.host = Some(Host::Unknown(why)),
        }
    }
    // On another machine its own files are taken to name none.
    if given.is_none() && facts.own {
        for path in ["/etc/my.cnf", "/etc/mysql/my.cnf"] {
            settings.file(path);
        }
        if let Some(home) = facts.home {
            settings.file(&format!("{home}/.my.cnf"));
        }
    }
    settings.host.unwrap_or(Host::Same)
}

struct Settings<'f> {
    facts: &'f Facts<'f>,
    files: usize,
    host: Option<Host>,
}

impl Settings<'_> {
    fn file(&mut self, path: &str) {
        self.files += 1;
        if self.files > 32 {
            self.host = Some(Host::Unknown("its settings are in more files than are followed".into()));
            return;
        }
        match self.facts.around.file(path) {
            Found::Nothing => {}
            Found::File(bytes) => match String::from_utf8(bytes) {
                Ok(text) => self.text(&text),
                Err(_) => self.host = Some(Host::Unknown(format!("{path} is no text"))),
            },
            Found::Unreadable => self.host = Some(Host::Unknown(format!("{path} can't be read"))),
        }
    }

    fn text(&mut self, text: &str) {
        let mut ours = false;
        for line in text.lines().map(str::trim) {
            if let Some(path) = line.strip_prefix("!includedir") {
                let folder = path.trim().trim_end_matches('/');
                let Some(mut names) = self.facts.around.folder(folder) else {
                    self.host = Some(Host::Unknown(format!("{folder} can't be listed")));
                    continue;
                };
                names.sort();
                for name in names.iter().filter(|name| name.ends_with(".cnf")) {
                    self.file(&format!("{folder}/{name}"));
                }
            } else if let Some(path) = line.strip_prefix("!include") {
                self.file(path.trim());
            } else if let Some(group) = line.strip_prefix('[') {
                let group = group.trim_end_matches(']');
                ours = group.starts_with("client")
                    || group.starts_with("mysql") && group != "mysqld"
                    || group.starts_with("mariadb");
            } else if ours
                && let Some((key, value)) = line.split_once('=')
                && key.trim() == "host"
            {
                let value = value.trim().trim_matches(['\'', '"']);
                self.host = Some(database::machine(&value.into()));
            }
        }
    }
}

/// Judges a command of `mysqladmin`.
#[must_use]
pub fn admin(command: &Command, facts: &Facts) -> Report {
    const READS: &[&str] = &[
        "status",
        "extended-status",
        "ping",
        "processlist",
        "variables",
        "version",
        "proc",
        "stat",
        "ver",
        "var",
        "ext",
    ];
    #[rustfmt::skip]
    let spec = Spec {
        flags: "?bBCfErsvVwI",
        values: "cihPSut",
        glued: "p#w",
        long_flags: &[
            "help", "force", "compress", "password", "relative", "silent", "verbose", "version", "vertical", "wait", "no-beep", "ssl",
            "no-defaults", "skip-ssl", "local", "show-warnings",
        ],
        long_values: &[
            "count", "host", "port", "socket", "sleep", "user", "connect-timeout", "shutdown-timeout", "defaults-file",
            "defaults-extra-file", "defaults-group-suffix", "login-path", "protocol", "ssl-ca", "ssl-cert", "ssl-key", "ssl-mode",
            "default-character-set",
        ],
        ..Spec::MIXED
    };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let reads = parsed.operands.iter().all(|word| word.known().is_some_and(|word| READS.contains(&word)));
    if reads || parsed.has(&["?", "help", "V", "version"]) {
        return Report::reads();
    }
    let how = "changes a server with `mysqladmin`".to_owned();
    Report::of(Effect::ChangesAt { hosts: hosts(&parsed, facts), how })
}

/// Judges a command of `mysqlimport` and others that always change tables.
#[must_use]
pub fn changing(command: &Command, facts: &Facts) -> Report {
    let words = command.arguments();
    if words.iter().any(|word| matches!(word.known(), Some("--help" | "--version" | "-V" | "-?"))) {
        return Report::reads();
    }
    let mut parsed = Parsed::default();
    let mut at = words.iter();
    while let Some(word) = at.next() {
        let value = match word.known() {
            Some("-h" | "--host") => at.next().cloned(),
            _ => word
                .strip_prefix("--host=")
                .or_else(|| if word.begins_with("--") { None } else { word.strip_prefix("-h") }),
        };
        let odd = word.known().is_none_or(|text| text.starts_with("--ho") && value.is_none()) && word.may_be_option();
        if let Some(host) = value {
            parsed.options.push(("host".into(), Some(host)));
        } else if odd {
            parsed.options.push(("host".into(), Some(Word::unknown())));
        } else if let Some(path) = word.strip_prefix("--defaults-file=") {
            parsed.options.push(("defaults-file".into(), Some(path)));
        } else if word.begins_with("--login-path") {
            parsed.options.push(("login-path".into(), None));
        }
    }
    let name = command.program().unwrap_or_default();
    Report::of(Effect::ChangesAt { hosts: hosts(&parsed, facts), how: format!("changes a database with `{name}`") })
}

#[cfg(test)]
mod tests {
    use super::super::remote_cases::{Files, command, own};
    use super::super::testing::{check, check_unknown, shown};
    use super::*;

    #[test]
    fn statements_where_the_server_is() {
        check(
            judge,
            &[
                ("mysql --defaults-group-suffix=prod -e 'DROP TABLE t'", "changes at ?"),
                ("mysql -h db01 -u root -psecret -e 'SHOW PROCESSLIST'", "reads"),
                ("mysql -hdb01 -uroot -ppw app -e 'DELETE FROM t'", "changes at db01"),
                ("mysql --host=db01 --execute='DROP TABLE t'", "changes at db01"),
                ("mysql -e 'DROP TABLE t'", "changes at same"),
                ("mysql -S /run/mysqld/mysqld.sock -e 'DROP TABLE t'", "changes at same"),
                ("mysql -h 127.0.0.1 -P 3307 -e 'DROP TABLE t'", "changes at same"),
                ("mysql -h db01 -Ne 'SELECT 1'", "reads"),
                ("mysql -h db01 app", "reads"),
                ("mysql -h db01 app <<< DELETE FROM t", "changes at db01"),
                ("mysql -h db01 -e '\\! reboot'", "sh {reboot} <unknown"),
                ("mysql -h db01 -e 'system reboot'", "sh {reboot} <unknown"),
                ("mysql -h db01 -e 'SELECT 1' --tee=/tmp/x", "writes /tmp/x"),
                ("mysql -h db01 --pager=less -e 'SELECT 1'", "sh {less} <unknown"),
                ("mysql -h db01 --init-command='SET GLOBAL x = 1' -e 'SELECT 1'", "changes at db01"),
                ("mysql -h db01 -e 'SELECT f()'", "unknown at db01"),
                ("mysql -h db01 -e 'source x.sql'", "unknown"),
                ("mysql -h db01 -e 'SELECT 1 INTO OUTFILE \"/x\"'", "changes at db01"),
                ("mysql -h db01 -e '/*!50000 DROP TABLE t */'", "changes at db01; unknown"),
                ("mysql -h … -e 'DROP TABLE t'", "changes at ?"),
                ("mysql -h db01 -e 'DELETE FROM t WHERE a = …'", "changes at db01; unknown"),
                ("mysql --login-path=prod -e 'DROP TABLE t'", "changes at ?"),
                ("mysql --defaults-file=x.cnf -e 'DROP TABLE t'", "changes at ?"),
                ("mysql --version", "reads"),
            ],
        );
        check_unknown(judge, &["mysql --plugin-dir=/tmp -e 'SELECT 1'", "mysql -h db01 -e …", "mysql $*"]);
    }

    #[test]
    fn settings_name_the_machine() {
        let files = Files(
            [
                ("/home/me/.my.cnf", "[mysqld]\nhost=no\n[client]\nuser = x\nhost = db01\n"),
                ("/home/me/src/other.cnf", "[client]\nhost='db02'"),
            ]
            .into(),
        );
        for (line, expected) in [
            ("mysql -e 'DROP TABLE t'", "changes at db01"),
            ("mysql -h db03 -e 'DROP TABLE t'", "changes at db03"),
            ("mysql --no-defaults -e 'DROP TABLE t'", "changes at same"),
            ("mysql --defaults-file=other.cnf -e 'DROP TABLE t'", "changes at db02"),
        ] {
            assert_eq!(shown(&judge(&command(line), &own(&files))), expected, "{line}");
        }
    }

    #[test]
    fn tools() {
        check(
            admin,
            &[
                ("mysqladmin -h db01 status processlist", "reads"),
                ("mysqladmin -h db01 shutdown", "changes at db01"),
                ("mysqladmin -h db01 ping flush-tables", "changes at db01"),
                ("mysqladmin create x", "changes at same"),
                ("mysqladmin -h db01 …x", "unknown"),
            ],
        );
        check(
            changing,
            &[
                ("mysqlimport -h db01 x t.txt", "changes at db01"),
                ("mysqlcheck --host=db01 -A", "changes at db01"),
                ("mysqlimport x t.txt", "changes at same"),
                ("mysqlimport … x t.txt", "changes at ?"),
            ],
        );
    }
}
