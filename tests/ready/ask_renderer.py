"""Takes the renderer's place as a process (`tests.ready.renderer`): hands its standard streams to one that is ready.

    python -I -S ask_renderer.py SOCKET < job.json

It ends with the renderer's own status. It imports next to nothing, so that it starts in a hundredth of a second.
"""

import socket
import sys

if __name__ == "__main__":
    with socket.socket(socket.AF_UNIX) as ready:
        ready.connect(sys.argv[1])
        socket.send_fds(ready, [b"job"], [0, 1, 2])
        sys.exit(int(ready.recv(8) or b"1"))
