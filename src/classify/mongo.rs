//! What JavaScript for MongoDB's shell does, by the methods that it calls. Pure.
//!
//! No program is understood here: a text only reads if every call in it is one of a list, and nothing in it could make a call
//! under another name.

use super::sql::Says;

/// Methods and functions that only read.
#[rustfmt::skip]
const READS: &[&str] = &[
    "find", "findOne", "count", "countDocuments", "estimatedDocumentCount", "distinct", "aggregate", "explain", "stats", "dataSize",
    "storageSize", "totalSize", "totalIndexSize", "getIndexes", "getIndexKeys", "latencyStats", "isCapped", "getShardDistribution",
    "limit", "skip", "sort", "project", "projection", "hint", "batchSize", "maxTimeMS", "collation", "comment", "readConcern", "readPref",
    "allowDiskUse", "noCursorTimeout", "pretty", "toArray", "forEach", "map", "filter", "reduce", "next", "tryNext", "hasNext", "size",
    "itcount", "isExhausted", "close", "returnKey", "showRecordId", "min", "max", "tailable",
    "getCollection", "getCollectionNames", "getCollectionInfos", "getSiblingDB", "getMongo", "getName", "getDBNames", "getDBs", "getUsers", "getUser",
    "getRole", "getRoles", "getProfilingStatus", "getProfilingLevel", "getLogComponents", "getReplicationInfo",
    "hello", "isMaster", "hostInfo", "serverStatus", "serverBuildInfo", "serverCmdLineOpts", "version", "currentOp", "listCommands", "connectionStatus",
    "printCollectionStats", "printReplicationInfo", "printSecondaryReplicationInfo", "printShardingStatus", "status", "conf", "config",
    "listDatabases", "printjson", "print", "printjsononeline", "tojson", "toString", "valueOf", "stringify", "parse", "keys", "values",
    "entries", "log", "isArray", "slice", "join", "concat", "split", "includes", "indexOf", "startsWith", "endsWith", "toFixed", "toISOString",
    "getTime", "getTimestamp", "toLowerCase", "toUpperCase", "trim", "round", "floor", "ceil", "ObjectId", "ISODate", "Date", "NumberInt", "NumberLong", "NumberDecimal",
    "UUID", "Timestamp", "Number", "String", "Boolean", "RegExp", "BinData", "EJSON", "help", "exit", "quit", "setReadPref", "setSecondaryOk",
    "slaveOk", "sleep", "now", "push", "some", "every", "flatMap", "padEnd", "padStart", "repeat", "substring", "fromEntries", "getShardVersion", "auth", "isBalancerRunning", "getBalancerState",
];

/// Words before a bracket that call nothing.
const LANGUAGE: &[&str] = &["if", "for", "while", "switch", "return", "in", "of", "typeof", "catch", "case", "and"];

/// Commands that only read, for `runCommand` and `adminCommand`.
#[rustfmt::skip]
const COMMANDS: &[&str] = &[
    "ping", "buildInfo", "buildinfo", "serverStatus", "hello", "isMaster", "ismaster", "dbStats", "dbstats", "collStats", "collstats",
    "listCollections", "listDatabases", "listIndexes", "count", "distinct", "find", "explain", "getParameter", "getCmdLineOpts",
    "hostInfo", "replSetGetStatus", "replSetGetConfig", "connectionStatus", "currentOp", "usersInfo", "rolesInfo", "whatsmyuri", "getLog",
    "listCommands", "top", "features", "dataSize", "dbHash",
];

/// Beginnings of methods that change something.
#[rustfmt::skip]
const CHANGES: &[&str] = &[
    "insert", "update", "delete", "remove", "drop", "replace", "findAndModify", "findOneAnd", "create", "rename", "bulkWrite",
    "save", "ensureIndex", "reIndex", "compact", "convertToCapped", "shutdownServer", "fsync", "setProfilingLevel", "killOp", "killSession", "grant", "revoke",
    "changeUser", "initiate", "add", "stepDown", "reconfig", "freeze", "enableSharding", "shardCollection", "moveChunk", "split", "startBalancer",
    "stopBalancer", "setBalancerState", "mapReduce", "hideIndex", "unhideIndex", "setLogLevel", "setFeatureCompatibility", "cloneCollection", "copyDatabase",
    "logout", "rotateCertificates", "enableBalancing", "disableBalancing", "refineCollectionShardKey", "reshardCollection",
];

/// What was seen in a text: both may hold, since what can't be told may reach other servers than what changes one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seen {
    /// How it changes the server, in words that follow "it".
    pub changes: Option<String>,
    /// What it does of which it can't be told what comes of it, in words that follow "it".
    pub doubt: Option<String>,
}

impl Seen {
    fn and(&mut self, says: Says) {
        match says {
            Says::Reads => {}
            Says::Changes(how) => {
                self.changes.get_or_insert(how);
            }
            Says::Unknown(what) => {
                self.doubt.get_or_insert(what);
            }
        }
    }

    /// Nothing but a doubt.
    fn of(says: Says) -> Self {
        let mut seen = Self::default();
        seen.and(says);
        seen
    }
}

/// What a text does.
#[must_use]
pub fn script(text: &str) -> Seen {
    const LONGEST: usize = 256 * 1024;
    let unknown = |why: &str| Says::Unknown(format!("runs JavaScript in a shell of MongoDB {why}"));
    if text.len() > LONGEST {
        return Seen::of(unknown("that is too long to be judged"));
    }
    let mut seen = Seen::default();
    let mut js = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim().trim_end_matches(';');
        let mut words = trimmed.split_ascii_whitespace();
        let helper = matches!(
            (words.next(), words.next(), words.next()),
            (Some("show" | "use"), Some(_), None) | (Some("it" | "exit" | "quit" | "help" | "cls"), None, None)
        );
        // Within a string or a comment of several lines it would be no helper, but harmless there too.
        js.push(if helper { "" } else { line });
    }
    let js = js.join("\n");
    let tokens = match tokens(&js) {
        Ok(tokens) => tokens,
        Err(why) => return Seen::of(unknown(why)),
    };
    let aggregates = tokens.iter().any(|token| matches!(token, Token::Name("aggregate")));
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let next = tokens.get(at + 1);
        match token {
            Token::Text(text) | Token::Name(text) if text.contains("$out") || text.contains("$merge") => {
                seen.and(Says::Changes("writes a collection of MongoDB".into()));
            }
            Token::Text(text) if text.contains('\\') && aggregates => seen.and(unknown("whose stages can't be told")),
            Token::Mark('+') if aggregates => seen.and(unknown("whose stages can't be told")),
            Token::Mark('(') => match before {
                Some(Token::Name(name)) => seen.and(call(name, tokens.get(at + 1..).unwrap_or_default())),
                // A call of what something else gave.
                Some(Token::Mark(')' | ']' | '?' | '.')) | Some(Token::Text(_)) => {
                    seen.and(unknown("that calls what has no name"))
                }
                _ => {}
            },
            // `let {drop: f} = db`, `({drop: f}) => …`, `for ({drop: f} of …)`
            Token::Mark('}' | ']')
                if match tokens.get(at + 1..).unwrap_or_default() {
                    [Token::Mark('='), behind, ..] => *behind != Token::Mark('='),
                    [Token::Mark(')'), Token::Mark('='), Token::Mark('>'), ..] => true,
                    [Token::Name("of" | "in"), ..] => true,
                    _ => false,
                } =>
            {
                seen.and(unknown("that takes something apart"));
            }
            // `db["drop"]`
            Token::Mark('[') if matches!(before, Some(Token::Name(_) | Token::Mark(')' | ']' | '.'))) => {
                let named = matches!(next, Some(Token::Text(name)) if !changes(name) && !name.contains('\\'));
                // `db[name].count()`: what is picked is only where something else is looked for.
                let on_the_way = matches!(
                    tokens.get(at + 1..).unwrap_or_default(),
                    [Token::Name(_), Token::Mark(']'), Token::Mark('.'), Token::Name(_), ..]
                );
                let plain = on_the_way
                    || (named || matches!(next, Some(Token::Number)))
                        && tokens.get(at + 2) == Some(&Token::Mark(']'))
                        && tokens.get(at + 3) != Some(&Token::Mark('('));
                if !plain {
                    seen.and(unknown("that picks a method by a name that can't be told"));
                }
            }
            Token::Name(
                "eval" | "Function" | "require" | "import" | "constructor" | "load" | "process" | "globalThis" | "this"
                | "prototype" | "Mongo" | "connect" | "fs" | "with" | "async" | "await" | "function" | "class"
                | "__proto__" | "call" | "apply" | "bind",
            ) => seen.and(unknown("that may run anything")),
            // A method under another name.
            Token::Name(name)
                if changes(name) && next != Some(&Token::Mark('(')) && before == Some(&Token::Mark('.')) =>
            {
                seen.and(unknown("that names a method which changes something"));
            }
            _ => {}
        }
    }
    seen
}

fn changes(name: &str) -> bool {
    CHANGES.iter().any(|start| name.starts_with(start)) && !READS.contains(&name)
}

fn call(name: &str, rest: &[Token]) -> Says {
    match name {
        "runCommand" | "adminCommand" | "runReadCommand" | "_adminCommand" => {
            let command = match rest {
                [Token::Mark('{'), Token::Name(name) | Token::Text(name), Token::Mark(':'), ..] => Some(*name),
                [Token::Text(name), Token::Mark(')'), ..] => Some(*name),
                _ => None,
            };
            match command {
                Some(name) if COMMANDS.contains(&name) => Says::Reads,
                Some(name) => Says::Changes(format!("runs the command `{}` on a server of MongoDB", cut(name))),
                None => Says::Unknown("runs a command on a server of MongoDB that can't be told".into()),
            }
        }
        // It may be told to mend what it finds.
        "validate" => {
            let plain = |token: &&Token| {
                matches!(
                    token,
                    Token::Mark('{' | '}' | ':' | ',') | Token::Name("full" | "true" | "false" | "background")
                )
            };
            if rest.iter().find(|token| !plain(token)) == Some(&Token::Mark(')')) {
                Says::Reads
            } else {
                Says::Changes("may repair a collection of MongoDB".into())
            }
        }
        name if READS.contains(&name) || LANGUAGE.contains(&name) => Says::Reads,
        name if changes(name) => Says::Changes(format!("changes a server of MongoDB with `{}`", cut(name))),
        name => Says::Unknown(format!("calls `{}` in a shell of MongoDB", cut(name))),
    }
}

fn cut(name: &str) -> String {
    name.chars().take(60).collect()
}

#[derive(Debug, PartialEq, Eq)]
enum Token<'t> {
    Name(&'t str),
    Text(&'t str),
    Number,
    Mark(char),
}

fn tokens(text: &str) -> Result<Vec<Token<'_>>, &'static str> {
    let mut all = Vec::new();
    let mut at = 0;
    let byte = |at: usize| text.as_bytes().get(at).copied();
    let find = |from: usize, end: &str| text.get(from..).and_then(|rest| rest.find(end)).map(|found| from + found);
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let start = at;
        match c {
            c if c.is_whitespace() => at += c.len_utf8(),
            // A line ends at each of these.
            '/' if byte(at + 1) == Some(b'/') => {
                let ends = ['\n', '\r', '\u{2028}', '\u{2029}'];
                at = text.get(at..).and_then(|rest| rest.find(ends)).map_or(text.len(), |end| at + end);
            }
            // Comments of HTML are some of a script's too.
            '<' if byte(at + 1) == Some(b'!') => return Err("that can't be read"),
            '-' if byte(at + 1) == Some(b'-') && byte(at + 2) == Some(b'>') => return Err("that can't be read"),
            '/' if byte(at + 1) == Some(b'*') => at = find(at + 2, "*/").ok_or("in which a comment has no end")? + 2,
            // A regular expression where a value is due; else a division.
            '/' if matches!(all.last(), Some(Token::Mark('(' | ':' | ',' | '[' | '='))) => {
                at += 1;
                let mut class = false;
                loop {
                    match byte(at) {
                        None | Some(b'\n') => return Err("in which an expression has no end"),
                        Some(b'\\') => at += 2,
                        Some(b'[') => (class, at) = (true, at + 1),
                        Some(b']') => (class, at) = (false, at + 1),
                        Some(b'/') if !class => break,
                        Some(_) => at += 1,
                    }
                }
                at += 1;
                all.push(Token::Number);
            }
            '/' => return Err("that can't be read"),
            '`' | '\\' | '@' | '#' => return Err("that can't be read"),
            '\'' | '"' => {
                at += 1;
                loop {
                    match byte(at) {
                        None | Some(b'\n') => return Err("in which a string has no end"),
                        Some(b'\\') => at += 2,
                        Some(b) if b == c as u8 => break,
                        Some(_) => at += 1,
                    }
                }
                at += 1;
                all.push(Token::Text(text.get(start + 1..at - 1).unwrap_or_default()));
            }
            c if c.is_ascii_digit() => {
                while byte(at).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_') {
                    at += 1;
                }
                all.push(Token::Number);
            }
            c if c.is_ascii_alphabetic() || c == '_' || c == '$' => {
                while byte(at).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$') {
                    at += 1;
                }
                all.push(Token::Name(text.get(start..at).unwrap_or_default()));
            }
            c if c.is_ascii() => {
                at += 1;
                all.push(Token::Mark(c));
            }
            _ => return Err("that holds letters which can't be told apart"),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> &'static str {
        let seen = script(text);
        match (seen.changes, seen.doubt) {
            (None, None) => "reads",
            (None, Some(_)) => "unknown",
            (Some(_), None) => "changes",
            (Some(_), Some(_)) => "changes and more",
        }
    }

    #[test]
    fn texts_by_their_calls() {
        for (text, expected) in [
            ("db.users.find({a: 1}).sort({b: -1}).limit(5)", "reads"),
            ("db.getSiblingDB('x').users.countDocuments({})", "reads"),
            ("show dbs\nuse app\ndb.stats()", "reads"),
            ("db.users.find().forEach(d => printjson(d.name))", "reads"),
            ("db['my-coll'].find()", "reads"),
            ("db.users.find({name: /^x(y)/i})", "reads"),
            ("db.adminCommand({ping: 1})", "reads"),
            ("db.runCommand('hello')", "reads"),
            ("rs.status()", "reads"),
            ("sh.status(); db.serverStatus().connections", "reads"),
            ("db.c.aggregate([{$match: {a: 1}}, {$group: {_id: '$b', n: {$sum: 1}}}])", "reads"),
            ("db.c.find('deleteMany()')", "reads"),
            ("db.users.insertOne({a: 1})", "changes"),
            ("db.users.deleteMany({})", "changes"),
            ("db.dropDatabase()", "changes"),
            ("db.c.aggregate([{$out: 'x'}])", "changes"),
            ("db.c.aggregate([{'$merge': 'x'}])", "changes"),
            ("db.adminCommand({shutdown: 1})", "changes"),
            ("rs.stepDown()", "changes"),
            ("db.c.find().forEach(d => db.c.remove({_id: d._id}))", "changes"),
            ("db['c']['drop']()", "unknown"),
            ("db.c['dr' + 'op']()", "unknown"),
            ("var f = db.c.drop; f()", "unknown"),
            ("db.c.drop.call(db.c)", "unknown"),
            ("db.c.drop?.()", "unknown"),
            ("db.c.drop``", "unknown"),
            ("eval('x')", "unknown"),
            ("load('x.js')", "unknown"),
            ("require('fs').writeFileSync('x', 'y')", "unknown"),
            ("new Mongo('db02').getDB('x').c.drop()", "changes and more"),
            ("db = connect('db02/x'); db.c.drop()", "changes and more"),
            ("db.c.drop(); require('child_process').execSync('reboot')", "changes and more"),
            ("eval(x); db.c.drop()", "changes and more"),
            ("db.c.insertOne({a: 1}); sleep(5); print(1)", "changes"),
            ("db.c.aggregate([{['$o' + 'ut']: 'x'}])", "unknown"),
            ("db.c.aggregate([{'\\u0024out': 'x'}])", "unknown"),
            ("myFunc()", "unknown"),
            ("(function() {})()", "unknown"),
            ("db.c.find('x", "unknown"),
            ("db.adminCommand(x)", "unknown"),
            ("db.c.\\u0064rop()", "unknown"),
            ("// x\rdb.c.drop()", "changes"),
            ("// x\u{2028}db.c.drop()", "changes"),
            ("<!-- /*\ndb.c.drop()\n// */", "unknown"),
            ("[1].forEach(db['dropDatabase'], db)", "unknown"),
            ("[1].forEach(db['\\x64ropDatabase'], db)", "unknown"),
            ("let {dropDatabase: f} = db; [1].forEach(f, db)", "unknown"),
            ("[db].forEach(({dropDatabase: f}) => [1].forEach(f, db))", "unknown"),
            ("for (const {dropDatabase: f} of [db]) [1].map(f, db)", "unknown"),
            ("db.c.validate({repair: true})", "changes"),
            ("db.c.validate({full: true})", "reads"),
            ("if (db.c.find({createdAt: 1})[0] == 1) print(1)", "reads"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
