"""Which programs we know, by the module of their rules (`dispatch` calls them)."""

from __future__ import annotations

from jackline.shell.wrappers import WRAPPERS

_PROGRAMS = """
shells: trap script
shells.shell: bash sh zsh dash ksh mksh ash rbash fish csh tcsh
shells.later: at batch crontab tmux screen
shells.pwsh: pwsh pwsh-preview powershell powershell.exe pwsh.exe
shells.windows: cmd cmd.exe
shells.foreign: expect start-stop-daemon run-parts
shells.source: source .
shells.su: su runuser
shells.cmdlet: remove-item clear-content clear-item set-content add-content out-file new-item set-item move-item
  rename-item copy-item invoke-expression invoke-webrequest invoke-restmethod start-bitstransfer start-process
  get-content
shells.eval_: eval
running: entr env xargs parallel flock
running.command: command builtin exec
running.wrapper: watch sudo doas time ssh busybox toybox aws-vault doppler
running.tool: docker podman nerdctl kubectl oc docker-compose npm pnpm yarn bun uv poetry pipenv pdm rye hatch bundle
  conda mise asdf pipx direnv dotenv
finding.find: find gfind
finding.fd: fd fdfind
builtin: echo printf unset pwd let alias shift mktemp date kill
builtin.silent: : true false exit return break continue wait disown umask ulimit sleep clear reset rehash unalias
builtin.nothing: jobs fg bg times caller dirs suspend logout tty yes stty tput cal factor expr locale getconf uptime
  users type disable realpath readlink compopt bindkey zle vared autoload groups functions print
builtin.something: whoami arch nproc logname seq id uname hostname
builtin.export: export declare typeset local readonly integer float
builtin.setting: set
builtin.powers: enable complete compgen bind zmodload hash shopt setopt unsetopt emulate
builtin.named: which where whence
builtin.cd: cd chdir pushd popd
builtin.read: read getopts mapfile readarray
builtin.test: test [
builtin.history: history fc
builtin.part: basename dirname
files.nothing: ps top htop pgrep free vmstat lscpu lsblk lsof df info whatis apropos whereis locate help inotifywait
  mount-list look shuf numfmt man tr
files.row: tac nl wc paste join comm cmp diff colordiff delta sdiff diff3 fold fmt expand unexpand column pr od
  hexdump hd strings stat rev md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum cksum sum nm objdump
  readelf size ldd xmllint tsort csvlook cat base32 basenc file logger head tail cut iconv pandoc touch mkdir
  fallocate sort uniq split csplit xxd base64 gpg gpg2 ssh-keygen gcc g++ cc c++ clang clang++ ld as rustc javac
  objcopy ffmpeg convert magick mkisofs genisoimage xsltproc ptx dos2unix unix2dos strip ranlib update-alternatives jq
  yq mkfifo mknod openssl less more most bat rm rmdir unlink srm trash trash-put rimraf del-cli shred truncate zip
  cpio pax ls dir vdir exa eza tree du sqlite3 duckdb
changing.mv: mv gmv
changing.cp: cp gcp install ditto
changing.ln: ln gln link
changing.tar: gtar bsdtar
changing.squeeze: gzip gunzip zcat bzip2 bunzip2 bzcat xz unxz xzcat lzma zstd unzstd zstdcat lz4 compress uncompress
changing.seven: 7z 7za 7zr unrar rar
files.grep: grep egrep fgrep zgrep rg ag ack ugrep
files.variables: printenv
changing.mode: chmod chown chgrp chattr chflags setfacl xattr setfattr
changing: dd tar unzip
changing.tee: tee sponge
editing: patch apply_patch perl
editing.sed: sed gsed
editing.awk: awk gawk mawk nawk goawk
editing.editor: ed ex vi vim nvim view emacs nano pico joe micro code subl
editing.debugger: gdb lldb
code.interpreter: python node ruby php lua osascript julia rscript groovy scala ghci tclsh ipython elixir erl guile
  racket ghc jshell python2 python3 pypy pypy3 nodejs irb luajit ts-node tsx swift r iex runghc xonsh
git: git
network: curl socat
network.talk: http https httpie xh ftp lftp tftp telnet ping ping6 traceroute dig nslookup host whois nmap mail mailx
  sendmail psql mysql mysqldump pg_dump mongo mongosh redis-cli sftp mariadb pgcli mycli usql clickhouse
  clickhouse-client sqlcmd cockroach cqlsh snowsql snow trino presto isql sqlplus beeline osql turso bq invoke-sqlcmd
  invoke-dbaquery
network.cloud: gh glab hub aws gcloud gsutil az heroku vercel netlify fly flyctl doctl terraform tofu pulumi helm
  ansible ansible-playbook restic s3cmd mosh vagrant hg svn bzr fossil jj p4 brz chg
network.copying: scp rsync rclone
network.netcat: nc ncat netcat
network.wget: wget aria2c
system.power: sgdisk gdisk blkdiscard nvme dmsetup fdisk cfdisk parted losetup cryptsetup lvremove vgremove pvremove
  lvm lvcreate pvcreate vgcreate zpool zfs btrfs mdadm hdparm badblocks fsck e2fsck tune2fs resize2fs systemctl
  service rc-service launchctl shutdown reboot halt poweroff init telinit useradd userdel usermod groupadd groupdel
  passwd chpasswd visudo insmod rmmod modprobe sysctl iptables ip6tables ebtables arptables firewall-cmd nft ufw ip
  ifconfig route setcap capsh setenforce chsh chfn csrutil spctl diskutil dscl nsenter swapoff debugfs kexec umount
  swapon nvram networksetup systemsetup scutil pmset tmutil newfs_hfs defaults auditctl hostnamectl timedatectl
  journalctl newfs_apfs newfs_msdos newfs_exfat asr bless efibootmgr grub-install update-grub mount
system.disk: mkfs mkswap wipefs sfdisk
system.processes: pkill killall xkill loginctl
system.windows: reg bcdedit vssadmin wbadmin diskpart takeown icacls schtasks netsh wevtutil fsutil manage-bde dism
  cipher sc net regedit sfc logoff taskkill tskill format mshta regsvr32 rundll32 bitsadmin certutil cmdkey ntdsutil
  reagentc wmic
building: deno jackline
building.build: make gmake cmake ninja meson bazel gradle gradlew mvn ant sbt cargo go rake npx-run tsc jest vitest
  mocha playwright cypress webpack vite rollup esbuild next nuxt turbo nx lerna pytest tox nox mvnw dotnet msbuild
  xcodebuild swiftc stack cabal opam mix just task invoke inv fab gulp grunt lefthook pre-commit
building.check: eslint prettier biome ruff black isort flake8 mypy pyright pylint autopep8 yapf gofmt goimports
  rustfmt clang-format shfmt shellcheck
building.packages: pip pip3 apt apt-get aptitude dpkg yum dnf rpm pacman apk zypper brew port snap flatpak gem cpan
  cpanm composer choco winget scoop rustup nvm pyenv rbenv
"""
PROGRAMS = dict([row.split(": ", 1) for row in _PROGRAMS.strip().replace("\n  ", " ").split("\n")])
"""Module of `rules` and function in it (without one: that of its own name) to the programs that it judges."""

HOMES = {name: place for place, names in PROGRAMS.items() for name in names.split()}

VERSIONED = frozenset(["python", "pypy", "pip", "gcc", "g++", "clang", "clang++", "ruby", "perl", "node", "lua", "php"])
"""Programs that are called by names like `python3.11` and `gcc-12`, too."""

_SYSTEM = "/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /opt/homebrew/bin /opt/local/bin"
SYSTEM = frozenset(_SYSTEM.split())


def home(name: str) -> tuple[str, str] | None:
    """Where the rule of a program stands: its module of `rules`, the function in it. None when we do not know it."""
    if name not in HOMES:
        name = "mkfs" if name.startswith("mkfs.") else name.rstrip("0123456789.-")
        if name != "mkfs" and name not in VERSIONED:
            return None
    room, _, function = HOMES[name].partition(".")
    return room, function or name


_ROOMS: dict[str, str] = {}


def room(name: str) -> str:
    """The module of `rules` in which the rule of a program stands, "" when we do not know it."""
    found = _ROOMS.get(name)
    if found is None:
        found = (home(name) or ("",))[0]
        if found:
            _ROOMS[name] = found
    return found


NAMES = HOMES.keys() | {name.partition(" ")[0] for name in WRAPPERS}


def is_program(name: str) -> bool:
    """Whether we know a program of this name."""
    return name in NAMES or name.rstrip("0123456789.-") in VERSIONED or name.startswith("mkfs.")


HOOKS = {
    **dict.fromkeys(("ssh-agent", "dircolors", "lesspipe", "register-python-argcomplete", "luarocks"), ""),
    **dict.fromkeys(("pyenv", "rbenv", "nodenv", "jenv", "goenv", "starship", "zoxide", "atuin", "mcfly"), "init"),
    **dict.fromkeys(("kubectl", "helm", "gh", "npm", "pip", "k3d", "kind", "rclone", "oc", "flux"), "completion"),
    **dict.fromkeys(("fnm", "opam", "docker-machine", "ghcup"), "env"),
    "direnv": "hook", "brew": "shellenv", "mise": "activate", "minikube": "docker-env", "thefuck": "--alias",
    "fzf": "--bash --zsh", "conda": "shell.bash", "micromamba": "shell", "rustup": "completions", "asdf": "info",
}  # fmt: skip
"""Programs that print settings for the shell that runs them (behind this word), and nothing that harms."""
