//! Programs of interpreters as calls: what the whole of one is, and which guests it names.

use crate::catalog::Catalog;
use crate::classify::script;
use crate::classify::targets::Places;
use crate::classify::walk::Place;
use crate::classify::{Found, Surroundings};
use std::collections::BTreeMap;

#[path = "code_hostile.rs"]
mod hostile;

struct Files(BTreeMap<&'static str, &'static str>);

impl Surroundings for Files {
    fn real_path(&self, path: &str) -> String {
        match path {
            "/proj/.venv/bin/python" => "/usr/bin/python3.11".into(),
            "/proj/.odd/bin/python" => "/proj/tool/python".into(),
            path => path.to_owned(),
        }
    }

    fn file(&self, path: &str) -> Found {
        self.0.get(path).map_or(Found::Nothing, |text| Found::File(text.as_bytes().to_vec()))
    }

    fn home(&self) -> Option<String> {
        Some("/home/jo".into())
    }

    fn folder(&self, path: &str) -> Option<Vec<String>> {
        let inside = self.0.keys().filter_map(|file| file.strip_prefix(path)?.strip_prefix('/'));
        Some(inside.map(|name| name.split('/').next().unwrap().to_owned()).collect())
    }
}

fn files() -> Files {
    Files(BTreeMap::from([
        ("/proj/plain.py", "#!/usr/bin/env python3\nimport json, sys\nprint(json.load(sys.stdin)['x'])\n"),
        ("/proj/writes.py", "from pathlib import Path\nPath('out.txt').write_text('x')\n"),
        ("/proj/reaches.py", "import socket\nsocket.create_connection(('web01', 22))\n"),
        ("/proj/outside.py", "import requests\n"),
        ("/proj/follows.py", "import helper\nfrom pkg import part\nfrom pkg.sub import x\nhelper.run()\n"),
        ("/proj/helper.py", "def run():\n    print('ok')\n"),
        ("/proj/pkg/__init__.py", ""),
        ("/proj/pkg/part.py", "import re\n"),
        ("/proj/pkg/sub.py", "x = 1\n"),
        ("/proj/bad.py", "import evil\n"),
        ("/proj/evil.py", "import os\nos.system('ssh web01 reboot')\n"),
        ("/proj/circle.py", "import circle2\n"),
        ("/proj/circle2.py", "import circle\n"),
        ("/proj/machine.py", "import fast\n"),
        ("/proj/fast.cpython-312-x86_64-linux-gnu.so", "\u{7f}ELF"),
        ("/proj/fast.py", ""),
        ("/shadow/run.py", "import json\n"),
        ("/shadow/enum.py", "import os\nos.system('ssh web01 reboot')\n"),
        ("/shadow2/run.py", "import json\n"),
        ("/shadow2/json/__init__.py", "import os\nos.system('ssh web01 reboot')\n"),
        ("/custom/sitecustomize.py", "import os\nos.system('ssh web01 reboot')\n"),
        ("/proj/plain.js", "const fs = require('fs');\nconsole.log(fs.readFileSync('x', 'utf8').length);\n"),
        ("/proj/lib.js", "module.exports = { a: 1 };\n"),
        ("/proj/uses.js", "const lib = require('./lib');\nconsole.log(lib.a, require('./package.json').version);\n"),
        ("/proj/reaches.js", "require('child_process').execSync('ssh web01 reboot');\n"),
        ("/proj/usesbad.js", "import './reaches.js';\n"),
        ("/proj/package.json", "{\"version\": \"1.0.0\"}"),
        (
            "/proj/plain.ts",
            "import { readFileSync } from 'node:fs';\nexport type A = { a: string };\nconst x: A = { a: 'b' };\nconsole.log(x.a);\n",
        ),
        ("/proj/plain.rb", "require 'json'\nputs JSON.parse(File.read('x'))['a']\n"),
        ("/proj/reaches.rb", "require 'net/ssh'\n"),
        (
            "/proj/plain.pl",
            "#!/usr/bin/perl\nuse strict;\nuse warnings;\nmy %h = (a => 1);\nprint \"$_ $h{$_}\\n\" for sort keys %h;\n",
        ),
        ("/proj/reaches.pl", "system('ssh web01 reboot');\n"),
        (
            "/proj/plain.php",
            "<html><?php\n$x = json_decode(file_get_contents('x.json'), true);\nforeach ($x as $k => $v) { echo \"{$k}: $v\\n\"; }\n",
        ),
        ("/proj/artisan", "#!/usr/bin/env php\n<?php require __DIR__.'/vendor/autoload.php';\n"),
    ]))
}

fn places(this_vm: Option<&str>, mounts: bool) -> Places {
    let mounts = if mounts { BTreeMap::from([("/mnt/web01".into(), "web01".into())]) } else { BTreeMap::new() };
    Places { this_vm: this_vm.map(str::to_owned), mounts, ..Places::default() }
}

fn shown(text: &str, cwd: &str, places: &Places) -> (String, String) {
    let seen = script::judge(&[text], &[Place::default()], Some(cwd), &Catalog::default(), places, &files());
    let mut shown = format!("{} {}", seen.verdict.name(), seen.targets.join(","));
    if let Some(doubt) = &seen.doubt {
        shown.push_str(&format!(" + {}", doubt.targets.join(",")));
    }
    (shown.trim().to_owned(), seen.reason)
}

fn check_in(cwd: &str, places: &Places, cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(text, expected)| {
            let (got, reason) = shown(text, cwd, places);
            (got != *expected).then(|| format!("{text}\n  expected {expected}\n  got      {got}: {reason}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}\n{} wrong", wrong.join("\n"), wrong.len());
}

fn check(cases: &[(&str, &str)]) {
    check_in("/proj", &places(None, false), cases);
}

/// Each of them, with what runs it.
fn check_all(runs: &str, expected: &str, texts: &[&str]) {
    let calls: Vec<String> = texts.iter().map(|text| format!("{runs} {}", crate::text::shell_word(text))).collect();
    let cases: Vec<(&str, &str)> = calls.iter().map(|call| (call.as_str(), expected)).collect();
    check(&cases);
}

#[test]
fn python_that_stays_here() {
    check_all(
        "python3 -c",
        "read_only",
        &[
            "print(1)",
            "import json,sys; print(json.load(sys.stdin)['x'])",
            "import json; print(json.dumps({'a': 1}, indent=2))",
            "import sys; print(sys.version)",
            "import os; print(os.getcwd(), os.environ.get('PATH'), os.path.join('a', 'b'))",
            "import re; print(re.findall(r'system\\(', open('x').read()))",
            "import re as r; p = r.compile('x')",
            "print('import subprocess; os.system(1)')",
            "# import subprocess\nprint(1)",
            "'''\nimport subprocess\n'''\nprint(1)",
            "print(f\"{1 + 1!r:>{10}} {'a' if True else \"b\"}\")",
            "print(rb'\\x', b\"a\", R'\\'')",
            "import platform; print(platform.system())",
            "import argparse\np = argparse.ArgumentParser()\np.add_argument('--x', help='y')\nprint(vars(p))",
            "from pathlib import Path\nfor p in Path('.').rglob('*.py'):\n    print(p, len(p.read_text()))",
            "from pathlib import Path\np = Path('x.py')\ns = p.read_text()\np.write_text(s.replace('a', 'b'))",
            "import os, shutil\nshutil.rmtree('build', ignore_errors=True)\nos.makedirs('build')",
            "with open('x', 'w') as f:\n    f.write('y')",
            "import csv\nwith open('x.csv', newline='') as f:\n    for r in csv.DictReader(f): print(r)",
            "import xml.etree.ElementTree as ET; print(ET.parse('x.xml').getroot().tag)",
            "from urllib.parse import urlparse; print(urlparse('https://x/y').path)",
            "import importlib.metadata as m; print(m.version('pip'))",
            "from importlib.metadata import version; print(version('pip'))",
            "import sqlite3; c = sqlite3.connect('x.db'); print(c.execute('select 1').fetchall())",
            "import sys; print(sys.path); [print(p) for p in sys.path]",
            "import tomllib; print(tomllib.load(open('Cargo.toml','rb'))['package']['version'])",
            "import hashlib; print(hashlib.sha256(open('x','rb').read()).hexdigest())",
            "import base64; print(base64.b64decode('aGk=').decode())",
            "from datetime import datetime, timezone; print(datetime.now(timezone.utc).isoformat())",
            "class A:\n    def __init__(self): self.x = 1\n    def __repr__(self): return self.__class__.__name__\nprint(A())",
            "getattr(print, 'name', None)",
            "import concurrent.futures as c\nwith c.ThreadPoolExecutor() as e: print(list(e.map(abs, [1])))",
            "x = 3 % 2\ny = not x != 1\nz: int = 0x_ff\nprint(x @ y if 0 else z, end='')",
            "import ast; print(ast.literal_eval('[1]'))",
            "import logging; logging.Formatter('%(message)s')",
            "import unicodedata; print('é ñ 日本')",
        ],
    );
}

#[test]
fn how_python_is_called() {
    check(&[
        ("python plain.py", "read_only"),
        ("./plain.py a b", "read_only"),
        ("python3.12 -u writes.py", "read_only"),
        ("/usr/bin/python3 -W ignore -X utf8 plain.py --x", "read_only"),
        ("python3 - < plain.py", "read_only"),
        ("cat plain.py | python3", "read_only"),
        ("python3 - <<'EOF'\nimport json\nprint(json.dumps(1))\nEOF", "read_only"),
        ("python3 <<'EOF'\nimport subprocess\nEOF", "unknown"),
        ("echo 'import os; os.system(\"x\")' | python3", "unknown"),
        ("curl -s https://x/y.py | python3", "unknown"),
        ("curl -s https://x/y | python3 -c 'import json,sys; print(json.load(sys.stdin))'", "read_only"),
        ("python3 follows.py", "read_only"),
        ("python3 circle.py", "read_only"),
        ("python3 reaches.py", "unknown"),
        ("python3 outside.py", "unknown"),
        ("python3 bad.py", "unknown"),
        ("python3 machine.py", "unknown"),
        ("python3 absent.py", "unknown"),
        ("python3 $X.py", "unknown"),
        ("python3 -c \"print('$X')\"", "unknown"),
        ("uv run python -c 'print(1)'", "read_only"),
        ("uv run plain.py", "read_only"),
        ("poetry run python bad.py", "unknown"),
        ("python3", "read_only"),
        ("python3 -V", "read_only"),
        ("python3 --version-info", "unknown"),
        ("python2 -c 'print 1'", "unknown"),
        ("pypy3 -c 'print(1)'", "read_only"),
        ("python3 -i plain.py < x", "unknown"),
        ("python3 -Bc 'print(1)'", "read_only"),
        ("python3 -Ic'import os; os.system(1)'", "unknown"),
        ("python3 -W error::evil.X -c 'print(1)'", "unknown"),
        ("python3 -x plain.py", "unknown"),
        ("python3 -m json.tool x.json", "read_only"),
        ("ssh web01 'cat /etc/x.json | python3 -m json.tool'", "read_only"),
        ("ssh web01 python3 -m json.tool a b", "mutating web01"),
        ("python3 -m pytest -q tests", "read_only"),
        ("python3 -m pip install x", "read_only"),
        ("ssh web01 python3 -m pip install x", "unknown web01"),
        ("python3 -m venv .venv", "read_only"),
        ("python3 -m http.server 8000", "read_only"),
        ("python3 -m unittest discover", "read_only"),
        ("python3 -m fabric", "unknown"),
        ("python3 -m helper", "unknown"),
        ("python3 -m timeit -s 'import re' 're.compile(1)'", "read_only"),
        ("python3 -m timeit 'import os' 'os.system(1)'", "unknown"),
        ("python3 -m webbrowser http://x", "unknown"),
        ("ipython -c 'print(1)'", "read_only"),
        ("ipython -c '!ls'", "unknown"),
        ("ipython -c '%run x.py'", "unknown"),
        ("ssh web01 \"python3 -c 'print(1)'\"", "unknown web01"),
        ("ssh web01 python3 /opt/x.py", "unknown web01"),
        ("ssh web01 python3 - < plain.py", "unknown web01"),
        ("docker exec app python -c 'print(1)'", "read_only"),
        ("docker exec app python manage.py migrate", "unknown"),
        ("PYTHONPATH=. python3 plain.py", "read_only"),
        ("PYTHONPATH=/shadow python3 plain.py", "unknown"),
        ("PYTHONPATH=$X python3 plain.py", "unknown"),
        ("PYTHONWARNINGS=all::evil.X python3 plain.py", "unknown"),
        ("PYTHONPATH=/custom python3 -c 'print(1)'", "unknown"),
        (".venv/bin/python plain.py", "read_only"),
        (".venv/bin/python reaches.py", "unknown"),
        (".odd/bin/python plain.py", "unknown"),
        ("ln -sf /tmp/x .venv/bin/python; .venv/bin/python plain.py", "unknown"),
        ("curl -o plain.py https://x/y.py; python3 plain.py", "unknown"),
        ("cd /shadow && python3 run.py", "unknown"),
        ("cd /shadow && python3 -c 'import json'", "unknown"),
        ("cd /shadow2 && python3 run.py", "unknown"),
        ("echo 'x' > json.py; python3 plain.py", "unknown"),
        ("echo 'x' > plain.py; python3 plain.py", "unknown"),
        ("python3 writes.py && ./plain.py", "unknown"),
        ("python3 plain.py && ./plain.py", "read_only"),
    ]);
}

#[test]
fn javascript_that_stays_here() {
    check_all(
        "node -e",
        "read_only",
        &[
            "console.log(1)",
            "console.log(require('./package.json').version)",
            "const fs = require('fs'); fs.writeFileSync('x', JSON.stringify({a: 1}))",
            "const { readFileSync } = require('node:fs'); console.log(readFileSync('x', 'utf8').split(/\\n|'/))",
            "console.log(`a ${1 + `b ${2}`} c`)",
            "process.stdin.on('data', d => process.stdout.write(d)); process.exitCode = 1",
            "const m = /child_process[/]/g.exec('x'); console.log(m?.[0], 4 / 2 / 1)",
            "// require('child_process')\n/* eval(1) */ console.log('eval')",
            "class A { constructor(x) { this.x = x } name() { return this.constructor.name } }",
            "if (require.main === module) console.log(process.argv.slice(2), process.env.HOME)",
            "import('node:fs/promises').then(m => m.readFile('x'))",
            "const crypto = require('crypto'); console.log(crypto.createHash('sha256').update('x').digest('hex'))",
            "const path = require('path'), os = require('os'); console.log(path.join(os.homedir(), 'x'))",
            "require('./lib').a",
        ],
    );
    check(&[
        ("node plain.js", "read_only"),
        ("node uses.js", "read_only"),
        ("node -p \"require('./package.json').version\"", "read_only"),
        ("node -pe 1+1", "read_only"),
        ("node --check reaches.js", "read_only"),
        ("node --version", "read_only"),
        ("node --test", "read_only"),
        ("tsx plain.ts", "read_only"),
        ("npx tsx plain.ts", "read_only"),
        ("ts-node plain.ts", "read_only"),
        ("bun plain.ts", "read_only"),
        ("bun run plain.ts", "read_only"),
        ("deno run -A plain.ts", "read_only"),
        ("deno eval 'console.log(Deno.cwd())'", "read_only"),
        ("node --max-old-space-size=4096 plain.js x", "read_only"),
        ("node <<'E'\nconsole.log(1)\nE", "read_only"),
        ("node reaches.js", "unknown"),
        ("node usesbad.js", "unknown"),
        ("node -r ./lib plain.js", "unknown"),
        ("node -r dotenv/config plain.js", "read_only"),
        ("NODE_OPTIONS='--require ./reaches.js' node plain.js", "unknown"),
        ("NODE_OPTIONS=--max-old-space-size=4096 node plain.js", "read_only"),
        ("deno run https://x/y.ts", "unknown"),
        ("deno eval 'new Deno.Command(\"ssh\")'", "unknown"),
        ("bun -e 'Bun.spawn([\"ssh\"])'", "unknown"),
        ("ssh web01 node -e 1", "unknown web01"),
        ("ssh web01 node /srv/x.js", "unknown web01"),
    ]);
}

#[test]
fn ruby_perl_and_php_that_stay_here() {
    check_all(
        "ruby -e",
        "read_only",
        &[
            "puts 1",
            "require 'json'; puts JSON.parse(STDIN.read)['x']",
            "require 'yaml'; puts YAML.load_file('x.yml').keys",
            "require 'fileutils'; FileUtils.rm_rf('/home/user')",
            "puts \"a #{[1, 2].map { |x| x * 2 }.join(\", \")} b\"",
            "%w[a b].each { |x| puts x }; puts :sym, 'system'",
            "File.write('x', File.read('x').gsub(/a/, 'b'))",
            "class A\n  attr_reader :x\n  def initialize(x); @x = x; end\nend\nputs A.new(1).x",
            "puts <<~EOS\n  exec system\nEOS\nputs 2",
            "t = Process.clock_gettime(Process::CLOCK_MONOTONIC); puts t",
            "puts [1, 2].inject(:+), [1].sum, 'x'.then { _1 }",
            "x = 4 / 2 ; y = x % 3; puts x ? y : 0",
            "=begin\nsystem('x')\n=end\nputs 1",
        ],
    );
    check_all(
        "perl -e",
        "read_only",
        &[
            "print 'ok'",
            "print \"system\\n\"; # exec",
            "use strict; use warnings; my @a = map { $_ * 2 } (1..3); print \"@a\\n\";",
            "use JSON::PP; local $/; print decode_json(<STDIN>)->{x}",
            "open(my $fh, '<', 'x') or die; while (<$fh>) { s/a/b/g; print }",
            "open my $out, '>', 'x' or die $!; print {$out} 1; close $out;",
            "my %h; $h{s}++; $h{y} = 1; print join(',', sort keys %h), qw(a b);",
            "use List::Util qw(sum max); use POSIX qw(floor); print floor(sum(1, 2) / 2)",
            "my $x = 'a'; $x =~ s/(\\w)/uc($1)/e; print $x",
            "print <<'E';\nsystem(1)\nE\nprint 1",
            "sub add($$) { my ($x, $y) = @_; return $x + $y } print add(1, 2)",
            "eval { die 'x' }; print $@ if $@; unlink 'x' if -e 'x';",
        ],
    );
    check_all(
        "php -r",
        "read_only",
        &[
            "echo 1;",
            "function f($x) { return $x; } echo f(1);",
            "var_dump(json_decode('{}', true)['require'], 'mail', 'system');",
            "echo json_encode(['a' => 1]), PHP_EOL;",
            "$x = array_map(fn($a) => $a * 2, [1, 2]); print_r($x);",
            "$f = function ($x) { return $x; }; echo $f(1);",
            "echo \"{$argv[0]} $x[0] $y\" . 'system';",
            "file_put_contents('x', str_replace('a', 'b', file_get_contents('x')));",
            "class A { public function __construct(private int $x) {} function get() { return $this->x; } } echo (new A(1))->get();",
            "usort($x, 'strcmp'); echo date('Y-m-d'), (new DateTime())->format('c');",
            "echo <<<EOT\nsystem exec\nEOT;\necho 1;",
            "// ?> <b>x</b> <?php\necho 1; # eval",
            "if (preg_match('/system\\(/', $s)) { echo strlen($s); }",
        ],
    );
    check(&[
        ("ruby plain.rb", "read_only"),
        ("ruby -c reaches.rb", "read_only"),
        ("ruby -rjson -e 'puts JSON.generate([1])'", "read_only"),
        ("ruby -ne 'puts $_ if /x/' file", "read_only"),
        ("ruby reaches.rb", "unknown"),
        ("ruby -rnet/ssh -e 1", "unknown"),
        ("ruby -I lib -e 1", "unknown"),
        ("perl plain.pl", "read_only"),
        ("./plain.pl", "read_only"),
        ("perl reaches.pl", "unknown"),
        ("perl -v", "read_only"),
        ("perl -MJSON::PP -e 'print encode_json([])'", "read_only"),
        ("perl -MList::Util=sum -e 'print sum(1, 2)'", "read_only"),
        ("perl -pi -e 's/a/b/g' x.txt", "read_only"),
        ("perl -i.bak -ne 'print unless /x/' x.txt", "read_only"),
        ("perl -i -pe 's/a/b/' *.txt \"$F\"", "read_only"),
        ("perl -pe \"s/a/$X/\" f", "read_only"),
        ("perl -e \"$X\"", "unknown"),
        ("perl -ne \"print $X\" f", "unknown"),
        ("perl $X", "unknown"),
        ("perl -0777 -pe 's/a\\nb/c/g' x.txt", "read_only"),
        ("php plain.php", "read_only"),
        ("php -l reaches.php", "read_only"),
        ("php -v", "read_only"),
        ("php artisan migrate", "unknown"),
        ("./artisan migrate", "unknown"),
        ("php -S localhost:8000", "read_only"),
        ("php -d memory_limit=1G plain.php", "read_only"),
        ("php -d auto_prepend_file=x.php plain.php", "unknown"),
        ("base64 --decode x | php", "unknown"),
        ("ssh web01 php -r 'echo 1;'", "unknown web01"),
        ("ssh web01 ruby -e 'puts 1'", "unknown web01"),
    ]);
}

#[test]
fn filters_on_a_guest() {
    check(&[
        ("ssh web01 \"perl -ne 'print if /x/' /etc/passwd\"", "read_only"),
        ("ssh web01 \"perl -lane 'print \\$F[0]' /var/log/x.log\"", "read_only"),
        ("ssh web01 \"cat x | perl -pe 's/a/b/g; tr/a-z/A-Z/'\"", "read_only"),
        ("ssh web01 \"perl -F: -lane 'print \\$F[0] if \\$F[2] > 1000' /etc/passwd\"", "read_only"),
        ("ssh web01 \"perl -ne 'END { print \\$. }' /etc/passwd\"", "read_only"),
        ("ssh web01 \"perl -pi -e 's/a/b/' /etc/x\"", "mutating web01"),
        ("ssh web01 \"perl -ne 'system(1)' x\"", "unknown web01"),
        ("ssh web01 \"perl -ne 'print if /x/' 'rm x|'\"", "unknown web01"),
        ("ssh web01 \"perl -ne 'open(F, q(>x))' x\"", "unknown web01"),
        ("ssh web01 \"perl -pe 's/a/unlink(q(x))/e' x\"", "unknown web01"),
        ("ssh web01 \"perl -pe 's/a/b/ee' x\"", "unknown web01"),
        ("ssh web01 \"perl -pe 'print \\`id\\`' x\"", "unknown web01"),
        ("ssh web01 \"perl -ne 'BEGIN { \\$^I = q() } print' x\"", "unknown web01"),
        ("ssh web01 \"perl -ne 'unlink' x\"", "unknown web01"),
        ("ssh web01 \"perl -ne 'print {\\$x->open}' x\"", "unknown web01"),
        ("ssh web01 \"perl -MFoo -ne 'print' x\"", "unknown web01"),
        ("ssh web01 \"perl -ne 'BEGIN { @ARGV = q(rm x|) } print' x\"", "unknown web01"),
        ("ssh web01 \"perl -ne 'BEGIN { @::ARGV = q(rm x|) } print' x\"", "unknown web01"),
        ("ssh web01 \"perl -ne 'BEGIN { @main::ARGV = q(rm x|) } print' x\"", "unknown web01"),
        ("ssh web01 \"perl -ne 'BEGIN { \\$ARGV[0] = q(rm x|) } print' x\"", "unknown web01"),
        ("ssh web01 \"perl -ne 'print \\$ARGV' x\"", "read_only"),
        ("ssh web01 \"perl -ne 'print <*.c>; print <F>' x\"", "unknown web01"),
        ("ssh web01 \"perl -e 'print 1'\"", "read_only"),
        ("ssh web01 perl x.pl", "unknown web01"),
        ("ssh web01 \"perl -ne 'print' \\$X\"", "unknown web01"),
        ("ssh web01 \"perl -ne 'print' /var/log/*.log\"", "read_only"),
        ("ssh web01 \"perl -ne 'print' *.log\"", "unknown web01"),
    ]);
}

#[test]
fn where_this_machine_is_a_guest_or_has_its_disk() {
    check_in(
        "/proj",
        &places(Some("dev01"), false),
        &[
            ("python3 -c 'print(1)'", "unknown dev01"),
            ("python3 writes.py", "unknown dev01"),
            ("perl -ne 'print if /x/' y", "read_only"),
            ("perl -pi -e 's/a/b/' y", "mutating dev01"),
            ("python3 -m json.tool x", "read_only"),
        ],
    );
    check_in(
        "/proj",
        &places(None, true),
        &[
            ("python3 -c 'print(open(\"/mnt/web01/etc/x\").read())'", "read_only"),
            ("python3 -c 'open(\"/mnt/web01/etc/x\", \"w\")'", "mutating web01"),
            ("python3 -c 'open(\"/tmp/x\", \"w\")'", "read_only"),
            ("node -e 'require(\"fs\").rmSync(\"/mnt/web01/srv\")'", "mutating web01"),
            ("perl -pi -e 's/a/b/' /mnt/web01/etc/x", "mutating web01"),
            ("cd /mnt/web01 && python3 -c 'open(\"x\", \"w\")'", "mutating web01"),
            ("python3 -c 'print(1)'", "read_only"),
        ],
    );
}
