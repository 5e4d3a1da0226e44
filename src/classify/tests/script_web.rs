//! Web requests: what only fetches, and which machine is asked to change something.

use super::*;

#[test]
fn by_method_and_machine() {
    let places = Places {
        hosts: BTreeMap::from([("web01.corp.example".into(), "web01".into()), ("10.0.0.5".into(), "web01".into())]),
        unguarded: vec!["*.build.example".into()],
        ..Places::default()
    };
    check(
        r#"
        curl https://api.example/x => read_only
        curl -I https://web01.corp.example/ => read_only
        curl -sSfLO https://api.example/x => read_only
        curl https://api.example/x | jq . => read_only
        curl -XPOST https://api.example/x => unknown api.example
        curl -X POST https://web01.corp.example/x => mutating web01.corp.example
        curl -d '{"a":1}' http://10.0.0.5:9200/i/_doc => mutating 10.0.0.5
        curl -X DELETE https://ci.build.example/x => read_only
        curl -d x http://localhost:8080/ => read_only
        curl -d x 'http://[::1]:8080/' => read_only
        curl -T x http://web01.corp.example/x http://other/ => mutating web01.corp.example + other
        curl -X "$METHOD" https://web01.corp.example/ => mutating web01.corp.example
        curl -X GET "https://web01.corp.example/$ID" => read_only
        curl -d x "https://$HOST/" => unknown
        H=web01.corp.example; curl -d x "https://$H/" => mutating web01.corp.example
        curl --unix-socket /var/run/docker.sock -X POST http://x/containers/y/restart => read_only
        curl -d x https://web01.corp.example.evil.com/ => unknown web01.corp.example.evil.com
        curl -d x http://WEB01.corp.example/ => mutating WEB01.corp.example
        curl -K opts => mutating web01.corp.example
        curl -K gone => unknown
        curl gopher://127.0.0.1:6379/_FLUSHALL => unknown
        curl telnet://web01.corp.example => unknown
        curl -Q 'DELE /x' ftp://web01.corp.example/ => mutating web01.corp.example
        curl -Q 'rm /x' sftp://web01.corp.example/ => mutating web01.corp.example
        curl scp://web01.corp.example/etc/x => read_only
        curl --next -d x https://web01.corp.example => mutating web01.corp.example
        ssh db01 curl http://localhost:8080/x => read_only
        ssh db01 curl -o /tmp/x http://a/x => mutating db01
        ssh db01 curl -d x http://localhost:8080/x => mutating db01
        ssh db01 curl -d x http://web01.corp.example/ => unknown web01.corp.example
        curl -x http://web01.corp.example:3128 -d x http://localhost/ => unknown
        curl --socks5-hostname localhost:1080 -d x http://localhost/ => unknown
        ALL_PROXY=socks5://web01.corp.example curl -d x http://localhost/ => unknown
        http_proxy=http://web01.corp.example:3128 wget -qO- --post-data x http://localhost/ => unknown
        http --proxy=http:http://web01.corp.example:3128 POST :8080 => unknown
        https_proxy= curl -d x http://localhost/ => read_only
        wget https://api.example/x => read_only
        wget -qO- https://api.example/x => read_only
        ssh db01 wget https://api.example/x => mutating db01
        ssh db01 wget -qO- https://api.example/x => read_only
        wget -qO- --post-data x https://web01.corp.example => mutating web01.corp.example
        wget -qO- --method=DELETE https://api.example => unknown api.example
        wget -qO- --meth=DELETE https://api.example => unknown api.example
        wget -qO- --method=PUT --body-file=x http://localhost => read_only
        wget -qO- --header 'X-HTTP-Method-Override: DELETE' https://web01.corp.example => mutating web01.corp.example
        echo '-X DELETE' >> ~/.curlrc; curl https://api.example/x => unknown
        echo '-X DELETE' >> ~/.curlrc; curl -q https://api.example/x => read_only
        echo 'post_data = x' > ~/.wgetrc; wget -qO- https://api.example/x => unknown
        wget -e use_proxy=yes -qO- x => unknown
        wget -i list --post-data x http://localhost => unknown
        WGETRC=x wget -qO- http://a => unknown
        http GET https://api.example/x => read_only
        http web01.corp.example/x a=b => mutating web01.corp.example
        http POST :8080/x a=b => read_only
        https DELETE api.example/x => unknown api.example
        echo '{}' | http web01.corp.example/x => mutating web01.corp.example
        echo '{}' | http --ignore-stdin web01.corp.example/x => read_only
        xh post ci.build.example/x a=1 => read_only
        ssh db01 http POST :8080/x => mutating db01
        "#,
        &places,
        &[("/project/opts", "# deploy\nurl = \"https://web01.corp.example/x\"\nrequest = DELETE\n")],
    );
}
