"""Programs that run another command: where that command begins in their words, and what they change about it."""

from __future__ import annotations

from jackline.shell.options import Given, option

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


_PLAIN = (
    "nohup, linux32, linux64, catchsegv, eatmydata, winpty, busybox, toybox, torify, firejail, bwrap, lima, "
    "cgexec, caffeinate, arch, chronic, unbuffer, valgrind, torsocks, nix develop, pnpm exec, yarn exec, poetry run, "
    "pipenv run, rye run, hatch run, mise exec, mise x, asdf exec, op run, infisical run, foreman run, toolbox run, "
    "distrobox enter"
)
_CONTAINERS = ", ".join(
    [f"{name} {verb}" for name in ("docker", "podman", "nerdctl", "docker-compose") for verb in ("run", "exec")]
)
_SPECS = {
    _PLAIN: Spec(),
    "sudo": Spec(
        "AbBEeHiKklNnPSsVv",
        "CDghpRrTtUu",
        "close-from chdir group host prompt chroot role type other-user user command-timeout",
        marks="assigns privilege",
    ),
    "doas": Spec("Lns", "aCu", marks="privilege"),
    "pkexec, setpriv, unshare, chpst": Spec(marks="privilege"),
    "gosu, su-exec, setuidgid, s6-setuidgid": Spec(skip=1, marks="privilege"),
    "runuser": Spec("fl", "ugG", "user group", marks="privilege"),
    "env": Spec("i0v", "uCP", "unset chdir", marks="assigns"),
    "nice": Spec("0123456789", "n", "adjustment"),
    "ionice": Spec("t", "cnpPu", "class classdata"),
    "setsid": Spec("cfw"),
    "jackline lock": Spec("", "C", "minutes wait session agent", skip=2),
    "timeout, gtimeout": Spec("vpf", "ks", "signal kill-after", skip=1),
    "stdbuf": Spec("", "ioe", "input output error"),
    "time": Spec("apqvV", "fo", "format output", marks="here"),
    "chrt, taskset, setarch, faketime, envdir, chamber exec, direnv exec": Spec(skip=1),
    "chroot": Spec(longs="userspec groups", skip=1, marks="privilege remote"),
    "strace": Spec("cCdDfFhiknqrtTvVwxyYzZ", "abeEIoOpPsSuUX", "trace output user env"),
    "ltrace": Spec("bcCfhiLrStTV", "aAeDFlnopsuwx", "output user"),
    "fakeroot": Spec("uvh", "lsib", "lib faked"),
    "prlimit": Spec("cdefilmnqrstuvxy", "op", "output pid"),
    "systemd-run": Spec("dGPqrStV", "EMpuH", "unit property setenv uid gid working-directory slice", marks="privilege"),
    "rlwrap": Spec("aAcEhiImnNorRtuvW", "bBCdDefFgHlOpPqsSTwzz"),
    "xvfb-run": Spec("al", "efnpsw", "error-file auth-file server-num server-args"),
    "dbus-run-session": Spec(longs="config-file dbus-daemon"),
    "noglob, nocorrect, -, builtin": Spec(marks="here"),
    "repeat": Spec(skip=1, marks="here"),
    "command": Spec("p", marks="here"),
    "exec": Spec("cl", "a", marks="here"),
    "xargs": Spec(
        "0rtpxo", "IdELnPsaJRS", "arg-file delimiter max-args max-procs max-chars process-slot-var", marks="fed"
    ),
    "entr": Spec("acdnprszx", marks="fed"),
    "cross-env": Spec(marks="assigns"),
    "cross-env-shell": Spec(marks="assigns code"),
    "sem": Spec("", "j", "jobs id timeout", marks="code"),
    "rush": Spec("", "jDink", "jobs", marks="fed code"),
    "heroku run": Spec("", "a", "app size type", marks="remote network code"),
    "wsl": Spec("e", "du", "distribution user cd"),
    "multipass exec": Spec(longs="working-directory", skip=1, marks="remote"),
    "lxc exec, incus exec": Spec("tTn", longs="cwd env user group", skip=1, marks="remote"),
    "devcontainer exec": Spec(longs="workspace-folder container-id config", marks="remote"),
    "adb shell": Spec(marks="remote network code"),
    "nsenter": Spec("aFmuinpUCTr", "tSGe", "target setuid setgid", marks="privilege"),
    "watch": Spec("bcdegprtwx", "nqis", "interval equexit", marks="code"),
    "npx, bunx, pnpx, pnpm dlx, uvx, pipx run, npm exec, npm x, yarn dlx, bun x": Spec(
        "yqv", "pc", "package call from with spec python", marks="network"
    ),
    "dotenvx run, dotenv run, doppler run, pdm run, conda run, bundle exec, proxychains, proxychains4": Spec(
        "q", "fpcn", "env-file file project config name prefix cwd gemfile"
    ),
    "uv run": Spec(
        "qv",
        "pm",
        "module with python extra group env-file directory project with-requirements package only-group no-group "
        "no-extra with-editable index",
    ),
    "aws-vault exec": Spec("", "d", "duration", skip=1),
    "kubectl exec, oc exec, oc rsh": Spec(
        "itqT", "cnf", "container namespace context filename kubeconfig", skip=1, marks="remote network"
    ),
    _CONTAINERS: Spec(
        "ditPT",
        "aehlmpuvwc",
        "add-host attach cap-add cap-drop cpus device dns entrypoint env env-file expose gpus hostname "
        "index ip label link log-driver memory mount name network net pid platform publish pull restart runtime "
        "security-opt shm-size stop-signal tmpfs ulimit user userns volume volumes-from workdir",
        skip=1,
        marks="remote",
    ),
    "ssh": Spec("46AaCfGgKkMNnqsTtVvXxYy", "BbcDEeFIiJLlmOopQRSWw", skip=1, marks="remote network code"),
    "mosh": Spec("46an", "p", "ssh server", skip=1, marks="remote network code"),
}
WRAPPERS = {name: spec for names, spec in _SPECS.items() for name in names.split(", ")}
"""Command word, or command word and subcommand, to how its command is found."""


_FLAGS = "rm detach tty init interactive privileged read-only preserve-env null yes quiet verbose help version"
FLAGS = frozenset(_FLAGS.split())
"""Long flags that people often give these programs; behind any other option may stand a value of it."""


class Inner(NamedTuple):
    """The command inside: its words begin at `at` (`uncertain`: or one later). `given`: the wrapper's own options."""

    at: int
    spec: Spec
    given: Given
    assigns: tuple[tuple[str, str], ...]
    uncertain: bool


def _known(spec: Spec, word: str, name: str) -> bool:
    """Whether a value of an option may stand behind its word is known."""
    if word[:2] != "--":
        return name in spec.flags + spec.values
    return "=" in word or name in FLAGS or name[:3] == "no-" or name in spec.longs.split()


def scan(words: list[str], i: int, spec: Spec) -> Inner:
    assigns: list[tuple[str, str]] = []
    given = Given()
    skip, uncertain, open_ = spec.skip, False, True
    # The options of xargs that take a value only when it is glued to them.
    glued = "".join(letter for letter in "ile" if "fed" in spec.marks and letter not in spec.values)
    while i < len(words):
        word = words[i]
        if open_ and word == "--":
            open_ = False
        elif open_ and word[:1] == "-" and (len(word) > 1 or "assigns" in spec.marks):
            options, i = option(words, i, spec.values, f" {spec.longs} ", glued=glued)
            given.options += options
            uncertain = not all(name in glued or _known(spec, word, name) for name, _ in options)
            continue
        elif "assigns" in spec.marks and "=" in word:
            assigns.append((word.partition("=")[0], word.partition("=")[2]))
        elif skip:
            skip -= 1
        else:
            break
        i += 1
    return Inner(min(i, len(words)), spec, given, tuple(assigns), uncertain)


BEFORE = {
    "kubectl": "-n --namespace --context --kubeconfig -s --server --cluster --user",
    "oc": "-n --namespace --context --kubeconfig -s --server",
    **dict.fromkeys(("docker", "podman"), "-H --host --context -c --config -l --log-level --connection --url"),
    "docker-compose": "-f --file -p --project-name --env-file --profile --project-directory",
    "npm": "--prefix -C -w --workspace",
    "pnpm": "-C --dir --filter -F",
    "yarn": "--cwd",
    "uv": "--directory --project",
    "poetry": "-C --directory -P --project",
    "jackline": "-C",
}
"""Options with a value that stand before the subcommand."""


def _verb(name: str, words: list[str]) -> int:
    """Where the subcommand of a program stands, behind options and their values; the end of the words for none."""
    valued = BEFORE.get(name, "").split()
    at = 1
    while at < len(words) and words[at][:1] == "-":
        at += 2 if words[at] in valued else 1
    return min(at, len(words))


def from_verb(name: str, words: list[str]) -> list[str]:
    """The words of a program from its subcommand on: options before it, with their values, left out."""
    return words[_verb(name, words) :]


def unwrap(name: str, words: list[str]) -> Inner | None:
    """Where the command inside begins, or None when the program runs no other command."""
    if name in WRAPPERS:
        return scan(words, 1, WRAPPERS[name])
    at = _verb(name, words)
    spec = WRAPPERS.get(" ".join([name, *words[at : at + 1]]))
    return scan(words, at + 1, spec) if spec is not None else None
