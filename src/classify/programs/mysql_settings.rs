//! Which server a client of MySQL or MariaDB reaches: its options, the environment, and its files of settings. Pure.

use super::copied;
use super::database;
use super::options::Parsed;
use crate::classify::Found;
use crate::classify::effect::{Facts, Host};
use crate::classify::word::Word;

/// Settings of files under which the client does what its words say.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "auto-rehash", "batch", "bind-address", "column-names", "column-type-info", "compress", "connect-timeout", "database",
    "enable-cleartext-plugin", "force", "get-server-public-key", "host", "html", "i-am-a-dummy", "line-numbers", "login-path",
    "max-allowed-packet", "max-join-size", "net-buffer-length", "no-auto-rehash", "no-beep", "password", "port", "prompt", "protocol",
    "quick", "raw", "reconnect", "safe-updates", "secure-auth", "select-limit", "server-public-key-path", "show-warnings",
    "sigint-ignore", "silent", "skip-auto-rehash", "skip-column-names", "skip-line-numbers", "skip-reconnect", "socket", "ssl", "ssl-ca",
    "ssl-capath", "ssl-cert", "ssl-cipher", "ssl-crl", "ssl-crlpath", "ssl-fips-mode", "ssl-key", "ssl-mode", "ssl-verify-server-cert",
    "table", "tls-ciphersuites", "tls-version", "unbuffered", "user", "verbose", "vertical", "wait", "disable-ssl-verify-server-cert",
    "skip-ssl", "skip-ssl-verify-server-cert", "hints", "comments", "skip-comments", "xml",
];

/// The server that a client reaches.
pub struct Server {
    /// Its machine.
    pub host: Host,
    /// Whether only a variable of the environment says so.
    pub by_variable: bool,
    /// Why a client may do something else than its words say, if it may.
    pub odd: Option<String>,
}

impl Server {
    /// The one that the words, the environment and the files name.
    pub fn of(parsed: &Parsed, facts: &Facts) -> Self {
        let set = |name: &&str| facts.variables.variable(name).is_some_and(|value| value.known() != Some(""));
        let mut settings = Settings { facts, files: 0, host: None, odd: None };
        // Other files are read, or more of them, or code is loaded.
        let elsewhere = ["MYSQL_HOME", "MYSQL_GROUP_SUFFIX", "MYSQL_TEST_LOGIN_FILE", "MARIADB_HOME"];
        if let Some(name) = elsewhere.iter().find(|name| set(name)) {
            settings.host = Some(Host::Unknown(format!("`{name}` says which settings are read")));
            settings.odd = Some(format!("`{name}` says which settings are read"));
        }
        if let Some(name) = ["LIBMYSQL_PLUGINS", "LIBMYSQL_PLUGIN_DIR"].iter().find(|name| set(name)) {
            settings.odd = Some(format!("`{name}` loads code into it"));
        }
        settings.all(parsed);
        // Named pipes and sockets are of this machine.
        let given = parsed.values(&["h", "host"]).last().map(database::machine);
        let odd = settings.odd;
        if let Some(host) = given.or(settings.host) {
            return Self { host, by_variable: false, odd };
        }
        match facts.variables.variable("MYSQL_HOST").filter(|name| name.known() != Some("")) {
            Some(name) => Self { host: database::machine(&name), by_variable: true, odd },
            None => Self { host: Host::Same, by_variable: false, odd },
        }
    }
}

/// Whether a character set may be one in which a backslash or a quote is part of another character.
pub fn may_be_odd(name: &Word) -> bool {
    let usual = ["utf8", "latin", "ascii", "binary", "auto", "cp125"];
    !name.known().is_some_and(|name| usual.iter().any(|start| name.to_ascii_lowercase().starts_with(start)))
}

struct Settings<'f> {
    facts: &'f Facts<'f>,
    files: usize,
    host: Option<Host>,
    odd: Option<String>,
}

impl Settings<'_> {
    /// Every file that is read, the last word counts.
    fn all(&mut self, parsed: &Parsed) {
        if parsed.has(&["login-path"]) {
            self.host = Some(Host::Unknown("a login path names the machine".into()));
        }
        if parsed.has(&["defaults-group-suffix"]) {
            self.host = Some(Host::Unknown("a group of its settings may name the machine".into()));
        }
        let given = parsed.values(&["defaults-file"]).last();
        // On another machine its own files are taken to name none.
        if given.is_none() && self.facts.own && !parsed.has(&["no-defaults"]) {
            for path in ["/etc/my.cnf", "/etc/mysql/my.cnf"] {
                self.file(path);
            }
        }
        if !parsed.has(&["no-defaults"]) {
            for path in given.into_iter().chain(parsed.values(&["defaults-extra-file"])) {
                match copied::text_of(path, self.facts) {
                    Ok(text) => self.text(&text),
                    Err(why) => {
                        self.host = Some(Host::Unknown(why.clone()));
                        self.odd = Some(why);
                    }
                }
            }
        }
        let Some(home) = self.facts.home.filter(|_| self.facts.own) else { return };
        if given.is_none() && !parsed.has(&["no-defaults"]) {
            self.file(&format!("{home}/.my.cnf"));
        }
        // It is read whatever the options say, and not meant to be read by others.
        if !matches!(self.facts.around.file(&format!("{home}/.mylogin.cnf")), Found::Nothing) {
            self.host = Some(Host::Unknown("the login paths in ~/.mylogin.cnf may name the machine".into()));
        }
    }

    fn file(&mut self, path: &str) {
        self.files += 1;
        if self.files > 32 {
            return self.unclear("its settings are in more files than are followed".into());
        }
        match self.facts.around.file(path) {
            Found::Nothing => {}
            Found::File(bytes) => match String::from_utf8(bytes) {
                Ok(text) => self.text(&text),
                Err(_) => self.unclear(format!("{path} is no text")),
            },
            Found::Unreadable => self.unclear(format!("{path} can't be read")),
        }
    }

    fn unclear(&mut self, why: String) {
        self.host = Some(Host::Unknown(why));
    }

    fn text(&mut self, text: &str) {
        let mut ours = false;
        for line in text.lines().map(str::trim) {
            if let Some(path) = line.strip_prefix("!includedir") {
                let folder = path.trim().trim_end_matches('/');
                let Some(mut names) = self.facts.around.folder(folder) else {
                    self.unclear(format!("{folder} can't be listed"));
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
                    || group.starts_with("mariadb") && group != "mariadbd";
            } else if ours && !line.is_empty() && !line.starts_with(['#', ';']) {
                self.setting(line);
            }
        }
    }

    fn setting(&mut self, line: &str) {
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        let key = key.trim().to_ascii_lowercase().replace('_', "-");
        let value = value.trim().trim_matches(['\'', '"']);
        match key.as_str() {
            "host" => self.host = Some(database::machine(&value.into())),
            "default-character-set" if !may_be_odd(&value.into()) => {}
            key if PLAIN.contains(&key) => {}
            // It may be short for another one, or choose what the client runs.
            key => {
                if "host".starts_with(key.trim_start_matches("loose-")) {
                    self.unclear(format!("its setting `{key}` may name the machine"));
                }
                self.odd.get_or_insert_with(|| format!("what its setting `{key}` does can't be told"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::mysql;
    use super::super::remote_cases::{Files, command, own};
    use super::super::testing::shown;

    #[test]
    fn settings_name_the_machine() {
        let files = Files(
            [
                ("/home/me/.my.cnf", "[mysqld]\nhost=no\n[client]\nuser = x\nhost = db01\n"),
                ("/home/me/src/other.cnf", "[client]\nhost='db02'"),
                ("/home/me/src/odd.cnf", "[mysql]\nhost=db02\ninit-command=DROP TABLE t"),
                ("/home/me/src/short.cnf", "[client]\nho=db02"),
                ("/home/me/src/pager.cnf", "[client]\n[mysql]\nloose-pager = reboot"),
                ("/home/me/src/quiet.cnf", "[client]\nuser=x\npassword=y\nssl-mode=REQUIRED\n[mysql]\nno-auto-rehash"),
            ]
            .into(),
        );
        for (line, expected) in [
            ("mysql -e 'DROP TABLE t'", "changes at db01"),
            ("mysql -h db03 -e 'DROP TABLE t'", "changes at db03"),
            ("mysql --no-defaults -e 'DROP TABLE t'", "changes at same"),
            ("mysql --defaults-file=other.cnf -e 'DROP TABLE t'", "changes at db02"),
            ("mysql --defaults-file=odd.cnf -e 'SELECT 1'", "unknown at db02; unknown"),
            ("mysql --defaults-file=short.cnf -e 'DROP TABLE t'", "changes at ?; unknown"),
            ("mysql --defaults-extra-file=pager.cnf -h db01 -e 'SELECT 1'", "unknown at db01; unknown"),
            ("mysql --defaults-file=quiet.cnf -h db01 -e 'SELECT 1'", "reads"),
        ] {
            assert_eq!(shown(&mysql::judge(&command(line), &own(&files))), expected, "{line}");
        }
    }

    #[test]
    fn a_login_path_that_is_there_may_name_it() {
        let files = Files([("/home/me/.mylogin.cnf", "")].into());
        for (line, expected) in
            [("mysql -e 'DROP TABLE t'", "changes at ?"), ("mysql -h db01 -e 'DROP TABLE t'", "changes at db01")]
        {
            assert_eq!(shown(&mysql::judge(&command(line), &own(&files))), expected, "{line}");
        }
    }
}
