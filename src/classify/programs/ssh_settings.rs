//! The settings of a connection as ssh collects them, from a command line and from its config files. Pure.

use crate::classify::word::Word;

/// Settings that choose the machine, or what runs; names in lower case, as ssh compares them.
pub const HEEDED: &[&str] = &[
    "hostname",
    "port",
    "user",
    "proxycommand",
    "proxyjump",
    "remotecommand",
    "localcommand",
    "permitlocalcommand",
    "knownhostscommand",
    "canonicalizehostname",
    "canonicaldomains",
    "sessiontype",
    "stdinnull",
    "forkafterauthentication",
    "controlpath",
    "controlmaster",
    "pkcs11provider",
    "securitykeyprovider",
    "xauthlocation",
    "tag",
    "userknownhostsfile",
    "globalknownhostsfile",
];

/// Settings that open a tunnel.
pub const TUNNELS: &[&str] = &["localforward", "remoteforward", "dynamicforward", "tunnel"];

/// Settings of ssh's manual that choose neither the machine nor what runs; any other one on a command line is not known.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "addkeystoagent", "addressfamily", "batchmode", "bindaddress", "bindinterface",
    "canonicalizefallbacklocal", "canonicalizemaxdots", "canonicalizepermittedcnames",
    "casignaturealgorithms", "certificatefile", "challengeresponseauthentication", "channeltimeout",
    "checkhostip", "ciphers", "clearallforwardings", "compression", "connectionattempts", "connecttimeout",
    "controlpersist", "enableescapecommandline", "enablesshkeysign", "escapechar", "exitonforwardfailure",
    "fingerprinthash", "forwardagent", "forwardx11", "forwardx11timeout", "forwardx11trusted", "gatewayports",
    "gssapiauthentication", "gssapidelegatecredentials", "gssapitrustdns", "hashknownhosts",
    "hostbasedacceptedalgorithms", "hostbasedauthentication", "hostbasedkeytypes", "hostkeyalgorithms",
    "hostkeyalias", "identitiesonly", "identityagent", "identityfile", "ignoreunknown", "ipqos",
    "kbdinteractiveauthentication", "kbdinteractivedevices", "kexalgorithms", "loglevel", "logverbose",
    "macs", "nohostauthenticationforlocalhost", "numberofpasswordprompts", "passwordauthentication",
    "permitremoteopen", "preferredauthentications", "proxyusefdpass", "pubkeyacceptedalgorithms",
    "pubkeyacceptedkeytypes", "pubkeyauthentication", "rekeylimit", "requesttty", "requiredrsasize",
     "serveralivecountmax", "serveraliveinterval",  "stricthostkeychecking",
    "syslogfacility", "tcpkeepalive", "tunneldevice", "updatehostkeys", "verifyhostkeydns",
    "gssapiclientidentity", "gssapikeyexchange", "gssapikexalgorithms", "gssapirenewalforcesrekey", "gssapiserveridentity", "obscurekeystroketiming", "protocol", "revokedhostkeys", "streamlocalbindmask", "streamlocalbindunlink", "usekeychain", "versionaddendum", "visualhostkey", "warnweakcrypto", "cipher", "compressionlevel", "useprivilegedport", "refuseconnection",
];

/// A tunnel that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tunnel {
    /// As it was typed.
    pub shown: String,
    /// For one that opens a port here: the machine to which it leads, as the far side calls it.
    pub leads_to: Option<Word>,
}

impl Tunnel {
    /// One that `-L`, `LocalForward` or their like describe.
    #[must_use]
    pub fn local(shown: String, value: &Word) -> Self {
        let leads_to = match value.known() {
            Some(text) => local_end(text).map(Word::from),
            None => Some(Word::unknown()),
        };
        Self { shown, leads_to }
    }
}

/// The machine in `[address:]port:host:port`, or with a blank behind the first port; a socket lies on the far side itself.
fn local_end(text: &str) -> Option<&str> {
    let (front, port) = text.rsplit_once(':')?;
    if port.starts_with('/') {
        return Some("localhost");
    }
    let front = front.trim_end();
    match front.strip_suffix(']') {
        Some(front) => front.rsplit_once('[').map(|(_, address)| address),
        None => front.rsplit_once([':', ' ', '\t', '=']).map(|(_, host)| host),
    }
}

/// A setting's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// What is set.
    Is(Word),
    /// It may be set, and to what can't be told; why, in words that follow a "since".
    Unclear(String),
}

/// What is set so far; the first value of a setting wins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    all: Vec<(&'static str, Setting)>,
    /// Tunnels that are asked for, as they were typed.
    pub tunnels: Vec<Tunnel>,
    /// The config file to read instead of the user's and the system's.
    pub file: Option<Word>,
    /// Text of `Match exec` that runs on the way.
    pub runs: Vec<Word>,
}

impl Settings {
    /// Nothing set, but the same config file.
    #[must_use]
    pub fn afresh(&self) -> Self {
        Self { file: self.file.clone(), ..Self::default() }
    }

    /// Sets what isn't set yet. Names that don't matter here are passed over.
    pub fn set(&mut self, name: &str, value: Setting) {
        let Some(name) = HEEDED.iter().find(|known| **known == name) else {
            return;
        };
        if self.get(name).is_some() {
            return;
        }
        // A jump and a proxy command stand in each other's way, whichever comes first.
        let other = match *name {
            "proxycommand" => self.get("proxyjump"),
            "proxyjump" => self.get("proxycommand"),
            _ => None,
        };
        let value = match other {
            None => value,
            Some(Setting::Is(_)) => return,
            Some(Setting::Unclear(why)) => Setting::Unclear(why.clone()),
        };
        self.all.push((name, value));
    }

    /// What a setting is, if it is set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Setting> {
        self.all.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The text of a setting, if it is set and known.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Setting::Is(word) => word.known(),
            Setting::Unclear(_) => None,
        }
    }

    /// Whether a setting that is yes or no may be yes.
    #[must_use]
    pub fn may_be_yes(&self, name: &str) -> bool {
        match self.get(name) {
            None => false,
            Some(Setting::Unclear(_)) => true,
            Some(Setting::Is(word)) => {
                word.known().is_none_or(|text| !matches!(text.to_ascii_lowercase().as_str(), "no" | "false"))
            }
        }
    }

    /// Whether a setting that is yes or no surely is yes.
    #[must_use]
    pub fn is_yes(&self, name: &str) -> bool {
        self.text(name).is_some_and(|text| matches!(text.to_ascii_lowercase().as_str(), "yes" | "true"))
    }

    /// Says that what isn't set yet may be set to anything from here on.
    pub fn blur(&mut self, why: &str) {
        for name in HEEDED {
            self.set(name, Setting::Unclear(why.to_owned()));
        }
    }

    /// Takes the value of an option `-o`: `Name=value` or `Name value`.
    ///
    /// # Errors
    /// Why it can't be told what it sets.
    pub fn option(&mut self, text: &Word) -> Result<(), String> {
        let (name, value) = line(text).ok_or_else(|| format!("`-o {}` is only known when it runs", text.shown()))?;
        if name.is_empty() || name.starts_with('#') {
            return Ok(());
        }
        if TUNNELS.contains(&name.as_str()) {
            if name != "tunnel" || value.known() != Some("no") {
                let shown = format!("-o {}", text.shown());
                let tunnel = if name == "localforward" {
                    Tunnel::local(shown, &value)
                } else {
                    Tunnel { shown, leads_to: None }
                };
                self.tunnels.push(tunnel);
            }
            return Ok(());
        }
        if matches!(name.as_str(), "setenv" | "sendenv") {
            return environment(&value);
        }
        if !HEEDED.contains(&name.as_str()) && !HARMLESS.contains(&name.as_str()) {
            return Err(format!("ssh's setting `{name}` is not known"));
        }
        self.set(&name, Setting::Is(plain(&name, &value)));
        Ok(())
    }

    /// Takes an option of ssh's command line that stands for a setting.
    ///
    /// # Errors
    /// Why it can't be told what it sets.
    pub fn letter(&mut self, letter: &str, value: Option<&Word>) -> Result<(), String> {
        let yes = || Setting::Is("yes".into());
        match (letter, value) {
            ("o", Some(value)) => return self.option(value),
            ("F", Some(value)) => self.file = Some(value.clone()),
            ("l", Some(value)) => self.set("user", Setting::Is(value.clone())),
            ("p", Some(value)) => self.set("port", Setting::Is(value.clone())),
            ("J", Some(value)) => self.set("proxyjump", Setting::Is(value.clone())),
            ("S", Some(value)) => self.set("controlpath", Setting::Is(value.clone())),
            ("I", Some(value)) => self.set("pkcs11provider", Setting::Is(value.clone())),
            ("M", None) => self.set("controlmaster", yes()),
            ("N", _) => self.set("sessiontype", Setting::Is("none".into())),
            ("s", _) => self.set("sessiontype", Setting::Is("subsystem".into())),
            ("n", _) => self.set("stdinnull", yes()),
            ("f", _) => self.set("forkafterauthentication", yes()),
            ("L", Some(value)) => self.tunnels.push(Tunnel::local(format!("-L {}", value.shown()), value)),
            ("R" | "D" | "w", Some(value)) => {
                self.tunnels.push(Tunnel { shown: format!("-{letter} {}", value.shown()), leads_to: None });
            }
            _ => {}
        }
        Ok(())
    }
}

/// Variables that go to the far side: how it speaks and writes the time chooses no program there.
fn environment(value: &Word) -> Result<(), String> {
    let plain = |word: &String| {
        let name = word.split('=').next().unwrap_or_default();
        matches!(name, "LANG" | "LANGUAGE" | "TERM" | "COLORTERM" | "TZ" | "NO_COLOR") || name.starts_with("LC_")
    };
    match value.known().and_then(words) {
        Some(words) if words.iter().all(plain) => Ok(()),
        _ => Err(format!("what the variables `{}` choose on the far side can't be told", value.shown())),
    }
}

/// A line of a config file, or the value of `-o`, as a name in lower case and what is set.
#[must_use]
pub fn line(text: &Word) -> Option<(String, Word)> {
    let blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{c}');
    let beginning = text.beginning();
    let lead = beginning.len() - beginning.trim_start_matches(blank).len();
    let rest = text.strip_prefix(beginning.get(..lead)?)?;
    let beginning = rest.beginning();
    let end = beginning.find(|c| blank(c) || c == '=');
    let end = match (end, rest.known()) {
        (Some(end), _) => end,
        (None, Some(whole)) => whole.len(),
        (None, None) => return None,
    };
    let name = beginning.get(..end)?.trim_matches('"').to_ascii_lowercase();
    let behind = rest.strip_prefix(beginning.get(..end)?)?;
    let start = behind.beginning();
    let mut value = start.trim_start_matches(blank);
    value = value.strip_prefix('=').unwrap_or(value).trim_start_matches(blank);
    let value = behind.strip_prefix(start.get(..start.len() - value.len())?)?;
    let value = match value.known() {
        Some(text) => Word::from(text.trim_end_matches(blank)),
        None => value,
    };
    Some((name, value))
}

/// A value as ssh keeps it: commands as they stand, anything else as its first word, quotes taken off.
pub fn plain(name: &str, value: &Word) -> Word {
    let whole = ["proxycommand", "remotecommand", "localcommand", "knownhostscommand", "canonicaldomains"];
    match value.known() {
        Some(text) if !whole.contains(&name) => match words(text) {
            Some(words) => words.first().map_or_else(Word::default, |word| Word::from(word.as_str())),
            None => Word::unknown(),
        },
        _ => value.clone(),
    }
}

/// The words of a line: blanks part them, quotes hold them together, a `#` ends them.
#[must_use]
pub fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut letters = text.chars().peekable();
    loop {
        while letters.next_if(|c| c.is_whitespace()).is_some() {}
        if letters.peek().is_none_or(|c| *c == '#') {
            return Some(words);
        }
        let mut word = String::new();
        let mut quote = None;
        while let Some(c) = letters.next() {
            match (c, quote) {
                ('\\', _) if letters.peek().is_some_and(|next| matches!(next, '\'' | '"' | '\\')) => {
                    word.extend(letters.next());
                }
                ('\\', None) if letters.peek() == Some(&' ') => word.extend(letters.next()),
                ('"' | '\'', None) => quote = Some(c),
                (c, Some(open)) if c == open => quote = None,
                (c, None) if c.is_whitespace() => break,
                (c, _) => word.push(c),
            }
        }
        if quote.is_some() {
            return None;
        }
        words.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_every_spelling() {
        for (text, name, value) in [
            ("Port=22", "port", "22"),
            ("  port \t = \t22  ", "port", "22"),
            ("HostName prod", "hostname", "prod"),
            ("ProxyCommand=ssh -W %h:%p a=b", "proxycommand", "ssh -W %h:%p a=b"),
            ("StdinNull", "stdinnull", ""),
        ] {
            assert_eq!(line(&text.into()), Some((name.to_owned(), value.into())), "{text}");
        }
        assert_eq!(line(&Word::unknown()), None);
    }

    #[test]
    fn the_first_value_wins() {
        let mut settings = Settings::default();
        settings.letter("p", Some(&"1".into())).unwrap();
        settings.letter("o", Some(&"Port=2".into())).unwrap();
        assert_eq!(settings.text("port"), Some("1"));
        settings.option(&"ProxyJump=a".into()).unwrap();
        settings.option(&"ProxyCommand=evil".into()).unwrap();
        assert_eq!(settings.get("proxycommand"), None);
        assert!(settings.option(&"Include=/tmp/x".into()).is_err());
        assert!(settings.option(&"Match=all".into()).is_err());
        settings.option(&"hostname=\"a b\"".into()).unwrap();
        assert_eq!(settings.text("hostname"), Some("a b"));
    }

    #[test]
    fn words_of_a_line() {
        assert_eq!(words(r#"a "b c" d\ e # f"#).unwrap(), ["a", "b c", "d e"]);
        assert_eq!(words(r#"a "b"#), None);
    }
}
