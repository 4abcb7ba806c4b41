"""A trial's programs (from Debian's packages), processes, ports and folder; they all end with the trial."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from string import Template
from threading import Event
from time import monotonic

ADDRESS = "127.0.0.1"
POSTGRES = max(  # the newest that is here
    Path("/usr/lib/postgresql").glob("[0-9]*/bin"),
    key=lambda folder: int(folder.parent.name),
    default=Path("/usr/lib/postgresql/17/bin"),
)
PROGRAMS = {  # each program's file, and Debian's package with it
    POSTGRES / "postgres": "postgresql",
    Path("/usr/bin/patroni"): "patroni",
    Path("/usr/lib/python3/dist-packages/etcd"): "python3-etcd",  # which Debian 13's patroni comes without
    Path("/usr/bin/etcd"): "etcd-server",
    Path("/usr/sbin/haproxy"): "haproxy",
}
UNPRIVILEGED = "postgres"  # PostgreSQL refuses to be run by root


class CannotRunHere(Exception):
    """The cluster can't be tried on this machine; the text says what to do."""


class Interrupted(Exception):
    """Somebody pressed Ctrl-C."""


STOPPED = Event()  # tells the thread that kills parts of a Ctrl-C, which only the main thread receives


class NotInTime(Exception):
    """Something didn't happen in time; the text says what, and what the parts wrote last."""


def require_programs(programs: Mapping[Path, str] = PROGRAMS) -> None:
    """Raises CannotRunHere, with the command that installs what is missing."""
    missing = sorted({package for file, package in programs.items() if not file.exists()})
    if missing:
        raise CannotRunHere(
            "The cluster is made of Debian's own packages, and some are missing. Install them, without starting "
            "them:\n    sudo apt-get update && sudo apt-get install --no-install-recommends " + " ".join(missing) + "\n"
            "and switch off what they start by themselves: sudo systemctl disable --now "
            + " ".join(name for name in ("postgresql", "patroni", "etcd", "haproxy") if any(name in m for m in missing))
        )


def response_status(port: int, path: str, *, patience: float) -> int:
    """The status by which a page of this machine is answered; 0 where no answer comes within so many seconds."""
    with suppress(OSError, HTTPException), closing(HTTPConnection(ADDRESS, port, timeout=patience)) as asked:
        asked.request("GET", path)
        answer = asked.getresponse()
        answer.read()
        return answer.status
    return 0


def wait_until(true: Callable[[], object], *, seconds: float, what: str, every: float = 0.1) -> float:
    """Wait until something is true, looking `every` so many seconds. Returns the seconds it took. Raises NotInTime."""
    began = monotonic()
    while not true():
        if monotonic() > began + seconds:
            raise NotInTime(f"{what} not within {seconds:.0f} s")
        pause(every)
    return monotonic() - began


def pause(seconds: float) -> None:
    if STOPPED.wait(seconds):
        raise Interrupted


def process_tree(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            parents.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found = [pid]
    for one in found:
        found.extend(parents.get(one, ()))
    return found


def is_running(pid: int) -> bool:
    """Whether a process runs; a zombie doesn't."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(pids: Sequence[int], sign: int = signal.SIGKILL) -> None:
    """End processes at once, as a machine does that loses its power, or send them another signal."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, sign)


@dataclass(slots=True)
class TrialProcess:
    """A process of the trial; it writes to a log file of its name."""

    name: str
    process: subprocess.Popen[bytes]

    @property
    def pids(self) -> list[int]:
        return process_tree(self.process.pid)

    def kill(self) -> None:
        kill(self.pids)
        self.process.wait(10)


@dataclass(slots=True)
class TrialFolder:
    folder: Path
    parts: list[TrialProcess] = field(default_factory=list)
    besides: list[Callable[[], list[int]]] = field(default_factory=list)  # give the ids of detached processes

    def fill_in(self, template: Path, target_name: str, /, **words: object) -> Path:
        target = self.folder / target_name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(template.read_text(encoding="utf-8")).substitute(words), encoding="utf-8")
        return self.give_to_server(target)

    def give_to_server(self, path: Path) -> Path:
        if os.geteuid() == 0:
            shutil.chown(path, UNPRIVILEGED)
        return path

    def make_folder(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(mode=0o700)
        return self.give_to_server(folder)

    def start(
        self, name: str, command: Sequence[str], *, unprivileged: bool = False, env: Mapping[str, str] | None = None
    ) -> TrialProcess:
        given: dict[str, object] = {}
        environment = dict(env if env is not None else {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})
        if unprivileged and os.geteuid() == 0:
            user = pwd.getpwnam(UNPRIVILEGED)
            given = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            environment["HOME"] = user.pw_dir
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(  # type: ignore[call-overload]  # its options are in a dict
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                cwd=self.folder,
                start_new_session=True,
                **given,
            )
        part = TrialProcess(name, process)
        self.parts.append(part)
        return part

    def log_end(self, name: str, lines: int = 12) -> str:
        return "\n".join((self.folder / f"{name}.log").read_text(errors="replace").splitlines()[-lines:])

    def end(self) -> None:
        ended = [pid for part in reversed(self.parts) for pid in part.pids]
        ended += [below for detached in self.besides for pid in detached() for below in process_tree(pid)]
        kill(ended)
        for part in self.parts:
            part.process.wait(10)
        with suppress(NotInTime):
            wait_until(lambda: not any(map(is_running, ended)), seconds=10, what="All ended")


@contextmanager
def open_trial_folder() -> Iterator[TrialFolder]:
    """A folder for a trial: it is deleted and every process is killed afterwards, however the trial ends."""
    folder = Path(tempfile.mkdtemp(prefix="nine-tables-cluster-"))
    folder.chmod(0o755)
    found = TrialFolder(folder)
    STOPPED.clear()
    before = {sign: signal.signal(sign, _interrupt) for sign in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield found
    except NotInTime as slow:
        names = dict.fromkeys(part.name for part in found.parts)
        wrote = "".join(f"\n-- {name} wrote:\n{found.log_end(name)}" for name in names)
        raise NotInTime(f"{slow}{wrote}") from None
    finally:
        for sign in before:
            signal.signal(sign, signal.SIG_IGN)
        STOPPED.clear()
        found.end()
        shutil.rmtree(folder, ignore_errors=True)
        for sign, handler in before.items():
            signal.signal(sign, handler)


def _interrupt(signum: int, frame: object) -> None:
    STOPPED.set()
    raise KeyboardInterrupt
