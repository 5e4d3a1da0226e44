use super::*;

/// What runs before a target is read, and whether that may have rewritten it.
#[test]
fn who_may_have_rewritten_a_projects_files() {
    let files = [
        (
            "Makefile",
            "test:\n\tcargo test\nclean:\n\trm -rf *.o build\npull:\n\tgit pull\n\t$(MAKE) test\nscript:\n\tcargo build\n\t./run.sh\n",
        ),
        ("package.json", r#"{"scripts":{"test":"jest","build":"tsc"}}"#),
        ("justfile", "test:\n  cargo test\n"),
        ("Taskfile.yml", "tasks:\n  test: cargo test\n"),
        ("run.sh", "#!/bin/sh\nls\n"),
        ("bump.py", "import sys\nopen(sys.argv[1], 'w').write('x')\n"),
        ("build/run.sh", "#!/bin/sh\nls\n"),
        ("other/Makefile", "test:\n\tls\n"),
    ];
    let reads = ["make test", "npm test", "just test", "task test"];
    for before in [
        "npm ci",
        "npm install",
        "yarn install",
        "pnpm i",
        "pip install -r requirements.txt",
        "cargo build",
        "cargo fmt",
        "make clean",
        "make test",
        "npm run build",
        "git add -A",
        "git commit -m x",
        "git status",
        "git fetch",
        "eslint --fix .",
        "prettier --write .",
        "docker build -t x .",
        "docker compose up -d",
        "mkdir -p build",
        "rm -rf build node_modules",
        "cp a.txt build/",
        "mv a.txt b.txt",
        "touch x",
        "sed -i s/a/b/ src/x.c",
        "echo x > out.txt",
        "cmake -B build .",
        "go build ./...",
        "apt-get install -y gcc",
        "sleep 1",
        "chmod +x run.sh",
        "curl -o x.txt https://x.example",
        "cp build/* dist/",
        "./run.sh",
        "uv sync",
        "cd other; cd ..",
        "bundle install",
        "tap",
        "mocha -r x",
        "cargo run",
        "export A=b",
    ] {
        for read in reads {
            check(&files, &[(&format!("{before} && {read}"), "read_only")]);
        }
    }
    for before in [
        "git pull",
        "gh pr checkout 5",
        "svn update",
        "git checkout main",
        "git -C . pull",
        "git stash pop",
        "git apply x.patch",
        "git reset --hard",
        "git $X",
        "nobody-knows",
        "patch -p1 < x",
        "tar xf x.tar",
        "unzip x.zip",
        "make pull",
        "cp -r other/. .",
        "cp $X $Y",
        "find . -name x -exec sed -i s/a/b/ {} +",
        "python3 gen.py",
        "echo x > Makefile > package.json > justfile > Taskfile.yml",
        "echo x > $Y",
        "rsync -a other/ .",
        "cp x ../project",
        "npm init -y",
        "npm pkg set scripts.test=x",
        "yarn set version 4",
        "cargo init",
        "dd of=/project",
        "sed -i s/a/b/ Makefile package.json justfile Taskfile.yml",
        "tee Makefile package.json justfile Taskfile.yml < x",
        "mv x Makefile; mv y package.json; mv z justfile; mv v Taskfile.yml",
        "ls | xargs rm -rf; ln -sf /tmp/a /project",
        "curl -o Makefile -o package.json -o justfile -o Taskfile.yml https://x.example",
        "docker cp c:/x .",
    ] {
        for read in reads {
            let seen = seen(&format!("{before}; {read}"), &files, &Places::default());
            assert_eq!(seen.verdict, Verdict::Unknown, "{before}; {read}\n{:#?}", seen.parts);
            // What is asked about itself need say no more of what comes behind it.
            let alone = super::seen(before, &files, &Places::default());
            let last = seen.parts.iter().rev().find(|part| part.depth == 0).unwrap();
            assert!(alone.verdict == Verdict::Unknown || last.text == read, "{before}; {read}\n{:#?}", seen.parts);
            assert!(
                alone.verdict == Verdict::Unknown || last.verdict == Verdict::Unknown,
                "{before}; {read}\n{:#?}",
                seen.parts
            );
        }
    }
    check(
        &files,
        &[
            // In a loop what stands behind comes before, too.
            ("for i in 1 2; do make test; git pull; done", "unknown"),
            ("for i in 1 2; do make test; npm ci; done", "read_only"),
            ("while true; do npm test; sed -i s/a/b/ package.json; done", "unknown"),
            // One that shadows another.
            ("echo x > GNUmakefile; make test", "unknown"),
            ("echo x > makefile; make test", "unknown"),
            ("echo x > .npmrc; npm test", "unknown"),
            ("echo x > .env; make test", "read_only"),
            ("npm config set script-shell /tmp/x && npm test", "unknown"),
            // A program that writes files and names one of these.
            ("python3 -c 'open(\"Makefile\", \"w\").write(\"x\")' && make test", "unknown"),
            ("python3 -c 'import json; json.dump({}, open(\"package.json\", \"w\"))' && npm test", "unknown"),
            ("node -e 'require(\"fs\").writeFileSync(\"package.json\", \"x\")' && npm test", "unknown"),
            ("perl -e 'open(F, \">Makefile\"); print F 1' && make test", "unknown"),
            ("ruby -e 'File.write(\"justfile\", \"x\")' && just test", "unknown"),
            ("php -r 'file_put_contents(\"Taskfile.yml\", \"x\");'; task test", "unknown"),
            ("python3 bump.py package.json && npm test", "unknown"),
            ("python3 bump.py x.txt && npm test", "read_only"),
            ("python3 -c 'print(open(\"Makefile\").read())' && make test", "read_only"),
            ("python3 -c 'open(\"out.txt\", \"w\").write(\"x\")' && make test", "read_only"),
            ("git clone https://x.example/x && cd x && make", "unknown"),
            ("git clone https://x.example/x && make -C other test", "unknown"),
            // Scripts are left alone by builders, but where those write.
            ("make script", "read_only"),
            ("cargo build && ./run.sh", "read_only"),
            ("cargo build && ./build/run.sh", "unknown"),
            ("git pull && ./run.sh", "unknown"),
            ("sed -i s/a/b/ run.sh && ./run.sh", "unknown"),
        ],
    );
}

/// A project's own tools, and the shell that enters its environment.
#[test]
fn tools_of_a_project() {
    // The shape of what Python writes there.
    let enter = "leave () {\n if [ -n \"${_OLD_VIRTUAL_PATH:-}\" ]; then\n PATH=\"${_OLD_VIRTUAL_PATH:-}\"; export PATH; fi\n\
        hash -r 2> /dev/null\n if [ -n \"${_OLD_VIRTUAL_PS1:-}\" ]; then PS1=\"${_OLD_VIRTUAL_PS1:-}\"; export PS1; fi\n}\nleave now\n\
        case \"$(uname)\" in\n MSYS*) VIRTUAL_ENV=$(cygpath /project/.venv);;\n *) export VIRTUAL_ENV=/project/.venv;;\nesac\n\
        _OLD_VIRTUAL_PATH=\"$PATH\"\nPATH=\"$VIRTUAL_ENV/\"bin\":$PATH\"\nexport PATH\nPS1=\"(.venv) ${PS1:-}\"\nexport PS1\nhash -r\n";
    let files =
        [(".venv/bin/activate", enter), ("gradlew", "#!/bin/sh\nexec \"$JAVACMD\" \"$@\"\n"), ("bin/x", "\u{7f}ELF")];
    check(
        &files,
        &[
            ("source .venv/bin/activate", "read_only"),
            (". .venv/bin/activate && pytest -q", "read_only"),
            ("source .venv/bin/activate; ssh web01 reboot", "mutating web01"),
            ("_OLD_VIRTUAL_PATH=/evil; . .venv/bin/activate", "unknown"),
            ("echo x >> .venv/bin/activate; . .venv/bin/activate", "unknown"),
            (".venv/bin/pytest -q", "read_only"),
            ("venv/bin/ruff check .", "read_only"),
            ("./node_modules/.bin/eslint .", "read_only"),
            ("node_modules/.bin/nobody-knows", "unknown"),
            ("node_modules/.bin/ssh web01 reboot", "mutating web01"),
            ("vendor/bin/phpunit", "read_only"),
            ("./gradlew build", "read_only"),
            ("cd sub && ../mvnw -q test", "read_only"),
            ("npm ci && node_modules/.bin/tsc", "read_only"),
            ("git pull && ./gradlew build", "unknown"),
            ("cp x .venv/bin/pytest; .venv/bin/pytest", "unknown"),
            ("echo x > gradlew; ./gradlew", "unknown"),
            ("bin/x", "unknown"),
            ("evil/bin/pytest", "unknown"),
            ("xnode_modules/.bin/eslint", "unknown"),
            ("ssh web01 ./gradlew build", "unknown web01"),
            ("ssh web01 node_modules/.bin/eslint .", "unknown web01"),
            ("PS1='\\u@\\h:\\w\\$ '; ls", "read_only"),
            ("PS1='$(ssh web01 reboot)'; ls", "mutating web01 +"),
            ("PS1=\"$X\"; ls", "unknown"),
            ("PROMPT_COMMAND='ssh web01 reboot'; ls", "mutating web01"),
        ],
    );
    let places = Places { this_vm: Some("dev01".into()), ..Places::default() };
    assert_eq!(shown(&seen(".venv/bin/pytest", &files, &places)), "unknown dev01");
}
