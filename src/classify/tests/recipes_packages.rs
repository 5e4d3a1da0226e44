use super::*;

const PACKAGE: &str = r#"{
  "name": "app",
  "workspaces": ["packages/*", "tools"],
  "scripts": {
    "pretest": "npm run build",
    "test": "jest --ci",
    "posttest": "echo done",
    "build": "tsc -p . && vite build",
    "lint": "eslint .",
    "up": "ssh web01 reboot",
    "uptime": "ssh web01 uptime",
    "predeploy": "ssh web02 reboot",
    "deploy": "echo deploying",
    "postship": "ssh web03 reboot",
    "ship": "ls",
    "start": "node server.js",
    "stop": "ssh web04 reboot",
    "env": "cross-env NODE_ENV=test jest",
    "envup": "cross-env H=1 ssh web05 reboot",
    "all": "npm-run-all build lint up",
    "each": "run-s build:*",
    "build:a": "ls",
    "build:b": "ssh web06 reboot",
    "both": "concurrently \"npm:lint\" \"ssh web07 reboot\" -n a,b",
    "watch": "nodemon --exec \"ssh web08 reboot\"",
    "loop": "npm run loop",
    "to": "ssh",
    "odd": "nobody-knows",
    "set": "npm pkg set scripts.x=y && npm run lint",
    "sh": "./run.sh",
    "sub": "cd packages/a && npm run up",
    "ws": "npm run up -w a",
    "noarray": ["x"],
    "dot": "dotenv -e .env -- ssh web09 reboot",
    "pre": "ls"
  }
}"#;

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("package.json", PACKAGE),
        ("run.sh", "#!/bin/sh\nssh web10 reboot\n"),
        ("packages/a/package.json", r#"{"name":"a","scripts":{"up":"ssh db01 reboot","read":"ls"}}"#),
        ("packages/b/package.json", r#"{"name":"@x/b","scripts":{"up":"ssh db02 reboot","read":"ls"}}"#),
        ("tools/package.json", r#"{"name":"tools","scripts":{"read":"ls"}}"#),
        ("packages/a/src/x.ts", ""),
    ]
}

#[test]
fn scripts_of_npm() {
    check(
        &files(),
        &[
            ("npm test", "read_only"),
            ("npm t", "read_only"),
            ("npm run test", "read_only"),
            ("npm run-script lint", "read_only"),
            ("npm run lint -- --fix src", "read_only"),
            ("npm run lint -- \"$X\"", "read_only"),
            ("npm run lint --silent", "read_only"),
            ("npm -s run lint", "read_only"),
            ("npm test --coverage", "read_only"),
            ("npm run up", "mutating web01"),
            ("npm run uptime", "read_only"),
            ("npm run deploy", "mutating web02"),
            ("npm run ship", "mutating web03"),
            ("npm stop", "mutating web04"),
            ("npm start", "unknown"),
            ("npm restart", "mutating web04 +"),
            ("npm run env", "read_only"),
            ("npm run envup", "mutating web05"),
            ("npm run all", "mutating web01"),
            ("npm run each", "mutating web06"),
            ("npm run both", "mutating web07"),
            ("npm run watch", "mutating web08"),
            ("npm run dot", "mutating web09"),
            ("npm run sh", "mutating web10"),
            ("npm run loop", "unknown"),
            ("npm run to -- web11 reboot", "mutating web11"),
            ("npm run to web11 reboot", "mutating web11"),
            ("npm run to -- \"$H\" reboot", "unknown"),
            ("npm run odd", "unknown"),
            ("npm run none", "unknown"),
            ("npm run none --if-present", "read_only"),
            ("npm run noarray", "unknown"),
            ("npm run $X", "unknown"),
            ("npm run set", "unknown"),
            ("npm run", "read_only"),
            ("npm run lint --script-shell=/x", "unknown"),
            ("npm run lint --script-shell /x", "unknown"),
            ("npm run lint --script_shell=/x", "unknown"),
            ("npm run lint --script-sh=/x", "unknown"),
            ("npm --script-shell=/x run lint", "unknown"),
            ("npm run lint --node-options=--require=x", "unknown"),
            ("npm run lint --host web01", "unknown"),
            ("npm run lint $X", "unknown"),
            ("npm_config_script_shell=./x npm test", "unknown"),
            ("NPM_CONFIG_SCRIPT_SHELL=./x npm test", "unknown"),
            ("env npm_config_script-shell=./x npm test", "unknown"),
            ("Npm_Config_Script_Shell=./x npm test", "unknown"),
            ("npm_config_prefix=packages/a npm run up", "mutating web01 +"),
            ("npm_config_loglevel=silent npm test", "read_only"),
            ("export npm_config_userconfig=x; npm test", "unknown"),
            ("cd packages/a && npm run up", "mutating db01"),
            ("npm run sub", "mutating db01"),
            ("npm --prefix packages/a run up", "mutating db01"),
            ("npm run up --prefix packages/a", "mutating db01"),
            ("npm run up -C packages/b", "mutating db02"),
            ("npm run up -w a", "mutating db01"),
            ("npm run up -w packages/b", "mutating db02"),
            ("npm run up --workspace=@x/b", "mutating db02"),
            ("npm run ws", "mutating db01"),
            ("npm run read --workspaces", "read_only"),
            ("npm run up --workspaces", "mutating web01,db01,db02"),
            ("cd packages/a/src && npm run up", "mutating db01"),
            ("cd /elsewhere && npm test", "unknown"),
            ("cd $X && npm test", "unknown"),
            ("ssh web01 npm test", "unknown web01"),
            ("ssh web01 'cd /srv && npm run build'", "unknown web01"),
            ("docker run x npm test", "unknown"),
            ("node --run lint", "read_only"),
            ("node --run up", "mutating web01"),
            ("node --run=up", "mutating web01"),
            ("node --run to -- web02 reboot", "mutating web02"),
        ],
    );
}

#[test]
fn scripts_of_yarn_pnpm_and_bun() {
    check(
        &files(),
        &[
            ("yarn test", "read_only"),
            ("yarn run lint --fix", "read_only"),
            ("yarn up", "read_only"),
            ("yarn run up", "mutating web01"),
            ("yarn ship", "mutating web03"),
            ("yarn to web01 reboot", "mutating web01"),
            ("yarn to -- web01 reboot", "mutating web01"),
            ("yarn -s odd", "unknown"),
            ("yarn eslint .", "read_only"),
            ("yarn nobody-knows", "unknown"),
            ("yarn workspace a run up", "mutating db01"),
            ("yarn workspace a up", "unknown"),
            ("yarn workspaces run read", "read_only"),
            ("yarn workspaces foreach -A run up", "mutating web01,db01,db02"),
            ("yarn --cwd packages/a run up", "mutating db01"),
            ("yarn install && yarn test", "read_only"),
            ("yarn", "read_only"),
            ("pnpm test", "read_only"),
            ("pnpm run up", "mutating web01"),
            ("pnpm ship", "mutating web03"),
            ("pnpm lint --fix", "read_only"),
            ("pnpm -r run up", "mutating web01,db01,db02"),
            ("pnpm --filter a up", "read_only"),
            ("pnpm --filter a run up", "mutating web01,db01,db02"),
            ("pnpm -C packages/b run up", "mutating db02"),
            ("pnpm i && pnpm ship", "mutating web03"),
            ("pnpm odd", "unknown"),
            ("bun run up", "mutating web01"),
            ("bun run lint", "read_only"),
            ("bun ship", "mutating web03"),
            ("bun run server.ts", "unknown"),
            ("bun test", "read_only"),
            ("bun run", "read_only"),
            ("ssh web01 yarn build", "unknown web01"),
        ],
    );
}

#[test]
fn settings_that_name_another_shell() {
    for (file, text) in [
        (".npmrc", "script-shell=/tmp/x\n"),
        (".npmrc", "; x\nscript_shell = \"ssh web01\"\n"),
        ("/home/jo/.npmrc", "script-shell=/tmp/x\n"),
        ("/.npmrc", "script-shell=/tmp/x\n"),
    ] {
        let files: Vec<_> = files().into_iter().chain([(file, text)]).collect();
        check(&files, &[("npm run lint", "unknown"), ("pnpm run lint", "unknown"), ("bun run lint", "read_only")]);
    }
    let files: Vec<_> = files().into_iter().chain([(".npmrc", "# script-shell=x\nregistry=https://x\n")]).collect();
    check(&files, &[("npm run lint", "read_only")]);
    check(&[("package.json", "{\"scripts\":{\"a\":\"ls\",\"a\":\"ssh web01 reboot\"}}")], &[("npm run a", "unknown")]);
    check(&[("package.json", "no json")], &[("npm run a", "unknown"), ("npm install", "read_only")]);
    check(&[("package.json", "{}")], &[("npm test", "unknown"), ("yarn eslint", "read_only")]);
}
