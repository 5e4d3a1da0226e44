//! What commands of Redis do: only read, or change its data or the server. Pure.

use super::sql::Says;

/// Commands that only read, by the server's own flags, and those of its usual modules.
#[rustfmt::skip]
const READS: &[&str] = &[
    "asking", "auth", "bitcount", "bitfield_ro", "bitpos", "command", "dbsize", "discard", "dump", "echo", "eval_ro",
    "evalsha_ro", "exec", "exists", "expiretime", "fcall_ro", "geodist", "geohash", "geopos", "georadius_ro",
    "georadiusbymember_ro", "geosearch", "get", "getbit", "getrange", "hello", "hexists", "hget", "hgetall", "hkeys", "hlen",
    "hmget", "hpttl", "hrandfield", "hscan", "hstrlen", "httl", "hvals", "info", "keys", "lastsave", "lcs", "lindex", "llen",
    "lolwut", "lpos", "lrange", "mget", "monitor", "multi", "object", "pexpiretime", "pfcount", "ping", "psubscribe", "pttl",
    "pubsub", "punsubscribe", "quit", "randomkey", "readonly", "readwrite", "role", "scan", "scard", "sdiff", "select",
    "sinter", "sintercard", "sismember", "smembers", "smismember", "sort_ro", "srandmember", "sscan", "ssubscribe", "strlen",
    "subscribe", "substr", "sunion", "sunsubscribe", "time", "ttl", "type", "unsubscribe", "unwatch", "wait", "waitaof", "watch",
    "xinfo", "xlen", "xpending", "xrange", "xread", "xrevrange", "zcard", "zcount", "zdiff", "zinter", "zintercard",
    "zlexcount", "zmscore", "zrandmember", "zrange", "zrangebylex", "zrangebyscore", "zrank", "zrevrange", "zrevrangebylex",
    "zrevrangebyscore", "zrevrank", "zscan", "zscore", "zunion", "json.get", "json.mget", "json.type", "json.objkeys",
    "json.objlen", "json.arrlen", "json.strlen", "ft.search", "ft.aggregate", "ft.info", "ft._list", "ft.explain", "ts.get",
    "ts.mget", "ts.range", "ts.mrange", "ts.info", "bf.exists", "bf.mexists", "bf.info", "exit", "help",
];

/// Commands that change data or the server.
#[rustfmt::skip]
const CHANGES: &[&str] = &[
    "append", "bgrewriteaof", "bgsave", "bitfield", "bitop", "blmove", "blmpop", "blpop", "brpop", "brpoplpush", "bzmpop",
    "bzpopmax", "bzpopmin", "copy", "debug", "decr", "decrby", "del", "eval", "evalsha", "expire", "expireat", "failover",
    "fcall", "flushall", "flushdb", "geoadd", "geosearchstore", "getdel", "getex", "getset", "hdel", "hexpire", "hincrby",
    "hincrbyfloat", "hmset", "hset", "hsetnx", "incr", "incrby", "incrbyfloat", "linsert", "lmove", "lmpop", "lpop",
    "lpush", "lpushx", "lrem", "lset", "ltrim", "move", "mset", "msetnx", "persist", "pexpire", "pexpireat", "pfadd",
    "pfdebug", "pfmerge", "psetex", "publish", "rename", "renamenx", "reset", "restore", "rpop", "rpoplpush", "rpush", "rpushx",
    "sadd", "save", "sdiffstore", "set", "setbit", "setex", "setnx", "setrange", "shutdown", "sinterstore", "smove", "spop",
    "spublish", "srem", "sunionstore", "swapdb", "touch", "unlink", "xack", "xadd", "xautoclaim", "xclaim", "xdel", "xgroup",
    "xreadgroup", "xsetid", "xtrim", "zadd", "zdiffstore", "zincrby", "zinterstore", "zmpop", "zpopmax", "zpopmin",
    "zrangestore", "zrem", "zremrangebylex", "zremrangebyrank", "zremrangebyscore", "zunionstore",
];

/// Commands with sub-commands, and those of these that only read.
#[rustfmt::skip]
const SUBS: &[(&str, &[&str])] = &[
    ("acl", &["cat", "dryrun", "genpass", "getuser", "help", "list", "users", "whoami"]),
    ("client", &["caching", "getname", "getredir", "help", "id", "info", "list", "reply", "setinfo", "setname", "tracking", "trackinginfo"]),
    ("cluster", &[
        "count-failure-reports", "countkeysinslot", "getkeysinslot", "help", "info", "keyslot", "links", "myid", "nodes", "replicas",
        "shards", "slaves", "slots",
    ]),
    ("config", &["get", "help"]),
    ("function", &["dump", "help", "list", "stats"]),
    ("latency", &["doctor", "graph", "help", "histogram", "history", "latest"]),
    ("memory", &["doctor", "help", "malloc-stats", "stats", "usage"]),
    ("module", &["help", "list"]),
    ("script", &["exists", "help"]),
    ("slowlog", &["get", "help", "len"]),
];

/// What one command does.
#[must_use]
pub fn command<'w>(mut words: impl Iterator<Item = &'w str>) -> Says {
    let Some(name) = words.next() else { return Says::Reads };
    let name = name.to_ascii_lowercase();
    let shown: String = name.chars().take(40).collect::<String>().to_ascii_uppercase();
    let name = name.as_str();
    let changes = || Says::Changes(format!("changes a server of Redis with `{shown}`"));
    if let Some((_, reads)) = SUBS.iter().find(|(sub, _)| *sub == name) {
        let sub = words.next().unwrap_or_default().to_ascii_lowercase();
        return if reads.contains(&sub.as_str()) { Says::Reads } else { changes() };
    }
    match name {
        // These read unless they are told where to store.
        "sort" | "georadius" | "georadiusbymember" => {
            // What a client takes out of quotes may be the same word.
            let stores = |word: &str| {
                word.contains('\\') || ["store", "storedist"].iter().any(|store| word.eq_ignore_ascii_case(store))
            };
            if words.any(stores) { changes() } else { Says::Reads }
        }
        name if READS.contains(&name) => Says::Reads,
        name if CHANGES.contains(&name) => changes(),
        _ => Says::Unknown(format!("runs `{shown}` on a server of Redis")),
    }
}

/// Whether a command makes the server reach another one.
#[must_use]
pub fn reaches(name: &str) -> bool {
    ["migrate", "replicaof", "slaveof", "psync", "sync", "module"].iter().any(|one| name.eq_ignore_ascii_case(one))
}

/// What lines of commands do, one on each; and why more can't be told, if so.
#[must_use]
pub fn lines(text: &str) -> (Says, Option<String>) {
    let (mut says, mut doubt) = (Says::Reads, None);
    for line in text.lines() {
        let words: Vec<String> = line.split_ascii_whitespace().map(unquoted).collect();
        // `5 INCR x` repeats a command.
        let counts = words.first().is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()));
        let words = words.get(usize::from(counts)..).unwrap_or_default();
        let first = words.first().map(String::as_str).unwrap_or_default();
        if first.is_empty() || first.starts_with(':') || first.starts_with('#') {
            continue;
        }
        if first.contains('\\') || first.eq_ignore_ascii_case("connect") || reaches(first) {
            doubt.get_or_insert_with(|| format!("`{first}` may reach another server"));
        }
        says.and(match command(words.iter().map(String::as_str)) {
            Says::Unknown(_) if first.eq_ignore_ascii_case("connect") => Says::Reads,
            says => says,
        });
    }
    (says, doubt)
}

fn unquoted(word: &str) -> String {
    word.trim_matches(['"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_command_is_both() {
        for name in CHANGES {
            assert!(!READS.contains(name), "{name}");
            assert!(!SUBS.iter().any(|(sub, _)| sub == name), "{name}");
        }
    }
}
