//! What a secret looks like: the names that announce one, the prefixes of tokens, and the programs that take a
//! password under a short option. Lists and nothing else; `redact` walks the text.

use std::collections::HashSet;

/// Whether a value under this name is a secret: by how the name *ends*, so that `PasswordAuthentication`,
/// `password_file` and `max_tokens` are none.
pub(super) fn is_secret_name(name: &str) -> bool {
    const ENDS: [&str; 18] = [
        "password",
        "passwd",
        "passphrase",
        "passcode",
        "pwd",
        "secret",
        "token",
        "apikey",
        "accesskey",
        "secretkey",
        "privatekey",
        "accountkey",
        "sharedkey",
        "authkey",
        "masterkey",
        "signingkey",
        "credential",
        "credentials",
    ];
    const NO_PASS: [&str; 9] =
        ["bypass", "compass", "trespass", "underpass", "overpass", "surpass", "encompass", "multipass", "proxypass"];
    let flat: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    ENDS.iter().any(|end| flat.ends_with(end))
        || (flat.ends_with("pass") && !NO_PASS.iter().any(|end| flat.ends_with(end)))
        || name.to_ascii_lowercase().ends_with("_auth")
}

/// Whether a value that is set under this name is a key to something: `key`, `storage_key`, `encryptionKey`; not those of
/// tables, and not the half that is meant to be shown.
pub(super) fn is_key_name(name: &str) -> bool {
    const NO_SECRET: [&str; 10] =
        ["public", "primary", "foreign", "partition", "sort", "unique", "cache", "hot", "group", "registry"];
    let Some(start) =
        name.strip_suffix("key").or_else(|| name.strip_suffix("Key")).or_else(|| name.strip_suffix("KEY"))
    else {
        return false;
    };
    let parts = start.is_empty() || start.ends_with(['_', '-', '.']) || !name.ends_with("key");
    let flat: String = start.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    parts && !NO_SECRET.iter().any(|end| flat.ends_with(end))
}

/// Options with a secret's name that take no value: they ask for it or read it from standard input.
pub(super) fn is_a_switch(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["no-", "ask-", "with-", "prompt", "show-", "hide-", "without-", "use-", "print-", "reset-"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// A token's prefix, and how many characters have to follow.
const PREFIXES: [(&str, usize); 27] = [
    ("github_pat_", 4),
    ("ghp_", 4),
    ("gho_", 4),
    ("ghu_", 4),
    ("ghs_", 4),
    ("ghr_", 4),
    ("glpat-", 4),
    ("xoxa-", 4),
    ("xoxb-", 4),
    ("xoxe-", 4),
    ("xoxe.", 4),
    ("xoxo-", 4),
    ("xoxp-", 4),
    ("xoxr-", 4),
    ("xoxs-", 4),
    ("xapp-", 4),
    ("sk_live_", 4),
    ("sk_test_", 4),
    ("sk-", 20),
    ("AIza", 30),
    ("npm_", 20),
    ("pypi-", 16),
    ("hf_", 20),
    ("ya29.", 10),
    ("hvs.", 16),
    ("dop_v1_", 16),
    ("SG.", 20),
];
const AWS: [&str; 2] = ["AKIA", "ASIA"];
const JWT: &str = "eyJ";

/// Whether a token may begin like this: so that not every word has to be read to its end.
pub(super) fn may_be_token(beginning: &str) -> bool {
    PREFIXES.iter().map(|(prefix, _)| *prefix).chain(AWS).chain([JWT]).any(|prefix| beginning.starts_with(prefix))
}

/// How many of the word's characters are a token, if its prefix says that it is one.
pub(super) fn token_length(word: &str) -> Option<usize> {
    // A full stop at the end belongs to the sentence.
    let word = word.trim_end_matches('.');
    if PREFIXES.iter().any(|(prefix, more)| word.strip_prefix(prefix).is_some_and(|rest| rest.len() >= *more)) {
        return Some(word.len());
    }
    let aws = AWS.iter().any(|prefix| {
        word.strip_prefix(prefix)
            .is_some_and(|rest| rest.len() >= 12 && rest.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit()))
    });
    // A JSON web token is base64 of `{"…`, with a point between its parts.
    let jwt = word.starts_with(JWT) && (word.len() >= 20 || (word.len() >= 10 && word.contains('.')));
    (aws || jwt).then_some(word.len())
}

/// A short option that carries a secret.
pub(super) struct Short {
    /// The option's own length: `-p` is 2.
    pub(super) length: usize,
    /// Whether the value follows at once (`-psecret`), else it is the next word.
    pub(super) attached: bool,
    /// `user:password`: only what follows this is secret.
    pub(super) login_separator: Option<char>,
}

/// Programs, their option, whether its value may be attached, whether it may be the next word, and what separates
/// the user from the password where it is a login.
type Row = (&'static [&'static str], &'static str, bool, bool, Option<char>);

/// Which short options of which programs carry a secret.
const SHORT: [Row; 22] = [
    (
        &[
            "mysql",
            "mysqldump",
            "mysqladmin",
            "mysqlimport",
            "mysqlshow",
            "mysqlcheck",
            "mariadb",
            "mariadb-dump",
            "mariadb-admin",
        ],
        "-p",
        true,
        false,
        None,
    ),
    (&["sshpass"], "-p", true, true, None),
    (&["plink", "pscp", "psftp", "putty", "pageant"], "-pw", false, true, None),
    (
        &[
            "mongo",
            "mongosh",
            "mongodump",
            "mongorestore",
            "mongoimport",
            "mongoexport",
            "docker",
            "podman",
            "nerdctl",
            "buildah",
            "skopeo",
            "oc",
            "az",
            "psexec",
            "PsExec64",
            "evil-winrm",
            "cqlsh",
            "clickhouse-client",
            "vsql",
        ],
        "-p",
        false,
        true,
        None,
    ),
    (&["useradd", "usermod"], "-p", true, true, None),
    (&["7z", "7za", "7zr", "rar", "unrar"], "-p", true, false, None),
    (&["openssl"], "-k", false, true, None),
    (&["openssl"], "-K", false, true, None),
    (&["openssl"], "-hmac", false, true, None),
    (&["openssl"], "-passin", false, true, Some(':')),
    (&["openssl"], "-passout", false, true, Some(':')),
    (&["redis-cli"], "-a", false, true, None),
    (&["ldapsearch", "ldapmodify", "ldapadd", "ldapdelete", "ldappasswd", "ldapwhoami"], "-w", true, true, None),
    (&["ldappasswd"], "-s", true, true, None),
    (&["sqlcmd", "bcp", "isql", "osql", "ipmitool", "zip", "unzip", "vncviewer"], "-P", true, true, None),
    (&["curl", "http", "https", "xh"], "-u", true, true, Some(':')),
    (&["curl"], "--user", false, true, Some(':')),
    (&["curl"], "--proxy-user", false, true, Some(':')),
    (&["curl"], "-U", true, true, Some(':')),
    (&["smbclient", "winexe", "rpcclient", "net", "wmic"], "-U", true, true, Some('%')),
    (&["lftp"], "-u", true, true, Some(',')),
    (&["xfreerdp", "wfreerdp", "rdesktop"], "/p:", true, false, None),
];

/// The secret-carrying short option that `word` is, after `command`'s words.
pub(super) fn short_option(command: &[String], word: &str) -> Option<Short> {
    if !SHORT.iter().any(|row| word.starts_with(row.1)) {
        return None;
    }
    let programs: HashSet<&str> = command
        .iter()
        .map(|word| word.rsplit(['/', '\\']).next().unwrap_or(word))
        .map(|word| word.strip_suffix(".exe").unwrap_or(word))
        .collect();
    SHORT.iter().find_map(|(names, option, attached, separate, login_separator)| {
        let rest = word.strip_prefix(option)?;
        if !names.iter().any(|name| programs.contains(name)) {
            return None;
        }
        // `docker run -p 80:80` maps ports; only a login takes a password there.
        if *option == "-p"
            && ["docker", "podman", "nerdctl", "buildah", "skopeo", "oc", "az"]
                .iter()
                .any(|name| programs.contains(name))
            && !programs.contains("login")
        {
            return None;
        }
        let fits = if rest.is_empty() { *separate } else { *attached };
        fits.then_some(Short { length: option.len(), attached: !rest.is_empty(), login_separator: *login_separator })
    })
}
