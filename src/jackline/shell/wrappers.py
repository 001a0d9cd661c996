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


_SPECS = """
nohup, busybox, toybox, bwrap, caffeinate, chronic, unbuffer, valgrind, nix develop, pnpm exec, yarn exec, poetry run,
  pipenv run, hatch run, mise exec, op run, infisical run
sudo | AbBEeHiKklNnPSsVv | CDghpRrTtUu | close-from chdir group host prompt chroot role type other-user user
  command-timeout | | assigns privilege
doas | Lns | aCu | | | privilege
pkexec, setpriv, unshare, chpst | | | | | privilege
gosu, su-exec, setuidgid, s6-setuidgid | | | | 1 | privilege
runuser | fl | ugG | user group | | privilege
env | i0v | uCP | unset chdir | | assigns
nice | 0123456789 | n | adjustment
ionice | t | cnpPu | class classdata
setsid | cfw
jackline lock | | C | minutes wait session agent | 2
timeout, gtimeout | vpf | ks | signal kill-after | 1
stdbuf | | ioe | input output error
time | apqvV | fo | format output | | here
chrt, taskset, faketime, direnv exec | | | | 1
chroot | | | userspec groups | 1 | privilege remote
strace | cCdDfFhiknqrtTvVwxyYzZ | abeEIoOpPsSuUX | trace output user env
systemd-run | dGPqrStV | EMpuH | unit property setenv uid gid working-directory slice | | privilege
noglob, nocorrect, -, builtin | | | | | here
repeat | | | | 1 | here
command | p | | | | here
exec | cl | a | | | here
xargs | 0rtpxo | IdELnPsaJRS | arg-file delimiter max-args max-procs max-chars process-slot-var | | fed
entr | acdnprszx | | | | fed
cross-env | | | | | assigns
heroku run | | a | app size type | | remote network code
wsl | e | du | distribution user cd
adb shell | | | | | remote network code
nsenter | aFmuinpUCTr | tSGe | target setuid setgid | | privilege
watch | bcdegprtwx | nqis | interval equexit | | code
npx, bunx, pnpx, pnpm dlx, uvx, pipx run, npm exec, npm x, yarn dlx, bun x | yqv | pc | package call from with spec
  python | | network
dotenvx run, dotenv run, doppler run, pdm run, conda run, bundle exec, proxychains, proxychains4 | q | fpcn | env-file
  file project config name prefix cwd gemfile
uv run | qv | pm | module with python extra group env-file directory project with-requirements package only-group
  no-group no-extra with-editable index
aws-vault exec | | d | duration | 1
kubectl exec, oc exec, oc rsh | itqT | cnf | container namespace context filename kubeconfig | 1 | remote network
docker run, docker exec, podman run, podman exec, nerdctl run, nerdctl exec, docker-compose run, docker-compose exec |
  ditPT | aehlmpuvwc | add-host attach cap-add cap-drop cpus device dns entrypoint env env-file expose gpus hostname
  index ip label link log-driver memory mount name network net pid platform publish pull restart runtime security-opt
  shm-size stop-signal tmpfs ulimit user userns volume volumes-from workdir | 1 | remote
ssh | 46AaCfGgKkMNnqsTtVvXxYy | BbcDEeFIiJLlmOopQRSWw | | 1 | remote network code
mosh | 46an | p | ssh server | 1 | remote network code
"""


WRAPPERS = {
    name: fields
    for row in _SPECS.strip().replace("\n  ", " ").split("\n")
    for names, _, fields in [row.partition(" |")]
    for name in names.split(", ")
}
"""Command word, or command word and subcommand, to the rest of its row: how its command is found."""


def _spec(name: str) -> Spec:
    """A row's fields, read when a command needs them: most calls only ask whether a program is a wrapper."""
    flags, values, longs, skip, marks = [*[one.strip() for one in WRAPPERS[name].split("|")], "", "", "", "", ""][:5]
    return Spec(flags, values, longs, int(skip or 0), marks)


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


def unwrap(name: str, words: list[str]) -> Inner | None:
    """Where the command inside begins, or None when the program runs no other command.

    Options with their values may stand before a subcommand that says so.
    """
    if name in WRAPPERS:
        return scan(words, 1, _spec(name))
    for at in range(1, len(words)):
        verb = f"{name} {words[at]}"
        if verb in WRAPPERS:
            return scan(words, at + 1, _spec(verb))
        if words[at][:1] != "-" and words[at - 1][:1] != "-":
            break
    return None
