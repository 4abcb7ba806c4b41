"""Bare Debian roots, in which the proofs of `./dev prove install` and `./dev prove docs` do what a reader does.

Each is unpacked from what debootstrap made once, has a user `anna`, and is gone afterwards. What tells pip and others
of registries, proxies and certificates is handed on from the environment. Needs root, on Debian.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile, gettempdir
from time import monotonic, sleep
from types import TracebackType
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, build_opener

ROOT = Path(__file__).resolve().parents[2]
SUITES = {"12": "bookworm", "13": "trixie"}
CACHE = Path(gettempdir(), "roots")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
HANDED_ON = ("PIP_", "UV_", "SSL_CERT_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
HOME = "/home/anna"
CLONED = "/srv/nine-tables.git"  # this checkout's last commit, in each root
PATIENCE = 180  # seconds until a page answers, on a machine that does other things too
# Beside the site a shell is left, which says what the site leaves behind.
WATCHED = """trap : INT; (%s
); status=$?
for each in /proc/[0-9]*; do case $each in /proc/1) ;; *) left=$(tr '\\0' ' ' <$each/cmdline)
[ -z "$left" ] || echo "LEFT BEHIND: $left" ;; esac; done 2>/dev/null; exit $status"""
# systemd as the first process: in control groups of its own, on this machine's network.
GROUPS = "mount -t cgroup2 none /sys/fs/cgroup || exit; "
BOOT = """mkdir "$2" && echo $$ >"$2/cgroup.procs" && export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 SYSTEMD_SECCOMP=0 &&
exec systemd-nspawn --quiet --register=no --keep-unit --resolv-conf=off --timezone=off --link-journal=no \
    --console=pipe --directory "$1" --boot"""


class Failed(Exception):
    """Something isn't as promised: the message says what."""


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


class BareRoot:
    def __init__(self, place: Path) -> None:
        self.place = place
        self.home = place / HOME.lstrip("/")
        self.first_process = ""  # of a root that was booted

    def _inside(self, script: str, user: str, variables: dict[str, str]) -> list[str]:
        given = {name: value for name, value in os.environ.items() if name.upper().startswith(HANDED_ON)}
        given.pop("PIP_FIND_LINKS", None)  # a folder of this machine
        home = HOME if user == "anna" else f"/{user}"
        given |= {"HOME": home, "USER": user, "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "TERM": "dumb"}
        given |= {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", **variables}
        new = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--root", str(self.place)]
        if self.first_process:
            new = ["nsenter", "--target", self.first_process, "--all"]
        who = ["setpriv", "--reuid", user, "--regid", user, "--init-groups"]
        return [*new, "env", "-i", *(f"{name}={value}" for name, value in given.items()), *who,
                "sh", "-c", f"cd {home}; {script}"]  # fmt: skip

    def run(self, script: str, *, user: str = "anna", ok: bool = True, typed: str = "", **variables: str) -> str:
        """What a command prints, to which something is typed. With `ok`, raises Failed with it where it fails."""
        done = subprocess.run(
            self._inside(script, user, variables),
            input=typed, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        if ok and done.returncode:
            raise Failed(f"status {done.returncode}: {done.stdout[-3000:]}")
        return done.stdout

    def install(self, *packages: str) -> None:
        self.run(f"apt-get -qq update && apt-get -qq install --no-install-recommends {' '.join(packages)}", user="root")

    def serve(self, script: str, *, user: str = "anna", **variables: str) -> ServedSite:
        watched = "trap : INT; (%s\n)" if self.first_process else WATCHED
        return ServedSite(self._inside(watched % script, user, variables), variables["PORT"])

    @contextmanager
    def booted(self) -> Iterator[None]:
        """As a server is: with services of systemd, on this machine's own network."""
        if not shutil.which("systemd-nspawn"):
            sys.exit("This needs systemd-nspawn: apt-get install systemd-container")
        self.install("systemd-sysv", "dbus")
        groups = f"/sys/fs/cgroup/{self.place.name}"
        script = ["unshare", "--mount", "sh", "-c"]
        boot = [*script, GROUPS + BOOT, "sh", str(self.place), groups]
        with subprocess.Popen(boot, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as host:
            until, children = monotonic() + PATIENCE, Path(f"/proc/{host.pid}/task/{host.pid}/children")
            while not self.first_process and monotonic() < until:
                sleep(0.5)
                found = children.read_text().split()  # a helper, then systemd itself
                self.first_process = next((pid for pid in found if _process_name(pid) == "systemd"), "")
            try:
                if not self.first_process:
                    raise Failed("systemd doesn't start")
                self.run("systemctl is-system-running --wait", user="root", ok=False)
                yield
            finally:
                host.send_signal(signal.SIGTERM)  # it shuts down
                self.first_process = ""
        subprocess.run([*script, f"{GROUPS} find {groups} -depth -type d -exec rmdir {{}} +"], check=True)


class ServedSite:
    """A site that is started as on a terminal, and ended by Ctrl+C: `printed` is all that it said."""

    def __init__(self, command: list[str], port: str) -> None:
        self.command, self.address = command, f"http://127.0.0.1:{port}"

    def __enter__(self) -> ServedSite:
        self._output = TemporaryFile("w+", encoding="utf-8")
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        return self

    def wait(self) -> None:
        """Until the first page answers, whatever it says. Raises Failed where it doesn't come."""
        try:
            wait_for_page(self.address, while_=lambda: self.process.poll() is None)
        except Failed as wrong:
            raise Failed(f"{wrong}: {self.printed}") from wrong

    @property
    def printed(self) -> str:
        self._output.seek(0)
        return self._output.read()

    def stop(self) -> None:
        """Press Ctrl+C. Raises Failed where it doesn't end, or leaves a process behind."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired as late:
            raise Failed(f"it doesn't end: {self.printed}") from late
        if "LEFT BEHIND" in self.printed:
            raise Failed(self.printed[-500:])

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.stop()
        finally:
            with suppress(ProcessLookupError):  # ended by itself
                os.killpg(self.process.pid, signal.SIGKILL)  # with the first process in it all others end
            self.process.wait()
            self._output.close()


def wait_for_page(address: str, *, while_: Callable[[], bool] = lambda: True) -> None:
    """Wait until it answers, whatever it says. Raises Failed where it doesn't come."""
    until = monotonic() + PATIENCE
    while monotonic() < until and while_():
        try:
            build_opener(_NoRedirect).open(address, timeout=PATIENCE).close()
            return
        except HTTPError as answer:
            if answer.code < 500:
                return
            raise Failed(str(answer.code)) from answer
        except OSError:
            sleep(0.05)
    raise Failed("it doesn't answer")


def free_port(wanted: int = 0) -> str:
    """The port that is wanted, or another where it is taken."""
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            free.bind(("127.0.0.1", wanted))
        except OSError:
            return free_port()
        return str(free.getsockname()[1])


@contextmanager
def bare_root(debian: str, *, sudo: bool = False) -> Iterator[BareRoot]:
    archive = debian_archive(SUITES[debian])
    with TemporaryDirectory(prefix=f"nine-tables-debian-{debian}-") as scratch:
        place = Path(scratch)
        subprocess.run(["tar", "-xpf", archive, "-C", place], check=True)
        place.chmod(0o755)  # the archive may have it as debootstrap's umask left it
        shutil.copy("/etc/resolv.conf", place / "etc")
        shutil.copy(CERTIFICATES, place / CERTIFICATES.relative_to("/"))
        (place / "etc/hosts").write_text(f"127.0.0.1 localhost {socket.gethostname()}\n")
        clone = place / CLONED.lstrip("/")
        subprocess.run(["git", "clone", "-q", "--bare", ROOT, clone], check=True)
        for onto in (["update-ref", "refs/heads/main", "HEAD"], ["symbolic-ref", "HEAD", "refs/heads/main"]):
            subprocess.run(["git", "--git-dir", clone, *onto], check=True)  # this checkout may be on no branch
        (place / "etc/gitconfig").write_text("[safe]\n\tdirectory = *\n")  # root's, which anna clones
        root = BareRoot(place)
        root.run("useradd --create-home --shell /bin/bash anna", user="root")
        if sudo:
            (place / "etc/sudoers.d/anna").write_text('anna ALL=(ALL) NOPASSWD: ALL\nDefaults env_keep += "PIP_CERT"\n')
        yield root


def copy_downloads(root: BareRoot, files: Path) -> str:
    """What people download, in the user's home; the wheel's name."""
    for file in files.iterdir():
        shutil.copy(file, root.home)
    return next(files.glob("*.whl")).name


def _process_name(pid: str) -> str:
    with suppress(OSError):
        return Path("/proc", pid, "comm").read_text().strip()
    return ""


def debian_archive(suite: str) -> Path:
    archive = CACHE / f"{suite}.tar"
    if not archive.exists():
        if os.geteuid() or not shutil.which("debootstrap"):
            sys.exit("This needs root and debootstrap: apt-get install debootstrap")
        CACHE.mkdir(exist_ok=True)
        with TemporaryDirectory(dir=CACHE) as made:
            print(f"Making a bare Debian ({suite}), once ...", file=sys.stderr)
            bootstrap = ["debootstrap", "--variant=minbase", "--include=ca-certificates,sudo", suite, made]
            subprocess.run(bootstrap, check=True, stdout=subprocess.DEVNULL)
            clean = f"rm -f {made}/var/cache/apt/archives/*.deb {made}/var/lib/apt/lists/*_*"
            subprocess.run(["sh", "-c", clean], check=True)
            subprocess.run(["tar", "-cf", f"{archive}.new", "-C", made, "."], check=True)
        Path(f"{archive}.new").replace(archive)
    return archive
