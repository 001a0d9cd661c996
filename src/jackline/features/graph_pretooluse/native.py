"""The clients' own search and read tools: where they look, which argument caps them.

One table by tool name in lower case; where two clients share a name with different arguments, the argument tells.
A tool that is not in the table is not judged: nobody knows what its arguments mean.
"""

from __future__ import annotations

from jackline.clients.facts import CUTS_READS, CUTS_SEARCHES
from jackline.features.graph_pretooluse.options import words
from jackline.features.graph_pretooluse.search_roots import (
    FOLDER,
    Ceilings,
    Limits,
    Place,
    are_bound,
    is_bound,
    literal,
    names_something,
    number,
)
from jackline.system import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple
else:
    from jackline._record import NamedTuple


class Tool(NamedTuple):
    """`needs`: an argument only this tool has. `roots`: arguments with folders; `globs`: with globs below the root.

    `names`: the glob is itself what is looked for (Glob). `cap`: the argument that caps the results, `most`: what its
    client does without it (a rewrite never asks for more). `deep`: an argument that must be true to walk folders.
    """

    needs: str = ""
    roots: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    names: bool = False
    cap: str = ""
    most: int = 0
    deep: str = ""


class Loose(NamedTuple):
    """An unbounded call: what is wrong, changes that bound it, and whether they only add a cap."""

    what: str
    changes: dict[str, Any]
    capped: bool


SEARCHES: dict[str, tuple[Tool, ...]] = {
    "grep": (Tool(roots=("path", "paths"), globs=("glob", "include"), cap="head_limit"),),
    "rg": (Tool(roots=("path", "paths"), globs=("glob",), cap="head_limit"),),
    "grep_search": (
        Tool(needs="query", globs=("includePattern",), cap="maxResults", most=20),  # VS Code
        Tool(needs="dir_path", roots=("dir_path",), globs=("include_pattern",), cap="total_max_matches", most=100),
        Tool(roots=("path",), globs=("glob", "include"), cap="limit", most=100),  # Gemini (older), Qwen
    ),
    "grep_files": (Tool(roots=("path",), globs=("include",), cap="limit", most=100),),  # Codex
    "search_file_content": (Tool(roots=("path", "dir_path"), globs=("include",)),),
    "file_search": (Tool(globs=("query",), names=True, cap="maxResults", most=20),),
    "glob": (
        Tool(needs="patterns", roots=("folder",), globs=("patterns",), names=True),
        Tool(roots=("path", "paths", "dir_path"), globs=("pattern",), names=True),
    ),
    "search_files": (Tool(roots=("path",), globs=("file_pattern",)),),
    "list_files": (Tool(roots=("path",), deep="recursive"),),
    "semantic_search": (Tool(globs=("query",), names=True),),
    "codebase_search": (Tool(globs=("query",), names=True),),
    "search_codebase": (Tool(needs="query", globs=("query",), names=True),),
}

READS: dict[str, tuple[tuple[str, ...], str]] = {
    "read": (("limit", "view_range", "pages"), "limit"),
    "view": (("view_range", "limit"), "view_range"),
    "read_file": (("limit", "endLine", "end_line", "lines", "n_lines"), "limit"),
}
"""Read tools: arguments that bound a read, and the one that a rewrite adds."""

MEDIA = words(
    ".png .jpg .jpeg .gif .webp .bmp .ico .tif .tiff .heic .avif .pdf .ipynb .mp3 .wav .ogg .flac .mp4 .mov .webm "
    ".docx .xlsx .pptx"
)
"""What a read tool shows as something else than text."""


def _row(name: str, given: Mapping[str, Any]) -> Tool | None:
    rows = SEARCHES.get(name.lower(), ())
    for tool in rows:
        if not tool.needs or tool.needs in given:
            return tool
    return None


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    if isinstance(value, (list, tuple)):
        return tuple(one for one in value if isinstance(one, str) and one)
    return ()


def _below(place: Place, pattern: str) -> bool:
    """Whether a glob starts in a real folder below the root."""
    folder = literal(pattern)
    return bool(folder.strip("./")) and is_bound(place, folder)


def search(
    name: str, given: Mapping[str, Any], place: Place, limits: Limits, ceilings: Ceilings, client: str = ""
) -> Loose | None:
    """What is unbounded about a search by a client's own tool, or None."""
    tool = _row(name, given)
    if tool is None or (tool.deep and given.get(tool.deep) not in (True, "true", 1)):
        return None
    if tool.cap and number(given.get(tool.cap), ceilings.results):
        return None
    roots = [root for key in tool.roots for root in _texts(given.get(key))]
    globs = [glob for key in tool.globs for glob in _texts(given.get(key))]
    if roots and are_bound(place, roots):
        return None
    if not roots and is_bound(place, "."):
        return None  # the working folder itself is a folder below the root
    if globs and all(_below(place, glob) for glob in globs):
        return None
    if tool.names and globs and all(names_something(glob) for glob in globs):
        return None
    if name in CUTS_SEARCHES.get(client, ()):
        return None
    where = "below " + ", ".join(roots[:3]) if roots else "in the whole project"
    what = f"{name} looks for everything {where}" if tool.names else f"{name} searches {where} without a cap"
    if tool.cap:
        return Loose(what, {tool.cap: min(limits.results, tool.most or limits.results)}, True)
    key = tool.globs[0] if tool.globs else ""
    return Loose(what, {key: "*/*"} if tool.names and key == "pattern" else {}, False)


def among_logs(name: str, given: Mapping[str, Any], place: Place) -> str:
    """What a search by a client's own tool would do among our logs; "" when it stays out of them."""
    tool = _row(name, given)
    if tool is None or not place.root or not exists(f"{place.root}/{FOLDER}"):
        return ""
    roots = [root for key in tool.roots for root in _texts(given.get(key))]
    globs = [glob for key in tool.globs for text in _texts(given.get(key)) for glob in text.replace(",", " ").split()]
    named = " ".join((place.cwd, *roots))
    if not globs and ".ai" not in named and "*" not in named and not given.get("includeIgnoredFiles"):
        return ""  # its ignore files keep it out
    from jackline.features.graph_pretooluse.logs import native

    return native(name, given, roots, globs, tool.names, place)


def large(path: str, most: int) -> int:
    """Size of a text file that is larger than `most`, else 0."""
    from jackline.system import size_of

    dot = path.rfind(".")
    if dot >= 0 and path[dot:].lower() in MEDIA:
        return 0
    size = size_of(path)
    return size if size > most else 0


def read(name: str, client: str, given: Mapping[str, Any], path: str, limits: Limits) -> Loose | None:
    """What is unbounded about reading the file `path` (absolute) with a client's own tool, or None."""
    row = READS.get(name.lower())
    if row is None or client in CUTS_READS:
        return None
    bounds, key = row
    if any(given.get(bound) not in (None, "", 0, []) for bound in bounds):
        return None
    size = large(path, limits.bytes)
    if not size:
        return None
    if key == "limit" and "path" in given:
        key = "view_range"  # Copilot under Claude's tool names keeps its own argument names
    lines: object = [1, limits.lines] if key == "view_range" else limits.lines
    return Loose(f"{name} reads {size // 1024} KB at once", {key: lines}, True)
