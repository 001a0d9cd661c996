"""What the calls of a program do: which ones touch files, run commands, or leave the machine, in whatever language.

The reader of programs (`calls`) finds the calls, and tells what each of their arguments is.
"""

from __future__ import annotations

from jackline.shell.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jackline.shell.command_call import Job


_DOES = {
    # What is done to the first argument, how, and behind how many others it stands; a method of a path begins with a
    # dot; `Sync` and `!` at the end of a name are left out.
    "delete:deep": "rmSync rmdirSync rmtree remove_tree rm_rf rm_r remove_entry remove_entry_secure remove_dir "
        "rimraf removeSync emptyDir Deno.remove fs.remove fse.remove deltree deleteDir delete-directory "
        "delete-directory/files delTree fs.rm promises.rm fsp.rm FileUtils.rm del_dir_r shutil.rmtree .rmtree "
        "distutils.dir_util.remove_tree send2trash.send2trash",
    "delete": "unlink File.delete os.remove file.remove delete-file File.rm file:delete safe_unlink deleteFile "
        "FileUtils.rm_f file_delete wp_delete_file os.unlink os.removedirs .unlink",
    "delete:empty": "rmdir Dir.delete Dir.unlink os.rmdir .rmdir",
    "move": "rename moveSync FileUtils.mv FileUtils.move os.rename rename-file fs.move os.replace os.renames "
        "shutil.move",
    "copy": "copyFile File.cp file.copy copy-file shutil.copy shutil.copy2 shutil.copyfile",
    "copy:deep": "cpSync copySync FileUtils.cp FileUtils.cp_r FileUtils.copy fs.cp fs.copy shutil.copytree",
    "write": "writeFile appendFile createWriteStream file_put_contents File.write IO.write IO.binwrite File.binwrite "
        "writeTextFile Bun.write truncate outputFile writeJson write-region os.truncate os.mkfifo os.mknod os.mkdir "
        "os.makedirs os.open sqlite3.connect shelve.open dbm.open .write_text .write_bytes .touch .symlink_to "
        ".hardlink_to",
    "write:deep:1": ".extractall",
    "write::1": "os.symlink os.link",
    "write:mode": "chmod chown FileUtils.chmod_R os.chmod os.chown os.lchown shutil.chown .chmod",
    "read": "readFile File.read IO.read file_get_contents readfile readTextFile Bun.file readLines createReadStream "
        "File.foreach readlines YAML.load_file slurp os.listdir os.walk os.scandir glob.glob glob.iglob .read_text "
        ".read_bytes .iterdir",
    "open": "fopen io.open codecs.open open builtins.open os.fdopen zipfile.ZipFile tarfile.open gzip.open bz2.open "
        "lzma.open .open",
    "shell": ".system .popen system sh popen shell_exec passthru proc_open os.execute io.popen os:cmd shell-command "
        "shell-command-to-string call-process-shell-command do_shell_script execaCommand exec os.system os.popen "
        "subprocess.getoutput subprocess.getstatusoutput popen2.popen2 commands.getoutput "
        "asyncio.create_subprocess_shell pexpect.run pexpect.spawn sh.bash plumbum.local invoke.run fabric.run "
        "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn",
    "words": "spawn execFile Deno.Command System.cmd system2 execa Open3.capture2 Open3.capture2e Open3.capture3 "
        "Open3.popen3 call-process start-process system* execvp os.execl os.execlp os.execle os.execlpe "
        "asyncio.create_subprocess_exec",
    "words::1": "os.spawnl os.spawnlp os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp",
    "words::2": "os.spawnv os.spawnvp os.spawnve os.spawnvpe",
    "code": "eval Function instance_eval class_eval runInNewContext runInThisContext runInContext loadstring "
        "eval-string create_function unserialize builtins.exec builtins.eval",
    "file": "runpy.run_path",
    "ask": "fetch axios.get http.get https.get Net::HTTP.get URI.open LWP::Simple download.file "
        "urllib.request.urlopen urllib.request.Request urllib2.urlopen requests.post requests.put requests.patch "
        "httpx.post httpx.put httpx.patch requests.request smtplib.SMTP smtplib.SMTP_SSL ftplib.FTP "
        "http.client.HTTPSConnection http.client.HTTPConnection paramiko.SSHClient boto3.client",
    "ask:look": "requests.get requests.head httpx.get urllib.request.urlretrieve",
    "send": "axios.post axios.put http.request https.request Net::HTTP.post Net::HTTP.post_form curl_exec fsockopen "
        "TCPSocket.new TCPSocket.open net.connect net.createConnection sendBeacon stream_socket_client "
        ".post .put .patch .upload_file .upload_fileobj .put_object .sendall .sendmail .send_message",
    "enter": "os.chdir",
}  # fmt: skip
DOES = {name: what for what, names in _DOES.items() for name in names.split()}

JOINED = ("perl", "ruby", "php", "emacs", "racket")
"""Languages whose calls for a shell take words, too."""
CARRIES = ("data", "json", "files", "content", "body")


BY_NAME = (*CARRIES, "cwd", "shell", "env", "mode", "flags", "encoding", "newline")
"""Arguments that are given by their names alone."""


def text_of(value: object) -> str:
    return str(value) if isinstance(value, str) else UNKNOWN


def texts_of(value: object) -> list[str]:
    """The texts that an argument may be (a tuple), or that stand in its list."""
    found = [text_of(one) for one in (value if isinstance(value, (list, tuple)) else [value])]
    return [one for one in found if one] or [UNKNOWN]


class Acts:
    """The calls of one program, and the job that reports what they do. `read`: how a text in its language is read."""

    def __init__(self, job: Job, language: str, read: Callable[[str], object]) -> None:
        self.job = job
        self.language = language
        self.read = read
        self.sends = False
        self.reads: list[str] = []

    def act(self, what: str, args: list[object], words: Mapping[str, object]) -> None:
        """One call. `args`: what each argument is, `words`: those that are given by name."""
        kind, how, behind = (*what.split(":"), "", "")[:3]
        given = [value for name, value in words.items() if name not in BY_NAME and value != UNKNOWN]
        args = args[int(behind or 0) :]
        first, second = [texts_of(one) for one in (*args, given, given)][:2]
        job = self.job
        if kind == "open":
            mode = text_of(words.get("mode", args[1] if args[1:] else ""))
            kind = "write" if set(mode) & set("wax+") else "read"
        if kind in ("delete", "write"):
            act = how if how != "deep" else ""
            deep, follow = how == "deep", kind != "delete"
            job.all(kind, first, f"{job.name} names it", deep=deep, follow=follow, act=act)  # type: ignore[arg-type]
        elif kind in ("read", "copy"):
            self.reads += first
        elif kind == "move":
            job.all("delete", first, "moves it away", deep=True, follow=False, act="move")
        elif kind in ("shell", "words"):
            self.start(kind, args or given, words)
        elif kind == "code":
            for text in first:
                if UNKNOWN not in text:
                    self.read(text)
                else:
                    job.fault(f"{job.name} runs text that only it knows", act="code.hidden")
        elif kind == "file":
            job.run(["python3", *first])
        elif kind in ("ask", "send"):
            job.note("network", f"{job.name} talks to {first[0].replace(UNKNOWN, '…')[:80]}")
            carries = len(args) > 1 or not words.keys().isdisjoint(CARRIES)
            self.sends = self.sends or kind == "send" or (carries and how != "look")
        elif kind == "enter":
            job.scene.enter(first[0])
        if kind in ("move", "copy"):
            job.all("write", second, "copies to it" if kind == "copy" else "moves to it", deep=how == "deep")

    def start(self, kind: str, args: list[object], words: Mapping[str, object]) -> None:
        """A command is run: a text for a shell, or words, in a list or one by one."""
        job, told, whole = self.job, [text_of(one) for one in args] or [UNKNOWN], False
        if "cwd" in words:
            job = job.again(job.scene.fork())
            job.scene.enter(text_of(words["cwd"]))
        listed = next((one for one in args if isinstance(one, list)), None)
        if listed is not None:
            told = [*([] if args[0] is listed else told[:1]), *map(text_of, listed)]
            whole = told[:1] != [UNKNOWN]
        elif kind == "words":
            names = {one.rpartition("/")[2] for one in told[:2]}
            told = told[len(told[:2]) - len(names) :]  # `execl` has the name twice
            whole = told[0] != UNKNOWN
        elif told[1:]:
            whole = self.language in JOINED and UNKNOWN not in told
        if told and whole and " " not in told[0]:
            job.run(told)
        elif told:
            job.code(None if told[0] == UNKNOWN else told[0])

    def ends(self, environment: bool) -> None:
        """What was read is told at the end, when it is known whether something is sent."""
        act = "send" if self.sends else ""
        if environment:
            self.job.note("read", "prints the environment", act=act)
        for word in self.reads:
            if word != UNKNOWN:
                self.job.add("read", word, f"{self.job.name} reads it", act=act)
