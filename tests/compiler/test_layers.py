"""Layers: built-in < managed < user < project < local, and what each may change."""

from __future__ import annotations

from typing import Any

import pytest

from jackline.compiler import layers, schemas
from jackline.compiler.base import base_of
from jackline.compiler.layers import Layer, Resolved, flat, fold, nested, tightens

from .project import Project

BASE = {
    "mode": "enforce",
    "prompts": "hash",
    "budgets.PreToolUse": 300,
    "modules.session.enabled": True,
    "modules.memory.enabled": False,
    "phasePolicy.PLANNING.allowTools": ["Read", "Grep"],
    "config.guard.depth": 4,
    "config.guard.name": "x",
}
KNOBS: dict[str, Any] = {"config.guard.depth": "less"}


def layer(name: str, trusted: bool = True, **values: Any) -> Layer:
    keyed = {key.replace("__", "."): value for key, value in values.items()}
    return Layer(name, keyed, dict.fromkeys(keyed, f"{name}.json"), trusted)


def folded(*given: Layer) -> Resolved:
    return fold(BASE, list(given), KNOBS)


TIGHTENS = [
    (layers.MODES, "observe", "enforce", True),
    (layers.MODES, "enforce", "warn", False),
    (layers.MODES, "warn", "warn", True),
    (layers.MODES, None, "enforce", False),
    (layers.OFF_ON, False, True, True),
    (layers.OFF_ON, True, False, False),
    (layers.OFF_ON, True, 1, True),
    (("text", "hash", "off"), "hash", "off", True),
    (("text", "hash", "off"), "hash", "text", False),
    ("subset", "*", ["Read"], True),
    ("subset", ["Read"], "*", False),
    ("subset", ["Read", "Grep"], ["Grep"], True),
    ("subset", ["Read"], ["Read", "Bash"], False),
    ("superset", ["a"], ["a", "b"], True),
    ("superset", ["a", "b"], ["a"], False),
    ("less", 4, 3, True),
    ("less", 4, 5, False),
    ("more", 4, 5, True),
    ("more", 4, "5", False),
    ("add", None, {"mode": "deny"}, True),
    ("add", {"mode": "deny"}, {"mode": "deny"}, True),
    ("add", {"mode": "deny"}, {"mode": "warn"}, False),
    ("", 300, 300, True),
    ("", 300, 200, False),
]


@pytest.mark.parametrize(("rule", "old", "new", "expected"), TIGHTENS)
def test_tightening_is_defined_for_each_kind_of_key(rule: Any, old: Any, new: Any, expected: bool) -> None:
    assert tightens(rule, old, new) is expected


def test_members_that_a_stranger_adds_count_beside_the_others() -> None:
    knobs: dict[str, Any] = {"config.guard.rules.*": "add"}
    one, two = layer("user", config__guard__rules__a="x"), layer("project", False, config__guard__rules__b="y")
    less = layer("local", False, config__guard__rules__a="z", config__guard__name="z")
    found = fold(BASE, [one, two, less], knobs)
    assert found.under("config.guard") == {"depth": 4, "name": "x", "rules.a": "x", "rules.b": "y"}
    assert [refused.key for refused in found.refused] == ["config.guard.rules.a", "config.guard.name"]


def test_later_layers_win_where_all_are_trusted() -> None:
    found = folded(
        layer("local", mode="warn"), layer("user", mode="observe"), layer("project", budgets__PreToolUse=500)
    )
    assert (found.values["mode"], found.layers["mode"]) == ("warn", "local")
    assert (found.values["budgets.PreToolUse"], found.layers["budgets.PreToolUse"]) == (500, "project")
    assert found.refused == ()


STRANGER = [
    ("mode", "warn", "enforce"),
    ("prompts", "text", "hash"),
    ("prompts", "off", "off"),
    ("budgets.PreToolUse", 100, 300),
    ("modules.session.enabled", False, True),
    ("modules.memory.enabled", True, True),
    ("modules.other.enabled", True, None),
    ("phasePolicy.PLANNING.allowTools", ["Read"], ["Read"]),
    ("phasePolicy.PLANNING.allowTools", "*", ["Read", "Grep"]),
    ("config.guard.depth", 2, 2),
    ("config.guard.depth", 9, 4),
    ("config.guard.name", "y", "x"),
    ("config.guard.new", 1, None),
]


@pytest.mark.parametrize(("key", "value", "holds"), STRANGER)
def test_an_untrusted_layer_may_only_tighten(key: str, value: Any, holds: Any) -> None:
    found = fold(BASE, [Layer("project", {key: value}, {key: "m.json"}, False)], KNOBS)
    assert found.values.get(key) == holds
    assert [(one.key, one.trust) for one in found.refused] == ([] if holds == value else [(key, True)])


LENIENT = {"modules.memory.enabled": True, "modules.memory.mode": "warn"}


def test_who_switches_a_feature_on_says_how_it_judges() -> None:
    """Off is looser than any mode: what a colleague has in lenient mode is not strict where nobody read it yet."""
    found = fold(BASE, [Layer("project", LENIENT, dict.fromkeys(LENIENT, "m.json"), False)])
    assert {key: found.values[key] for key in LENIENT} == LENIENT
    assert found.refused == ()
    loosened = {"modules.session.enabled": True, "modules.session.mode": "warn"}
    found = fold(BASE, [Layer("project", loosened, dict.fromkeys(loosened, "m.json"), False)])
    assert [one.key for one in found.refused] == ["modules.session.mode"]


def test_a_stranger_lends_no_mode_to_what_a_person_switches_on() -> None:
    stranger = Layer("project", LENIENT, dict.fromkeys(LENIENT, "m.json"), False)
    for layers_ in ([stranger, layer("local", modules__memory__enabled=True)],
                    [layer("user", modules__memory__enabled=True), stranger]):  # fmt: skip
        found = fold(BASE, layers_)
        assert found.values["modules.memory.enabled"] is True
        assert "modules.memory.mode" not in found.values


def test_no_stranger_is_looser_than_a_managed_mode_of_all() -> None:
    managed = Layer("managed", {"mode": "enforce"}, {"mode": "managed.json"})
    found = fold(BASE, [managed, Layer("project", LENIENT, dict.fromkeys(LENIENT, "m.json"), False)])
    assert [one.key for one in found.refused] == ["modules.memory.mode"]


MANAGED = [
    # managed sets        below it somebody sets     what holds
    ({"mode": "warn"}, {"mode": "enforce"}, ("mode", "enforce")),
    ({"mode": "warn"}, {"mode": "observe"}, ("mode", "warn")),
    ({"mode": "enforce"}, {"modules.session.mode": "observe"}, ("modules.session.mode", None)),
    ({"modules.session.mode": "enforce"}, {"mode": "observe"}, ("modules.session.mode", "enforce")),
    ({"modules.session.enabled": True}, {"modules.session.enabled": False}, ("modules.session.enabled", True)),
    ({"budgets.PreToolUse": 400}, {"budgets.PreToolUse": 800}, ("budgets.PreToolUse", 400)),
    ({"budgets.PreToolUse": 400}, {"budgets.PreToolUse": 100}, ("budgets.PreToolUse", 400)),
    ({"config.guard.depth": 3}, {"config.guard.depth": 2}, ("config.guard.depth", 2)),
    ({"config.guard.depth": 3}, {"config.guard.depth": 4}, ("config.guard.depth", 3)),
    ({"config.guard.limits.depth": 3}, {"config.guard.limits": 9}, ("config.guard.limits", None)),
    ({"config.guard.name": "z"}, {"config.guard.name.first": 1}, ("config.guard.name.first", None)),
]


@pytest.mark.parametrize(("managed", "below", "holds"), MANAGED)
@pytest.mark.parametrize("name", ["user", "project", "local"])
def test_what_managed_sets_can_only_be_tightened(
    name: str, managed: dict[str, Any], below: dict[str, Any], holds: tuple[str, Any]
) -> None:
    found = fold(BASE, [Layer("managed", managed, {}), Layer(name, below, {})], KNOBS)
    assert found.values.get(holds[0]) == holds[1]


@pytest.mark.parametrize("name", ["managed", "user", "local", "project"])
def test_only_a_persons_configuration_grants_approval(name: str) -> None:
    key = "modules.session.mayApprove"
    found = fold({key: False}, [Layer(name, {key: True}, {})])
    assert found.values[key] is (name != "project")


def test_what_is_so_already_is_not_pinned_by_a_stranger() -> None:
    """Else a later, trusted change of the mode of all would not reach the feature."""
    found = fold(
        {"mode": "observe"},
        [Layer("project", {"modules.session.mode": "observe"}, {}, False), Layer("local", {"mode": "enforce"}, {})],
    )
    assert "modules.session.mode" not in found.values
    assert found.refused == ()


def test_every_key_of_the_manifest_is_declared_tighten_or_free() -> None:
    """A key that nobody declared would be free by accident."""
    schema = schemas.load("dispatch.manifest")
    keys = {key for key in schema["properties"] if key not in ("$schema", "version")}
    declared = {key.split(".")[0] for key in (*layers.TIGHTEN, *layers.FREE)}
    assert keys == declared - {"config"}
    module = set(schema["$defs"]["module"]["properties"])
    assert module == {key.rsplit(".", 1)[1] for key in (*layers.TIGHTEN, *layers.FREE) if key.startswith("modules.")}
    assert not set(layers.TIGHTEN) & set(layers.FREE)


def test_every_ordered_setting_has_its_default_in_its_order() -> None:
    base = base_of([])
    for key, rule in layers.TIGHTEN.items():
        if isinstance(rule, tuple) and "*" not in key:
            assert base[key] in rule


def test_flat_and_nested_are_inverse() -> None:
    value = {"a": {"b": 1, "c": {"d": [1, {"x": 2}]}}, "e": "f"}
    assert nested(dict(flat(value))) == value
    assert dict(flat({"a": {}, "b": 1})) == {"b": 1}


def test_layers_of_files(project: Project) -> None:
    """The five layers as files, each setting one thing the others do not."""
    project.manifest({"modules": {"session": {"mode": "enforce"}}, "strict": True}, project.managed)
    project.manifest({"mode": "observe", "prompts": "text"}, project.user)
    project.manifest({"budgets": {"PreToolUse": 450}, "modules": {"graph-pretooluse": {"mode": "warn"}}})
    project.write("hooks.local.json", {"prompts": "off", "config": {"planGraph-exec": {"planGraphFile": "p.json"}}})
    project.trust()
    table = project.publish()
    modes = {row.slug: row.mode for row in table.rows("PreToolUse")}
    assert (modes["session"], modes["graph-pretooluse"], modes["planGraph-exec"]) == ("enforce", "warn", "observe")
    assert (table.strict, table.prompts, table.budget("PreToolUse"), table.budget("Error")) == (
        True,
        "off",
        450,
        1000,
    )
    row = table.row("planGraph-exec")
    assert row is not None and row.config["planGraphFile"] == "p.json"
    assert table.report()["layers"] == {
        "budgets.PreToolUse": "project",
        "config.planGraph-exec.planGraphFile": "local",
        "mode": "user",
        "modules.graph-pretooluse.mode": "project",
        "modules.session.mode": "managed",
        "prompts": "local",
        "strict": "managed",
    }


def test_a_knob_outside_its_schema_does_not_compile(project: Project) -> None:
    project.write("config.json", {"graph-pretooluse": {"limits": {"depth": "deep"}}}, project.user)
    made = project.compile()
    assert [str(fault) for fault in made.faults] == [
        f'{project.user}/config.json:4 · graph-pretooluse.limits.depth: expected a whole number, got "deep" · '
        'write: "depth": 1'
    ]
