"""Laws of masking: no known secret survives in a line of the log; ids, digests and paths stay readable."""

from __future__ import annotations

import base64
import hashlib
import json
import string
import uuid
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jackline.store import journal
from jackline.store.secrets import mask


def drawn(alphabet: str, size: int, most: int = 0) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=size, max_size=most or size)


ALNUM = string.ascii_letters + string.digits
WORDY = ALNUM + "_-"
SHAPES = {
    "github": drawn(ALNUM, 36).map("ghp_{}".format) | drawn(ALNUM, 36).map("gho_{}".format),
    "github-fine": drawn(ALNUM + "_", 30, 80).map("github_pat_{}".format),
    "gitlab": drawn(ALNUM, 20).map("glpat-{}".format),
    "slack": drawn(ALNUM + "-", 20, 50).map("xoxb-{}".format),
    "aws": drawn(string.ascii_uppercase + string.digits, 16).map("AKIA{}".format),
    "google": drawn(WORDY, 35).map("AIza{}".format),
    "openai": drawn(ALNUM, 40).map("sk-proj-{}".format) | drawn(ALNUM, 48).map("sk-{}".format),
    "anthropic": drawn(WORDY, 60).map("sk-ant-{}".format),
    "stripe": drawn(ALNUM, 24).map("sk_live_{}".format),
    "npm": drawn(ALNUM, 36).map("npm_{}".format),
    "pypi": drawn(WORDY, 60).map("pypi-{}".format),
    "shopify": drawn("0123456789abcdef", 32).map("shpat_{}".format),
    "digital-ocean": drawn("0123456789abcdef", 64).map("dop_v1_{}".format),
    "square": drawn(WORDY, 22, 43).map("sq0csp-{}".format),
    "hugging-face": drawn(ALNUM, 34).map("hf_{}".format),
    "jwt": st.tuples(drawn(WORDY, 20), drawn(WORDY, 30), drawn(WORDY, 20)).map(lambda p: f"eyJ{p[0]}.{p[1]}.{p[2]}"),
    "private-key": drawn(ALNUM + "+/\n", 64, 200).map(
        lambda body: f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
    ),
}
AROUND = st.sampled_from(
    (
        "{}",
        "a {} b",
        "export KEY={}",
        '"{}"',
        "'{}'",
        "curl -H 'X: {}' https://example.org",
        "x={};y",
        "({})",
        "line\n{}\nline",
    )
)
NAMED = st.sampled_from(
    ("API_KEY={}", "export DB_PASSWORD={}", "password: {}", '{{"token": "{}"}}', "MY_SECRET='{}'", "--password {}",
     "--token={}", "authorization: Bearer {}", "https://user:{}@example.org/x", "PGPASSWORD={} psql", "--auth {}",
     "client_secret={}", "Authorization: Basic {}", "auth={}", "pwd: {}", "aws_secret_access_key = {}", "passphrase={}")
)  # fmt: skip


def survives(secret: str, text: str) -> bool:
    """Whether a telling part of a secret still stands in a text."""
    core = secret.strip("-\n")
    return secret in text or (len(core) >= 16 and core[-12:] in text)


@pytest.mark.parametrize("name", SHAPES)
@given(data=st.data(), around=AROUND)
def test_no_known_shape_survives(name: str, data: st.DataObject, around: str) -> None:
    secret = data.draw(SHAPES[name])
    assume("\n" not in secret.strip() or name == "private-key")
    body = secret.replace("\n", "") if name != "private-key" else secret
    masked = mask(around.format(body))
    told = body.split("\n")[1] if name == "private-key" and len(body.split("\n")[1]) > 8 else body
    assert not survives(told, masked), masked
    assert "***" in masked


@given(secret=drawn(ALNUM, 8, 30), around=NAMED)
def test_what_is_named_like_a_secret_does_not_survive(secret: str, around: str) -> None:
    assume(secret.lower() not in ("true", "false", "null", "none", "password"))
    assume(secret not in around)
    assert secret not in mask(around.format(secret))


@given(raw=st.binary(min_size=24, max_size=40))
def test_what_looks_random_does_not_survive(raw: bytes) -> None:
    secret = base64.b64encode(raw).decode().strip("=")
    kinds = any(map(str.islower, secret)) + any(map(str.isupper, secret)) + any(map(str.isdigit, secret))
    assume(kinds == 3 and len(set(secret)) >= 20 and "/" not in secret and "+" not in secret)
    assert secret not in mask(f"echo {secret} | base64 -d")


READABLE = st.one_of(
    st.uuids().map(str),
    st.binary(max_size=8).map(lambda raw: hashlib.sha256(raw).hexdigest()),
    st.binary(max_size=8).map(lambda raw: hashlib.sha1(raw).hexdigest()),
    st.sampled_from(
        ("/home/dev/project/src/components/user_profile_settings.test.tsx", "src/jackline/compiler/hotset.txt",
         "toolu_mock_001_0", "PreToolUse-14-1740700000123", "https://example.org/a/b?c=d", "git commit -m 'tidy up'",
         "refs/heads/feature/very-long-branch-name-for-a-feature", "a" * 60, "A" * 60, "1" * 40, "npm run build:all",
         "grep -rn 'def handle_request' src/", "3.11.7", "it was not possible to find what you were looking for")
    ),
)  # fmt: skip


@given(text=READABLE)
def test_ids_digests_and_paths_stay(text: str) -> None:
    assert mask(text) == text
    assert mask(f"see {text}, please") == f"see {text}, please"


@given(text=st.text(max_size=200))
def test_masking_twice_is_masking_once(text: str) -> None:
    once = mask(text)
    assert mask(once) == once


PLACES = ("reason", "data", "paths", "toolUseId", "toolName", "message", "text", "error")


@given(data=st.data(), place=st.sampled_from(PLACES), shape=st.sampled_from(sorted(SHAPES)))
def test_no_line_of_the_log_holds_a_secret(data: st.DataObject, place: str, shape: str) -> None:
    """Wherever foreign text stands in a record: as a value, a key, deep down, in a list."""
    secret = data.draw(SHAPES[shape]).replace("\n", "x")
    if shape == "private-key":
        secret = "ghp_" + "a1B2" * 9
    value: Any = data.draw(
        st.sampled_from(
            (secret, [secret], {"deep": [{"er": secret}]}, {secret: 1}, f"run {secret} now", {"a": (secret,)})
        )
    )
    assert secret not in journal.text({"kind": "NOTE", place: value})


SECRETS = st.one_of(*SHAPES.values())
PIECES = st.one_of(
    SECRETS, st.sampled_from(("", "gh", "p_", "://", "a:b@c", "passw", "ord=x12345", "\x1c", "Σ", "İ")), st.text()
)


@given(texts=st.lists(PIECES, max_size=6))
def test_all_texts_of_a_line_in_one_go_are_each_alone(texts: list[str]) -> None:
    """A line asks of all its texts at once whether one could hold a secret, and says what it says of each alone."""
    texts = [text[:200] for text in texts]
    held: dict[str, Any] = {text: [text, {"deep": text}] for text in texts}
    alone = {mask(text): [mask(text), {"deep": mask(text)}] for text in texts}
    assert json.loads(journal.text({"kind": "NOTE", "data": held})) == {"kind": "NOTE", "data": alone}


def test_a_secret_beyond_the_cut_is_not_halved_into_the_open() -> None:
    """The head of a long text is cut before it is masked: a secret on the edge does not slip through."""
    secret = "ghp_" + "a1B2c3D4" * 5
    for shift in range(len(secret) + 2):
        text = "x" * (journal.HEAD - shift) + " " + secret
        line = journal.text({"data": text})
        assert secret[:24] not in line


def test_the_sentence_stays_readable() -> None:
    assert mask("password=hunter22 and more") == "password=*** and more"
    assert mask("git push https://me:hunter22@example.org/x") == "git push https://***password***@example.org/x"
    assert mask(str(uuid.UUID(int=5))) == "00000000-0000-0000-0000-000000000005"
