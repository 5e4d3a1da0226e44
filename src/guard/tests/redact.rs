use super::*;
use proptest::prelude::*;

#[test]
fn secrets_are_masked() {
    for (text, masked) in [
        // Names with a value.
        ("PGPASSWORD=hunter2 psql", "PGPASSWORD=*** psql"),
        ("MYSQL_PWD=x mysql", "MYSQL_PWD=*** mysql"),
        ("run --password=hunter2 --host web01", "run --password=*** --host web01"),
        ("run --password='a b' x", "run --password='***' x"),
        ("run --password=\"a b\" x", "run --password=\"***\" x"),
        ("run --password=a\\ b x", "run --password=*** x"),
        ("run --password=a'b c'd x", "run --password=*** x"),
        ("sh -c \"run --password=abc\" && x", "sh -c \"run --password=***\" && x"),
        // What is taken for a value is the name of another one, or another line's command.
        ("run --password token: abc x", "run --password *** *** x"),
        ("run --password\nclient-secret: abc", "run --password\nclient-secret: ***"),
        ("run --password\ncurl -u joe:abc web01", "run --password\ncurl -u joe:*** web01"),
        ("run --password \\\n  abc x", "run --password \\\n  *** x"),
        ("X -Password `\r\n  abc", "X -Password `\r\n  ***"),
        // Parts in quotes that are one word, or one string of SQL.
        ("run --password 'it'\\''s x' y", "run --password '***' y"),
        ("alter user joe identified by 'it''s x' y", "alter user joe identified by '***' y"),
        ("DB_PASSWORD='a'\"b c\"d run", "DB_PASSWORD='***' run"),
        ("run --password \"a b\"'c d' x", "run --password \"***\" x"),
        ("sh -c \"run --password='a b'\" x", "sh -c \"run --password='***'\" x"),
        ("sh -c 'run --password=\"a b\"' x", "sh -c 'run --password=\"***\"' x"),
        ("['--password', 'a b', 'x']", "['--password', '***', 'x']"),
        ("{\"args\":[\"--password\",\"a b\"]}", "{\"args\":[\"--password\",\"***\"]}"),
        ("{\\\"args\\\":[\\\"--token\\\",\\\"abc\\\"]}", "{\\\"args\\\":[\\\"--token\\\",\\\"***\\\"]}"),
        ("f('--password', x)", "f('--password', x)"),
        // An apostrophe before makes the quotes odd.
        ("echo \"don't\"; run --password 'abc' x", "echo \"don't\"; run --password '***' x"),
        ("# it's\nDB_PASSWORD='a b' run", "# it's\nDB_PASSWORD='***' run"),
        ("it's --token=a'b c'd x", "it's --token=*** x"),
        ("5\" disk: {\"password\": \"abc\"}", "5\" disk: {\"password\": \"***\"}"),
        ("sh -c 'run --password '\"abc\" x", "sh -c 'run --password '\"***\" x"),
        ("{\"password\": \"abc\", \"user\": \"joe\"}", "{\"password\": \"***\", \"user\": \"joe\"}"),
        ("{\\\"password\\\":\\\"abc\\\",\\\"user\\\":1}", "{\\\"password\\\":\\\"***\\\",\\\"user\\\":1}"),
        ("password: hunter2", "password: ***"),
        ("$env:DB_PASS = 'abc'; x", "$env:DB_PASS = '***'; x"),
        ("clientSecret=abc", "clientSecret=***"),
        ("aws_secret_access_key=abc", "aws_secret_access_key=***"),
        ("AccountKey=abc==;EndpointSuffix=x", "AccountKey=***;EndpointSuffix=x"),
        ("Server=x;Pwd=abc;Database=y", "Server=x;Pwd=***;Database=y"),
        ("https://web01/x?token=abc&n=1", "https://web01/x?token=***&n=1"),
        ("X-Api-Key: abc", "X-Api-Key: ***"),
        ("//registry/:_authToken=abc", "//registry/:_authToken=***"),
        ("openssl x -passin pass:abc y", "openssl x -passin pass:*** y"),
        // Options with a value.
        ("run --password hunter2 x", "run --password *** x"),
        ("run --db-password 'a b' x", "run --db-password '***' x"),
        ("run --token abc", "run --token ***"),
        ("X -Password abc -Y", "X -Password *** -Y"),
        // Headers.
        ("curl -H 'Authorization: Bearer abc' web01", "curl -H 'Authorization: ***' web01"),
        ("curl -H \"authorization: Basic abc==\" web01", "curl -H \"authorization: ***\" web01"),
        ("Authorization: Bearer abc then go", "Authorization: *** then go"),
        ("Authorization: abc then go", "Authorization: *** then go"),
        ("Authorization: Digest u=\"a\", r=\"b\"", "Authorization: ***\"a\", r=\"b\""),
        ("curl -H 'Cookie: a=b; c=d' x", "curl -H 'Cookie: ***' x"),
        ("{'Authorization': 'Bearer abc'}", "{'Authorization': '***'}"),
        ("use Bearer abcdefghijklmnop0123 now", "use Bearer *** now"),
        // Logins in URLs.
        ("git clone https://joe:abc@host/x", "git clone https://joe:***@host/x"),
        ("postgres://joe:a@b@host/x", "postgres://joe:***@host/x"),
        ("redis://:abc@host", "redis://:***@host"),
        // Tokens that can be told.
        ("echo ghp_abcDEF123456", "echo ***"),
        ("echo AKIAIOSFODNN7EXAMPLE.", "echo ***."),
        ("echo xoxb-123-456-abc", "echo ***"),
        ("echo eyJhbGciOiJI.eyJzdWIi.sig-x_y", "echo ***"),
        ("https://ghp_abcDEF123456@github.com/x", "https://***@github.com/x"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- x", "*** x"),
        ("echo -----BEGIN PRIVATE KEY-----\nabc", "echo ***"),
        // Short options of programs known for them.
        ("mysql -uroot -pabc shop", "mysql -uroot -p*** shop"),
        ("ssh web01 \"mysql -pabc -e 'x'\"", "ssh web01 \"mysql -p*** -e 'x'\""),
        ("/usr/bin/mysqldump -p'a b' shop", "/usr/bin/mysqldump -p'***' shop"),
        ("sshpass -p abc ssh web01", "sshpass -p *** ssh web01"),
        ("sshpass -pabc ssh web01", "sshpass -p*** ssh web01"),
        ("sshpass -p 'a b' ssh web01", "sshpass -p '***' ssh web01"),
        ("docker login -u joe -p abc reg", "docker login -u joe -p *** reg"),
        ("redis-cli -a abc ping", "redis-cli -a *** ping"),
        ("ldapsearch -x -D cn=a -w abc", "ldapsearch -x -D cn=a -w ***"),
        ("plink -pw abc web01", "plink -pw *** web01"),
        ("curl -u joe:abc https://web01", "curl -u joe:*** https://web01"),
        ("curl -u 'joe:a b' https://web01", "curl -u 'joe:***' https://web01"),
        ("curl --user joe:abc https://web01", "curl --user joe:*** https://web01"),
        ("smbclient -U joe%abc //web01/c$", "smbclient -U joe%*** //web01/c$"),
        ("echo 'root:abc' | chpasswd", "echo 'root:***' | chpasswd"),
        ("chpasswd <<< root:abc", "chpasswd <<< root:***"),
        ("net user joe abc /add", "net user joe *** /add"),
        ("net use x: \\\\h\\s abc /user:bob", "net use x: \\\\h\\s *** /user:bob"),
        ("net.exe use \\\\h\\s /user:bob abc", "net.exe use \\\\h\\s /user:bob ***"),
        ("htpasswd -b f bob abc", "htpasswd -b f bob ***"),
        ("htpasswd -cbB -C 10 f bob 'a b'", "htpasswd -cbB -C 10 f bob '***'"),
        ("/usr/bin/htpasswd -nb bob abc; ls x", "/usr/bin/htpasswd -nb bob ***; ls x"),
        ("openssl enc -aes-256-cbc -k abc -in f", "openssl enc -aes-256-cbc -k *** -in f"),
        ("openssl enc -K 0a0b -pass pass:/abc", "openssl enc -K *** -pass ***"),
        ("openssl rsa -passin pass:/abc -in f", "openssl rsa -passin pass:*** -in f"),
        // From a pipe.
        ("echo abc | passwd --stdin bob", "echo *** | passwd --stdin bob"),
        ("printf '%s\\n' 'a|b' | sudo -S ls", "printf *** | sudo -S ls"),
        (
            "ssh h 'echo -n \"a b\" | docker login -u u --password-stdin r'",
            "ssh h 'echo -n *** | docker login -u u --password-stdin r'",
        ),
        ("passwd --stdin bob <<< abc", "passwd --stdin bob <<< ***"),
        // A name and the word behind it.
        ("aws configure set aws_secret_access_key abc", "aws configure set aws_secret_access_key ***"),
        ("set password abc for bob", "set password *** for bob"),
        ("set the password to abc", "set the password to ***"),
        ("the password is h8nter", "the password is ***"),
        ("client-secret abc", "client-secret ***"),
        ("redis-cli config set requirepass 'a b'", "redis-cli config set requirepass '***'"),
        ("npm config set //registry/:_authToken abc", "npm config set //registry/:_authToken ***"),
        ("enable secret 5 $1$abc", "enable secret *** ***"),
        ("SET PASSWORD FOR 'bob'@'%' = 'abc'", "SET PASSWORD FOR 'bob'@'%' = '***'"),
        ("UPDATE u SET p=PASSWORD('abc')", "UPDATE u SET p=PASSWORD('***')"),
        ("key=abc", "key=***"),
        ("https://x/y?key=abc&q=1", "https://x/y?key=***&q=1"),
        ("storage_key=abc encryptionKey='a b'", "storage_key=*** encryptionKey='***'"),
        ("aws AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY x", "aws *** *** x"),
        ("AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "***:***"),
        // SQL and PowerShell.
        ("CREATE USER a IDENTIFIED BY 'abc'", "CREATE USER a IDENTIFIED BY '***'"),
        ("ALTER ROLE a WITH PASSWORD 'abc';", "ALTER ROLE a WITH PASSWORD '***';"),
        ("ConvertTo-SecureString 'abc' -AsPlainText", "ConvertTo-SecureString '***' -AsPlainText"),
        (
            "New-LocalUser -Password (ConvertTo-SecureString abc -Force)",
            "New-LocalUser -Password (ConvertTo-SecureString *** -Force)",
        ),
    ] {
        assert_eq!(redact(text), masked, "{text}");
        assert_eq!(redact(masked), masked, "twice: {text}");
    }
}

#[test]
fn ordinary_text_stays() {
    for text in [
        "",
        "edit /etc/nginx/nginx.conf",
        "systemctl restart nginx",
        "change the password of joe",
        "reset the password policy",
        "reset the password of joe to a new one",
        "edit /etc/passwd",
        "cp /etc/passwd /srv/passwd",
        "sudo passwd bob",
        "rotate the token now",
        "let the tests pass and go on",
        "kubectl delete secret web-tls2",
        "docker secret create web f",
        "htpasswd f bob",
        "echo abc | grep password",
        "echo abc; passwd -l bob",
        "net use x: /delete",
        "the net use of it is small",
        "public_key=abc sort-key=x",
        "git log 0123456789abcdef0123456789abcdef01234567",
        "Get-Credential bob",
        "openssl req -key f -keyout g",
        "cat /etc/passwd",
        "passwd -l joe",
        "ssh -p 2222 -o PasswordAuthentication=no web01",
        "mkdir -p /srv/app",
        "cp -p a b; rsync -p a b",
        "docker run -p 8080:80 nginx",
        "mysql -p shop",
        "mysql --port=3306 -e 'select 1'",
        "sudo -u joe ls",
        "git push git@github.com:a/b",
        "ssh://git@github.com/a/b",
        "http://web01:8080/a@b",
        "echo $PWD; PWD=/srv",
        "run --password-file /etc/x --password-stdin --no-password web01 --ask-pass web01",
        "gh auth login --with-token < file",
        "max_tokens=512 tokenize=yes secrets_dir=/x bypass=1",
        "kubectl get secret web",
        "the bearer of news",
        "a token is needed",
        "sk-learn and AKIA and eyJ and ghp_",
        "author: joe",
        "curl -u joe https://web01",
        "chmod u+s x; tar -pxf x.tar",
        "primary key: id, keyword=x, monkey=2",
        "edit C:\\Users\\j\\app.conf",
        "scp pass:/etc/x .",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn what_holds_no_value_stays() {
    for text in [
        "run --password=\"\" x",
        "run --password='' x",
        "password: ",
        "--token \"\"",
        "sh -c \"echo password=\"",
        "Authorization: ",
        "Authorization: ''",
        "sshpass -p '' ssh",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn a_long_text_takes_no_minute() {
    let begun = std::time::Instant::now();
    for part in [
        "a-",
        "password=x ",
        "-p ",
        "mysql -px ",
        "'",
        "-----BEGIN ",
        "https://",
        "eyJ.",
        "root:x ",
        "\"password\":\"",
        "Authorization: ",
        "password a ",
        "echo su ",
        "echo '",
        "htpasswd -b ",
        "net use \\\\a ",
        "<<< su ",
        "AKIA ",
        "a: ",
        "'\"",
    ] {
        let text = format!("--password {}", part.repeat(10_000 / part.len()));
        assert!(redact(&text).len() <= text.len() * 2);
    }
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}

/// What stays is what was there, in its order.
fn only_masks(text: &str, redacted: &str) -> bool {
    let mut rest = text.chars();
    redacted.replace(MASK, "").chars().all(|c| rest.any(|there| there == c))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn twice_is_once(text in "(?s).{0,120}") {
        let once = redact(&text);
        prop_assert!(only_masks(&text, &once), "{}", once);
        prop_assert_eq!(redact(&once), once);
    }

    #[test]
    fn twice_is_once_where_rules_meet(parts in prop::collection::vec(prop::sample::select(vec![
        "password=", "--token ", "'", "\"", "\\\"", "\\", " ", ":", "@", "https://", "a", "b:c", "mysql ", "-p", "curl -u ",
        "Authorization: ", "Bearer ", "ghp_abcd", "eyJabcdefg.h", "|", ";", "\n", "chpasswd", "root:x", "=", ",",
        "identified by ", "{", "}", "net user ", "net use \\\\h ", "htpasswd -b f u ", "echo x | ",
        "su ", "<<<", "to ", "the ", "secret ", "token is ", "key=", "AKIAIOSFODNN7EXAMPLE", "7 ", "-----BEGIN PRIVATE KEY-----", "-----END x-----", "é", "(", ")", "-Password ",
    ]), 0..24)) {
        let text = parts.concat();
        let once = redact(&text);
        prop_assert!(only_masks(&text, &once), "{}", once);
        prop_assert_eq!(redact(&once), once);
    }

    #[test]
    fn no_value_of_a_password_stays(value in "[A-Za-z0-9_.,:/+!~#-]{4,24}", quote in prop::sample::select(vec!["", "'", "\""])) {
        let secret = format!("Q{value}Q");
        for text in [
            format!("run --password={quote}{secret}{quote} x"),
            format!("DB_PASSWORD={quote}{secret}{quote} run"),
            format!("sshpass -p {quote}{secret}{quote} ssh web01"),
            format!("run --token {quote}{secret}{quote}"),
            format!("run client-secret {quote}{secret}{quote}"),
            format!("set password {quote}{secret}{quote} for bob"),
            format!("echo {quote}{secret}{quote} | passwd --stdin bob"),
            format!("htpasswd -b f bob {quote}{secret}{quote}"),
            format!("openssl enc -k {quote}{secret}{quote}"),
            format!("key={quote}{secret}{quote}"),
        ] {
            prop_assert!(!redact(&text).contains(&secret), "{}", redact(&text));
        }
    }
}
