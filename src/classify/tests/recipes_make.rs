use super::*;

/// A Makefile, and what targets of it are judged as.
fn makefile(text: &str, cases: &[(&str, &str)]) {
    check(
        &[
            ("Makefile", text),
            ("a.c", ""),
            ("src/b.c", ""),
            ("sub/Makefile", "all:\n\tssh web07 reboot\nread:\n\tls\n"),
        ],
        cases,
    );
}

#[test]
fn what_a_target_runs_and_what_it_needs() {
    makefile(
        "HOST = web01\nall: test\ntest: build\n\tcargo test\nbuild:\n\t@echo building\n\t-gcc -o x a.c\n\
         up: build\n\tssh $(HOST) reboot\nread:\n\tssh $(HOST) uptime\nempty:\n.PHONY: all test\n\
         two: read up\nodd:\n\tnobody-knows\nq: ; ssh web05 reboot\nlong:\n\tssh \\\n\t  web06 \\\n\t  reboot\n",
        &[
            ("make", "read_only"),
            ("make test", "read_only"),
            ("gmake -j4 build test", "read_only"),
            ("make -j 4 test", "read_only"),
            ("make up", "mutating web01"),
            ("make -s -k -B up", "mutating web01"),
            ("make read", "read_only"),
            ("make two", "mutating web01"),
            ("make test up", "mutating web01"),
            ("make up HOST=web02", "mutating web02"),
            ("make HOST=web02 up", "mutating web02"),
            ("make up HOST:=web02", "mutating web02"),
            ("HOST=web02 make up", "mutating web01"),
            ("make empty", "read_only"),
            ("make odd", "unknown"),
            ("make none", "unknown"),
            ("make a.c", "read_only"),
            ("make a.o", "read_only"),
            ("make q", "mutating web05"),
            ("make long", "mutating web06"),
            ("make $X", "unknown"),
            ("make -n up", "read_only"),
            ("make --dry-run up", "read_only"),
            ("make -q up", "read_only"),
            ("make -nq --trace up", "read_only"),
            ("make --version", "read_only"),
            ("make --help up", "read_only"),
            ("make --odd up", "unknown"),
            ("make -f Makefile up", "mutating web01"),
            ("make -fMakefile read", "read_only"),
            ("make -f other up", "unknown"),
            ("make -f - up", "unknown"),
            ("make -f <(echo x) up", "unknown"),
            ("make -C sub", "mutating web07"),
            ("make -Csub read", "read_only"),
            ("make -C / -C project -C sub", "mutating web07"),
            ("make -C $X", "unknown"),
            ("cd sub && make", "mutating web07"),
            ("cd sub && make read", "read_only"),
            ("make -e up", "unknown"),
            ("make --eval='x: ; ssh web08 reboot' x", "mutating web08"),
            ("make --eval='$(shell ssh web08 reboot)' read", "mutating web08"),
            ("make -p -n", "read_only"),
            ("MAKEFLAGS=n make up", "read_only"),
            ("MAKEFLAGS='HOST=web09' make up", "mutating web09"),
            ("MAKEFLAGS='--eval=$(shell\\ ssh\\ web09\\ reboot)' make read", "unknown"),
            ("MAKEFLAGS=$X make read", "unknown"),
            ("make MAKEFLAGS='HOST=web09' up", "unknown"),
            ("make MAKEFILES=/tmp/x read", "unknown"),
            ("MAKEFILES=sub/Makefile make read", "unknown"),
            ("ssh web01 make test", "unknown web01"),
            ("docker run x make test", "unknown"),
        ],
    );
}

#[test]
fn variables_as_make_works_them_out() {
    makefile(
        "A = $(B)\nB := web01\nC ?= web02\nD := $(B)\nB = web03\nE = web\nE += x\nF = s\nG = sh\n\
         define CANNED\nssh web05 reboot\nls\nendef\nH := web01 web02\nJ = ssh $(1) reboot\nK != hostname\n\
         a:\n\tssh $(A) reboot\nc:\n\tssh ${C} reboot\nd:\n\tssh $(D) reboot\ne:\n\techo $E\nfg:\n\t$F$(G) web04 reboot\n\
         canned:\n\t$(CANNED)\nh:\n\tfor h in $(H); do ssh $$h reboot; done\nj:\n\t$(call J,web06)\n\
         each:\n\t$(foreach h,$(H),ssh $(h) reboot;)\nfilter:\n\tssh $(filter %2,$(H)) reboot\n\
         sub:\n\tssh $(H:web%=db%) uptime\nword:\n\tssh $(word 2,$(H)) reboot\nsubst:\n\tssh $(subst web,db,$(B)) reboot\n\
         open:\n\tssh $(NOBODY) reboot\nprog:\n\t$(NOBODY) x\narg:\n\tpytest $(NOBODY)\nk:\n\techo $(K)\n\
         auto: a.c\n\tgcc -c $< -o $@\nl/web08:\n\tssh $(@F) reboot\nself:\n\t$(SELF)\nSELF = $(SELF)\n\
         if:\n\t$(if $(NOBODY),ssh web01 reboot,ls)\nor:\n\t$(or $(NOBODY),ls)\nvalue:\n\techo '$(value A)'\n\
         dollar:\n\techo $$HOME $$(ssh web09 reboot)\n",
        &[
            ("make a", "mutating web03"),
            ("make c", "mutating web02"),
            ("C=web04 make c", "mutating web04"),
            ("C=$X make c", "unknown"),
            ("make d", "mutating web01"),
            ("make e", "read_only"),
            ("make fg", "mutating web04"),
            ("make F=ec G=ho fg", "read_only"),
            ("make canned", "mutating web05"),
            ("make h", "mutating web01,web02"),
            ("make j", "mutating web06"),
            ("make each", "mutating web01,web02"),
            ("make filter", "mutating web02"),
            ("make word", "mutating web02"),
            ("make subst", "mutating db03"),
            ("make open", "unknown"),
            ("make open NOBODY=web07", "mutating web07"),
            ("NOBODY=web07 make open", "mutating web07"),
            ("make prog", "unknown"),
            ("make prog NOBODY=ls", "read_only"),
            ("make prog NOBODY='ssh web01 reboot;'", "mutating web01 +"),
            ("make arg", "read_only"),
            ("make arg NOBODY='; ssh web01 reboot'", "mutating web01"),
            ("export NOBODY='; ssh web01 reboot'; make arg", "mutating web01"),
            ("make k", "read_only"),
            ("make auto", "read_only"),
            ("make l/web08", "mutating web08"),
            ("make self", "unknown"),
            ("make if", "mutating web01"),
            ("make value", "read_only"),
            ("make dollar", "mutating web09"),
        ],
    );
}

#[test]
fn what_runs_while_a_makefile_is_read() {
    for text in [
        "X := $(shell ssh web01 reboot)\nall:\n\tls\n",
        "X != ssh web01 reboot\nall:\n\tls\n",
        "$(shell ssh web01 reboot)\nall:\n\tls\n",
        "ifeq ($(shell ssh web01 reboot),x)\nendif\nall:\n\tls\n",
        "ifneq \"$(shell ssh web01 reboot)\" \"\"\nendif\nall:\n\tls\n",
        "all: $(shell ssh web01 reboot)\n\tls\n",
        "$(eval X := $(shell ssh web01 reboot))\nall:\n\tls\n",
        "T = $(shell ssh web01 reboot)\nall:\n\t$(info $(T))ls\n",
        "S = ssh\n$(foreach h,web01,$(shell $(S) $(h) reboot))\nall:\n\tls\n",
        "define T\n$(1):\n\tls\nX := $$(shell ssh web01 reboot)\nendef\n$(eval $(call T,all))\n",
        "include sub.mk\nsub.mk:\n\tssh web01 reboot\nall:\n\tls\n",
        "-include gen.mk\n%.mk:\n\tssh web01 reboot\nall:\n\tls\n",
        "Makefile: ; ssh web01 reboot\nall:\n\tls\n",
        "all:\n\tls\nMakefile: dep\ndep:\n\tssh web01 reboot\n",
        "export X := $(shell ssh web01 reboot)\nall:\n\tls\n",
        "all: X := $(shell ssh web01 reboot)\nall:\n\tls\n",
        "vpath %.c $(shell ssh web01 reboot)\nall:\n\tls\n",
        "all:\n\t@: $(shell ssh web01 reboot)\n",
    ] {
        for make in ["make", "make all", "make -n"] {
            makefile(text, &[(make, "mutating web01")]);
        }
    }
    // What only runs where it is used.
    makefile("X = $(shell ssh web01 reboot)\nall:\n\tls\n", &[("make", "read_only")]);
    // What a dry run runs all the same.
    makefile(
        "a:\n\t+ssh web01 reboot\nb:\n\t@+ssh web02 reboot\nc:\n\t$(MAKE) -C sub\nd:\n\tssh web03 reboot\n",
        &[
            ("make -n a", "mutating web01"),
            ("make -n b", "mutating web02"),
            ("make -n d", "read_only"),
            ("make -n c", "read_only"),
            ("make c", "mutating web07"),
            ("make -t a", "mutating web01"),
        ],
    );
}

#[test]
fn conditions_rules_and_files_of_other_files() {
    makefile(
        "ifeq ($(ENV),prod)\nHOST = web01\nelse ifeq ($(ENV),stage)\nHOST = web02\nelse\nHOST = web03\nendif\nup:\n\tssh $(HOST) reboot\n",
        &[("make up", "mutating web01,web02,web03"), ("make up HOST=web09", "mutating web09")],
    );
    makefile(
        "a:\nifdef X\n\tssh web01 reboot\nelse\n\tls\nendif\n\tdate\n",
        &[("make a", "mutating web01"), ("make", "mutating web01")],
    );
    makefile(
        "ifdef X\na: ; ssh web01 reboot\nendif\nb: ; ls\nc: ; ssh web02 reboot\n",
        &[("make", "mutating web01"), ("make b", "read_only")],
    );
    makefile(
        "ifeq ($(OS),Windows_NT)\nRM = del\nelse\nRM = rm -f\nendif\nU := $(shell uname -s)\nifeq ($(U),Plan9)\nX = nobody-knows\nelse\nX = ls\nendif\n\
         clean:\n\t$(RM) x\nx:\n\t$(X)\n",
        &[("make clean", "read_only"), ("make x", "read_only")],
    );
    makefile(
        "%.o: %.c\n\tgcc -c $<\n%.up: \n\tssh $* reboot\n.c.x:\n\tssh web02 reboot\nall: src/b.o a.o\nweb: web01.up\nlib: a.x\nst: p.z q.z\np.z q.z: %.z: a.c\n\tssh $* uptime\n",
        &[
            ("make all", "read_only"),
            ("make web01.up", "mutating web01"),
            ("make web", "mutating web01"),
            ("make lib", "mutating web02"),
            ("make st", "read_only"),
        ],
    );
    makefile(
        "SRCS := $(wildcard *.c src/*.c)\nOBJS := $(SRCS:.c=.o)\nall: $(OBJS)\n\tgcc -o x $^\na.o: ; ssh web01 reboot\n",
        &[("make", "mutating web01")],
    );
    makefile(
        "SRCS := $(shell find . -name '*.c')\nall: $(SRCS:.c=.o)\n\tgcc -o x $^\n%.o: ; ssh web01 reboot\nup: ; ssh web02 reboot\n",
        &[("make", "mutating web01")],
    );
    makefile(
        ".DEFAULT: ; ssh web01 reboot\nall: ; ls\n",
        &[("make anything", "mutating web01"), ("make", "read_only")],
    );
    makefile(".DEFAULT_GOAL := up\nall: ; ls\nup: ; ssh web01 reboot\n", &[("make", "mutating web01")]);
    makefile("a:: ; ls\na:: ; ssh web01 reboot\n", &[("make", "mutating web01")]);
    makefile("a: | b\n\tls\nb: ; ssh web01 reboot\n", &[("make a", "mutating web01")]);
    makefile(".SECONDEXPANSION:\nB = b\na: $$(B)\n\tls\nb: ; ssh web01 reboot\n", &[("make a", "mutating web01")]);
    makefile(
        "dev: HOST = web01\ndev: up\nprod: HOST = web02\nprod: up\nup:\n\tssh $(HOST) reboot\n%.t: HOST = web03\nx.t:\n\tssh $(HOST) reboot\n",
        &[
            ("make dev", "mutating web01"),
            ("make prod", "mutating web02"),
            ("make dev prod", "mutating web01,web02"),
            ("make up", "unknown"),
            ("make x.t", "mutating web03"),
        ],
    );
    let files = [
        ("Makefile", "include conf.mk\n-include none.mk\ninclude $(wildcard mk/*.mk)\nall:\n\tssh $(HOST) reboot\n"),
        ("conf.mk", "HOST = web04\n"),
        ("mk/extra.mk", "extra: ; ssh web05 reboot\n"),
    ];
    // The first target may be one of an included file.
    check(&files, &[("make", "mutating web05"), ("make all", "mutating web04"), ("make extra", "mutating web05")]);
    makefile("include $(X)\nall: ; ls\n", &[("make", "unknown")]);
    makefile("include Makefile\nall: ; ls\n", &[("make", "unknown")]);
    let files = [("Makefile", "include ~/x.mk\nall:\n\tls\n"), ("/home/jo/x.mk", "Y := $(shell ssh web01 reboot)\n")];
    check(&files, &[("make", "mutating web01")]);
    makefile("include ~other/x.mk\nall: ; ls\n", &[("make", "unknown")]);
    makefile("include x[12].mk\nall: ; ls\n", &[("make", "unknown")]);
    makefile("define C\nssh \\\n  web01 \\\n  reboot\nls\nendef\nall:\n\t$(C)\n", &[("make", "mutating web01")]);
    makefile(
        "x: SHELL = ssh web01\nx: .SHELLFLAGS =\nx:\n\treboot\ny:\n\tls\n",
        &[("make x", "mutating web01"), ("make y", "read_only")],
    );
    makefile("$(MAKECMDGOALS): ; ssh web01 reboot\n", &[("make anything", "mutating web01")]);
    makefile("%: ; ssh web01 reboot\nall: ; ls\n", &[("make x", "mutating web01")]);
    makefile("MAKE = ssh web01 reboot;\nall:\n\t$(MAKE) x\n", &[("make", "mutating web01 +")]);
    makefile("load x.so\nall: ; ls\n", &[("make", "unknown")]);
    makefile("$(X)\nall: ; ls\n", &[("make", "unknown")]);
    check(&[("GNUmakefile", "a: ; ssh web01 reboot\n"), ("makefile", "a: ; ls\n")], &[("make a", "mutating web01")]);
    check(&[], &[("make", "unknown"), ("make test", "unknown")]);
}

#[test]
fn other_shells_and_what_is_exported() {
    for (text, expected) in [
        ("SHELL = /bin/bash\nall:\n\tls\n", "read_only"),
        ("SHELL := /bin/bash\n.SHELLFLAGS := -eu -o pipefail -c\nall:\n\tls | wc\n", "read_only"),
        ("SHELL = /usr/bin/env bash\nall:\n\tls\n", "read_only"),
        ("SHELL = bash\nall:\n\tssh web01 reboot\n", "mutating web01"),
        ("SHELL = ssh web01\n.SHELLFLAGS =\nall:\n\treboot\n", "mutating web01"),
        ("SHELL = ssh\n.SHELLFLAGS = web01\nall:\n\treboot\n", "mutating web01"),
        ("SHELL = python3\nall:\n\tprint()\n", "read_only"),
        ("SHELL = python3\nall:\n\timport os; os.system('x')\n", "unknown"),
        ("SHELL = $(X)\nall:\n\tls\n", "unknown"),
        ("SHELL = ./sh\nall:\n\tls\n", "unknown"),
        ("export SHELL = ssh web01\n.SHELLFLAGS =\nall:\n\treboot\n", "mutating web01"),
        (".ONESHELL:\nall:\n\tcd /tmp\n\tssh web01 \\\n\treboot\n", "mutating web01"),
        (".ONESHELL:\nall:\n\t@h=web01\n\tssh $$h reboot\n", "mutating web01"),
        ("all:\n\th=web01\n\tssh $$h reboot\n", "unknown"),
        ("all:\n\tcd sub && ls\n\tls sub\n", "read_only"),
        (".RECIPEPREFIX = >\nall:\n> ssh web01 reboot\n", "mutating web01"),
        ("export LD_PRELOAD = ./x.so\nall:\n\tls\n", "unknown"),
        ("LD_PRELOAD = ./x.so\nall:\n\tls\n", "read_only"),
        ("export\nLD_PRELOAD = ./x.so\nall:\n\tls\n", "unknown"),
        (".EXPORT_ALL_VARIABLES:\nBASH_ENV = x.sh\nall:\n\tls\n", "unknown"),
        ("export PATH := $(CURDIR)/tools:$(PATH)\nall:\n\tls\n", "unknown"),
        ("PATH = /evil\nall:\n\tls\n", "unknown"),
        ("export PATH := $(CURDIR)/node_modules/.bin:$(PATH)\nall:\n\tls\n", "read_only"),
        ("export GIT_SSH_COMMAND = sh -c 'ssh web01 reboot'\nall:\n\tgit fetch\n", "mutating web01"),
        ("export H = web01\nall:\n\tssh $$H reboot\n", "mutating web01"),
        ("H = web01\nall:\n\tssh $$H reboot\n", "unknown"),
        ("all:\n\t$(MAKE) up H=web02\nup:\n\tssh $(H) reboot\n", "mutating web02"),
        ("all:\n\tmake -C sub\n", "mutating web07"),
        ("all:\n\tcd sub && $(MAKE)\n", "mutating web07"),
        ("all:\n\t$(MAKE) all\n", "unknown"),
        ("all: all\n\tls\n", "read_only"),
        ("all:\n\tnpm_config_script_shell=x npm test\n", "unknown"),
        ("MAKEFLAGS += --eval=x\nall:\n\tls\n", "unknown"),
        ("MAKEFLAGS += --no-print-directory -j4\nall:\n\tls\n", "read_only"),
        ("all:\n\tpython3 x.py\n", "unknown"),
        ("all:\n\tcat <<E\n\tssh web01 reboot\n", "mutating web01"),
    ] {
        makefile(text, &[("make", expected)]);
    }
    makefile(
        "up:\n\tssh $(H) reboot\nall:\n\t$(MAKE) up\nb:\n\tmake up\n",
        &[("make all H=web03", "mutating web03"), ("make b H=web03", "mutating web03")],
    );
    makefile(
        "all:\n\tls\n",
        &[
            ("make PATH=/evil", "unknown"),
            ("make SHELL='ssh web01' .SHELLFLAGS= all", "read_only"),
            ("make SHELL='ssh web01' .SHELLFLAGS=reboot", "mutating web01"),
        ],
    );
    let places = Places { this_vm: Some("dev01".into()), ..Places::default() };
    assert_eq!(shown(&super::seen("make", &[("Makefile", "a:\n\tls\n")], &places)), "unknown dev01");
}

#[test]
fn a_question_shows_the_target_and_its_lines() {
    let seen =
        super::seen("make test", &[("Makefile", "test: build\n\tnobody-knows x\nbuild:\n\tls\n")], &Places::default());
    let parts: Vec<(usize, &str)> = seen.parts.iter().map(|part| (part.depth, part.text.as_str())).collect();
    assert_eq!(parts, [(0, "make test"), (1, "ls"), (1, "nobody-knows x")]);
    assert_eq!(seen.reason, "in `nobody-knows x`, `nobody-knows` is in no catalog");
}
