use super::Dialect::{MsSql, MySql, Oracle, Postgres, Sqlite};
use super::*;

/// `reads`, `changes` or `unknown`, and what else was seen: `doubt`, `there:text`, `here:text`, `writes:file`, `file:name`.
fn shown(seen: &Seen) -> String {
    let says = match seen.says {
        Says::Reads => "reads",
        Says::Unknown(_) => "unknown",
        Says::Changes(_) => "changes",
    };
    let mut all = vec![says.to_owned()];
    all.extend(seen.there.iter().map(|text| format!("there:{text}")));
    all.extend(seen.here.iter().map(|text| format!("here:{text}")));
    all.extend(seen.writes.iter().map(|path| format!("writes:{path}")));
    all.extend(seen.reads.iter().map(|path| format!("file:{path}")));
    if !seen.doubts.is_empty() {
        all.push("doubt".into());
    }
    all.join(" ")
}

fn check(dialect: Dialect, client: Client, cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(text, expected)| {
            let seen = judge(text, dialect, client);
            let got = shown(&seen);
            (got != *expected).then(|| format!("{text}\n  expected {expected}\n  got      {got} {seen:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn postgres() {
    check(
        Postgres,
        Client::Plain,
        &[
            ("", "reads"),
            (" ;; -- nothing", "reads"),
            ("SELECT 1", "reads"),
            ("select count(*), max(a) from t where b in (1, 2) and c like 'x%' group by d having sum(e) > 3", "reads"),
            ("SELECT * FROM users u JOIN LATERAL (SELECT 1) x ON (true) WHERE u.a = ANY(ARRAY[1,2])", "reads"),
            ("SELECT pg_size_pretty(pg_database_size('x'))", "reads"),
            (
                "SELECT pid, query FROM pg_stat_activity WHERE state <> 'idle' ORDER BY now() - query_start DESC LIMIT 5",
                "reads",
            ),
            ("SELECT pg_catalog.pg_get_viewdef('v'::regclass, true)", "reads"),
            ("WITH a (x, y) AS (SELECT 1, 2), b(z) AS MATERIALIZED (SELECT 3) SELECT * FROM a, b", "unknown"),
            ("WITH a (x, y) AS (SELECT 1, 2), b(z) AS (SELECT 3) SELECT * FROM a, b", "reads"),
            ("SELECT * FROM unnest('{1}'::int[]) AS u(x)", "reads"),
            ("SELECT sum(x) FILTER (WHERE x > 1) OVER (PARTITION BY y) FROM t", "reads"),
            ("VALUES (1), (2)", "reads"),
            ("TABLE users", "reads"),
            ("(SELECT 1) UNION (SELECT 2)", "reads"),
            ("SELECT * FROM t FOR UPDATE SKIP LOCKED", "reads"),
            ("SELECT * FROM t FOR NO KEY UPDATE", "reads"),
            ("SHOW work_mem", "reads"),
            ("EXPLAIN DELETE FROM t", "reads"),
            ("EXPLAIN (COSTS OFF) UPDATE t SET a = 1", "reads"),
            ("BEGIN; SELECT 1; COMMIT", "reads"),
            ("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SELECT 1; ROLLBACK", "reads"),
            ("START TRANSACTION READ ONLY", "reads"),
            ("SET search_path TO x; SELECT 1", "reads"),
            ("SET LOCAL statement_timeout = '5s'; RESET ALL; DISCARD ALL", "reads"),
            ("DECLARE c CURSOR FOR SELECT * FROM t; FETCH 10 FROM c; CLOSE c", "reads"),
            ("COPY (SELECT * FROM t) TO STDOUT WITH CSV", "reads"),
            ("COPY t TO STDOUT", "reads"),
            ("PREPARE p AS SELECT 1", "reads"),
            ("LOCK TABLE t IN SHARE MODE", "reads"),
            ("SELECT 'DROP TABLE x; --', \"DELETE\" FROM t", "reads"),
            ("SELECT $$; DROP TABLE t; $$, $a$ $$ DELETE $a$", "reads"),
            ("SELECT E'it\\'s; DROP TABLE x'", "reads"),
            ("SELECT 1 /* DROP /* nested */ TABLE */ -- DELETE", "reads"),
            ("SELECT t.update FROM t", "reads"),
            ("SELECT pg_sleep(1)", "reads"),
            ("SELECT a #> '{b}' FROM t", "reads"),
            ("SELECT '\\'; DROP TABLE t; --'", "changes"),
            ("INSERT INTO t VALUES (1)", "changes"),
            ("update t set a = 1", "changes"),
            ("SELECT 1; DELETE FROM t", "changes"),
            ("WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d", "changes"),
            ("WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x", "changes"),
            ("SELECT * INTO new FROM t", "changes"),
            ("EXPLAIN ANALYZE DELETE FROM t", "changes"),
            ("EXPLAIN (ANALYZE, BUFFERS) INSERT INTO t VALUES (1)", "changes"),
            ("EXPLAIN ANALYZE SELECT * FROM t", "reads"),
            ("EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1", "changes"),
            ("PREPARE p AS DELETE FROM t", "changes"),
            ("CREATE TABLE t (a int)", "changes"),
            ("DROP DATABASE x", "changes"),
            ("TRUNCATE t", "changes"),
            ("GRANT ALL ON t TO u", "changes"),
            ("VACUUM FULL t", "changes"),
            ("ANALYZE t", "changes"),
            ("REINDEX TABLE t", "changes"),
            ("REFRESH MATERIALIZED VIEW v", "changes"),
            ("ALTER SYSTEM SET work_mem = '1GB'", "changes"),
            ("DO $$ BEGIN DELETE FROM t; END $$", "changes"),
            ("CALL p()", "changes"),
            ("EXECUTE p", "changes"),
            ("COPY t FROM STDIN", "changes"),
            ("COPY t TO '/tmp/x'", "changes"),
            ("COPY t TO PROGRAM 'rm -rf /'", "reads there:rm -rf /"),
            ("COPY t FROM PROGRAM 'curl x'", "changes there:curl x"),
            ("COPY (SELECT 1) TO PROGRAM $$touch 'x'$$", "reads doubt"),
            ("COMMIT PREPARED 'x'", "changes"),
            ("SELECT nextval('s')", "changes"),
            ("SELECT setval('s', 1)", "changes"),
            ("SELECT pg_terminate_backend(1)", "changes"),
            ("SELECT pg_reload_conf()", "changes"),
            ("SELECT lo_import('/etc/passwd')", "changes"),
            ("SELECT pg_catalog.setval('s', 1)", "changes"),
            ("SELECT x.pg_terminate_backend(1)", "changes"),
            ("SELECT dblink_exec('host=x', 'DROP TABLE t')", "unknown doubt"),
            ("SELECT * FROM dblink('host=x', 'DELETE FROM t') AS t(a int)", "unknown doubt"),
            ("SELECT query_to_xml('DELETE FROM t', true, true, '')", "unknown doubt"),
            ("SELECT set_config('standard_conforming_strings', 'off', false)", "unknown doubt"),
            ("SET standard_conforming_strings = off; SELECT '\\'", "reads doubt"),
            ("SELECT my_func(1)", "unknown"),
            ("SELECT app.count(1)", "unknown"),
            ("SELECT \"nextval\"('s')", "unknown"),
            ("SELECT 1 FROM t WHERE evil (1)", "unknown"),
            ("NOTIFY x", "unknown"),
            ("LOAD 'x'", "unknown"),
            ("frobnicate", "unknown"),
            ("\"select\" 1", "unknown"),
            ("SELECT 'x", "reads doubt"),
            ("SELECT 1 /* x", "reads doubt"),
            ("SELECT `x`", "reads doubt"),
            ("SELECT $x$ y", "reads doubt"),
            ("SELECT\u{a0}1", "reads doubt"),
            ("SELECT 1\0; DROP TABLE x", "reads doubt"),
            ("SELECT 1 -- x\r; DROP TABLE t", "changes"),
            ("-- x\rDROP TABLE t", "changes"),
            ("-- x\r\nSELECT 1", "reads"),
            ("SELECT E'a'\n'\\'; DROP TABLE t; --'", "changes doubt"),
        ],
    );
}

#[test]
fn mysql() {
    check(
        MySql,
        Client::Plain,
        &[
            ("SELECT `a`, \"x; DROP TABLE y\" FROM t LIMIT 5 LOCK IN SHARE MODE", "reads"),
            ("SHOW FULL PROCESSLIST; SHOW ENGINE INNODB STATUS; SHOW REPLICA STATUS", "reads"),
            ("DESCRIBE t; DESC t; EXPLAIN SELECT * FROM t; USE x", "reads"),
            ("SELECT IF(a, 1, 2), INSERT('a', 1, 2, 'b'), REPLACE(a, 'x', 'y'), TRUNCATE(1.5, 1) FROM t", "reads"),
            ("SELECT 'it\\'s; DROP TABLE x' # DELETE", "reads"),
            ("SELECT 1--1", "reads"),
            ("SELECT 1 -- DELETE", "reads"),
            ("SELECT @@version, @x := 1", "reads"),
            ("SELECT a INTO @x FROM t", "reads"),
            ("SET NAMES utf8mb4; SET @a = 1; SET SESSION wait_timeout = 5", "reads"),
            ("SELECT MATCH(a) AGAINST('x' IN BOOLEAN MODE) FROM t USE INDEX (i)", "reads"),
            ("SELECT GROUP_CONCAT(a ORDER BY b SEPARATOR ','), DATE_FORMAT(c, '%Y') FROM t", "reads"),
            ("START TRANSACTION WITH CONSISTENT SNAPSHOT; COMMIT", "reads"),
            ("DO SLEEP(5)", "reads"),
            ("CHECKSUM TABLE t", "reads"),
            ("EXPLAIN DELETE FROM t", "reads"),
            ("SELECT * FROM t INTO OUTFILE '/tmp/x'", "changes"),
            ("SELECT 'x' INTO DUMPFILE '/var/www/x.php'", "changes"),
            ("SELECT 1 /*! INTO OUTFILE '/tmp/x' */", "changes"),
            ("/*!50000 DROP TABLE t */", "changes"),
            ("SELECT 1 /*M!100100 + 1 */", "reads doubt"),
            ("SELECT 1 /*!99999 ' */; DROP TABLE x; -- '", "reads doubt"),
            ("REPLACE INTO t VALUES (1)", "changes"),
            ("SET GLOBAL max_connections = 5", "changes"),
            ("SET @@GLOBAL.x = 5", "changes"),
            ("SET PERSIST x = 1", "changes"),
            ("SET PASSWORD = 'x'", "changes"),
            ("KILL 5", "changes"),
            ("FLUSH TABLES", "changes"),
            ("LOAD DATA INFILE 'x' INTO TABLE t", "changes"),
            ("ANALYZE TABLE t", "changes"),
            ("ANALYZE SELECT * FROM t", "reads"),
            ("ANALYZE FORMAT=JSON DELETE FROM t", "changes"),
            ("EXPLAIN ANALYZE SELECT f() FROM t", "unknown"),
            ("EXPLAIN SELECT * FROM (SELECT f()) x", "unknown"),
            ("STOP REPLICA; START REPLICA", "changes"),
            ("RESET MASTER", "changes"),
            ("PURGE BINARY LOGS TO 'x'", "changes"),
            ("CALL p", "changes"),
            ("WITH a AS (SELECT 1) DELETE FROM t", "changes"),
            ("OPTIMIZE TABLE t", "changes"),
            ("CREATE TABLE t (a int) ENGINE=FEDERATED CONNECTION='mysql://x'", "changes doubt"),
            ("SELECT NEXTVAL(s)", "changes"),
            ("SELECT sys_exec('rm -rf /')", "unknown doubt"),
            ("SET sql_mode = 'NO_BACKSLASH_ESCAPES'; SELECT '\\'", "reads doubt"),
            ("PREPARE s FROM 'DROP TABLE t'", "unknown"),
            ("CHECK TABLE t", "unknown"),
            ("SELECT 'a\\'", "reads doubt"),
            ("SELECT 1 -- x\rDROP TABLE t", "reads doubt"),
        ],
    );
}

#[test]
fn sql_server() {
    check(
        MsSql,
        Client::Plain,
        &[
            ("SELECT TOP 10 * FROM [order update] WITH (NOLOCK) WHERE a = N'x'", "reads"),
            ("SELECT * FROM Orders (NOLOCK)", "reads"),
            ("SELECT name, DATEDIFF(day, a, GETDATE()) FROM sys.databases FOR XML PATH('')", "reads"),
            ("SELECT t.text FROM sys.dm_exec_requests r CROSS APPLY sys.dm_exec_sql_text(r.sql_handle) t", "reads"),
            ("USE master\nGO\nSELECT 1\nGO 5\n", "reads"),
            ("EXEC sp_who2", "reads"),
            ("sp_helptext 'x'", "reads"),
            ("EXEC master.dbo.sp_help", "reads"),
            ("DECLARE @x int = 5; SET @x = 6; IF @x > 5 SELECT 1 ELSE PRINT 'x'", "reads"),
            ("SET NOCOUNT ON SELECT 1", "reads"),
            ("BEGIN TRAN; SELECT 1; ROLLBACK TRAN", "reads"),
            ("BEGIN SELECT 1 END", "reads"),
            ("SELECT * INTO #t FROM x", "reads"),
            ("DBCC OPENTRAN", "reads"),
            ("RESTORE HEADERONLY FROM DISK = 'x'", "reads"),
            ("SELECT 'it''s DROP', \"delete\"", "reads"),
            ("SELECT 1 DROP TABLE t", "changes"),
            ("BEGIN DELETE FROM t END", "changes"),
            ("IF 1 = 1 UPDATE t SET a = 1", "changes"),
            ("SELECT 1\nGO\nTRUNCATE TABLE t", "changes"),
            ("SELECT 1 EXEC p", "changes"),
            ("EXEC ('DROP TABLE t')", "changes"),
            ("my_proc 1", "changes"),
            ("SELECT * INTO t FROM x", "changes"),
            ("EXEC xp_cmdshell 'dir'", "changes doubt"),
            ("EXEC master..xp_cmdshell 'dir'", "changes doubt"),
            ("EXEC ('DROP TABLE t') AT srv", "changes doubt"),
            ("DELETE FROM srv.db.dbo.t", "changes doubt"),
            ("DELETE FROM srv.db..t", "changes doubt"),
            ("SELECT * FROM OPENQUERY(srv, 'DELETE FROM t')", "unknown doubt"),
            ("RESTORE DATABASE x FROM DISK = 'y'", "changes"),
            ("BACKUP DATABASE x TO DISK = 'y'", "changes"),
            ("DBCC SHRINKDATABASE (x)", "changes"),
            ("DBCC SQLPERF('sys.dm_os_wait_stats', CLEAR)", "changes"),
            ("SELECT NEXT VALUE FOR s", "changes"),
            ("SELECT dbo.f(1)", "unknown"),
            ("SELECT [f](1)", "unknown"),
        ],
    );
}

#[test]
fn oracle_and_sqlite() {
    check(
        Oracle,
        Client::Plain,
        &[
            ("SELECT sysdate, q'[it's; DROP]' FROM dual", "reads"),
            ("SELECT DBMS_METADATA.GET_DDL('TABLE', 'T') FROM dual", "reads"),
            ("SELECT * FROM v$session WHERE rownum < 5", "reads"),
            ("ALTER SESSION SET nls_date_format = 'x'", "reads"),
            ("EXPLAIN PLAN FOR DELETE FROM t", "reads"),
            ("SELECT s.NEXTVAL FROM dual", "changes"),
            ("ALTER SYSTEM SWITCH LOGFILE", "changes"),
            ("BEGIN p; END;", "changes"),
            ("DECLARE x int; BEGIN x := 1; END;", "changes"),
            ("DELETE FROM t@link", "changes doubt"),
            ("SELECT utl_http.request('http://x') FROM dual", "unknown"),
            ("SELECT q'[x", "reads doubt"),
        ],
    );
    check(
        Sqlite,
        Client::Plain,
        &[
            ("SELECT [a], `b`, \"c\" FROM t", "reads"),
            ("PRAGMA table_info(t)", "reads"),
            ("PRAGMA main.journal_mode", "reads"),
            ("PRAGMA foreign_keys = ON", "reads"),
            ("EXPLAIN QUERY PLAN DELETE FROM t", "reads"),
            ("SELECT 1 /* no end", "reads"),
            ("PRAGMA journal_mode = WAL", "changes"),
            ("PRAGMA user_version = 5", "changes"),
            ("PRAGMA optimize", "changes"),
            ("VACUUM", "changes"),
            ("VACUUM INTO 'x'", "changes"),
            ("ATTACH 'x' AS y", "changes"),
            ("INSERT OR REPLACE INTO t VALUES (1)", "changes"),
            ("SELECT writefile('x', 'y')", "changes"),
            ("SELECT load_extension('x')", "unknown doubt"),
            ("SELECT edit('x', 'vi')", "unknown doubt"),
        ],
    );
}

#[test]
fn commands_of_the_clients() {
    check(
        Postgres,
        Client::Psql,
        &[
            ("\\dt+ public.*", "reads"),
            ("\\l", "reads"),
            ("\\x on \\\\ SELECT 1 \\g", "reads"),
            ("\\pset pager off\n\\timing\nSELECT 1;\n\\q", "reads"),
            ("SELECT a::text, b[1:2] FROM t", "reads doubt"),
            ("SELECT a::text FROM t WHERE b = :'v' AND c = :\"w\"", "reads"),
            ("SELECT :v", "reads doubt"),
            ("\\! rm -rf x", "reads here:rm -rf x"),
            ("\\!rm x", "reads here:rm x"),
            ("\\dt \\! rm x", "reads here:rm x"),
            ("SELECT 1 \\! echo \\; x", "reads here:echo \\; x"),
            ("SELECT 1 \\g | tee /tmp/x", "reads here:tee /tmp/x"),
            ("SELECT 1 \\g /tmp/x", "reads writes:/tmp/x"),
            ("SELECT 'drop table ' || t FROM x \\gexec", "reads doubt"),
            ("\\o '/tmp/x'", "reads writes:/tmp/x"),
            ("\\o", "reads"),
            ("\\i x.sql", "reads file:x.sql"),
            ("\\ir '/x.sql'", "reads file:/x.sql"),
            ("\\ir x.sql", "reads doubt"),
            ("\\copy t from 'x.csv' csv", "changes"),
            ("\\copy (select * from t where a in (select 1)) to x.csv csv", "reads writes:x.csv"),
            ("\\copy t to stdout", "reads"),
            ("\\copy t to program 'ssh web01 reboot'", "reads here:ssh web01 reboot"),
            ("\\copy (delete from t returning *) to 'x'", "changes writes:x"),
            ("\\echo `ssh web01 reboot`", "reads doubt"),
            ("\\set x `ssh web01 reboot`", "reads doubt"),
            ("\\c other\nSELECT 1", "reads"),
            ("\\c - - db02\nDROP TABLE x", "changes doubt"),
            ("\\c postgresql://db02/x\nSELECT 1", "reads doubt"),
            ("\\c 'host=db02'", "reads doubt"),
            ("\\password bob", "changes"),
            ("\\e", "reads doubt"),
            ("\\setenv PAGER x", "reads doubt"),
            ("SELECT 1\\; DELETE FROM t", "changes"),
            ("SELECT '\n\\! rm x\n'", "reads"),
            ("SELECT 1 -- \\! rm x", "reads"),
            ("\\if true\nDROP TABLE x;\n\\endif", "changes"),
        ],
    );
    check(
        MySql,
        Client::MySql,
        &[
            ("SELECT 1\\G", "reads"),
            ("use x; select 1\\g", "reads"),
            ("\\! rm x", "reads here:rm x"),
            ("system rm x", "reads here:rm x"),
            ("SELECT 1;\nsystem ssh web01 reboot;", "reads here:ssh web01 reboot"),
            ("source x.sql", "reads file:x.sql"),
            ("\\. x.sql", "reads file:x.sql"),
            ("tee /tmp/x", "reads writes:/tmp/x"),
            ("\\T /tmp/x", "reads writes:/tmp/x"),
            ("pager less", "reads here:less"),
            ("\\P cat > /tmp/x", "reads here:cat > /tmp/x"),
            ("connect x db02", "reads doubt"),
            ("DELIMITER //\nCREATE PROCEDURE p() BEGIN DELETE FROM t; END//\nDELIMITER ;", "changes"),
            ("delimiter //\nselect 1//", "unknown"),
            ("edit", "reads doubt"),
            ("SELECT 'x\n\\! rm x'", "reads"),
        ],
    );
    check(
        MsSql,
        Client::Sqlcmd,
        &[
            ("SELECT 1\nGO\nQUIT", "reads"),
            (":r x.sql", "reads file:x.sql"),
            (":!! rm x", "reads here:rm x"),
            ("!! rm x", "reads here:rm x"),
            (":out /tmp/X", "reads writes:/tmp/X"),
            (":connect db02\nSELECT 1", "reads doubt"),
            ("SELECT '$(x)'", "reads doubt"),
            (":ed", "reads doubt"),
        ],
    );
    check(
        Oracle,
        Client::SqlPlus,
        &[
            ("set pagesize 0\nset heading off\nselect 1 from dual;\nexit", "reads"),
            ("desc t", "reads"),
            ("show parameter sga", "reads"),
            ("@x", "reads file:x.sql"),
            ("@@x", "reads doubt"),
            ("start x.txt", "reads file:x.txt"),
            ("host rm x", "reads here:rm x"),
            ("!rm x", "reads here:rm x"),
            ("spool /tmp/x\nselect 1 from dual;\nspool off", "reads writes:/tmp/x"),
            ("exec p", "changes"),
            ("shutdown immediate", "changes"),
            ("connect x@db02", "reads doubt"),
            ("select '&x' from dual;", "reads doubt"),
            ("select 1 from dual\n/\ndelete from t\n/", "changes"),
        ],
    );
    check(
        Sqlite,
        Client::Sqlite,
        &[
            (".tables\n.schema t\n.mode csv\nselect 1;", "reads"),
            (".dump", "reads"),
            (".output /tmp/x", "reads writes:/tmp/x"),
            (".once |cat", "reads here:cat"),
            (".once -e", "reads doubt"),
            (".read x.sql", "reads file:x.sql"),
            (".read '|rm x'", "reads doubt"),
            (".shell rm x", "reads here:rm x"),
            (".system rm x", "reads here:rm x"),
            (".import x.csv t", "changes"),
            (".import '|rm x' t", "reads doubt"),
            (".backup x.db", "reads writes:x.db"),
            (".load x", "reads doubt"),
            (".open x", "reads doubt"),
            (".sh rm x", "reads doubt"),
            ("select '\n.shell rm x\n';", "reads"),
        ],
    );
}

#[test]
fn a_text_for_a_server_that_is_not_known() {
    for (text, expected) in [
        ("SELECT 1", "reads"),
        ("SELECT `a` FROM t", "reads"),
        ("SELECT 'it\\'s'", "reads"),
        ("SELECT '\\'; DROP TABLE t; -- '", "changes"),
        ("DELETE FROM t", "changes"),
        ("SELECT 1 DROP TABLE t", "changes"),
        ("SELECT 1 # '\n; DROP TABLE t -- '", "changes"),
        ("SELECT 'x", "reads doubt"),
    ] {
        assert_eq!(shown(&judge_any(text)), expected, "{text}");
    }
}

#[test]
fn hostile_texts_take_no_time() {
    let many = 20_000;
    for text in [
        "(".repeat(65_000),
        "SELECT (".repeat(8_000),
        "[".repeat(65_000),
        "/*".repeat(32_000),
        "'".repeat(64_999),
        "$".repeat(65_000),
        "$a$".repeat(many),
        "\\".repeat(65_000),
        "\\!\n".repeat(many),
        "EXPLAIN ANALYZE ".repeat(4_000),
        "PREPARE x AS ".repeat(5_000),
        "BEGIN TRY ".repeat(6_000),
        "BEGIN x ".repeat(8_000),
        "EXEC a.".repeat(9_000),
        "WITH f(".repeat(9_000),
        "f(".repeat(32_000),
        "a.b.c.d ".repeat(8_000),
        "q'[".repeat(many),
        "\n".repeat(65_000),
        "GO\n".repeat(many),
        "INSERT a.b ".repeat(6_000),
        "DBCC ".repeat(13_000),
        "COPY (".repeat(10_000),
        "SET names ".repeat(6_000),
        ", f(a,a,a,a,a,a".repeat(4_000),
        format!("f({}", "a,".repeat(30_000)),
        "\\T;".repeat(many),
        "\\!;".repeat(many),
        "COPY t FROM stdin;\n".repeat(3_000),
        "COPY t FROM stdin;\n\\.\n".repeat(2_500),
        "/*! a */".repeat(8_000),
        "/*!1 a */;".repeat(6_000),
        "/*!".repeat(many),
        "'\\''".repeat(15_000),
        "SELECT a FROM dual\n\n".repeat(3_000),
        "DISTINCT ON (a) f(b) ".repeat(3_000),
    ] {
        for (dialect, client) in [
            (Postgres, Client::Psql),
            (MySql, Client::MySql),
            (MsSql, Client::Sqlcmd),
            (Oracle, Client::SqlPlus),
            (Sqlite, Client::Sqlite),
        ] {
            let begun = std::time::Instant::now();
            let _ = judge(&text, dialect, client);
            // Unoptimised, on a busy machine: what grows with the square would take far longer.
            let begins: String = text.chars().take(20).collect();
            assert!(begun.elapsed().as_millis() < 1_500, "{dialect:?} {client:?} {begins}");
        }
    }
    assert!(judge(&"x".repeat(LONGEST + 1), Postgres, Client::Plain).doubts.len() == 1);
}

#[test]
fn comments_that_some_servers_run() {
    check(
        MySql,
        Client::MySql,
        &[
            (
                "/*!40101 SET NAMES utf8mb4 */;\nDROP TABLE IF EXISTS `t`;\n/*!40000 ALTER TABLE `t` DISABLE KEYS */;",
                "changes",
            ),
            ("CREATE TABLE t (a int) /*!50100 PARTITION BY KEY (a) */;", "changes"),
            (
                "/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`%`*/ /*!50003 TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET @a = 1 */;",
                "changes",
            ),
            ("/*!40014 SET @OLD=@@UNIQUE_CHECKS */;", "reads"),
            ("/*!99999 EXPLAIN */ DELETE FROM t", "reads doubt"),
            ("/*!99999 EXPLAIN */ /*!40000 DELETE FROM t */", "reads doubt"),
            ("/*!99999 ' */ DROP TABLE t -- '", "unknown doubt"),
            ("SELECT 1 /*!99999 ; */ ; DROP TABLE t", "changes doubt"),
            ("SELECT /*!99999 1 /* */ , 2 */ 3", "reads doubt"),
            ("SELECT 1 /*!99999 + 1", "reads doubt"),
            ("/*!99999 */ SELECT 1", "reads"),
        ],
    );
}

#[test]
fn commands_of_clients_in_odd_places() {
    check(
        MySql,
        Client::MySql,
        &[
            ("SELECT 1; system reboot;", "unknown doubt"),
            ("SELECT 1; source x", "unknown doubt"),
            ("print ; DELETE FROM t", "changes"),
            ("prompt x; DELETE FROM t", "changes"),
            ("\\u db; DELETE FROM t", "changes"),
            ("\\! echo a; DELETE FROM t", "changes here:echo a; DELETE FROM t"),
            ("\\T /tmp/x; DELETE FROM t", "changes writes:/tmp/x"),
            ("SELECT 'a\\'; DELETE FROM t; -- '", "reads doubt"),
            ("SELECT 'it\\'s', '\\\\'", "reads"),
        ],
    );
    check(
        Oracle,
        Client::SqlPlus,
        &[
            ("hos reboot", "reads here:reboot"),
            ("SELECT 1\n\nhost reboot\n;", "reads doubt"),
            ("SELECT '\n\nhost reboot\n' FROM dual;", "reads doubt"),
            ("\n\nselect sysdate from dual;\n\nselect user from dual;", "reads"),
            ("select pkg.doit from dual;", "unknown"),
            ("select doit from dual;", "unknown"),
            ("select s.currval, 1 a, 'x' as b, to_char(sysdate, 'x') c from dual;", "reads"),
            ("with function f return number is begin return 1; end; select f from dual", "changes"),
            ("alter session set events 'x'", "changes"),
            ("alter session set current_schema = x", "reads"),
        ],
    );
    check(
        Sqlite,
        Client::Sqlite,
        &[("SELECT 1\n/\n.shell reboot", "reads here:reboot"), ("SELECT 1\ngo\n.shell reboot", "reads here:reboot")],
    );
    check(
        MsSql,
        Client::Sqlcmd,
        &[("SELECT 1 /*\nGO\nDROP TABLE t\n*/", "reads doubt"), ("SELECT 1 /*\nGO on\n*/", "reads")],
    );
    check(
        Postgres,
        Client::Psql,
        &[
            ("COPY t (a) FROM stdin;\n1\tit's\n2\t\\N\n\\.\nSELECT 1;", "changes"),
            ("COPY t FROM stdin;\n\\! reboot\n\\.\n", "changes doubt"),
            ("COPY t FROM stdin;\n\\\\! reboot\n\\.\n", "changes"),
            ("COPY t FROM stdin;\n1\n\\.\n\\! reboot\n", "changes here:reboot"),
            ("COPY t TO stdout;\n\\! reboot\n", "reads here:reboot"),
            ("\\restrict x\nSELECT pg_catalog.set_config('search_path', '', false);\n\\unrestrict x\n", "reads"),
            ("SELECT pg_catalog.set_config('role', 'x', false)", "unknown doubt"),
        ],
    );
}

#[test]
fn changes_that_look_like_reading() {
    check(
        Postgres,
        Client::Plain,
        &[
            ("SELECT DISTINCT ON (pid) pg_terminate_backend(pid) FROM pg_stat_activity", "changes"),
            ("SELECT DISTINCT ON ((a), b) f(a) FROM t", "unknown"),
            ("SELECT DISTINCT ON (a) \"f\"(a) FROM t", "unknown"),
            ("SELECT DISTINCT ON (a) lower(a) FROM t", "reads"),
            ("SELECT * FROM (SELECT 1) x(a)", "reads"),
            ("SELECT * FROM t, dblink(q) AS (a int)", "unknown doubt"),
            ("SELECT * FROM t, f(a) AS (b int)", "unknown"),
            ("WITH a AS (SELECT 1), b(z) AS (VALUES (1)) SELECT * FROM b", "reads"),
            ("SELECT 1 -- x\rDELETE FROM t", "changes"),
            ("SELECT 1 -- x\r\n", "reads"),
            ("EXPLAIN (\"analyze\") DELETE FROM t", "changes"),
            ("EXPLAIN (COSTS off) DELETE FROM t", "reads"),
            ("SET \"standard_conforming_strings\" = off; SELECT '\\'; DELETE FROM t; -- '", "changes doubt"),
        ],
    );
    check(
        MySql,
        Client::Plain,
        &[
            ("SELECT 2 */*'*/ 3; DELETE FROM t; -- '", "changes"),
            ("SELECT 2 */* x */ 3", "reads"),
            ("SELECT /*! 1 */", "reads doubt"),
            ("SELECT /*!50000 2 */ */*'*/ 3; DELETE FROM t; -- '", "changes doubt"),
            ("SET `sql_mode` = 'NO_BACKSLASH_ESCAPES'; SELECT '\\'; DELETE FROM t; -- '", "reads doubt"),
            ("SET CHARACTER SET gbk", "reads doubt"),
            ("WITH c AS (SELECT 1 a) UPDATE (t JOIN c) SET t.x = 1", "changes"),
            ("SELECT INSERT('a', 1, 1, 'b')", "reads"),
        ],
    );
    check(MsSql, Client::Plain, &[("SELECT TOP (1) f(a) FROM t", "unknown"), ("SELECT TOP (1) a FROM t", "reads")]);
    check(Sqlite, Client::Plain, &[("PRAGMA \"incremental_vacuum\"", "changes"), ("PRAGMA user_version", "reads")]);
}
