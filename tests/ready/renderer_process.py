"""A renderer with its imports, style sheets and fonts ready, and a child of it for each job (`tests.ready.renderer`).

    python -m tests.ready.renderer_process SOCKET STATIC_FOLDER SETS_OF_STYLE_SHEETS

It serves until its standard input ends, which is when the tests' process does.
"""

import json
import os
import select
import socket
import sys
import traceback
from contextlib import suppress
from pathlib import Path

from clubsite.pdf import render, sheets  # noqa: F401  (the children have them)


def serve(there, static, sets):
    """Lay out the jobs of whoever connects, each in a child, until standard input ends."""
    kept = {tuple(names): render.parse_styles(static, names) for names in sets}

    def styled(_static, names):
        return kept[tuple(names)]

    render.parse_styles, render.NICE = styled, 0  # a test waits for it: it mustn't give way to the others
    with socket.socket(socket.AF_UNIX) as asked:
        asked.bind(there)
        asked.listen()
        print("ready", flush=True)
        while sys.stdin not in select.select([asked, sys.stdin], [], [])[0]:
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass  # one that is done
            connection, _address = asked.accept()
            with connection:
                if not os.fork():
                    answer(connection)


def answer(connection):
    """Lay out one job as the program does, say its status, end."""
    status = 1
    try:
        _word, streams, _flags, _from = socket.recv_fds(connection, 8, 3)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        status = render.main()
    except BaseException:  # noqa: BLE001  (as Python ends a program)
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        connection.sendall(str(status).encode())
        os._exit(status)  # what is to be cleared away belongs to the parent


if __name__ == "__main__":
    serve(sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3]))
