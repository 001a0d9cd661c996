"""The names of the programs that we know, and nothing else: whoever only asks for a name loads no rule."""

from __future__ import annotations

SUBJECTS = {
    "shells": (
        "bash sh zsh dash ksh mksh ash rbash fish csh tcsh eval source . trap mapfile readarray su runuser script "
        "at batch crontab tmux screen pwsh pwsh-preview powershell powershell.exe pwsh.exe cmd cmd.exe expect "
        "start-stop-daemon run-parts remove-item clear-content clear-item set-content add-content out-file new-item "
        "set-item move-item rename-item copy-item invoke-expression invoke-webrequest invoke-restmethod "
        "start-bitstransfer start-process get-content"
    ),
    "running": (
        "xargs parallel flock watch env hyperfine busybox toybox command builtin exec sudo doas entr "
        "time ssh docker podman nerdctl kubectl oc docker-compose npm pnpm yarn bun uv poetry pipenv pdm "
        "rye hatch bundle conda mise asdf direnv dotenv doppler aws-vault pipx nix-shell nix watchexec nodemon "
        "chokidar onchange concurrently"
    ),
    "finding": ("find gfind fd fdfind"),
    "builtin": (
        "cd chdir pushd popd dirs export declare typeset local readonly integer float unset read getopts "
        "pwd : true false test [ exit return break continue shift set shopt setopt unsetopt emulate alias "
        "unalias hash rehash type which where whence history fc let wait jobs fg bg disown umask ulimit times "
        "enable disable complete compgen compopt bind suspend logout caller print vared zmodload autoload "
        "functions zle bindkey kill sleep yes seq basename dirname realpath readlink whoami id groups date uname "
        "hostname arch nproc uptime tty logname users expr factor cal mktemp tput clear reset stty locale getconf"
    ),
    "printing": ("echo printf"),
    "files": (
        "rm rmdir unlink srm trash trash-put trash-empty trash-rm gio rimraf del-cli mv gmv rename cp gcp ln gln link "
        "install ditto touch mkdir mkfifo mknod fallocate split csplit sort uniq iconv pandoc cat tac nl head tail "
        "wc cut paste join comm cmp diff colordiff delta sdiff diff3 fold fmt expand unexpand column pr "
        "od hexdump hd strings file stat ls dir vdir exa eza tree du df lsof md5sum sha1sum sha224sum sha256sum "
        "sha384sum sha512sum shasum b2sum cksum sum grep egrep fgrep zgrep rg ag ack ugrep jq yq xmllint xsltproc "
        "look tsort ptx shuf numfmt printenv ps top htop pgrep free vmstat lscpu lsblk mount-list info whatis "
        "apropos whereis locate help csvlook dos2unix unix2dos gcc g++ cc c++ clang clang++ ld as rustc javac "
        "objcopy strip ranlib nm objdump readelf size ldd inotifywait logger sqlite3 "
        "update-alternatives mkisofs genisoimage ffmpeg convert magick"
    ),
    "modes": ("chmod chown chgrp chattr chflags setfacl xattr setfattr"),
    "overwriting": ("truncate tee sponge shred dd"),
    "filters": ("base64 base32 basenc xxd rev tr"),
    "viewing": (
        "less more most bat openssl gpg gpg2 ssh-keygen security secret-tool keyring pass gopass plutil defaults"
    ),
    "archives": (
        "tar gtar bsdtar zip unzip gzip gunzip zcat bzip2 bunzip2 bzcat xz unxz xzcat lzma zstd unzstd zstdcat lz4 "
        "compress uncompress 7z 7za 7zr cpio ar pax unrar rar jar"
    ),
    "editing": (
        "sed gsed awk gawk mawk nawk goawk perl ed ex vi vim nvim view emacs nano pico joe micro code subl patch "
        "apply_patch gdb lldb man"
    ),
    "code": (
        "python python2 python3 pypy pypy3 node nodejs ruby php lua luajit osascript tclsh rscript julia "
        "groovy scala irb ghci swift ts-node tsx ipython xonsh elixir iex erl guile racket ghc runghc jshell r"
    ),
    "git": ("git"),
    "versions": ("hg chg svn bzr brz fossil jj p4 husky lefthook overcommit pre-commit"),
    "network": (
        "curl wget aria2c http https httpie xh scp sftp rsync ftp lftp tftp nc ncat netcat socat telnet ping ping6 "
        "traceroute dig nslookup host whois nmap mail mailx sendmail gh glab hub aws gcloud gsutil az heroku "
        "vercel netlify fly flyctl doctl terraform tofu pulumi helm ansible ansible-playbook mosh rclone restic "
        "s3cmd psql mysql mysqldump pg_dump mongo mongosh redis-cli vagrant"
    ),
    "system": (
        "sgdisk gdisk blkdiscard nvme dmsetup "
        "mount umount mkfs fdisk sfdisk cfdisk parted wipefs mkswap swapon swapoff losetup cryptsetup lvremove "
        "vgremove pvremove lvm lvcreate pvcreate vgcreate zpool zfs btrfs mdadm hdparm badblocks fsck e2fsck "
        "tune2fs resize2fs systemctl service rc-service launchctl shutdown reboot halt poweroff init telinit "
        "useradd userdel usermod groupadd groupdel passwd chpasswd visudo sudoedit insmod rmmod modprobe sysctl "
        "iptables ip6tables ebtables arptables firewall-cmd nft ufw ip "
        "ifconfig route setcap capsh setenforce chsh chfn csrutil spctl diskutil dscl pkill "
        "killall xkill nsenter debugfs kexec nvram networksetup systemsetup scutil pmset tmutil newfs_hfs newfs_apfs "
        "newfs_msdos newfs_exfat asr bless efibootmgr grub-install update-grub loginctl "
        "reg bcdedit vssadmin wbadmin diskpart takeown icacls schtasks netsh wevtutil fsutil manage-bde dism "
        "cipher sc net"
    ),
    "building": (
        "make gmake cmake ninja meson bazel gradle gradlew mvn ant sbt cargo go rake npx-run tsc eslint prettier "
        "biome jest vitest mocha playwright cypress webpack vite rollup esbuild next nuxt turbo nx lerna pytest "
        "tox nox ruff black isort flake8 mypy pyright pylint autopep8 yapf gofmt goimports rustfmt clang-format "
        "shfmt shellcheck pip pip3 apt apt-get aptitude dpkg yum dnf rpm pacman apk zypper brew port "
        "snap flatpak gem cpan cpanm composer choco winget scoop rustup nvm pyenv rbenv mvnw dotnet msbuild "
        "xcodebuild swiftc stack cabal opam mix just task invoke inv fab gulp grunt deno jackline"
    ),
}
"""Module to the programs whose rules stand there."""

VERSIONED = frozenset(["python", "pypy", "pip", "gcc", "g++", "clang", "clang++", "ruby", "perl", "node", "lua", "php"])
"""Programs that are called by names like `python3.11` and `gcc-12`, too."""

WRAPPING = (
    "pkexec gosu su-exec setpriv nice ionice nohup setsid timeout gtimeout stdbuf chrt taskset unshare chroot "
    "setarch linux32 linux64 strace ltrace fakeroot prlimit cgexec systemd-run caffeinate catchsegv eatmydata "
    "chronic unbuffer rlwrap winpty xvfb-run dbus-run-session faketime valgrind noglob nocorrect - repeat "
    "cross-env cross-env-shell dotenvx op infisical chamber envdir torsocks torify proxychains proxychains4 "
    "firejail bwrap chpst setuidgid s6-setuidgid sem rush foreman wsl lima multipass lxc incus toolbox distrobox "
    "devcontainer adb npx bunx pnpx uvx"
)
"""Programs that run another, and that have no rules of their own (`wrappers`)."""


def is_program(name: str) -> bool:
    """Whether we know a program of this name."""
    if not name.isascii() or " " in name:
        return False
    word = f" {name} "
    for names in (*SUBJECTS.values(), WRAPPING):
        if word in f" {names} ":
            return True
    return name.rstrip("0123456789.-") in VERSIONED or name.startswith("mkfs.")
