"""The door of git's hook: its modules in order, and nothing of the interpreter's library read for them."""

from __future__ import annotations

import ast
import marshal
import subprocess
import sys
from pathlib import Path

from jackline.compiler import gitdoor


def _imported(name: str) -> set[str]:
    """Modules of ours that a module imports as it is run, and the packages they lie in."""
    found = set()
    for node in gitdoor.tree_of(name).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "jackline":
            found |= {str(node.module), *[f"{node.module}.{one.name}" for one in node.names]}
    return {one for one in found if gitdoor._path(one).exists()}


def test_each_module_comes_after_all_that_it_imports() -> None:
    for at, name in enumerate(gitdoor.NAMES):
        before = {*gitdoor.NAMES[:at]}
        assert _imported(name) <= before, name
        assert {name.rpartition(".")[0]} - {""} <= before, name


def test_no_file_is_imported_for_the_modules(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    bundle.write_bytes(gitdoor.files()[gitdoor.name_of_bundle()])
    loader = gitdoor.LOADER.replace("m.enter(s[:-1], sys.argv[1:])", "")
    assert loader != gitdoor.LOADER
    code = f"""
import marshal, posix, sys
before = {{*sys.modules}}
q = marshal.loads(posix.read(posix.open({str(bundle)!r}, 0), 9999999))
exec({loader!r})
new = [n for n in sys.modules if n not in before and n[:8] != "jackline"]
found = [n for n in new if n not in sys.builtin_module_names]
print(found, m.slot("/"))
"""
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    from jackline.store.ids import slot

    assert ran.stdout.split() == ["['_blake2']" if gitdoor._extension() else "[]", slot("/")]


def test_codes_tell_their_lines() -> None:
    code = gitdoor._code("jackline.precommit")
    assert marshal.loads(marshal.dumps(code)) == code
    lines = {line for const in code.co_consts if hasattr(const, "co_lines") for _, _, line in const.co_lines()}
    assert max(line for line in lines if line) > 50
