//! `mysql`, `mariadb`, and programs that change one of their servers. Pure.

use super::database::Session;
use super::mysql_settings::{Server, may_be_odd};
use super::options::{self, Parsed, Spec};
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
    let (parsed, guess) = match options::parse_guessing(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["?", "help", "V", "version", "print-defaults"]) {
        return Report::reads();
    }
    let mut session = Session::new(Dialect::MySql, Client::MySql, facts);
    let mut given = false;
    // Then they are some in the middle of a statement too.
    if parsed.has(&["G", "named-commands"]) {
        session.doubt("with `--named-commands` any line may be a command of the client's own");
    }
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
            "default-character-set" if may_be_odd(value) => session.doubt("it sets how its statements are read"),
            _ => {}
        }
    }
    if !given {
        session.stdin(&command.stdin);
    }
    let server = Server::of(&parsed, facts);
    if let Some(why) = server.odd {
        session.doubt(why);
    }
    let mut report = session.report(vec![server.host]);
    report.effects.extend(guess);
    report
}

/// The machines that a program changes which is not the usual client: some of them don't heed its environment.
fn hosts(parsed: &Parsed, facts: &Facts) -> Vec<Host> {
    let server = Server::of(parsed, facts);
    let mut hosts = vec![server.host];
    if server.by_variable && !hosts.contains(&Host::Same) {
        hosts.push(Host::Same);
    }
    hosts
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

/// Judges a command of `mysqldump`: a table says what its options do, but one holds a piece of a statement.
#[must_use]
pub fn dump(command: &Command, facts: &Facts) -> Report {
    let mut effects = vec![Effect::Table];
    let mut words = command.arguments().iter();
    while let Some(word) = words.next() {
        // The letters up to one that takes what is glued to it.
        let letters = word.beginning().strip_prefix('-').unwrap_or_default();
        let mut letters = letters.chars().take_while(|c| !"-hpPSuwr#".contains(*c));
        let tab = word.begins_with("--ta") || letters.any(|c| c == 'T');
        if tab {
            effects.push(Effect::Unknown("with --tab the server writes files on its own machine".into()));
        }
        let glued = word.strip_prefix("--where=").or_else(|| word.strip_prefix("-w"));
        let condition = match word.known() {
            Some("-w" | "--where") => words.next().cloned(),
            _ => glued,
        };
        let Some(condition) = condition else { continue };
        let mut statement = Word::from("SELECT 1 FROM t WHERE ");
        statement.push_word(&condition);
        let mut session = Session::new(Dialect::MySql, Client::Plain, facts);
        session.plain(&statement);
        let (says, more) = session.seen();
        let known = condition.known().is_some();
        if known && (says != Says::Reads || !more.is_empty()) {
            effects.push(Effect::Unknown("what its condition does on the server can't be told".into()));
        }
    }
    Report { effects, by: None }
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
        } else if let Some(path) = word.strip_prefix("--defaults-extra-file=") {
            parsed.options.push(("defaults-extra-file".into(), Some(path)));
        } else if let Some(name) = ["login-path", "defaults-group-suffix", "no-defaults"].iter().find(|name| {
            word.begins_with("--") && word.beginning().get(2..).is_some_and(|text| text.starts_with(*name))
        }) {
            parsed.options.push(((*name).into(), None));
        }
    }
    let name = command.program().unwrap_or_default();
    Report::of(Effect::ChangesAt { hosts: hosts(&parsed, facts), how: format!("changes a database with `{name}`") })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown, check_with};
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
                ("mysql -h db01 -e 'source x.sql'", "unknown at db01; unknown"),
                ("mysql -h db01 -e 'SELECT 1 INTO OUTFILE \"/x\"'", "changes at db01"),
                ("mysql -h db01 -e '/*!50000 DROP TABLE t */'", "changes at db01"),
                ("mysql -h … -e 'DROP TABLE t'", "changes at ?"),
                ("mysql -h db01 -e 'DELETE FROM t WHERE a = …'", "changes at db01; unknown"),
                ("mysql --login-path=prod -e 'DROP TABLE t'", "changes at ?"),
                ("mysql --defaults-file=x.cnf -e 'DROP TABLE t'", "changes at ?; unknown"),
                ("mysql --version", "reads"),
            ],
        );
        check_unknown(judge, &["mysql --plugin-dir=/tmp -e 'SELECT 1'", "mysql -h db01 -e …", "mysql $*"]);
    }

    #[test]
    fn the_environment_names_the_machine() {
        check_with(
            judge,
            &[
                ("MYSQL_HOST=db01", "mysql -e 'DROP TABLE t'", "changes at db01"),
                ("MYSQL_HOST=db01", "mysql -h db02 -e 'DROP TABLE t'", "changes at db02"),
                ("MYSQL_HOST=db01", "mysql -e 'SELECT 1'", "reads"),
                ("MYSQL_HOST=…", "mysql -e 'DROP TABLE t'", "changes at ?"),
                ("MYSQL_HOME=/tmp/x", "mysql -e 'DROP TABLE t'", "changes at ?; unknown"),
                ("MYSQL_GROUP_SUFFIX=prod", "mysql -h db01 -e 'SELECT 1'", "unknown at db01; unknown"),
                ("MYSQL_TEST_LOGIN_FILE=x", "mysql -e 'DROP TABLE t'", "changes at ?; unknown"),
                ("LIBMYSQL_PLUGINS=x", "mysql -h db01 -e 'SELECT 1'", "unknown at db01; unknown"),
                ("MYSQL_PWD=x", "mysql -h db01 -e 'SELECT 1'", "reads"),
            ],
        );
        check_with(
            admin,
            &[
                ("MYSQL_HOST=db01", "mysqladmin shutdown", "changes at db01,same"),
                ("MYSQL_HOST=db01", "mysqladmin -h db02 shutdown", "changes at db02"),
            ],
        );
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
            dump,
            &[
                ("mysqldump -h db01 app", "table"),
                ("mysqldump -h db01 -w 'id < 5' app t", "table"),
                ("mysqldump -h db01 --where=\"id < $A\" app t", "table"),
                ("mysqldump -h db01 --where='1 INTO OUTFILE \"/x\"' app t", "table; unknown"),
                ("mysqldump -h db01 -w'id = sys_exec(1)' app t", "table; unknown"),
            ],
        );
        check(
            changing,
            &[
                ("mysqlimport -h db01 x t.txt", "changes at db01"),
                ("mysqlcheck --host=db01 -A", "changes at db01"),
                ("mysqlimport x t.txt", "changes at same"),
                ("mysqlimport … x t.txt", "changes at ?"),
                ("mysqlimport --defaults-group-suffix=prod x t.txt", "changes at ?"),
                ("mysqlimport --login-path=prod x t.txt", "changes at ?"),
                ("mysqlslap -hdb01 -a", "changes at db01"),
            ],
        );
    }
}
