"""Which options, variables and settings of launchers name a program, a library or settings: all else is plain.

What a value is: `run`, a command that is given something; `tool`, one that only works for the launcher; `load`, a
library or a file that becomes a part of it, `start` one such file, `module` one of the project's sources; `settings`, a
file of them, `git` one of git's, `home` a folder of them, `repository` a folder of git's; `programs`, `path`, folders
that are searched; `text`, `code`, what a shell or the program itself runs; `function`, the name of one.
"""

from __future__ import annotations


def _by_name(rows: dict[str, str]) -> dict[str, str]:
    return {name: kind for kind, names in rows.items() for name in names.split()}


_ENDS = {
    "run": "editor visual pager browser askpass rsh ssh external lessopen lessclose",
    "tool": "cc cxx cpp ld ar as nm fc ranlib strip objcopy rustc rustdoc make shell launcher wrapper runner linker "
            "compiler perl ruby python javacmd",
    "load": "preload audit libraries hooks engines",
    "": "command cmd program helper viewer gitproxy fsmonitor textconv filter clean smudge process driver hook vcs "
        "uploadpack receivepack execute",
}  # fmt: skip
ENDS = _by_name(_ENDS)
"""The last part of a name (`_`, `-` and `.` divide them) of a variable, and of a setting that a call is given, to what
its value is; "": of a setting alone, a command. Elsewhere these words mean anything."""

LONGER = _by_name({"run": "editor pager askpass browser command", "load": "provider"})
"""Ends that are written without a divider, too: `MANPAGER`, `sshCommand`; the last two of settings alone."""

_VARIABLES = {
    # What a value is to the names; `options:x`: options of the program `x`.
    "load": "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES ENV R_ENVIRON PYTEST_PLUGINS CORECLR_PROFILER_PATH "
            "COR_PROFILER_PATH GTK_MODULES",
    "start": "BASH_ENV PYTHONSTARTUP R_PROFILE R_PROFILE_USER MAKEFILES",
    "programs": "GIT_EXEC_PATH PYTHONHOME GCC_EXEC_PREFIX COMPILER_PATH",
    "run": "GIT_EXTERNAL_DIFF PROMPT_COMMAND npm_config_git npm_config_viewer",
    "path": "PATH PYTHONPATH PERL5LIB RUBYLIB LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH "
            "DYLD_FALLBACK_LIBRARY_PATH",
    "text": "PS4",
    "code": "LUA_INIT PERL5DB VIMINIT EXINIT",
    "function": "PYTHONBREAKPOINT",
    "home": "HOME XDG_CONFIG_HOME ZDOTDIR CARGO_HOME DOCKER_CONFIG",
    "repository": "GIT_DIR GIT_COMMON_DIR",
    "git": "GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM",
    "settings": "KUBECONFIG WGETRC OPENSSL_CONF ANSIBLE_CONFIG RIPGREP_CONFIG_PATH AWS_CONFIG_FILE "
                "TF_CLI_CONFIG_FILE PIP_CONFIG_FILE npm_config_userconfig",
    "options:node": "NODE_OPTIONS npm_config_node_options",
    "options:go": "GOFLAGS",
    "options:rustc": "RUSTFLAGS RUSTDOCFLAGS",
    "options:rubyopt": "RUBYOPT",
    "options:perl5opt": "PERL5OPT",
    "options:pytest": "PYTEST_ADDOPTS",
    "options:taroptions": "TAR_OPTIONS",
    "options:java": "JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS JAVA_OPTS MAVEN_OPTS GRADLE_OPTS",
    "options:mvn": "MAVEN_ARGS",
    "options:gcc": "CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CGO_CFLAGS CGO_LDFLAGS",
    "options:make": "MAKEFLAGS MFLAGS GNUMAKEFLAGS",
}  # fmt: skip
VARIABLES = _by_name(_VARIABLES)

_NODE = "module -r --require --import --loader --experimental-loader --preload"
_TESTS = "module -c --config -r --require --plugin --import --runner --rulesdir --setupFiles"
_SSH = "set -o; settings -F; load -I; run -S"
_NPM = "tool --script-shell --shell; run --git --editor --viewer; settings --userconfig; options:node --node-options"
_CC = "programs -B; load -fplugin= -specs= -load -plugin; run -wrapper; tool --ld-path="
_TAR = (
    "run -I -F --to-command --use-compress-program --info-script --new-volume-script --rsh-command --rmt-command "
    "--checkpoint-action=exec="
)
_ROWS = {
    "gcc g++ cc c++ clang clang++ ld": _CC,
    "ssh mosh autossh": _SSH.replace("run -S", "run --ssh"),
    "scp sftp": _SSH + "; run -D",
    "rsync": "run -e --rsh",
    "rustc rustdoc": "set -C",
    "cargo": "set --config",
    "go": "run -toolexec -exec -vettool",
    "cmake": "set -D; module -C --toolchain",
    "make gmake": "text --eval; set *",
    "npm pnpm yarn npx": _NPM,
    "node nodejs bun deno tsx ts-node": _NODE,
    "java": "load -javaagent: -agentpath: -Xbootclasspath/a:; run -XX:OnOutOfMemoryError= -XX:OnError=",
    "mvn mvnw": "settings -s --settings",
    "jest vitest mocha webpack vite rollup eslint prettier playwright cypress": _TESTS,
    "pytest": "module -p; settings -c --config-file",
    "invoke inv fab": "module -c --collection",
    "ipython": "module --ext",
    "ssh-keygen": "load -D",
    "ssh-add": "load -s",
    "pylint": "module --load-plugins",
    "ruby": "module -r",
    "perl": "module -M",
    "rubyopt": "code -r",
    "perl5opt": "code -M -m -d",
    "vim vi nvim view ex": "module -S -u",
    "emacs emacsclient": "module -l --load --script",
    "man": "run -P --pager",
    "bat delta gh": "run --pager",
    "tar gtar bsdtar": _TAR,
    "taroptions": _TAR + "; code -f --file",
    "zip": "run -TT --unzip-command",
    "rg": "run --pre --hostname-bin",
    "split": "run --filter",
    "kubectl oc helm": "settings --kubeconfig",
    "terraform tofu": "programs -plugin-dir",
    "ansible ansible-playbook": "programs -M --module-path",
    "tmux screen": "settings -f -c",
    "hg": "set --config",
    "gdb": "settings -x --command",
    "git": "programs --exec-path",
}
ROWS = {
    name: [(row.split()[0], row.split()[1:]) for row in rows.split(";")]
    for names, rows in _ROWS.items()
    for name in names.split()
}
"""Launcher: which of its options name a program (`run`, `tool`: one that takes no input of ours), what it loads, its
settings; `set`: options whose value sets something by name. `*`: an operand. Behind `=` and `:` the value is glued."""

_KEEPS = "set config configure env alias set-option setw --set -w -set import"
KEEPS = frozenset(_KEEPS.split())
"""Words behind which a program is told a setting that it keeps: a name, and its value behind it or an equals sign."""

SETTERS = ("", "export", "declare", "typeset")

STOPS = frozenset(["node", "nodejs", "bun", "deno", "tsx", "ts-node", "java", "ruby"])
"""Launchers whose own options end where a program is named."""

_LOADS = "plugin require import loader preload init script parser resolver reporter formatter engine setup extension"
LOADS = tuple(f"{_LOADS} plugins scripts reporters extensions environment library renderer transformer".split())
"""How an option's name ends, of whatever program, by which it loads what it is told."""


def role(name: str, setting: bool = False) -> str:
    """What the value of a variable or a setting of this name is, "" for a plain one."""
    if not setting and name in VARIABLES:
        return VARIABLES[name]
    if name.startswith("BASH_FUNC_"):
        return "code"
    low = name.lower()
    if setting and low.startswith(("hooks.", "alias.")):
        return "run"
    for at, end in enumerate(LONGER):
        if low.endswith(end) and (at < 4 or setting or low[:4] == "git_"):
            return LONGER[end]
    last = low.replace("-", "_").replace(".", "_").rpartition("_")[2]
    found = ENDS.get(last, "") or ("run" if setting and last in ENDS else "")
    return "tool" if not found and low.startswith(("cc_", "cxx_", "ar_")) else found
