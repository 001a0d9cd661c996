"""What `enable` and `disable` share: whose file it is, whether it may be written, and what follows when it was."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from pathlib import Path
from typing import NamedTuple

import click

from jackline.cli import trust
from jackline.cli.parts.printer import Printer
from jackline.cli.parts.setting import Setting
from jackline.compiler.collect import Survey, survey, user_folder
from jackline.compiler.configuration import HOOKS, LOCAL, WORKSPACE
from jackline.compiler.fault import nearest
from jackline.compiler.registry import KNOWN, NOT_YET, is_on
from jackline.compiler.row_files import VALIDATORS
from jackline.compiler.trust_state import Standing
from jackline.compiler.unit_words import WHAT
from jackline.compiler.write import Compiled, refresh
from jackline.feature_names import slug_of
from jackline.install.fault import InstallError
from jackline.install.follow import Followed, follow
from jackline.install.manifests import SCOPES, Target, capability
from jackline.services.capabilities import CAPABILITIES, State, state_in


class Done(NamedTuple):
    """What was compiled after a change, and what followed from it in the project's texts."""

    made: Compiled
    followed: Followed

    @property
    def texts(self) -> list[str]:
        """The files in which agents are told of it, that changed."""
        return [path for path, _ in self.followed.changed]


def look(setting: Setting) -> Survey:
    return survey(str(setting.root), str(setting.store))


def targets(setting: Setting, found: Survey) -> dict[str, Target]:
    """The file of each scope."""
    root, manifest = str(setting.root), WORKSPACE["hooks.manifestFile"]
    own = found.workspace["hooks.manifestFile"]
    person = Path(user_folder(str(setting.store)))
    paths = (setting.root / HOOKS / own, person / manifest, setting.root / HOOKS / LOCAL)
    return {
        scope: Target(scope, path, "" if scope == "user" else root) for scope, path in zip(SCOPES, paths, strict=True)
    }


def here(found: Survey) -> set[str]:
    """Every feature there is to run."""
    return {part.declared.name for part in found.parts}


def leads(name: str, features: Collection[str]) -> str:
    """The feature whose state is the capability's: the first that is here and does not run anyway; "" for none."""
    own = capability(name).features
    return next((slug for slug in own if slug in features and (slug == name or not is_on(slug))), "")


def checked(names: Iterable[str], features: Collection[str]) -> list[str]:
    """Names of capabilities, and of features, each once; UsageError for any that is not here."""
    made = [*dict.fromkeys(map(slug_of, names))]
    for name in made:
        if name in (*CAPABILITIES, *KNOWN) and not leads(name, features):
            raise click.UsageError(f"{name} · {NOT_YET} · jackline features lists what there is")
        if name not in CAPABILITIES and name not in features:
            near = nearest(name, [*CAPABILITIES, *sorted(features)])
            offer = f"did you mean {near}?" if near else "jackline features lists them"
            raise click.UsageError(f"there is no capability {name!r} · {offer}")
    return made


def completed(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The capabilities that a shell offers."""
    return [name for name in CAPABILITIES if name.startswith(incomplete)]


def lacking(names: Iterable[str], features: Collection[str]) -> list[str]:
    """Those of which nothing is here."""
    return [name for name in names if not leads(name, features)]


def parts_lacking(names: Iterable[str], features: Collection[str]) -> list[str]:
    """The features of these that are not here."""
    return [slug for name in names for slug in capability(name).features if slug not in features]


def _concerned(found: Survey, places: Set[str]) -> list[Standing]:
    """The units at some places that are not as a person trusted them; of a file with rows, these rows alone."""
    return [one for one in found.standings if one.state != "trusted" and one.key[1] in places]


def refuse_unread(found: Survey, target: Target) -> None:
    """What nobody read is not trusted along with a change of ours. InstallError when the file waits for its person."""
    place = found.sources.shown(str(target.path))
    for one in _concerned(found, {place}):
        if one.state != "gone" and one.unit is not None:
            why = one.unit.fault or WHAT.get(one.state, "is not trusted yet")
            raise InstallError(place, why, f"read it first: jackline trust --diff {place}")


def settle(setting: Setting, paths: Iterable[Path], rows: Iterable[str] = ()) -> Done:
    """Trust what a person had written (files, and rows of validators by their names), compile it, and bring the
    project's texts in line.
    """
    found = look(setting)
    places = {found.sources.shown(str(path)) for path in paths} | {VALIDATORS.place_of(one) for one in rows}
    trust.grant(setting, _concerned(found, places))
    made = refresh(str(setting.root), str(setting.store))
    return Done(made, follow(made.table, setting.store, setting.env))


def mode(found: Survey, slug: str) -> str:
    """How a feature judges: its own mode, else that of all."""
    values = found.resolved.values if found.resolved else {}
    return str(values.get(f"modules.{slug}.mode", values.get("mode", "")))


def feature_state(found: Survey, slug: str) -> State:
    values = found.resolved.values if found.resolved else {}
    return state_in(values.get(f"modules.{slug}.enabled"), mode(found, slug))


def state_of(found: Survey, name: str) -> tuple[State, str]:
    """What a capability came to, and the layer that says so."""
    lead = leads(name, here(found)) or name
    layer = found.resolved.layers.get(f"modules.{lead}.enabled", "") if found.resolved else ""
    return feature_state(found, lead), layer


def capability_of(slug: str) -> str:
    """The capability that a feature belongs to, else its own name."""
    return next((name for name, one in CAPABILITIES.items() if slug in one.features), slug)


def faults(setting: Setting, made: Compiled, target: Target) -> list[str]:
    """What does not compile, and what of this file does not count."""
    place = made.survey.sources.shown(str(target.path))
    refused = made.survey.resolved.refused if made.survey.resolved else ()
    return [str(one) for one in made.faults] + [str(one) for one in refused if one.file == place]


def tell_faults(printer: Printer, done: Done, told: Iterable[str]) -> None:
    for line in (*told, *done.followed.faults):
        printer.line(("✗ ", "bad"), line)
