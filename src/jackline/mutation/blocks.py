"""Idioms of whole blocks: a branch behind a way out, branches in branches, a name for itself; each told in one form."""

from __future__ import annotations

import re
from collections.abc import Callable

from jackline.mutation.lexer import BACK, DEEPER, IN, LINE, NAME, NEWLINE, OUT, SIGN, STRING, WORD, Token

Stream = list[Token]
EXITS = frozenset(("return", "continue", "break", "raise", "throw"))
STEPS = frozenset(("+", "-", "*", "/", "%", "|", "&", "||", "&&", "??", "<<", ">>", "**", "//"))
NAMED = re.compile(r"\{([A-Za-z_]\w*)(:[^{}]*)?\}")
AND = Token(WORD, "and")
FORMATS = ("format", "print", "println", "eprint", "eprintln", "write", "writeln", "panic", "assert", "bail", "info")


def _end(stream: Stream, at: int, start: Token, stop: Token) -> int:
    """Where what `start` at `at` opens is closed, the stream's end when it is not."""
    depth = 0
    for end in range(at, len(stream)):
        if stream[end] == start:
            depth += 1
        elif stream[end] == stop:
            depth -= 1
            if not depth:
                return end
    return len(stream)


def _behind(stream: Stream, at: int) -> int:
    """The first place from `at` that is no line's end."""
    while at < len(stream) and stream[at].kind == LINE:
        at += 1
    return at


def augmented(stream: Stream) -> Stream:
    """`a = a + b` as `a += b`."""
    found: Stream = []
    at = 0
    while at < len(stream):
        token = stream[at]
        if token.text == "=" and token.kind == SIGN and found:
            start = len(found)
            while start and (found[start - 1].kind == NAME or found[start - 1].text in (".", "self", "this", "->")):
                start -= 1
            target = found[start:]
            after = at + 1 + len(target)
            if target and stream[at + 1 : after] == target and after < len(stream) and stream[after].text in STEPS:
                found.append(Token(SIGN, stream[after].text + "="))
                at = after + 1
                continue
        found.append(token)
        at += 1
    return found


def _last(stream: Stream, end: int) -> int:
    """Where the statement begins that ends before `end`."""
    while end and stream[end - 1].kind == LINE:
        end -= 1
    while end and stream[end - 1].kind not in (LINE, IN, OUT):
        end -= 1
    return end


def flat_branches(stream: Stream) -> Stream:
    """Python without `else` behind a way out, and with `elif` for an `if` that is all of an `else`."""
    stream = list(stream)
    at = 0
    while at < len(stream):
        if stream[at].text == "else" and [one.text for one in stream[at + 1 : at + 2]] == [":"]:
            inner = next((i for i in range(at + 2, min(at + 4, len(stream))) if stream[i] == DEEPER), 0)
            end = _end(stream, inner, DEEPER, BACK) if inner else 0
            before = max((i for i in range(max(at - 2, 0), at) if stream[i] == BACK), default=0)
            exits = before and stream[_last(stream, before)].text in EXITS
            if inner and exits and _opener(stream, before) in ("if", "elif"):
                del stream[end : end + 1]
                del stream[at : inner + 1]
                continue
            if inner and stream[inner + 1 : inner + 2] == [Token(WORD, "if")] and _alone(stream, inner + 1, end):
                del stream[end : end + 1]
                stream[at : inner + 2] = [Token(WORD, "elif")]
        at += 1
    return stream


def _opener(stream: Stream, close: int) -> str:
    """The first word of the statement whose block closes at `close`."""
    depth = 0
    for at in range(close, -1, -1):
        depth += (stream[at] == BACK) - (stream[at] == DEEPER)
        if not depth:
            return stream[_last(stream, at)].text
    return ""


def _alone(stream: Stream, at: int, end: int) -> bool:
    """Whether from `at` to `end` there is nothing but one `if` with its branches."""
    depth = 0
    for i in range(at, end):
        depth += (stream[i] == DEEPER) - (stream[i] == BACK)
        fresh = i > at and stream[i - 1].kind in (LINE, OUT) and stream[i].kind not in (LINE, IN, OUT)
        if fresh and not depth and stream[i].text not in ("elif", "else"):
            return False
    return True


def joined_branches(stream: Stream) -> Stream:
    """Python with one `if` of two conditions for an `if` that is all of another."""
    stream = list(stream)
    at = 0
    while at < len(stream):
        if stream[at].text == "if" and stream[at].kind == WORD and (not at or stream[at - 1].kind in (LINE, IN, OUT)):
            line = next((i for i in range(at, len(stream)) if stream[i].kind == LINE), len(stream))
            inside = _behind(stream, line)
            if stream[line - 1].text == ":" and stream[inside : inside + 2] == [DEEPER, Token(WORD, "if")]:
                end = _end(stream, inside, DEEPER, BACK)
                only = stream[end - 1 : end] == [BACK] and _alone(stream, inside + 1, end)
                head = stream[at:line] + stream[inside:end]
                if only and not {"or", "else", "elif"} & {one.text for one in head} and not _branches(stream, end):
                    del stream[end]
                    stream[line - 1 : inside + 2] = [AND]
                    continue
        at += 1
    return stream


def _branches(stream: Stream, close: int) -> bool:
    """Whether another branch follows a block."""
    at = _behind(stream, close + 1)
    return at < len(stream) and stream[at].text in ("else", "elif")


def unchecked(stream: Stream) -> Stream:
    """Python without what only type checkers read."""
    found: Stream = []
    at = 0
    while at < len(stream):
        told = [one.text for one in stream[at : at + 5] if one.kind not in (LINE, IN, OUT)]
        if told[:3] == ["if", "TYPE_CHECKING", ":"] or told[:1] + told[2:5] == ["if", ".", "TYPE_CHECKING", ":"]:
            inner = next((i for i in range(at, min(at + 8, len(stream))) if stream[i] == DEEPER), 0)
            if inner:
                at = _end(stream, inner, DEEPER, BACK) + 1
                continue
        found.append(stream[at])
        at += 1
    return found


def returned(stream: Stream) -> Stream:
    """Go with the named results that a bare `return` hands back."""
    found: Stream = []
    stack: list[list[Token]] = []
    for at, token in enumerate(stream):
        if token.text == "{" and token.kind == SIGN:
            named = _results(stream, at)
            stack.append(named if named is not None else (stack[-1] if stack else []))
        elif token.text == "}" and token.kind == SIGN and stack:
            stack.pop()
        found.append(token)
        after = stream[at + 1] if at + 1 < len(stream) else NEWLINE
        if token == Token(WORD, "return") and stack and stack[-1] and (after.kind == LINE or after.text == "}"):
            for count, one in enumerate(stack[-1]):
                found.extend([Token(SIGN, ","), one] if count else [one])
    return found


def _results(stream: Stream, at: int) -> list[Token] | None:
    """The named results of the function whose body opens at `at`; none of them is an empty list, no function None."""
    start = at - 1
    while start >= 0 and stream[start].kind != LINE and stream[start].text not in ("{", "}"):
        start -= 1
    head = stream[start + 1 : at]
    if not any(one.text == "func" for one in head):
        return None
    if not head or head[-1].text != ")":
        return []
    depth = 0
    for back in range(len(head) - 1, -1, -1):
        depth += (head[back].text == ")") - (head[back].text == "(")
        if not depth:
            break
    if head[back - 1 : back] != [Token(SIGN, ")")]:
        return []
    inner = head[back + 1 : -1]
    names = [
        one
        for place, one in enumerate(inner)
        if one.kind == NAME
        and (place == 0 or inner[place - 1].text == ",")
        and place + 1 < len(inner)
        and inner[place + 1].text != "."
    ]
    return names if len(inner) > len(names) * 2 - 1 else []


def owned(stream: Stream) -> Stream:
    """Rust with a type's own name for `Self`."""
    found: Stream = []
    stack: list[Token | None] = []
    for at, token in enumerate(stream):
        if token.text == "{" and token.kind == SIGN:
            stack.append(_owner(stream, at) or (stack[-1] if stack else None))
        elif token.text == "}" and token.kind == SIGN and stack:
            stack.pop()
        owner = stack[-1] if stack else None
        found.append(owner if owner is not None and token == Token(WORD, "Self") else token)
    return found


def _owner(stream: Stream, at: int) -> Token | None:
    """The type whose `impl` opens at `at`."""
    start = at - 1
    while start >= 0 and stream[start].text not in ("{", "}", ";"):
        start -= 1
    head = [one for one in stream[start + 1 : at] if one.kind in (NAME, WORD)]
    if not any(one.text == "impl" for one in head[:2]) or any(one.text == "fn" for one in head):
        return None
    texts = [one.text for one in head]
    behind = head[texts.index("for") + 1 :] if "for" in texts else head[texts.index("impl") + 1 :]
    return next((one for one in behind if one.kind == NAME), None)


def placed(stream: Stream) -> Stream:
    """Rust with the names that stand in a format behind it."""
    found: Stream = []
    for at, token in enumerate(stream):
        near = [one.text for one in stream[max(at - 4, 0) : at]]
        if token.kind == STRING and "!" in near and any(one in FORMATS or "fmt" in one for one in near):
            names = [hit[1] for hit in NAMED.finditer(token.text)]
            found.append(token._replace(text=NAMED.sub(lambda hit: f"{{{hit[2] or ''}}}", token.text)))
            for name in names:
                found.extend((Token(SIGN, ","), Token(NAME, name)))
        else:
            found.append(token)
    return found


def caught(stream: Stream) -> Stream:
    """A script without the names of errors that nobody looks at."""
    found: Stream = []
    at = 0
    while at < len(stream):
        head = stream[at : at + 5]
        if [one.text for one in head[:2]] == ["catch", "("] and [one.text for one in head[3:]] == [")", "{"]:
            end = _end(stream, at + 4, Token(SIGN, "{"), Token(SIGN, "}"))
            if head[2] not in stream[at + 4 : end]:
                found.append(head[0])
                at += 4
                continue
        found.append(stream[at])
        at += 1
    return found


TURNS: dict[str, tuple[Callable[[Stream], Stream], ...]] = {
    "python": (unchecked, augmented, flat_branches, joined_branches),
    "script": (augmented, caught),
    "go": (augmented, returned),
    "rust": (augmented, owned, placed),
    "java": (augmented,),
    "c": (augmented,),
}
"""What is turned in each family of languages, in this order."""
