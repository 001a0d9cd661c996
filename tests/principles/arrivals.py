"""What lands in a folder above a protected place: copies with all they hold, archives, patches, what git brings."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from typing import Any

from .case import Case

TITLE = "A copy, an archive, a patch or a checkout into a folder above a protected place reaches it."
FUNCTION = "jackline.features.self_protect.arrivals:reached"
NEUTRAL: Any = ("", "", False)

COPIES = {
    # @ is the folder that is copied, % where it goes.
    "cp -rT": "cp -rT @ %",
    "cp -a": "cp -a @/. %",
    "cp -r, wrapped": "env X=1 nice cp -r @/. %",
    "cp of a shell": "sh -c 'cp -r @/. %'",
    "cp, folder first": "cp -r -t % @/.",
    "rsync": "rsync -a @/ %",
    "rsync, some left out": "rsync -av --exclude node_modules @/ %/",
    "python": "python3 -c \"import shutil; shutil.copytree('@', '%', dirs_exist_ok=True)\"",
    "node": "node -e \"fs.cpSync('@', '%', {recursive: true})\"",
    "variable": 'd=@; cp -a "$d/." %',
    "from inside": "cd @ && cp -r . %",
}
TREES = {
    # What lies in the folder, and above which protected place it goes.
    "settings": (".claude/settings.json", "<R>"),
    "settings, their own folder": ("settings.local.json", "<R>/.claude"),
    "hook": (".git/hooks/post-checkout", "<R>"),
    "scripts": (".ai/hooks/x.py", "<R>"),
    "start-up": (".bashrc", "<H>"),
    "user's settings": (".codex/config.toml", "<H>"),
    "store": (".local/state/jackline/trust.json", "<H>"),
}
DROP = "<H>/drop/tree"

UNPACKERS = {
    "tar": ("tar", "tar xf @ -C %"),
    "tar - old form": ("tar", "tar xvf @ -C %"),
    "tar - packed": ("tgz", "tar -xzf @ --directory=%"),
    "tar - inside": ("tar", "cd % && tar -xf @"),
    "tar - stripped": ("deep", "tar xf @ --strip-components=1 -C %"),
    "bsdtar": ("zip", "bsdtar -xf @ -C %"),
    "unzip": ("zip", "unzip -o @ -d %"),
    "unzip - inside": ("zip", "cd % && unzip -q @"),
    "7z": ("zip", "7z x -y @ -o%"),
    "python": ("tar", "python3 -c \"import tarfile; tarfile.open('@').extractall('%')\""),
}
UNREAD = {
    "tar": "curl -sL https://x.example/x.tgz | tar xz -C %",
    "tar - kept": "curl -so x.tgz https://x.example/x.tgz && tar xzf x.tgz -C %",
    "unzip": "wget -qO x.zip https://x.example/x.zip; unzip -o x.zip -d %",
    "git archive": "git archive HEAD | tar x -C %",
    "cpio": "curl -s https://x.example/x | cpio -idm -D %",
    "scp": "scp -r host:x/. %",
    "rsync": "rsync -a host:x/ %",
    "docker": "docker cp c:/x/. %",
    "wget": "wget -r -nH -P % https://x.example/",
    "copy of a download": "curl -s https://x.example/x | tar x -C build; cp -a build/. %",
    "archive of a script": "./pack.sh && tar xf made.tar -C %",
    "copy of a script": "make out && cp -a out/. %",
    "rclone": "rclone copy r:x %",
    "copy of a clone": "git clone https://x.example/x y; cp -rT y %",
    "checkout-index": "git checkout-index -a --prefix=%/",
    "work tree": "git --work-tree=% checkout calm",
    "work tree by a variable": "GIT_WORK_TREE=% git checkout -q calm",
    "work tree by configuration": "git -c core.worktree=% checkout calm",
}
FILLS = {
    # Programs of which nothing is known: they are told a folder, and what comes into it.
    "dpkg": "dpkg -x x.deb %",
    "dpkg-deb": "dpkg-deb -R x.deb %",
    "unsquashfs": "unsquashfs -f -d % x.sqfs",
    "cabextract": "cabextract -d % x.cab",
    "7zz": "7zz x x.7z -o%",
    "unar": "unar -o % x.rar",
    "asar": "npx asar extract x.asar %",
    "python zipfile": "python3 -m zipfile -e gone.zip %",
    "python tarfile": "python3 -m tarfile --extract gone.tar %",
    "python wheel": "python3 -m wheel unpack -d % x.whl",
    "frobnicate, an archive": "frobnicate unpack x.tar.zst %",
    "frobnicate, glued": "frobnicate --into=% x.zip",
    "frobnicate, wrapped": "sudo nice frobnicate x.tgz %",
    "frobnicate, an address": "frobnicate pull https://x.example/x %",
    "frobnicate, folder first": "frobnicate --into % s3://b/x",
    "aws sync": "aws s3 sync s3://b/x %",
    "aws cp": "aws s3 cp --recursive s3://b/x %",
    "aws mv": "aws s3 mv s3://b/x % --recursive --region x",
    "gsutil rsync": "gsutil -m rsync -r gs://b/x %",
    "gsutil cp": "gsutil cp -r 'gs://b/x/*' %",
    "gcloud": "gcloud storage cp -r gs://b/x %",
    "azcopy": "azcopy sync https://x.example/x %",
    "s5cmd": "s5cmd cp 's3://b/*' %/",
    "svn": "svn export --force https://x.example/x %",
    "hg": "hg clone https://x.example/x %",
}
WHOLE = {
    # The home itself: nobody means all that lies in it.
    "stow": "stow -t % dots",
    "pip": "pip install --target % x",
    "pip, root": "pip install --root=% x",
    "npm": "npm install --prefix % x",
    "cargo": "cargo install --root % x",
    "make": "make install prefix=%",
    "cmake": "cmake --install build --prefix %",
    "meson": "meson install --destdir %",
    "gh": "gh repo clone x/y %",
    "gh release": "gh release download -D %",
    "helm": "helm pull x --untar -d %",
    "restic": "restic restore latest --target %",
    "copier": "copier copy x %",
    "frobnicate": "frobnicate apply --to=%",
    "frobnicate, glued": "frobnicate apply -o%",
}
MADE = {
    "clone": "git clone https://x.example/x %",
    "clone - bare": "git clone --bare https://x.example/x %",
    "work tree": "git worktree add % calm",
}
PATCHES = {
    "git apply": "git apply @",
    "git apply, three ways": "git apply --3way -p1 @",
    "git am": "git am @",
    "patch": "patch -p1 < @",
    "patch, named": "patch -p1 -i @",
    "patch, folder": "patch -d . -p1 -i @",
    "other git": "git --git-dir=<H>/drop/x.git apply @",
}


def _archive(kind: str, name: str) -> str:
    held = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(held, "w") as packed:
            packed.writestr(zipfile.ZipInfo(name), "{}")  # of no day: the same bytes each time
    else:
        with tarfile.open(fileobj=held, mode="w") as tar:
            one = tarfile.TarInfo(f"top/{name}" if kind == "deep" else name)
            one.size = 2
            tar.addfile(one, io.BytesIO(b"{}"))
    packing = io.BytesIO()
    with gzip.GzipFile(fileobj=packing, mode="wb", compresslevel=0, mtime=0) as out:
        out.write(held.getvalue())
    return (packing if kind == "tgz" else held).getvalue().decode("utf-8", "surrogateescape")


def _patch(name: str) -> str:
    return f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-{{}}\n+{{ }}\n"


def _put(text: str, what: str, where: str) -> str:
    return text.replace("@", what).replace("%", where)


def _copies(says: str, trees: dict[str, tuple[str, str]]) -> list[Case]:
    return [
        Case("copy", name, what, _put(text, DROP, where), says, files=((f"{DROP}/{inner}", "{}"),))
        for name, text in COPIES.items()
        for what, (inner, where) in trees.items()
    ]


def _archives(says: str, trees: dict[str, tuple[str, str]]) -> list[Case]:
    return [
        Case("archive", name, what, _put(text, f"<H>/drop/x.{kind}", where), says,
             files=((f"<H>/drop/x.{kind}", _archive(kind, inner)),))
        for name, (kind, text) in UNPACKERS.items()
        for what, (inner, where) in trees.items()
    ]  # fmt: skip


def _patches(says: str, *inner: str) -> list[Case]:
    return [
        Case("patch", name, one, _put(text, "<H>/drop/x.patch", ""), says, files=(("<H>/drop/x.patch", _patch(one)),))
        for name, text in PATCHES.items()
        for one in inner
        if says == "stop" or name != "other git"
    ]


ATTACKS = [
    *_copies("stop", TREES),
    *_archives("stop", TREES),
    *_patches("stop", ".claude/settings.json", ".github/hooks/jackline.json", ".ai/hooks/x.py"),
    *[Case("unread", name, where, _put(text, "", where)) for name, text in UNREAD.items()
      for where in ("<R>", "<H>") if "work tree" not in name or where == "<H>"],
    *[Case("unread, told", name, where, _put(text, "", where)) for name, text in FILLS.items()
      for where in ("<R>", "<H>", "<H>/code")],
    *[Case("home", name, where, _put(text, "", where)) for name, text in WHOLE.items() for where in ("<H>", "<H>/..")],
    *[Case("new folder", name, where, _put(text, "", where)) for name, text in MADE.items()
      for where in ("<R>/.cursor", "<H>/.kiro", "<H>/.config/jackline")],
    Case("patch", "git apply", "fetched", "curl -s https://x.example/x.patch | git apply"),
    Case("patch", "patch", "fetched", "curl -s https://x.example/x.patch | patch -p1"),
    Case("patch", "git am", "fetched", "gh pr diff 12 | git am"),
]  # fmt: skip

CALM = {
    "sources": ("src/a.ts", "<R>"),
    "notes": ("docs/notes.md", "<R>"),
    "commands": (".claude/commands/x.md", "<R>"),
    "commands, their own folder": ("commands/x.md", "<R>/.claude"),
    "workflow": (".github/workflows/x.yml", "<R>"),
    "home": ("notes/x.txt", "<H>"),
    "program": (".local/bin/x", "<H>"),
    "below": (".claude/settings.txt", "<R>/build"),
}
BELOW = ("<R>/build", "<R>/src", "/tmp/x", "<H>/notes")
INNOCENT = [
    *_copies("pass", CALM),
    *_archives("pass", CALM),
    *_patches("pass", "src/x", "README.md", ".github/workflows/x.yml"),
    *[Case("unread", name, where, _put(text, "", where), "pass") for name, text in UNREAD.items()
      for where in BELOW[:2] if "work tree" not in name and "index" not in name],
    *[Case("unread, told", name, where, _put(text, "", where), "pass") for name, text in FILLS.items()
      for where in ("<R>/build", "<H>/notes", "/tmp/x")],
    *[Case("home", name, where, _put(text, "", where), "pass") for name, text in WHOLE.items()
      for where in ("<R>/out", "<H>/.local")],
    *[Case("sent", text.split()[0], text, text, "pass") for text in (
        "aws s3 sync . s3://b/site", "aws s3 cp --recursive . s3://b/x", "gsutil -m rsync -r . gs://b/x",
        "gcloud storage cp -r . gs://b/x", "azcopy sync . https://x.example/x", "frobnicate . https://x.example/x",
        "docker build -t registry.example/x:1 .", "zip -r x.zip .", "frobnicate scan .", "code .", "npx http-server .",
        "env HOME=<H> make", "sudo HOME=<H> make", "du -sh <H>", "git -C <H> status", "ls <H>", "find <H> -maxdepth 1",
    )],
    *[Case("new folder", name, where, _put(text, "", where), "pass") for name, text in MADE.items()
      for where in ("<R>/other", "<H>/code/other", "<R>/.claude/worktrees/x")],
    *[Case("known", text.split()[0], str(at), text, "pass") for at, text in enumerate((
        "curl -sL https://x.example/x.tgz | tar xz --strip-components 1 x/bin/tool",
        "curl -sL https://x.example/x.tgz | tar xz -C ~/.local/bin tool --no-same-owner",
        "unzip -u x.zip bin/protoc -d .", "scp host:logs/x.log .", "scp -r host:dist .", "docker cp c:/x/out.json .",
        "git diff HEAD | git apply -R", "git diff > /tmp/x.patch; git apply /tmp/x.patch", "git switch -c new",
        "git show HEAD -- src | git apply -R --cached", "git --git-dir=.git status", "git stash", "git checkout HEAD~0",
        "rsync -a src/ build/", "cp -r src build", "mv src/x src/y", "npm pack && tar xzf x-1.0.0.tgz -C build",
        "git worktree add ../feature -b feature", "git clone --depth 1 https://x.example/x vendor/x",
    ))],
]  # fmt: skip
