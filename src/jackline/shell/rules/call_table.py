"""What the calls of a program do: which ones touch files, run commands, or leave the machine, in whatever language.

The reader of programs (`calls`) finds the calls, and tells what each of their arguments is.
"""

from __future__ import annotations

from jackline.shell.model import UNKNOWN

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
    "shell::1": ".system .popen",
    "shell": "system sh popen shell_exec passthru proc_open os.execute io.popen os:cmd shell-command "
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


def text_of(value: object) -> str:
    return str(value) if isinstance(value, str) else UNKNOWN


def texts_of(value: object) -> list[str]:
    """The texts that an argument may be (a tuple), or that stand in its list."""
    found = [text_of(one) for one in (value if isinstance(value, (list, tuple)) else [value])]
    return [one for one in found if one] or [UNKNOWN]
