"""A glob means what it matches, and that may be a link: where it leads counts; a link that is removed does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from principles.case import Case
from principles.world import World

LINKS = {"src/conf": "../.claude", "src/deep/l": "../../.claude", "hooks-link": ".git/hooks", "up": "../../..",
         "set.json": ".claude/settings.json"}  # fmt: skip


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        made = World(tmp_path_factory.mktemp("links").resolve())
        patch.setenv("HOME", str(made.home))
        for name, target in LINKS.items():
            (made.root / name).parent.mkdir(exist_ok=True)
            (made.root / name).symlink_to(target)
        yield made
        made.end()


STOPPED = """
echo x > src/con?/settings.json
echo x > src/*/settings.json
echo x > src/*/*/settings.json
echo x > src/**/settings.json
sed -i s/a/b/ src/*/*.json
sed -i s/a/b/ *.json
cp src/x s*.json
tee */pre-commit < src/x
for f in src/*; do echo x > $f/settings.json; done
rm -rf src/*/
ln -s .claude k; echo x > k/settings.json
ln -s .claude k; echo x > ?/settings.json
ln -s "$(cat list)" k; echo x > k/settings.json
""".strip().splitlines()

PASSED = """
rm src/l*
echo x > src/x?
rm src/*.log
sed -i s/a/b/ src/*.py
cp src/*.py build/
for f in src/*; do echo x > $f.txt; done
ln -s src k; echo x > k/y
ln -s "$(cat list)" k; echo x > k/notes.txt
""".strip().splitlines()


@pytest.mark.parametrize("call", STOPPED)
def test_what_a_glob_reaches_through_a_link_is_stopped(world: World, call: str) -> None:
    assert world.judge(Case("glob", "", "", call))["self-protect"] != "pass"


@pytest.mark.parametrize("call", PASSED)
def test_links_themselves_and_other_matches_pass(world: World, call: str) -> None:
    assert world.judge(Case("glob", "", "", call))["self-protect"] == "pass"
