"""Files that name one another: imports of many languages, tests and their subjects, names in a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackline.services.retrieval import imports, named_files, pairs
from jackline.services.retrieval.fields import kind_of
from services.retrieval.repository import Place

IMPORTS = {
    "python, absolute": ("import pkg.mod", "pkg.mod", "tests/t.py", "src/pkg/mod.py"),
    "python, a name of it": ("from", "pkg.mod.Thing", "tests/t.py", "src/pkg/mod.py"),
    "python, relative": ("from", ".mod", "pkg/a.py", "pkg/mod.py"),
    "python, above": ("from", "..util", "pkg/sub/a.py", "pkg/util.py"),
    "python, a package": ("import", "pkg.sub", "a.py", "pkg/sub/__init__.py"),
    "script, relative": ("from", "./b", "src/a.ts", "src/b.ts"),
    "script, another ending": ("from", "./b.js", "src/a.ts", "src/b.ts"),
    "script, a folder": ("from", "../util", "src/a.ts", "util/index.js"),
    "script, a package of the house": ("from", "@vue/shared", "packages/core/src/a.ts", "packages/shared/src/index.ts"),
    "go": ("import", "example.org/me/tool/pkg/cmd", "main.go", "pkg/cmd/root.go"),
    "rust, from the root": ("use", "crate::io::read", "src/lib.rs", "src/io/read.rs"),
    "rust, an item": ("use", "crate::io::Read", "src/net/x.rs", "src/io/mod.rs"),
    "rust, a module": ("mod", "io", "src/lib.rs", "src/io.rs"),
    "c": ("include", "net/socket.h", "src/a.c", "src/net/socket.h"),
    "java": ("import", "org.me.Thing", "A.java", "src/main/java/org/me/Thing.java"),
}


@pytest.mark.parametrize(("_", "spec", "importer", "target"), IMPORTS.values(), ids=IMPORTS)
def test_an_import_means_a_file(_: str, spec: str, importer: str, target: str) -> None:
    assert imports.means(imports.asked(spec, importer), imports.target(target))
    assert imports.module_of(target) in imports.modules(spec, kind_of(importer)), "the index finds it under that name"


@pytest.mark.parametrize(
    ("spec", "importer", "target"),
    [
        ("os", "a.py", "pkg/os.py"),
        ("pkg.mod", "a.py", "pkg/other.py"),
        (".mod", "pkg/a.py", "other/mod.py"),
        ("./b", "src/a.ts", "lib/b.ts"),
        ("react", "src/a.ts", "docs/deep/er/react.md"),
        ("../../../x", "a.ts", "x.ts"),
        ("net/socket.h", "a.c", "src/socket.h"),
        ("", "a.py", "a.py"),
    ],
)
def test_an_import_means_no_other(spec: str, importer: str, target: str) -> None:
    assert not imports.means(imports.asked(spec, importer), imports.target(target))


@pytest.mark.parametrize(
    ("test", "subject"),
    [
        ("tests/test_token.py", "src/token.py"),
        ("pkg/token_test.go", "pkg/token.go"),
        ("src/__tests__/token.spec.ts", "src/token.ts"),
        ("src/Token.test.tsx", "src/Token.tsx"),
        ("src/test/java/TokenTest.java", "src/main/java/Token.java"),
        ("tests/user_names_test.py", "src/userNames.py"),
        ("packages/core/__tests__/index.spec.ts", "packages/core/src/index.ts"),
    ],
)
def test_a_test_and_its_subject(test: str, subject: str) -> None:
    assert pairs.is_test(test) and not pairs.is_test(subject)
    assert [path for path, _ in pairs.partners(subject, [subject, test])] == [test]
    assert pairs.key_of(test) == pairs.key_of(subject)


def test_the_nearest_of_one_name_comes_first() -> None:
    tests = ["tests/other/test_token.py", "tests/auth/test_token.py"]
    assert [path for path, _ in pairs.partners("src/auth/token.py", tests)] == tests[::-1]


FILES = ("src/a/token.py", "src/b/token.py", "docs/guide.md", "Makefile", "src/a/app.module.ts", "make")


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("see src/a/token.py", ["src/a/token.py"]),
        ("see `a/token.py`, please.", ["src/a/token.py"]),
        ("token.py is wrong", ["src/a/token.py", "src/b/token.py"]),
        ("(docs/guide.md)", ["docs/guide.md"]),
        ("./docs\\guide.md!", ["docs/guide.md"]),
        ("in the Makefile we make it", ["Makefile"]),
        ("app.module.ts first, then guide.md", ["src/a/app.module.ts", "docs/guide.md"]),
        ("the token in docs", []),
        ("oken.py", []),
    ],
)
def test_files_that_a_prompt_names(prompt: str, found: list[str]) -> None:
    assert [*named_files.named(named_files.calls(prompt, FILES))] == found


def test_neighbours_of_what_is_found_come_too(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.commit(
        "begin",
        {
            "src/gizmo.py": "from src.helper import x\n",
            "src/helper.py": "x = 1\n",
            "src/user.py": "from src.gizmo import y\n",
            "tests/test_gizmo.py": "assert True\n",
            "src/other.py": "z = 1\n",
        },
    )
    with place.open() as opened:
        opened.update()
        assert opened.reader.imported("src/gizmo.py") == ["src/helper.py"]
        assert opened.reader.importers("src/gizmo.py") == ["src/user.py"]
        found = {one.path: [rule.name for rule in one.rules] for one in opened.find("gizmo")}
    assert set(found) == {"src/gizmo.py", "src/helper.py", "src/user.py", "tests/test_gizmo.py"}
    assert found["src/helper.py"] == ["imports"]
    assert found["tests/test_gizmo.py"] == ["words", "tests"]
