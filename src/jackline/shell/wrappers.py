"""Programs that run another command: where that command begins in their words, and what they change about it."""

from __future__ import annotations

from jackline.shell.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from jackline._record import NamedTuple


class Spec(NamedTuple):
    """`flags` and `values`: letters of options without and with a value; `longs`: long options with one.

    `skip`: operands before the command. `marks`: what else is so, as words: `assigns` may stand before the command;
    it is `fed` from the input; runs with other `privilege`; in another place (`remote`), `here` in the same shell,
    fetched from the `network`; `code` says that the words are joined and read by a shell again.
    """

    flags: str = ""
    values: str = ""
    longs: str = ""
    skip: int = 0
    marks: str = ""


WRAPPERS = {
    "sudo": Spec(
        "AbBEeHiKklNnPSsVv",
        "CDghpRrTtUu",
        "close-from chdir group host prompt chroot role type other-user user command-timeout",
        0,
        "assigns privilege",
    ),
    "doas": Spec("Lns", "aCu", "", 0, "privilege"),
    "pkexec": Spec("", "", "user", 0, "privilege"),
    "gosu": Spec("", "", "", 1, "privilege"),
    "su-exec": Spec("", "", "", 1, "privilege"),
    "setpriv": Spec("", "", "reuid regid groups inh-caps ambient-caps bounding-set", 0, "privilege"),
    "runuser": Spec("fl", "ugG", "user group", 0, "privilege"),
    "env": Spec("i0v", "uCP", "unset chdir", 0, "assigns"),
    "nice": Spec("0123456789", "n", "adjustment"),
    "ionice": Spec("t", "cnpPu", "class classdata"),
    "nohup": Spec(),
    "setsid": Spec("cfw"),
    "timeout": Spec("vpf", "ks", "signal kill-after", 1),
    "gtimeout": Spec("vpf", "ks", "signal kill-after", 1),
    "stdbuf": Spec("", "ioe", "input output error"),
    "time": Spec("apqvV", "fo", "format output", 0, "here"),
    "chrt": Spec("abdfiomprRv", "TPD", "", 1),
    "taskset": Spec("acp", "", "", 1),
    "unshare": Spec(
        "imnpuUCTrcf", "SGRw", "root wd setuid setgid propagation setgroups map-user map-group", 0, "privilege"
    ),
    "chroot": Spec("", "", "userspec groups", 1, "privilege remote"),
    "setarch": Spec("BFILRSTXZv3", "", "", 1),
    "linux32": Spec(),
    "linux64": Spec(),
    "strace": Spec("cCdDfFhiknqrtTvVwxyYzZ", "abeEIoOpPsSuUX", "trace output user env", 0),
    "ltrace": Spec("bcCfhiLrStTV", "aAeDFlnopsuwx", "output user"),
    "fakeroot": Spec("uvh", "lsib", "lib faked"),
    "prlimit": Spec("cdefilmnqrstuvxy", "op", "output pid"),
    "cgexec": Spec("", "g"),
    "systemd-run": Spec("dGPqrStV", "EMpuH", "unit property setenv uid gid working-directory slice", 0, "privilege"),
    "caffeinate": Spec("dimsu", "tw"),
    "arch": Spec("", "e", "", 0),
    "catchsegv": Spec(),
    "eatmydata": Spec(),
    "chronic": Spec("ev"),
    "unbuffer": Spec("p"),
    "rlwrap": Spec("aAcEhiImnNorRtuvW", "bBCdDefFgHlOpPqsSTwzz"),
    "winpty": Spec(),
    "xvfb-run": Spec("al", "efnpsw", "error-file auth-file server-num server-args"),
    "dbus-run-session": Spec("", "", "config-file dbus-daemon"),
    "faketime": Spec("m", "", "", 1),
    "valgrind": Spec("qv", "", ""),
    "noglob": Spec("", "", "", 0, "here"),
    "nocorrect": Spec("", "", "", 0, "here"),
    "-": Spec("", "", "", 0, "here"),
    "repeat": Spec("", "", "", 1, "here"),
    "command": Spec("p", "", "", 0, "here"),
    "builtin": Spec("", "", "", 0, "here"),
    "exec": Spec("cl", "a", "", 0, "here"),
    "busybox": Spec(),
    "toybox": Spec(),
    "xargs": Spec(
        "0rtpxo", "IdELnPsaJRS", "arg-file delimiter max-args max-procs max-chars process-slot-var", 0, "fed"
    ),
    "entr": Spec("acdnprszx", "", "", 0, "fed"),
    "cross-env": Spec("", "", "", 0, "assigns"),
    "cross-env-shell": Spec("", "", "", 0, "assigns code"),
    "dotenvx run": Spec("", "f", "env-file"),
    "op run": Spec("", "", "env-file account"),
    "infisical run": Spec("", "", "env path"),
    "chamber exec": Spec("", "", "", 1),
    "envdir": Spec("", "", "", 1),
    "torsocks": Spec("", "aPu"),
    "torify": Spec(),
    "proxychains": Spec("q", "f"),
    "proxychains4": Spec("q", "f"),
    "firejail": Spec("", "", ""),
    "bwrap": Spec("", "", "", 0),
    "chpst": Spec("vP012", "ubenUdmofcp/", "", 0, "privilege"),
    "setuidgid": Spec("", "", "", 1, "privilege"),
    "s6-setuidgid": Spec("", "", "", 1, "privilege"),
    "sem": Spec("", "j", "jobs id timeout", 0, "code"),
    "rush": Spec("", "jDink", "jobs", 0, "fed code"),
    "foreman run": Spec("", "e", "env"),
    "heroku run": Spec("", "a", "app size type", 0, "remote network code"),
    "wsl": Spec("", "du", "distribution user", 0),
    "lima": Spec("", "", "", 0),
    "multipass exec": Spec("", "", "working-directory", 1, "remote"),
    "lxc exec": Spec("tTn", "", "cwd env user group", 1, "remote"),
    "incus exec": Spec("tTn", "", "cwd env user group", 1, "remote"),
    "toolbox run": Spec("", "c", "container"),
    "distrobox enter": Spec("", "n", "name"),
    "devcontainer exec": Spec("", "", "workspace-folder container-id config", 0, "remote"),
    "adb shell": Spec("", "", "", 0, "remote network code"),
    "nsenter": Spec("aFmuinpUCTr", "tSGe", "target setuid setgid", 0, "privilege"),
    "nix develop": Spec("", "", "", 0),
    "watch": Spec("bcdegprtwx", "nqis", "interval equexit", 0, "code"),
    "npx": Spec("yq", "pc", "package call", 0, "network"),
    "bunx": Spec("", "p", "package", 0, "network"),
    "pnpx": Spec("", "", "package", 0, "network"),
    "uvx": Spec("qv", "p", "from with python", 0, "network"),
    "pipx run": Spec("", "", "spec python", 0, "network"),
    "npm exec": Spec("y", "pc", "package call", 0, "network"),
    "npm x": Spec("y", "pc", "package call", 0, "network"),
    "pnpm exec": Spec("", "", "", 0),
    "pnpm dlx": Spec("", "", "package", 0, "network"),
    "yarn exec": Spec(),
    "yarn dlx": Spec("q", "p", "package", 0, "network"),
    "bun x": Spec("", "", "", 0, "network"),
    "uv run": Spec(
        "qv",
        "pm",
        "module with python extra group env-file directory project with-requirements package "
        "only-group no-group no-extra with-editable index",
    ),
    "poetry run": Spec(),
    "pipenv run": Spec(),
    "pdm run": Spec("", "p", "project"),
    "rye run": Spec(),
    "hatch run": Spec(),
    "bundle exec": Spec("", "", "gemfile"),
    "conda run": Spec("", "np", "name prefix cwd"),
    "mise exec": Spec(),
    "asdf exec": Spec(),
    "direnv exec": Spec("", "", "", 1),
    "dotenv run": Spec("", "f", "file"),
    "doppler run": Spec("", "pc", "project config"),
    "aws-vault exec": Spec("", "d", "duration", 1),
    "docker exec": Spec("ditT", "euw", "env env-file user workdir detach-keys", 1, "remote"),
    "podman exec": Spec("ditT", "euw", "env env-file user workdir detach-keys", 1, "remote"),
    "docker run": Spec(
        "ditP",
        "aehlmpuvwc",
        "add-host attach cap-add cap-drop cpus device dns entrypoint env env-file expose gpus hostname ip label link "
        "log-driver memory mount name network net pid platform publish pull restart runtime security-opt shm-size "
        "stop-signal tmpfs ulimit user userns volume volumes-from workdir",
        1,
        "remote",
    ),
    "kubectl exec": Spec("itq", "cnf", "container namespace context filename kubeconfig", 1, "remote network"),
    "oc exec": Spec("itq", "cnf", "container namespace context filename kubeconfig", 1, "remote network"),
    "oc rsh": Spec("tT", "cn", "container namespace", 1, "remote network"),
    "docker-compose run": Spec("dT", "evuwp", "env volume user workdir publish entrypoint name", 1, "remote"),
    "docker-compose exec": Spec("dT", "euw", "env user workdir index", 1, "remote"),
    "ssh": Spec("46AaCfGgKkMNnqsTtVvXxYy", "BbcDEeFIiJLlmOopQRSWw", "", 1, "remote network code"),
    "mosh": Spec("46an", "p", "ssh server", 1, "remote network code"),
}
"""Command word, or command word and subcommand, to how its command is found."""
WRAPPERS["podman run"] = WRAPPERS["docker run"]
WRAPPERS["nerdctl run"], WRAPPERS["nerdctl exec"] = WRAPPERS["docker run"], WRAPPERS["docker exec"]

FLAGS = (
    "askpass background bell edit preserve-env set-home help login non-interactive preserve-groups stdin shell "
    "version remove-timestamp reset-timestamp validate list ignore-environment null debug foreground preserve-status "
    "verbose no-run-if-empty interactive exit open-tty show-limits fork wait ctty portability append quiet yes "
    "no-install rm detach tty init privileged read-only publish-all sig-proxy no-healthcheck keep-env default-values "
    "frozen locked no-sync isolated all-extras no-project offline beep color no-title differences errexit chgexit "
    "precise exec no-wrap user mount pid net ipc uts cgroup time map-root-user map-current-user mount-proc "
    "kill-child pty scope same-dir send-sighup collect no-block remain-after-exit child-inherits ignore-existing "
    "batch idle fifo rr other deadline reset-on-fork all-tasks max "
    "no-deps service-ports use-aliases quiet-pull remove-orphans no-dev only-dev all-groups no-editable exact active "
    "clear-groups no-new-privs auto-servernum listen-tcp live-stream no-capture-output skip-chdir split-string"
)
KNOWN = frozenset(FLAGS.split())
"""Long flags of these programs; any other long option might take a value, which makes the command uncertain."""


class Inner(NamedTuple):
    """The command inside: its words begin at `at` (`uncertain`: perhaps elsewhere). `options` are the wrapper's own."""

    at: int
    spec: Spec
    assigns: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    uncertain: bool = False


def _scan(words: list[str], i: int, spec: Spec) -> Inner:
    assigns: list[tuple[str, str]] = []
    options: list[tuple[str, str]] = []
    longs = spec.longs.split()
    skip, uncertain, open_ = spec.skip, False, True
    while i < len(words):
        word = words[i]
        if open_ and word == "--":
            open_ = False
        elif open_ and word[:2] == "--":
            name, equals, value = word[2:].partition("=")
            takes = not equals and any(one.startswith(name) for one in longs)
            uncertain = uncertain or not (equals or takes or name in KNOWN)
            options.append((name, words[i + 1] if takes and i + 1 < len(words) else value))
            i += takes
        elif open_ and word[:1] == "-" and (len(word) > 1 or "assigns" in spec.marks):
            for at in range(1, len(word)):
                letter = word[at]
                if letter in spec.values:
                    value = word[at + 1 :]
                    if not value:
                        i += 1
                        value = words[i] if i < len(words) else ""
                    options.append((letter, value))
                    break
                # The options of xargs that take a value only when it is glued to them.
                if letter in "ile" and "fed" in spec.marks:
                    options.append((letter, word[at + 1 :]))
                    break
                uncertain = uncertain or letter not in spec.flags
                options.append((letter, ""))
                if word[at + 1 : at + 2] == "=":
                    break  # the value of a flag that may have one
        elif "assigns" in spec.marks and "=" in word:
            assigns.append((word.partition("=")[0], word.partition("=")[2]))
        elif skip:
            skip -= 1
        else:
            break
        i += 1
    return Inner(min(i, len(words)), spec, tuple(assigns), tuple(options), uncertain)


BEFORE = {
    "kubectl": "-n --namespace --context --kubeconfig -s --server --cluster --user",
    "oc": "-n --namespace --context --kubeconfig -s --server",
    "docker": "-H --host --context -c --config -l --log-level",
    "podman": "-c --connection --url --log-level",
    "docker-compose": "-f --file -p --project-name --env-file --profile --project-directory",
    "npm": "--prefix -C -w --workspace",
    "pnpm": "-C --dir --filter -F",
    "yarn": "--cwd",
    "uv": "--directory --project",
    "poetry": "-C --directory -P --project",
}
"""Options with a value that stand before the subcommand."""


def unwrap(name: str, words: list[str]) -> Inner | None:
    """Where the command inside begins, or None when the program runs no other command."""
    spec = WRAPPERS.get(name)
    if spec is not None:
        return _scan(words, 1, spec)
    valued = BEFORE.get(name, "").split()
    for at in range(1, len(words)):
        if words[at - 1] in valued and at > 1:
            continue
        if words[at][:1] != "-" or words[at].startswith(UNKNOWN):
            spec = WRAPPERS.get(f"{name} {words[at]}")
            return _scan(words, at + 1, spec) if spec is not None else None
    return None
