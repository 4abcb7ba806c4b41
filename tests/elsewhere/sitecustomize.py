"""Python on Linux as a program finds it on Windows, and without pysqlite3: each process loads this as it starts.

Hidden: what only POSIX has. Text is cp1252 by default, a file that is open can't be renamed or deleted, signal 0 is
Ctrl-C, and SIGTERM ends a process without a word. `os.name` stays: a program that asks for it would be untested here.
"""

import asyncio  # noqa: F401  (Python's own modules find what they need first)
import builtins
import errno
import io
import locale
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import webbrowser  # noqa: F401
from pathlib import Path

MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "readline", "pysqlite3")
OF_OS = (
    *("fork", "forkpty", "posix_spawn", "posix_spawnp", "getppid", "nice", "getpriority", "setpriority"),
    *("getuid", "geteuid", "getgid", "getegid", "getgroups", "getpgid", "getpgrp", "getsid", "setsid", "setpgid"),
    *("killpg", "wait", "wait3", "wait4", "sysconf", "confstr", "statvfs", "fstatvfs", "getloadavg"),
    *("chown", "lchown", "fchown", "fchmod", "mkfifo", "mknod", "sched_getaffinity", "pread"),
)
OF_SIGNAL = ("SIGHUP", "SIGQUIT", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPIPE", "alarm", "setitimer", "pause")
NO_NAME = re.compile(r'[<>:"|?*\x00-\x1f]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)', re.IGNORECASE)

_session_of, _own_session, _real_open, _real_os_open, _kill = os.getsid, os.getsid(0), io.open, os.open, os.kill
_popen, _set_option, _rename = subprocess.Popen.__init__, socket.socket.setsockopt, os.rename
_handle, _data = signal.signal, os.environ.get("VAR_DIR", "/nowhere")
EXCLUSIVE = -5


def _text_is_cp1252():
    def opened(file, mode="r", buffering=-1, encoding=None, *more, **others):
        encoding = "cp1252" if encoding in {None, "locale"} and "b" not in mode else encoding
        return _real_open(file, mode, buffering, encoding, *more, **others)

    builtins.open = io.open = opened
    io.text_encoding = lambda encoding, _level=2: encoding or "cp1252"
    locale.getencoding = locale.getpreferredencoding = lambda *_set: "cp1252"


def _holders(path):
    """The processes of this site that have a file open."""
    file = os.path.realpath(path)
    for process in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if _session_of(int(process)) == _own_session:
                folder = f"/proc/{process}/fd"
                if any(os.readlink(f"{folder}/{number}") == file for number in os.listdir(folder)):
                    yield process
        except OSError:  # it has ended, or closed the file
            continue


def _refuse(event, arguments):
    """Refuse what Windows does with files; an audit hook, so by whatever way they are reached."""
    paths = {"open": 1, "os.mkdir": 1, "os.remove": 1, "os.rename": 2, "os.link": 2}.get(event, 0)
    for path in arguments[:paths]:
        if not isinstance(path, str | bytes | os.PathLike):
            continue
        path = os.fsdecode(path)
        if path.startswith("/proc/"):
            raise FileNotFoundError(errno.ENOENT, "No such file", path)
        if path.startswith(_data) and any(map(NO_NAME.search, Path(path).relative_to(_data).parts)):
            raise OSError(errno.EINVAL, "Invalid argument", path)
        if event in {"os.remove", "os.rename"} and os.path.isfile(path) and any(_holders(path)):
            raise PermissionError(errno.EACCES, "The process cannot access the file: another uses it", path)


def _os_open(path, flags, *more, **others):
    if os.path.isdir(path):
        raise PermissionError(errno.EACCES, "Permission denied", path)
    return _real_os_open(path, flags, *more, **others)


def _renamed(source, target, **others):
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, "Cannot create a file when that file already exists", target)
    _rename(source, target, **others)


def _no_link(source, target, *_more, **_others):
    raise OSError(errno.EPERM, "A required privilege is not held by the client", target)


def _started(self, *arguments, preexec_fn=None, process_group=None, creationflags=0, **others):
    if preexec_fn is not None:
        raise ValueError("preexec_fn is not supported on Windows platforms")
    others.pop("start_new_session", None)
    group = 0 if creationflags & subprocess.CREATE_NEW_PROCESS_GROUP else None
    _popen(self, *arguments, process_group=group, **others)


def _killed(process, number):
    _kill(process, number or signal.SIGINT)


def _option(self, level, name, value, *length):
    if (level, name) == (socket.SOL_SOCKET, socket.SO_REUSEADDR):
        raise OSError(errno.EINVAL, "Invalid argument")  # it would let another program take the port
    _set_option(self, level, socket.SO_REUSEADDR if name == EXCLUSIVE else name, value, *length)  # which it is here


def _handled(number, handler):
    return signal.SIG_DFL if number == signal.SIGTERM else _handle(number, handler)


sys.executable = os.environ["EMULATED"]  # what is started is emulated too
if not sys.flags.utf8_mode:
    _text_is_cp1252()
subprocess.CREATE_NEW_PROCESS_GROUP, subprocess.BELOW_NORMAL_PRIORITY_CLASS = 0x200, 0x4000
subprocess.Popen.__init__ = _started
socket.SO_EXCLUSIVEADDRUSE, socket.socket.setsockopt = EXCLUSIVE, _option
_handle(signal.SIGINT, signal.default_int_handler)  # even where tests run in the background
signal.signal = _handled
shutil._use_fd_functions = False
tempfile.TemporaryFile = tempfile.NamedTemporaryFile
os.kill, os.open, os.rename, os.symlink, os.chmod = _killed, _os_open, _renamed, _no_link, lambda *_a, **_b: None
for module, names in ((os, OF_OS), (signal, OF_SIGNAL), (select, ("poll", "epoll")), (socket, ("AF_UNIX",))):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
sys.modules.update(dict.fromkeys(MODULES))
sys.addaudithook(_refuse)
