use super::*;

const FILE: &str = r#"version: '3'
vars:
  HOST: web01
  REV: {sh: git describe}
tasks:
  default:
    deps: [build]
    cmds:
      - echo done
  build: cargo build
  test:
    cmds:
      - cargo test {{.CLI_ARGS}}
      - task: lint
  lint:
    aliases: [l]
    cmd: eslint .
  up:
    cmds:
      - ssh {{.HOST}} reboot
  upto:
    cmds:
      - task: up
        vars: {HOST: web02}
  dep:
    deps:
      - task: up
        vars:
          HOST: web03
    cmds: [ls]
  check:
    status:
      - ssh web04 reboot
    cmds: [ls]
  pre:
    preconditions:
      - sh: ssh web05 reboot
        msg: no
    cmds: [ls]
  defer:
    cmds:
      - defer: ssh web06 reboot
      - defer: {task: up}
  loop:
    cmds:
      - for: [a, b]
        cmd: ssh {{.ITEM}} reboot
  env:
    env: {H: web07}
    cmds:
      - ssh $H reboot
  ld:
    env:
      LD_PRELOAD: ./x.so
    cmds: [ls]
  block:
    cmds:
      - |
        h=web08
        ssh $h reboot
  dir:
    dir: sub
    cmds: [./run.sh]
  tmpl:
    cmds:
      - '{{if eq .A "b"}}ssh web01 reboot{{end}}'
  open:
    cmds:
      - ssh {{.NOBODY}} reboot
      - '{{.NOBODY}} x'
  self:
    deps: [self]
  rev:
    cmds:
      - echo {{.REV}} {{.TASK}}
  dyn:
    vars:
      X:
        sh: ssh web09 reboot
    cmds: [ls]
  odd: nobody-knows
"#;

#[test]
fn tasks_and_what_they_need() {
    check(
        &[("Taskfile.yml", FILE), ("sub/run.sh", "#!/bin/sh\nssh web10 reboot\n")],
        &[
            ("task", "read_only"),
            ("task build", "read_only"),
            ("task test", "read_only"),
            ("task test -- --all", "read_only"),
            ("task test -- '; ssh web01 reboot'", "read_only"),
            ("task l", "read_only"),
            ("task up", "mutating web01"),
            ("task up HOST=web09", "mutating web09"),
            ("task upto", "mutating web02"),
            ("task dep", "mutating web03"),
            ("task check", "mutating web04"),
            ("task pre", "mutating web05"),
            ("task defer", "mutating web06,web01"),
            ("task loop", "unknown"),
            ("task env", "mutating web07"),
            ("task ld", "unknown"),
            ("task block", "mutating web08"),
            ("task dir", "mutating web10"),
            ("task tmpl", "unknown"),
            ("task open", "unknown"),
            ("NOBODY=web01 task open", "unknown"),
            ("task self", "unknown"),
            ("task rev", "read_only"),
            ("task dyn", "mutating web09"),
            ("task -n dyn", "mutating web09"),
            ("task -n up", "read_only"),
            ("task odd", "unknown"),
            ("task none", "unknown"),
            ("task $X", "unknown"),
            ("task --list", "read_only"),
            ("task -l", "read_only"),
            ("task --summary up", "read_only"),
            ("task --init", "read_only"),
            ("task -d sub up", "mutating web01"),
            ("task -t Taskfile.yml up", "mutating web01"),
            ("task -t other.yml up", "unknown"),
            ("task -g up", "unknown"),
            ("task --odd up", "unknown"),
            ("cd sub && task up", "mutating web01"),
            ("ssh web01 task up", "unknown web01"),
        ],
    );
    for text in [
        "version: '3'\nincludes:\n  x: ./x.yml\ntasks:\n  a: ls\n",
        "tasks:\n  a: ls\n  a: ssh web01 reboot\n",
        "tasks: &x\n  a: ls\n",
        "tasks:\n  a:\n    cmds:\n      - [x]\n",
        "tasks:\n\ta: ls\n",
        "tasks:\n  a: {{.X}}\n",
        "x\n",
        "",
    ] {
        check(&[("Taskfile.yml", text)], &[("task a", "unknown")]);
    }
    let env = |text: &'static str| {
        [("Taskfile.yml", "dotenv: ['x.env', none.env]\ntasks:\n  a: ssh $H reboot\n  b: ls\n"), ("x.env", text)]
    };
    check(&env("H=web03\n"), &[("task a", "mutating web03"), ("task b", "read_only")]);
    check(&env("LD_PRELOAD=./x.so\n"), &[("task b", "unknown")]);
    check(&[("Taskfile.yml", "tasks:\n  a:\n    odd: x\n    cmd: ls\n")], &[("task a", "unknown")]);
    check(
        &[("Taskfile.yml", "tasks:\n  a:\n    if: ssh web01 reboot\n    cmd: ls\n")],
        &[("task a", "mutating web01")],
    );
    check(&[], &[("task", "unknown")]);
}
