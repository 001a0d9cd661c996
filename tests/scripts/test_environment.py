"""What a script finds in its environment, and what never gets there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackline.script import Script
from jackline.scripts.environment import as_list, as_variable, batches, environment
from jackline.store.secret_names import names_secret

SCRIPT = Script("root.lint", "file", "/p/lint.sh", b"")


def test_what_it_needs_to_know() -> None:
    found = environment(
        {"PATH": "/bin", "HOME": "/h", "JACKLINE_SKIP": "all", "DISCOBOT_OLD": "x"},
        SCRIPT,
        root="/p",
        session="19766bb0",
        event="Stop",
        client="codex",
        agent="u00",
        turn=3,
        files=["a.py", "b c.py", "-rf"],
        files_list="/s/list",
        attempt=2,
        verdict="allow",
    )
    assert found == {
        "PATH": "/bin",
        "HOME": "/h",
        "JACKLINE_SESSION_ID": "19766bb0",
        "JACKLINE_WORKSPACE": "/p",
        "JACKLINE_HOOK_TYPE": "file",
        "JACKLINE_EVENT": "Stop",
        "JACKLINE_CLIENT": "codex",
        "JACKLINE_AGENT_ID": "u00",
        "JACKLINE_TURN": "3",
        "JACKLINE_SCRIPT": "root.lint",
        "JACKLINE_VERDICT": "allow",
        "JACKLINE_ATTEMPT": "2",
        "JACKLINE_CHANGED_FILES": "a.py ./-rf",
        "JACKLINE_CHANGED_FILES_LIST": "/s/list",
        "DISCOBOT_SESSION_ID": "19766bb0",
        "DISCOBOT_WORKSPACE": "/p",
        "DISCOBOT_HOOK_TYPE": "file",
        "DISCOBOT_CHANGED_FILES": "a.py ./-rf",
    }


def test_a_run_about_no_files_has_no_variable_for_them() -> None:
    assert not [name for name in environment({}, SCRIPT, root="/p") if "FILES" in name]
    assert environment({}, SCRIPT, root="/p", files=[])["DISCOBOT_CHANGED_FILES"] == ""


TOKENS = [
    "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS", "OPENAI_API_KEY", "OPENAI_BASE_URL",
    "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_SESSION_ACCESS_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_GITHUB_TOKEN",
    "GEMINI_API_KEY", "GOOGLE_API_KEY", "AZURE_OPENAI_ENDPOINT", "CODEX_API_KEY",
]  # fmt: skip
SECRETS = [
    "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD", "PGPASSWORD", "NPM_TOKEN", "npm_authtoken", "MY_APIKEY", "SIGNING_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS", "SENTRY_DSN", "SESSION_COOKIE", "BASIC_AUTH", "vault-token", "SSH_PASSPHRASE",
]  # fmt: skip
TRAPS = [
    "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS",
    "PROMPT_COMMAND", "BASH_FUNC_ls%%", "PS4", "IFS", "JACKLINE_STORE", "DISCOBOT_X",
]  # fmt: skip
HARMLESS = [
    "PATH", "HOME", "PWD", "LANG", "TERM", "SSH_AUTH_SOCK", "CLAUDE_PROJECT_DIR", "GIT_AUTHOR_NAME", "KEYBOARD",
    "GIT_INDEX_FILE", "NODE_OPTIONS", "HTTPS_PROXY", "VIRTUAL_ENV", "TOKENIZERS_PARALLELISM", "PASSAGE", "MONKEY",
]  # fmt: skip


@pytest.mark.parametrize("name", [*TOKENS, *SECRETS])
def test_no_token_reaches_it_unless_it_names_it(name: str) -> None:
    assert name not in environment({name: "value"}, SCRIPT, root="/p")
    assert environment({name: "value"}, SCRIPT._replace(env=(name,)), root="/p")[name] == "value"


@pytest.mark.parametrize("name", TRAPS)
def test_no_trap_reaches_it_whatever_it_names(name: str) -> None:
    assert name not in environment({name: "value"}, SCRIPT._replace(env=(name,)), root="/p")


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_neither_reaches_it(name: str) -> None:
    assert environment({name: "value"}, SCRIPT, root="/p")[name] == "value"


@pytest.mark.parametrize("value", ["sk-ant-oat01-abc", "gho_abcdef", "github_pat_1", "sk-proj-x"])
def test_a_token_under_a_plain_name_is_known_by_its_form(value: str) -> None:
    assert "PLAIN" not in environment({"PLAIN": value}, SCRIPT, root="/p")


def test_a_value_that_no_environment_holds_is_mended() -> None:
    found = environment({}, SCRIPT, root="/p", session="a\0b\ud800", agent="\udcff")
    assert (found["JACKLINE_SESSION_ID"], found["JACKLINE_AGENT_ID"]) == ("ab?", "\udcff")
    assert "X\0" not in environment({"X\0": "1", "Y": "1\0"}, SCRIPT, root="/p")


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0/"), min_size=1, max_size=30)


@given(st.lists(NAMES, max_size=40), st.integers(1, 200))
def test_batches_hold_every_file_once_in_order(files: list[str], most: int) -> None:
    made = batches(files, most)
    assert [name for batch in made for name in batch] == files
    assert made
    for batch in made:
        assert len(batch) < 2 or len(as_variable(batch).encode()) <= most


@given(st.lists(NAMES, max_size=20))
def test_the_list_has_every_name_and_the_variable_those_without_blanks(files: list[str]) -> None:
    names = [name if name[0] != "-" else "./" + name for name in files]
    assert as_list(files).decode().split("\0")[:-1] == names
    assert as_variable(files).split() == [name for name in names if name.split() == [name]]


def test_ten_thousand_files_are_given_in_batches_below_the_systems_limit() -> None:
    files = [f"src/some/folder/of/the/project/module_{number:05}.py" for number in range(10_000)]
    made = batches(files)
    assert len(made) > 1 and max(len(as_variable(batch)) for batch in made) <= 100_000


def test_names_are_judged_by_words() -> None:
    assert names_secret("Api_Key") and names_secret("X-Auth") and not names_secret("AUTHOR") and not names_secret("PWD")
