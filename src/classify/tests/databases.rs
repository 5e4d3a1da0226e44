//! Whole commands of database clients and of Ansible: the verdict and the guests, wherever they run.

use crate::call::{Tool, ToolCall};
use crate::catalog::Catalog;
use crate::classify::targets::Places;
use crate::classify::{Found, Surroundings, classify};
use crate::json::Json;
use std::collections::BTreeMap;

struct Files(BTreeMap<&'static str, &'static str>);

impl Surroundings for Files {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, path: &str) -> Found {
        self.0.get(path).map_or(Found::Nothing, |text| Found::File(text.as_bytes().to_vec()))
    }

    fn home(&self) -> Option<String> {
        Some("/home/me".into())
    }

    fn folder(&self, path: &str) -> Option<Vec<String>> {
        let inside = |name: &&str| name.strip_prefix(path)?.strip_prefix('/').map(str::to_owned);
        Some(self.0.keys().filter_map(inside).filter(|name| !name.contains('/')).collect())
    }
}

fn shown(text: &str) -> String {
    let files = Files(
        [
            ("/proj/read.sql", "SELECT 1;\n\\dt\n"),
            ("/proj/change.sql", "BEGIN;\nDELETE FROM t;\nCOMMIT;\n"),
            ("/proj/both.sql", "\\i read.sql\n\\i change.sql\n"),
            ("/proj/loop.sql", "\\i loop.sql\n"),
            ("/proj/out.sql", "\\! ssh web01 reboot\n"),
            ("/proj/hosts", "[web]\nweb01\nweb02\n"),
            ("/proj/x.sh", "#!/bin/sh\nreboot\n"),
        ]
        .into(),
    );
    let call = ToolCall {
        tool: Tool::Own("Bash".into()),
        name: "Bash".into(),
        input: Json::Object(vec![("command".into(), Json::Text(text.into()))]),
        cwd: Some("/proj".into()),
        session: None,
        id: None,
        prompt: None,
        asks_human: false,
    };
    let catalog = Catalog::default();
    let known = classify(&call, &catalog, &Places::default(), &files);
    let doubt = if known.doubt.is_some() { " doubt" } else { "" };
    format!("{} {}{doubt}", known.verdict.name(), known.targets.join(",")).trim_end().to_owned()
}

#[test]
fn verdicts_and_guests() {
    let wrong: Vec<String> = [
        ("psql -h db01 -c 'SELECT 1'", "read_only"),
        ("psql -h db01 -c 'DELETE FROM t'", "mutating db01"),
        ("psql -c 'DELETE FROM t'", "read_only"),
        ("psql -c 'SELECT my_func()'", "read_only"),
        ("ssh db01 psql -c '\"DELETE FROM t\"'", "mutating db01"),
        ("ssh db01 \"sudo -u postgres psql -c 'SELECT 1'\"", "read_only"),
        ("ssh db01 \"sudo -u postgres psql -c 'DROP DATABASE x'\"", "mutating db01"),
        ("ssh web01 'psql -h db02 -c \"DELETE FROM t\"'", "mutating db02"),
        ("ssh db01 \"psql -c 'SELECT my_func()'\"", "unknown db01"),
        ("psql -h db01 -c 'SELECT my_func()'", "unknown db01"),
        ("psql -h db01 <<'X'\nSELECT 1;\nDELETE FROM t;\nX", "mutating db01"),
        ("psql -h db01 <<'X'\nSELECT 1;\n\\! ssh web01 reboot\nX", "mutating web01"),
        ("echo 'DELETE FROM t' | psql -h db01", "mutating db01"),
        ("psql -h db01 < change.sql", "mutating db01"),
        ("psql -h db01 < read.sql", "read_only"),
        ("psql -h db01 -f read.sql", "read_only"),
        ("psql -h db01 -f both.sql", "mutating db01"),
        ("psql -h db01 -f loop.sql", "unknown db01"),
        ("psql -f out.sql", "mutating web01"),
        ("echo 'DROP TABLE t' > read.sql; psql -h db01 -f read.sql", "unknown db01"),
        ("ssh db01 psql -f /x.sql", "unknown db01"),
        ("psql -h db01 -c \"COPY t TO PROGRAM 'reboot'\"", "mutating db01"),
        ("psql -h db01 -c \"COPY t TO PROGRAM 'cat'\"", "read_only"),
        ("psql -h db01 -c \"COPY (SELECT 'reboot') TO PROGRAM 'sh'\"", "unknown db01"),
        ("Q='DELETE FROM t'; psql -h db01 -c \"$Q\"", "mutating db01"),
        ("psql -h db01 -c \"$Q\"", "unknown db01"),
        ("psql -h db01 -c \"SELECT * FROM t WHERE a = $A\"", "unknown db01"),
        ("psql -h $H -c 'DELETE FROM t'", "unknown"),
        ("psql -h $H -c 'SELECT 1'", "read_only"),
        ("psql \"$DATABASE_URL\" -c 'SELECT 1'", "read_only"),
        ("psql $DATABASE_URL -c 'SELECT 1'", "read_only"),
        ("psql ${DATABASE_URL} -At -c 'SELECT 1'", "read_only"),
        ("psql \"$DATABASE_URL\" -c 'DELETE FROM t'", "unknown"),
        ("psql $DATABASE_URL -h db01 -c 'DELETE FROM t'", "unknown"),
        ("psql $PSQL_ARGS -c 'SELECT 1'", "unknown"),
        ("psql $(cat url) -c 'SELECT 1'", "unknown"),
        ("psql -c $SQL", "unknown"),
        ("psql -h db01 -c $X", "unknown db01"),
        ("ssh db01 'psql \"$DATABASE_URL\" -c \"SELECT 1\"'", "unknown db01"),
        ("mysql -h db01 -p$PASSWORD -e 'SHOW TABLES'", "read_only"),
        ("mysql -h db01 -p$PASSWORD -e 'DROP TABLE t'", "mutating db01"),
        ("mysql -h $DB_HOST -u $DB_USER -e 'DROP TABLE t'", "unknown"),
        ("mongosh $MONGO_URL --eval 'db.t.find()'", "read_only"),
        ("mongosh \"$MONGO_URL\" --eval 'db.t.drop()'", "unknown"),
        (
            "mongosh --host db01 --eval 'db.getCollectionNames().forEach(c => print(db[c].countDocuments()))'",
            "read_only",
        ),
        ("mongosh --host db01 --eval 'for (const c of x) db[c].drop()'", "mutating db01"),
        ("mongosh --host db01 --eval 'db.t[c].call(db.t)'", "unknown"),
        ("mongosh --host db01 --eval 'db.t[c]()'", "unknown"),
        ("mongosh --host db01 --eval 'new Mongo(\"db02\").getDB(\"x\").t.drop()'", "mutating db01 doubt"),
        ("mongosh --host db01 --eval 'db[c].d = db.t[e]'", "unknown"),
        ("mysql -h db01 -e 'SHOW PROCESSLIST'", "read_only"),
        ("mysql -h db01 -e 'KILL 5'", "mutating db01"),
        ("mysql -h db01 app < change.sql", "mutating db01"),
        ("ssh db01 \"mysql -e 'SHOW SLAVE STATUS\\\\G'\"", "read_only"),
        ("docker exec pg psql -c 'DELETE FROM t'", "read_only"),
        ("kubectl exec pg -- psql -c 'DELETE FROM t'", "unknown"),
        ("sqlite3 app.db 'DELETE FROM t'", "read_only"),
        ("ssh web01 \"sqlite3 /srv/app.db 'DELETE FROM t'\"", "mutating web01"),
        ("ssh web01 \"sqlite3 /srv/app.db 'SELECT 1'\"", "read_only"),
        ("sqlcmd -S db01 -Q 'SELECT @@VERSION'", "read_only"),
        ("sqlcmd -S db01 -Q \"EXEC xp_cmdshell 'x'\"", "mutating db01 doubt"),
        ("redis-cli -h db01 INFO", "read_only"),
        ("redis-cli -h db01 FLUSHALL", "mutating db01"),
        ("ssh db01 redis-cli FLUSHALL", "mutating db01"),
        ("redis-cli FLUSHALL", "read_only"),
        ("redis-cli -h db01 KEYS 'x*' | xargs redis-cli -h db01 DEL", "mutating db01"),
        ("mongosh mongodb://db01/x --eval 'db.c.drop()'", "mutating db01"),
        ("mongosh mongodb://db01/x --eval 'db.c.find()'", "read_only"),
        ("createdb -h db01 x", "mutating db01"),
        ("mysqladmin -h db01 shutdown", "mutating db01"),
        ("ansible web -i hosts -m apt -a name=nginx", "mutating web01,web02"),
        ("ansible web -i hosts -m ping", "read_only"),
        ("ansible web -i hosts -a 'systemctl restart nginx'", "mutating web01,web02"),
        ("ansible web -i hosts -a uptime", "read_only"),
        ("ansible web -i hosts -m shell -a 'echo x > /etc/y'", "mutating web01,web02"),
        ("ansible localhost -m apt -a name=x", "read_only"),
        ("salt web01 cmd.run 'systemctl restart x'", "mutating web01"),
        ("puppet agent -t", "read_only"),
        ("ssh web01 puppet agent -t", "mutating web01"),
    ]
    .iter()
    .filter_map(|(text, expected)| {
        let got = shown(text);
        (got != *expected).then(|| format!("{text}\n  expected {expected}\n  got      {got}"))
    })
    .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_long_table_of_commands() {
    let rows = include_str!("database_rows.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let wrong: Vec<String> = rows
        .filter_map(|row| {
            let (expected, text) = row.split_once(" | ").unwrap();
            let got = shown(&text.replace('⏎', "\n"));
            let short = [("read_only", "R"), ("mutating", "M"), ("unknown", "U"), (" doubt", " ?")];
            let got = short.iter().fold(got, |got, (long, short)| got.replace(long, short));
            (got != expected).then(|| format!("{text}\n  expected {expected}\n  got      {got}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
