"""Names of PowerShell: aliases, parameters, commands that only show something, and those that change the machine."""

from __future__ import annotations

_ALIASES = {
    "remove-item": "ri rm rmdir del erase rd", "remove-itemproperty": "rp", "clear-content": "clc",
    "clear-item": "cli", "set-content": "sc", "add-content": "ac", "tee-object": "tee", "new-item": "ni",
    "mkdir": "md", "move-item": "mi mv move", "rename-item": "rni ren", "copy-item": "cpi cp copy",
    "get-content": "gc cat type", "select-string": "sls", "get-childitem": "gci ls dir", "get-item": "gi",
    "resolve-path": "rvpa", "invoke-expression": "iex", "invoke-webrequest": "iwr", "invoke-restmethod": "irm",
    "start-process": "saps start", "stop-process": "spps kill", "set-location": "cd sl chdir",
    "push-location": "pushd", "pop-location": "popd", "where-object": "? where", "foreach-object": "% foreach",
    "select-object": "select", "sort-object": "sort", "measure-object": "measure", "group-object": "group",
    "compare-object": "diff compare", "format-table": "ft", "format-list": "fl", "get-location": "gl pwd",
    "get-process": "gps ps", "get-member": "gm", "get-command": "gcm", "get-help": "man help", "get-variable": "gv",
    "set-variable": "sv set", "write-output": "write echo", "get-alias": "gal", "set-alias": "sal",
    "invoke-command": "icm", "get-history": "h history", "start-sleep": "sleep", "clear-host": "cls clear",
}  # fmt: skip
ALIASES = {alias: name for name, aliases in _ALIASES.items() for alias in aliases.split()}

KEYWORDS = frozenset([
    *("if", "elseif", "else", "foreach", "for", "while", "do", "until", "switch", "try", "catch", "finally", "return"),
    *("function", "filter", "param", "begin", "process", "end", "throw", "trap", "exit", "break", "continue", "in"),
])  # fmt: skip

_PARAMETERS = (
    "path literalpath filepath destination filter include exclude value name uri outfile infile body method headers "
    "argumentlist command verb encoding itemtype target newname source property pattern depth erroraction first last "
    "skip message computername contenttype delimiter inputobject childpath timeoutsec useragent workingdirectory"
)
PARAMETERS = tuple(_PARAMETERS.split())
"""Parameters that take a value, the likelier meaning of an abbreviation first."""

KNOWN = ("recurse", "force", "whatif", "confirm", "wait", "passthru", "quiet", "raw", "append", "noclobber", "hidden",
         "directory", "file", "nonewline", "usebasicparsing", "verbose", "asjob", "nonewwindow")  # fmt: skip

_LOOKS = (
    "get test select sort measure out convertto convertfrom compare group where foreach join split resolve show write "
    "read wait find debug trace pop receive search assert convert ping"
)
LOOKS = frozenset(_LOOKS.split())
"""Verbs of commands that show something, or work on what they are handed."""

_ENDS = (
    "remove clear reset uninstall disable stop restart suspend dismount revoke deny block undo delete erase destroy "
    "purge drop kill publish unpublish send"
)
ENDS = frozenset(_ENDS.split())
"""Verbs of commands that take something away, or hand it to others."""

HARMLESS = frozenset([
    *("start-sleep", "new-object", "new-guid", "new-timespan", "clear-host", "set-variable", "new-variable"),
    *("remove-variable", "clear-variable", "set-strictmode", "stop-transcript", "remove-module", "remove-job"),
    *("stop-job", "format-table", "format-list", "format-wide", "format-custom", "import-module"),
])  # fmt: skip

_NOUNS = {
    "machine":
        "computer volume disk partition executionpolicy service localuser localgroup localgroupmember mppreference "
        "netfirewallrule netfirewallprofile netadapter netipaddress netroute dnsclientserveraddress psremoting acl "
        "computerrestore windowsoptionalfeature windowsfeature windowscapability eventlog date timezone bitlocker "
        "vm diskimage smbshare wmiinstance wmiobject wmimethod cimmethod ciminstance certificate pfxcertificate",
    "later": "scheduledtask scheduledjob wmievent wmieventfilter",
    "processes": "process",
}  # fmt: skip
NOUNS = {noun: act for act, nouns in _NOUNS.items() for noun in nouns.split()}
"""What a command changes unless it looks: the act of a privilege that it needs."""

_CALLS = {
    "delete": "[io.file]::delete [io.file]::move",
    "delete:deep": "[io.directory]::delete .delete(",
    "write": "[io.file]::writealltext [io.file]::writeallbytes",
    "read": "[io.file]::readalltext [io.file]::readalllines [io.file]::readallbytes",
    "run": "[diagnostics.process]::start",
    "code": "[scriptblock]::create [reflection.assembly]::load .invoke( .invokescript( .kill(",
    "network": ".downloadstring( .downloadfile(",
}
CALLS = {call: kind for kind, calls in _CALLS.items() for call in calls.split()}
"""What calls of .NET do to what they are told; `System.` is left out, as it may be."""

_SAFE = (
    "[math] [string] [int [datetime] [guid] [timespan] [regex] [convert] [text.encoding] [io.path] [environment] "
    "[console] [version] [uri] [io.file]::exists [io.directory]::exists [io.directory]::getfiles [char] [array] [enum] "
    "[bool] [double] [io.directory]::createdirectory [pscustomobject] [xml] [net.dns] [globalization [bitconverter] "
    "[void] [net.servicepointmanager] [management.automation.language.parser]"
)
SAFE_TYPES = tuple(_SAFE.split())
"""Types of .NET whose methods change nothing."""
