"""Launchers with a variable, an option or a setting that names a program, a library, or a file of this session."""

from __future__ import annotations

from shlex import quote

from .case import Case

TITLE = (
    "A known launcher whose variable, option or setting names a program, a library, or a file that this session wrote "
    "asks, unless that is known to be harmless."
)
FUNCTION = "jackline.shell.launch:names_program"
NEUTRAL = ""

WROTE = (
    ("tools/run.sh", "#!/bin/sh\necho run\n"),
    ("tools/run", "#!/bin/sh\necho run\n"),
    ("tools/hook.so", "\x7fELF\x00\x00so"),
    ("tools/start.py", "print('start')\n"),
    ("tools/ssh.conf", "Host *\n  ProxyCommand ./tools/run.sh\n"),
    ("tools/git.conf", "[core]\n\tfsmonitor = ./tools/run.sh\n"),
    ("tools/kube.yaml", "users:\n- user:\n    exec:\n      command: ./tools/run.sh\n"),
    ("tools/pytest.ini", "[pytest]\naddopts = -p tools.start\n"),
    ("tools/settings.json", '{"hooks": {"command": "./tools/run.sh"}}\n'),
    ("tools/lib/libc.so.6", "\x7fELF\x00\x00so"),
    ("tools/bin/git", "#!/bin/sh\necho run\n"),
    ("tools/bin/ls", "#!/bin/sh\necho run\n"),
    ("tools/home/.gitconfig", "[alias]\n\tst = !./tools/run.sh\n"),
    ("tools/site/sitecustomize.py", "print('start')\n"),
    ("bare/HEAD", "ref: refs/heads/main\n"),
    ("bare/objects/x", "x"),
    ("bare/config", "[core]\n\tbare = true\n\tfsmonitor = ./run.sh\n"),
)
"""What the session wrote; each file by itself is of no harm, or nobody can read it."""

VARIABLES = {
    # Program: variable and value, and the call that takes it.
    "git ssh": ("GIT_SSH_COMMAND=./tools/run.sh", "git fetch"),
    "git ssh, a shell": ("GIT_SSH_COMMAND=sh tools/run.sh", "git fetch origin"),
    "git ssh, an option of ssh": ("GIT_SSH_COMMAND=ssh -o ProxyCommand=./tools/run.sh", "git ls-remote"),
    "git ssh, a program": ("GIT_SSH=./tools/run", "git pull"),
    "git editor": ("GIT_EDITOR=./tools/run.sh", "git commit"),
    "git editor, bash": ("GIT_EDITOR=bash", "git commit --amend"),
    "git editor, python": ("GIT_SEQUENCE_EDITOR=python3 tools/start.py", "git rebase -i HEAD~2"),
    "git pager": ("GIT_PAGER=./tools/run.sh", "git log -p"),
    "git pager, sh": ("GIT_PAGER=sh", "git log"),
    "git diff": ("GIT_EXTERNAL_DIFF=./tools/run.sh", "git diff --ext-diff"),
    "git askpass": ("GIT_ASKPASS=./tools/run.sh", "git push"),
    "git proxy": ("GIT_PROXY_COMMAND=./tools/run.sh", "git fetch"),
    "git programs": ("GIT_EXEC_PATH=./tools", "git fetch"),
    "git configuration": ("GIT_CONFIG_GLOBAL=tools/git.conf", "git status --short"),
    "git configuration of the machine": ("GIT_CONFIG_SYSTEM=tools/git.conf", "git log -1"),
    "git folder": ("GIT_DIR=bare", "git status"),
    "home": ("HOME=<R>/tools/home", "git status -s"),
    "editor": ("EDITOR=./tools/run.sh", "git commit"),
    "visual": ("VISUAL=./tools/run.sh", "crontab -l"),
    "pager": ("PAGER=./tools/run.sh", "man ls"),
    "man pager": ("MANPAGER=sh", "man git"),
    "browser": ("BROWSER=./tools/run.sh", "gh browse"),
    "compiler": ("CC=./tools/run.sh", "make build"),
    "compiler, a text": ("CC=sh tools/run.sh", "make"),
    "compiler of c++": ("CXX=tools/run", "cmake -S . -B build"),
    "linker": ("LD=./tools/run.sh", "make -j4"),
    "archiver": ("AR=./tools/run.sh", "make all"),
    "wrapper of rustc": ("RUSTC_WRAPPER=./tools/run.sh", "cargo build"),
    "runner of cargo": ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=./tools/run.sh", "cargo test"),
    "linker of cargo": ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER=./tools/run.sh", "cargo build --release"),
    "flags of rustc": ("RUSTFLAGS=-C linker=./tools/run.sh", "cargo build"),
    "flags of go": ("GOFLAGS=-toolexec=./tools/run.sh", "go build ./..."),
    "flags of c": ("CFLAGS=-O2 -fplugin=./tools/hook.so", "make"),
    "flags of a link": ("LDFLAGS=-B./tools", "make"),
    "launcher of cmake": ("CMAKE_C_COMPILER_LAUNCHER=./tools/run.sh", "cmake --build build"),
    "makefiles": ("MAKEFILES=./tools/run.sh", "make"),
    "flags of make": ("MAKEFLAGS=--eval=x:;./tools/run.sh", "make"),
    "shell of npm": ("npm_config_script_shell=./tools/run.sh", "npm test"),
    "git of npm": ("npm_config_git=./tools/run.sh", "npm install"),
    "node requires": ("NODE_OPTIONS=--require ./tools/hook.so", "npm test"),
    "node imports": ("NODE_OPTIONS=--max-old-space-size=4096 --import=./tools/hook.so", "npx vitest run"),
    "start of python": ("PYTHONSTARTUP=tools/start.py", "python3 -i"),
    "home of python": ("PYTHONHOME=./tools", "python3 -V -c 1"),
    "breakpoint of python": ("PYTHONBREAKPOINT=os.system", "python3 src/app.py"),
    "path of python": ("PYTHONPATH=tools/site", "pip list"),
    "debugger of perl": ("PERL5DB=BEGIN { system q(id) }", "perl -d src/x"),
    "options of ruby": ("RUBYOPT=-r./tools/start", "bundle exec rake"),
    "options of perl": ("PERL5OPT=-Mlib=tools -d:Evil", "perl -v"),
    "start of lua": ("LUA_INIT=@tools/start.lua", "lua -v"),
    "start of R": ("R_PROFILE_USER=tools/start.py", "Rscript -e 1"),
    "agent of java": ("JAVA_TOOL_OPTIONS=-javaagent:tools/hook.so", "mvn test"),
    "agent of gradle": ("GRADLE_OPTS=-Xmx2g -javaagent:tools/hook.so", "gradle build"),
    "hooks of dotnet": ("DOTNET_STARTUP_HOOKS=<R>/tools/hook.so", "dotnet test"),
    "preload": ("LD_PRELOAD=./tools/hook.so", "ls -la"),
    "audit": ("LD_AUDIT=<R>/tools/hook.so", "git status"),
    "preload of a mac": ("DYLD_INSERT_LIBRARIES=./tools/hook.so", "git status"),
    "libraries": ("LD_LIBRARY_PATH=<R>/tools/lib", "git status"),
    "libraries of a mac": ("DYLD_LIBRARY_PATH=tools/lib", "curl -V -s https://x.example"),
    "search path": ("PATH=<R>/tools/bin:$PATH", "git status"),
    "start of bash": ("BASH_ENV=tools/run.sh", "bash -c 'echo x'"),
    "prompt": ("PS4=$(./tools/run.sh)", "bash -xc 'echo x'"),
    "less": ("LESSOPEN=|./tools/run.sh %s", "less README.md"),
    "tar": ("TAR_OPTIONS=--to-command=./tools/run.sh", "tar xf a.tar"),
    "rsync": ("RSYNC_RSH=./tools/run.sh", "rsync -a h:x out/"),
    "sudo": ("SUDO_ASKPASS=./tools/run.sh", "sudo -A ls"),
    "ssh": ("SSH_ASKPASS=./tools/run.sh", "ssh h uptime"),
    "vim": ("VIMINIT=source tools/run.sh", "vim -es README.md -c q"),
    "kubectl": ("KUBECONFIG=tools/kube.yaml", "kubectl get pods"),
    "kubectl editor": ("KUBE_EDITOR=./tools/run.sh", "kubectl edit cm x"),
    "pytest": ("PYTEST_ADDOPTS=-c tools/pytest.ini", "pytest -q"),
    "openssl": ("OPENSSL_CONF=tools/ssh.conf", "openssl version -a"),
}

OPTIONS = {
    "git -c": "git -c core.sshCommand=./tools/run.sh fetch",
    "git -c, a pager": "git -c core.pager=./tools/run.sh log -p",
    "git -c, monitor": "git -c core.fsmonitor=./tools/run.sh status",
    "git -c, glued": "git -ccore.editor=./tools/run.sh commit",
    "git -c, a shell": "git -c sequence.editor='sh tools/run.sh' rebase -i HEAD~2",
    "git -c, filter": "git -c filter.x.clean=./tools/run.sh add src/x",
    "git -c, text": "git -c diff.x.textconv=./tools/run.sh diff",
    "git -c, credentials": "git -c credential.helper=./tools/run.sh fetch",
    "git -c, signing": "git -c gpg.program=./tools/run.sh commit -S -m x",
    "git -c, an alias": "git -c alias.st='!./tools/run.sh' st",
    "git -c, included": "git -c include.path=<R>/tools/git.conf status",
    "git -c, a transport": "git -c protocol.ext.allow=always fetch 'ext::./tools/run.sh x'",
    "git --exec-path": "git --exec-path=./tools fetch",
    "git --config-env": "E=./tools/run.sh git --config-env=core.editor=E commit",
    "git in numbers": "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.editor GIT_CONFIG_VALUE_0=./tools/run git commit",
    "git --upload-pack": "git fetch --upload-pack=./tools/run.sh ../other",
    "git clone -u": "git clone -u ./tools/run.sh ../other",
    "git clone -c": "git clone -c core.fsmonitor=./tools/run.sh ../other x",
    "git -C": "git -C bare status",
    "git behind pushd": "pushd bare && git status",
    "git --git-dir": "git --git-dir=bare status",
    "git grep": "git grep -O./tools/run.sh x",
    "git difftool": "git difftool -x ./tools/run.sh HEAD",
    "ssh, a proxy": "ssh -o ProxyCommand=./tools/run.sh h",
    "ssh, glued": "ssh -oProxyCommand='sh tools/run.sh' h uptime",
    "ssh, a local command": "ssh -o PermitLocalCommand=yes -o LocalCommand=./tools/run.sh h true",
    "ssh, hosts": "ssh -o KnownHostsCommand=./tools/run.sh h",
    "ssh, a library": "ssh -I ./tools/hook.so h",
    "ssh, a provider": "ssh -o PKCS11Provider=./tools/hook.so h",
    "ssh, a file": "ssh -F tools/ssh.conf h",
    "scp": "scp -S ./tools/run.sh h:x .",
    "scp, a proxy": "scp -o ProxyCommand=./tools/run.sh h:x .",
    "sftp": "sftp -S ./tools/run.sh h",
    "rsync": "rsync -a -e ./tools/run.sh h:x out/",
    "rsync, long": "rsync -a --rsh=./tools/run.sh h:x out/",
    "gcc, a plugin": "gcc -fplugin=./tools/hook.so -c src/app.c",
    "gcc, programs": "gcc -B./tools -c src/app.c",
    "gcc, a wrapper": "gcc -wrapper ./tools/run.sh -c src/app.c",
    "gcc, specs": "gcc -specs=./tools/ssh.conf src/app.c",
    "clang": "clang -Xclang -load -Xclang ./tools/hook.so -c src/app.c",
    "clang, plugin": "clang -fplugin=tools/hook.so -c src/app.c",
    "rustc": "rustc -C linker=./tools/run.sh src/main.rs",
    "cargo, config": "cargo build --config 'target.x86_64-unknown-linux-gnu.linker=\"./tools/run.sh\"'",
    "cargo, wrapper": "cargo --config build.rustc-wrapper='./tools/run.sh' build",
    "go, tools": "go build -toolexec ./tools/run.sh ./...",
    "go, exec": "go test -exec ./tools/run.sh ./...",
    "go, vet": "go vet -vettool=./tools/run ./...",
    "cmake, launcher": "cmake -DCMAKE_C_COMPILER_LAUNCHER=./tools/run.sh -B build",
    "cmake, compiler": "cmake -D CMAKE_CXX_COMPILER=./tools/run.sh -B build",
    "make, a compiler": "make CC=./tools/run.sh build",
    "npm, a shell": "npm test --script-shell=./tools/run.sh",
    "npm, a shell apart": "npm run build --script-shell ./tools/run.sh",
    "npm, git": "npm install --git=./tools/run.sh",
    "node, requires": "node --require ./tools/hook.so src/app.js",
    "java, an agent": "java -javaagent:tools/hook.so -jar app.jar",
    "java, native": "java -agentpath:./tools/hook.so -jar app.jar",
    "java, an error": "java -XX:OnOutOfMemoryError=./tools/run.sh -jar app.jar",
    "gradle": "gradle --init-script tools/hook.so build",
    "pytest": "pytest -c tools/pytest.ini",
    "man": "man -P ./tools/run.sh ls",
    "vim": "vim -S tools/settings.json README.md",
    "vim, start": "vim -u tools/settings.json README.md",
    "emacs": "emacs --batch -l ./tools/hook.so",
    "tar, a command": "tar xf a.tar --to-command=./tools/run.sh",
    "tar, a checkpoint": "tar cf a.tar src --checkpoint=1 --checkpoint-action=exec=./tools/run.sh",
    "tar, a filter": "tar -I ./tools/run.sh -xf a.tar",
    "tar, long": "tar --use-compress-program=./tools/run.sh -xf a.tar",
    "zip": "zip a.zip src/x -T -TT ./tools/run.sh",
    "sort": "sort --compress-program=./tools/run.sh src/x",
    "rg": "rg --pre ./tools/run.sh x src",
    "split": "split --filter=./tools/run.sh src/x",
    "terraform": "terraform init -plugin-dir=./tools",
    "kubectl": "kubectl --kubeconfig tools/kube.yaml get pods",
    "bat": "bat --pager ./tools/run.sh README.md",
    "tmux": "tmux -f tools/settings.json new -d",
    "wget": "wget --use-askpass=./tools/run.sh https://x.example",
    "openssl": "openssl req -engine ./tools/hook.so -new",
    "hg": "hg --config hooks.pre-status=./tools/run.sh status",
    "mypy": "pylint --load-plugins=./tools/hook.so src",
    "gpg": "gpg --pinentry-program ./tools/run.sh --sign src/x",
    "gdb": "gdb -x tools/settings.json app",
    "curl": "curl --engine ./tools/hook.so https://x.example",
}

_NAMED = (
    "plugin lua-filter client-command extensions init browser-script transformer require shell load-library engine "
    "parser resolver reporter formatter bootstrap.import preload setup module.loader post-renderer pre_command "
    "start-script pager editor askpass-program diff-driver sign-helper run-hook globalSetup customReporters"
)
LOADERS = ("frobnicate", "pandoc", "mosh", "jekyll", "kustomize", "lighthouse", "rollup", "gulp")
NAMED = {
    # Options that say by their names that a program loads what they are told, whatever the program.
    name: [f"{LOADERS[at % len(LOADERS)]} --{name}{glue}@" for glue in "= "]
    for at, name in enumerate(_NAMED.split())
}
LIBRARIES = ("tools/hook.so", "./tools/run", "<R>/tools/hook.so")


def _named(values: tuple[str, ...], says: str) -> list[Case]:
    return [
        Case("an option's name", call.split()[0], f"{name} {value}", f"{call.replace('@', value)} src/x", says,
             files=WROTE)
        for name, calls in NAMED.items()
        for call, value in zip(calls * 2, values, strict=False)
    ]  # fmt: skip


USUAL = {
    # The same shapes as people type them.
    "editor": ("GIT_EDITOR=true", "git rebase --continue"),
    "editor, nothing": ("GIT_EDITOR=:", "git commit --amend"),
    "editor, vim": ("EDITOR=vim", "git commit"),
    "editor, code": ("GIT_EDITOR=code --wait", "git commit"),
    "editor, emacs": ("VISUAL=emacsclient -t", "git commit"),
    "editor, cat": ("GIT_EDITOR=cat", "git commit --amend"),
    "sequence": ("GIT_SEQUENCE_EDITOR=sed -i s/pick/edit/", "git rebase -i HEAD~2"),
    "sequence, nothing": ("GIT_SEQUENCE_EDITOR=:", "git rebase -i HEAD~3"),
    "pager": ("PAGER=cat", "git log"),
    "no pager": ("GIT_PAGER=", "git log -3"),
    "pager of git": ("GIT_PAGER=less -FRX", "git diff"),
    "pager, delta": ("GIT_PAGER=delta", "git show"),
    "pager of man": ("MANPAGER=cat", "man git"),
    "pager of aws": ("AWS_PAGER=", "aws s3 ls"),
    "pager of gh": ("GH_PAGER=cat", "gh pr list"),
    "ssh of git": ("GIT_SSH_COMMAND=ssh -i ~/.ssh/deploy -o StrictHostKeyChecking=no", "git fetch"),
    "ssh of git, quiet": ("GIT_SSH_COMMAND=ssh -v", "git fetch -q"),
    "no prompt": ("GIT_TERMINAL_PROMPT=0", "git fetch"),
    "askpass of git": ("GIT_ASKPASS=true", "git fetch"),
    "trace": ("GIT_TRACE=1", "git status"),
    "author": ("GIT_AUTHOR_NAME=A B", "git commit -m x"),
    "date": ("GIT_COMMITTER_DATE=2024-01-01T00:00:00", "git commit -m x"),
    "no configuration": ("GIT_CONFIG_GLOBAL=/dev/null", "git status"),
    "no configuration of the machine": ("GIT_CONFIG_NOSYSTEM=1", "git log"),
    "compiler": ("CC=clang", "make"),
    "compiler, a version": ("CC=gcc-12", "make -j8"),
    "compiler, a path": ("CC=/usr/bin/gcc", "make build"),
    "compiler, of the machine": ("CC=/opt/cross/bin/arm-linux-gcc", "make"),
    "compiler, cached": ("CC=ccache gcc", "make"),
    "compiler, told": ("CXX=clang++ -stdlib=libc++", "cmake -B build"),
    "compiler, unknown": ("CC=$MY_CC", "make"),
    "compiler, found": ("CC=$(which clang)", "make"),
    "linker": ("LD=ld.lld", "make"),
    "wrapper": ("RUSTC_WRAPPER=sccache", "cargo build"),
    "no wrapper": ("RUSTC_WRAPPER=", "cargo build"),
    "runner": ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64", "cargo test"),
    "linker of cargo": ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc", "cargo build"),
    "flags of rustc": ("RUSTFLAGS=-D warnings -C target-cpu=native", "cargo build"),
    "flags, a linker": ("RUSTFLAGS=-C linker=clang -C link-arg=-fuse-ld=lld", "cargo build"),
    "flags of go": ("GOFLAGS=-mod=mod", "go build ./..."),
    "flags of go, vendor": ("GOFLAGS=-mod=vendor -tags=x", "go test ./..."),
    "flags of c": ("CFLAGS=-O2 -g -I./include", "make"),
    "flags of a link": ("LDFLAGS=-L./lib -lm", "make"),
    "flags of make": ("MAKEFLAGS=-j4", "make"),
    "launcher": ("CMAKE_C_COMPILER_LAUNCHER=ccache", "cmake --build build"),
    "memory of node": ("NODE_OPTIONS=--max-old-space-size=4096", "npm run build"),
    "node, modules": ("NODE_OPTIONS=--experimental-vm-modules --no-warnings", "npx jest"),
    "node, legacy": ("NODE_OPTIONS=--openssl-legacy-provider", "npm start"),
    "node, a module": ("NODE_OPTIONS=--require dotenv/config", "npm test"),
    "environment of node": ("NODE_ENV=test", "npm test"),
    "path of node": ("NODE_PATH=./src", "node src/app.js"),
    "path of python": ("PYTHONPATH=src", "pytest"),
    "path of python, here": ("PYTHONPATH=.", "python3 src/app.py"),
    "path of python, two": ("PYTHONPATH=src:tests", "python3 -m pytest -q"),
    "bytecode": ("PYTHONDONTWRITEBYTECODE=1", "python3 src/app.py"),
    "breakpoint": ("PYTHONBREAKPOINT=0", "python3 src/app.py"),
    "breakpoint, ipdb": ("PYTHONBREAKPOINT=ipdb.set_trace", "python3 src/app.py"),
    "hash": ("PYTHONHASHSEED=0", "pytest -q"),
    "libraries of a build": ("LD_LIBRARY_PATH=./tools/lib", "./build/app"),
    "libraries of the machine": ("LD_LIBRARY_PATH=/usr/local/cuda/lib64", "python3 src/app.py"),
    "libraries for tests": ("LD_LIBRARY_PATH=tools/lib:$LD_LIBRARY_PATH", "pytest -q"),
    "allocator": ("LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", "python3 src/app.py"),
    "allocator, by name": ("LD_PRELOAD=libtcmalloc.so.4", "cargo bench"),
    "search path": ("PATH=$PWD/bin:$PATH", "make"),
    "search path, modules": ("PATH=./node_modules/.bin:$PATH", "eslint src"),
    "java": ("JAVA_HOME=/usr/lib/jvm/x", "mvn test"),
    "java, memory": ("JAVA_TOOL_OPTIONS=-Xmx2g -Dfile.encoding=UTF-8", "mvn -q test"),
    "gradle, memory": ("GRADLE_OPTS=-Dorg.gradle.daemon=false", "gradle build"),
    "maven": ("MAVEN_OPTS=-Xmx1g", "mvn package"),
    "shell of npm": ("npm_config_script_shell=bash", "npm test"),
    "log of npm": ("npm_config_loglevel=error", "npm install"),
    "environment": ("ENV=production", "npm start"),
    "environment of rails": ("RAILS_ENV=test", "bundle exec rspec"),
    "options of ruby": ("RUBYOPT=-W0", "bundle exec rake"),
    "library of ruby": ("RUBYLIB=lib", "ruby test/x.rb"),
    "library of perl": ("PERL5LIB=lib", "prove -r t"),
    "options of perl": ("PERL5OPT=-w", "prove t"),
    "less": ("LESS=-R", "git log"),
    "tar": ("TAR_OPTIONS=--no-same-owner", "tar xf a.tar"),
    "rsync": ("RSYNC_RSH=ssh -p 2222", "rsync -a h:x out/"),
    "kubectl": ("KUBECONFIG=kube.yaml", "kubectl get pods"),
    "editor of kubectl": ("KUBE_EDITOR=nano", "kubectl edit cm x"),
    "browser": ("BROWSER=none", "npm start"),
    "pytest": ("PYTEST_ADDOPTS=-q --tb=short", "pytest"),
    "shell": ("SHELL=/bin/bash", "make"),
    "configured shell": ("CONFIG_SHELL=/bin/sh", "./configure"),
    "prompt": ("PS4=+ ", "bash -x scripts/all.sh"),
    "debug": ("DEBUG=*", "npm test"),
    "a message": ("MESSAGE=hello world", "npm test"),
    "a place": ("DATABASE_URL=sqlite:///tools/x.db", "python3 src/app.py"),
    "a file": ("CONFIG=./tools/settings.json", "python3 src/app.py"),
}

PLAIN = {
    "git -c": "git -c user.name=x -c user.email=x@example.org commit -m x",
    "git -c, a pager": "git -c core.pager=cat diff",
    "git -c, no pager": "git -c core.pager= log",
    "git -c, less": "git -c core.pager='less -F' show",
    "git -c, quotes": "git -c core.quotepath=off status",
    "git -c, editor": "git -c core.editor=true rebase --continue",
    "git -c, sequence": "git -c sequence.editor=: rebase -i --autosquash HEAD~3",
    "git -c, signing": "git -c commit.gpgsign=false commit -m x",
    "git -c, colour": "git -c color.ui=always diff",
    "git -c, safe": "git -c safe.directory='*' log -1",
    "git -c, protocol": "git -c protocol.file.allow=always submodule update",
    "git -c, ssh": "git -c core.sshCommand='ssh -i ~/.ssh/deploy' fetch",
    "git -c, credentials": "git -c credential.helper= fetch",
    "git -c, cache": "git -c credential.helper=cache fetch",
    "git -c, monitor": "git -c core.fsmonitor=false status",
    "git -c, diff": "git -c diff.algorithm=histogram diff",
    "git -c, branch": "git -c init.defaultBranch=main init new",
    "git -c, address": "git -c url.https://x.example/.insteadOf=git@x.example: fetch",
    "git -c, http": "git -c http.extraHeader='A: b' fetch",
    "git -c, lines": "git -c core.autocrlf=input add src/x",
    "git by the environment": "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=/x git status",
    "git -C": "git -C src status",
    "git -C, above": "git -C . log --oneline",
    "git --git-dir": "git --git-dir=.git log -1",
    "git clone": "git clone -c core.autocrlf=input https://x.example/a.git",
    "git --exec-path": "git --exec-path",
    "git difftool": "git difftool -x 'diff -u' HEAD",
    "git rebase": "git rebase -x 'npm test' HEAD~2",
    "git grep": "git grep -O x",
    "ssh": "ssh -o StrictHostKeyChecking=no h uptime",
    "ssh, two": "ssh -o BatchMode=yes -o ConnectTimeout=5 h true",
    "ssh, known": "ssh -oUserKnownHostsFile=/dev/null h true",
    "ssh, a jump": "ssh -J bastion h uptime",
    "ssh, a proxy": "ssh -o ProxyCommand='ssh -W %h:%p bastion' h uptime",
    "ssh, nc": "ssh -o ProxyCommand='nc -X 5 -x localhost:1080 %h %p' h uptime",
    "ssh, a file": "ssh -F ~/.ssh/config h uptime",
    "ssh, no file": "ssh -F /dev/null h uptime",
    "ssh, a socket": "ssh -o ControlPath=/tmp/s -o ControlMaster=auto h true",
    "scp": "scp -o StrictHostKeyChecking=no h:x .",
    "rsync": "rsync -a -e ssh h:x out/",
    "rsync, a port": "rsync -az -e 'ssh -p 2222 -i ~/.ssh/deploy' h:x out/",
    "rsync, options": 'rsync -a -e "ssh $opts" h:x out/',
    "rsync, long": "rsync -a --rsh='ssh -o StrictHostKeyChecking=no' h:x out/",
    "gcc": "gcc -O2 -Iinclude -o app src/app.c -lm",
    "gcc, a linker": "gcc -fuse-ld=lld -c src/app.c",
    "gcc, specs": "gcc -specs=nosys.specs src/app.c",
    "clang": "clang -fsanitize=address -Xclang -disable-O0-optnone -c src/app.c",
    "rustc": "rustc -C opt-level=3 src/main.rs",
    "rustc, a linker": "rustc -C linker=clang src/main.rs",
    "cargo, config": "cargo build --config net.git-fetch-with-cli=true",
    "cargo, wrapper": 'cargo --config build.rustc-wrapper="sccache" build',
    "go": "go build -ldflags '-s -w' -o bin/app ./...",
    "go, mod": "go test -modfile=go.mod ./...",
    "cmake": "cmake -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr/local -B build",
    "cmake, launcher": "cmake -DCMAKE_C_COMPILER_LAUNCHER=ccache -B build",
    "cmake, compiler": "cmake -DCMAKE_C_COMPILER=/usr/bin/clang -B build",
    "make, a shell": "make SHELL=/bin/bash build",
    "make, a compiler": "make CC=clang build",
    "make, a place": "make PREFIX=/usr/local build",
    "make, a version": "make VERSION=1.2 ARGS='-v -x' build",
    "npm, a shell": "npm run build --script-shell=bash",
    "npm, a place": "npm install --prefix tools/x",
    "node, a module": "node --require dotenv/config src/app.js",
    "node, an own file": "node --import ./src/setup.mjs src/app.js",
    "node, memory": "node --max-old-space-size=4096 src/app.js",
    "java": "java -Xmx1g -cp target/classes com.example.Main",
    "java, an agent": "java -javaagent:/opt/otel/agent.jar -jar app.jar",
    "gradle": "gradle -p tools build",
    "pytest": "pytest -c pyproject.toml -q",
    "pytest, a plugin": "pytest -p no:cacheprovider -q",
    "pytest, spread": "pytest -p xdist -n 4",
    "vitest": "npx vitest run --config vitest.config.ts",
    "man": "man -P cat git",
    "vim": "vim +10 README.md",
    "vim, commands": "vim -es -c '%s/a/b/g' -c wq README.md",
    "emacs": "emacs --batch --eval '(message \"x\")'",
    "tar": "tar -I zstd -xf a.tar.zst",
    "tar, told": "tar -I 'zstd -T0 -19' -cf a.tar.zst src",
    "tar, pigz": "tar --use-compress-program=pigz -cf a.tgz src",
    "tar, a checkpoint": "tar cf a.tar src --checkpoint=1000 --checkpoint-action=dot",
    "zip": "zip -r -T a.zip src",
    "sort": "sort --compress-program=gzip src/x",
    "rg": "rg --pre-glob '*.pdf' x src",
    "split": "split --filter='gzip > $FILE.gz' src/x",
    "helm": "helm template x . -f values.yaml",
    "terraform": "terraform init -backend=false",
    "kubectl": "kubectl --kubeconfig ~/.kube/config get pods",
    "bat": "bat --pager=never README.md",
    "tmux": "tmux ls",
    "wget": "wget --tries=3 -q https://x.example/a -O a",
    "openssl": "openssl req -new -config openssl.cnf -out a.csr",
    "hg": "hg --config ui.username=x status",
    "pylint": "pylint --load-plugins=pylint_django src",
    "curl": "curl --engine list",
    "uv": "uv run --group dev tox run",
    "docker compose": "docker compose run --no-deps --entrypoint '' web rails new .",
}

FORMS = {
    "before the command": lambda name, value, call: f"{name}={_word(value)} {call}",
    "env": lambda name, value, call: f"env {name}={_word(value)} {call}",
    "export": lambda name, value, call: f"export {name}={_word(value)}; {call}",
    "a shell": lambda name, value, call: f"bash -c {quote(f'{name}={_word(value)} {call}')}",
    "behind others": lambda name, value, call: f"cd . && A=1 {name}={_word(value)} timeout 60 {call}",
}
CALLS = {
    "command": "{}",
    "a list": "ls && {}",
    "a wrapper": "timeout 60 {}",
}


def _word(value: str) -> str:
    """The value as people write it: a variable and a home in it stay what they are."""
    if value.startswith("~"):
        return value
    return f'"{value}"' if "$" in value and not value.startswith("$(./") else quote(value)


def _rows(variables: dict[str, tuple[str, str]], options: dict[str, str], says: str) -> list[Case]:
    rows = []
    for at, (program, (setting, call)) in enumerate(variables.items()):
        name, _, value = setting.partition("=")
        for form in [list(FORMS)[at % len(FORMS)], list(FORMS)[(at + 1) % len(FORMS)]]:
            if form == "export" and name == "PATH":
                form = "before the command"
            rows.append(Case(form, program, "a variable", FORMS[form](name, value, call), says, files=WROTE))
    for at, (program, call) in enumerate(options.items()):
        for form in ["command", list(CALLS)[1 + at % 2]]:
            if form == "a wrapper" and ("=" in call.split()[0] or call.startswith(("cd ", "pushd "))):
                form = "a list"
            rows.append(Case(form, program, "an option", CALLS[form].format(call), says, files=WROTE))
    return list(dict.fromkeys(rows))


KEPT = (
    *("gh config set editor {}", "gh config set pager {}", "glab config set browser {}", "npm config set editor={}"),
    *("npm config set script-shell {}", "pnpm config set script-shell {}", "go env -w CC={}", "go env -w CXX={}"),
    *("aws configure set credential_process {}", "tmux set -g default-command {}", "jj config set --user ui.pager {}"),
    *("hg config ui.editor {}", "mise set EDITOR={}", "gh alias set x '!{}'", "glab alias set x '!{} now'"),
    *("gh alias set --shell x {}",),
)
OTHERS = (
    *("gh config set git_protocol ssh", "npm config set fund false", "pnpm config set store-dir .store"),
    *("go env -w GOFLAGS=-mod=mod", "aws configure set region eu-west-1", "tmux set -g mouse on", "go env CC"),
    *("jj config set --user user.name ada", "mise set NODE_ENV=test", "gh alias set co 'pr checkout'"),
    *("glab alias set mrs 'mr list'", "gh alias set igrep '!gh issue list | grep $1'", "conda config --show"),
    *("poetry config virtualenvs.in-project true", "pip config set global.timeout 60", "yarn config get editor"),
    *("bundle config set path vendor", "composer config bin-dir bin", "kubectl config set-context --current"),
)
LOADED = ("ssh-keygen -D {}", "ssh-add -s {}")


def _kept(values: tuple[str, ...], says: str) -> list[Case]:
    """A setting that a program keeps, and that names what later calls of it run."""
    return [
        Case("kept", form.split()[0], f"{form.split('{')[0]}{value}", form.format(value), says, files=WROTE)
        for form in KEPT for value in values
    ]  # fmt: skip


def _tokens(places: tuple[str, ...], says: str) -> list[Case]:
    return [Case("an option", form.split()[0], place, form.format(place), says) for form in LOADED for place in places]


ATTACKS = [*_rows(VARIABLES, OPTIONS, "stop"), *_named(LIBRARIES, "stop")]
ATTACKS += [*_kept(("./tools/run.sh", "/tmp/tools/run"), "stop"), *_tokens(("./tools/x.so", "/tmp/x.so"), "stop")]
INNOCENT = [*_rows(USUAL, PLAIN, "pass"), *_named(("cat", "/usr/lib/x/tool.so", "none"), "pass")]
INNOCENT += [*_kept(("vim", "less"), "pass"), *_tokens(("/usr/lib/opensc-pkcs11.so", "opensc-pkcs11.so"), "pass")]
INNOCENT += [Case("a setting", call.split()[0], "plain", call, "pass", files=WROTE) for call in OTHERS]
