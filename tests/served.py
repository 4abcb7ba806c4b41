"""The site's programs as processes: run to their end; or served, asked over plain sockets, stopped."""

import os
import socket
import subprocess
import sys
import time
from contextlib import closing, contextmanager

from django.conf import settings


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(port, process, seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nobody serves at {port}")


def program(folder, *arguments, umask=-1, **environment):
    """Python in the project, with its data in a folder, run to its end."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "clubsite.settings", "VAR_DIR": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
        umask=umask,
    )


def manage(folder, *arguments, **environment):
    return program(folder, "manage.py", *arguments, **environment)


@contextmanager
def running(arguments, *, port, environment=None):
    """Python with these arguments, once it serves at the port; killed in the end if it goes on."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "clubsite.settings", **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        wait_for(port, process)
        yield process
    finally:
        ended(process)


def ended(process):
    """End a process; kill it if it goes on."""
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def opened(port, request):
    """A connection with something sent, perhaps not all of a request."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(request)
    return connection


def ask(port, request):
    """All that comes back until the server hangs up."""
    with closing(opened(port, request)) as connection:
        return rest_of(connection)


def rest_of(connection):
    """All that still comes, until the server hangs up."""
    pieces = []
    while piece := connection.recv(65536):
        pieces.append(piece)
    return b"".join(pieces)
