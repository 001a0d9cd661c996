"""Knobs that compiling fills: a feature of anybody's names a fact, and no layer says otherwise."""

from __future__ import annotations

from jackline.clients.rows import CLIENTS
from jackline.compiler.filled_knobs import FACTS
from jackline.compiler.schema_shape import COMPILED

from .project import Project

SCHEMA = {
    "type": "object",
    "properties": {
        "on": {"type": "object", "x-compiled": "capabilities"},
        "marking": {"type": "array", "items": {"type": "string"}, "x-compiled": "marking-clients"},
        "name": {"type": "string"},
    },
    "additionalProperties": False,
}


def asking(project: Project, **modules: str) -> Project:
    """A person's feature that names both facts, beside features that are lenient or strict."""
    project.feature("asking", folder=project.user)
    project.write("features/asking/knobs.schema.json", SCHEMA, project.user)
    said = {slug.replace("_", "-"): {"enabled": True, "mode": mode} for slug, mode in modules.items()}
    project.manifest({"modules": said}, project.user)
    return project


def config(project: Project) -> dict[str, object]:
    row = project.publish().row("asking")
    assert row is not None
    return dict(row.config)


def test_a_feature_knows_what_is_on_and_who_marks_sub_agents(project: Project) -> None:
    made = config(asking(project, plan_graph="enforce", mailbox="warn"))
    assert made["on"] == {"plan-graph": "strict", "planGraph-exec": "strict", "mailbox": "lenient"}
    assert made["marking"] == sorted(client for client, known in CLIENTS.items() if known[5])
    assert "claude-code" in made["marking"] and "vscode" not in made["marking"]


def test_no_layer_says_otherwise(project: Project) -> None:
    asking(project)
    lies = {"on": {"tool-gate": "strict"}, "marking": ["vscode"], "name": "x"}
    project.write("config.json", {"asking": lies}, project.user)
    made = config(project)
    assert made["on"] == {"planGraph-exec": "strict"} and made["name"] == "x"
    assert "vscode" not in made["marking"]  # type: ignore[operator]


def test_a_fact_that_nobody_knows_does_not_compile(project: Project) -> None:
    asking(project)
    wrong = {"type": "object", "properties": {"on": {"x-compiled": "weather"}}}
    project.write("features/asking/knobs.schema.json", wrong, project.user)
    assert any(
        'expected one of capabilities, marking-clients, reading, got "weather"' in str(one)
        for one in project.compile().faults
    )


def test_both_tables_name_the_same_facts() -> None:
    assert set(COMPILED) == FACTS.keys()
