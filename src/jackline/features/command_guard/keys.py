"""Files that hold keys or credentials by what people call them: in a project, and in nobody's list of places."""

from __future__ import annotations

from jackline.features.command_guard.pipelines import PASSES
from jackline.globs import segment
from jackline.sensitive import Listed

KEYS = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".ppk")
"""Endings of keys: working with one in a project is work, showing or sending it is not."""

MATERIAL = (
    "credentials credentials.* kubeconfig terraform.tfstate terraform.tfstate.backup *.tfvars secrets.* secret.json "
    "secret.yml secret.yaml secret.txt secret service-account*.json service_account*.json client_secret*.json "
    "master.key wp-config.php auth.json token.json .npmrc .yarnrc.yml"
)
"""Names that often hold credentials: looking at one in a project is work, sending it is not."""
OFTEN = Listed(MATERIAL)

DATA = (".json", ".yml", ".yaml", ".toml", ".ini", ".txt", ".env", ".csv", ".cfg", ".conf", ".properties")
"""Endings of files that hold values."""

PUBLIC = ("cert", "ca", "chain", "fullchain", "public", "pub", "crt", "root", "bundle")
"""Names of certificates, and of keys that are for everybody."""

EMPTY = ("example", "sample", "template", "test", "testing", "dist", "ci", "defaults")
"""Names of settings without real values."""

_TRIED = (
    "test tests testdata fixtures fixture __tests__ spec specs mock mocks example examples sample samples docs doc "
    "node_modules site-packages"
)
TRIED = frozenset(_TRIED.split())
"""Folders of what is only there to be tried, or read about."""


def key(path: str) -> bool:
    """The name is one of a key or certificate store, or of what often holds credentials."""
    return path.endswith(KEYS) or (path[-3:] != ".md" and path.rpartition("/")[2] in OFTEN)


def shown(path: str, program: str) -> bool:
    """A program shows a file that is a key, or holds credentials, by its name or its folder's."""
    if program not in PASSES:
        return False
    *folders, name = path.split("/")
    if not TRIED.isdisjoint(folders) or name.startswith(("example", "sample", "dummy", "fake", "test")):
        return False
    stem, dot, _ = name.lower().rpartition(".")
    parts = stem.replace("-", "_").replace(".", "_").split("_")
    if name.endswith(KEYS):
        return not name.endswith((".pem", ".key")) or not any(part in PUBLIC for part in parts)
    if dot and name.endswith(".env") and stem not in ("", "*"):
        return not any(part in EMPTY for part in parts)
    if segment("*.env*", name) and "*" in name:
        return True
    if not name.endswith(DATA):
        return False
    return parts[-1] in ("secrets", "credentials", "credential") or (
        bool(folders) and folders[-1] in ("secrets", "credentials", ".secrets", ".credentials")
    )
