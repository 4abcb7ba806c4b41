"""The renderer of PDFs (`clubsite.pdf.render`), started once for all tests of a process.

A PDF of one sheet takes the program 0.7 seconds of a core, of which it spends 0.6 on imports, style sheets and fonts.
Here a process does that once (`renderer_process`), and a child of it lays out each job by the program's own `main`.
What the program does as a process of its own is asked by tests/tournaments/documents/test_renderer.py and, in workers,
by tests/jobs.
"""

import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from clubsite import pango
from clubsite.pdf import documents
from tests.served import ended

ROOT = Path(__file__).parents[2]
ASKING = Path(__file__).with_name("ask_renderer.py")


@contextmanager
def ready_renderer():
    """The command of a renderer that is ready; it is made so when the command is asked for first."""
    begun = []
    one_at_a_time = Lock()
    environment = pango.environment() | {"SOURCE_DATE_EPOCH": documents.EPOCH, "PYTHONUTF8": "1"}
    styles = json.dumps([documents.STYLES, (documents.MORE_TYPE, *documents.STYLES)])
    with TemporaryDirectory(prefix="nine-tables-") as folder:
        there = str(Path(folder) / "renderer")

        def program():
            with one_at_a_time:
                if not begun:
                    command = [sys.executable, "-m", "tests.ready.renderer_process"]
                    process = subprocess.Popen(
                        [*command, there, str(documents.static_folder()), styles],
                        cwd=ROOT,
                        env=environment,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                    )
                    begun.append(process)
                    assert process.stdout
                    assert process.stdout.readline() == b"ready\n"
            return [sys.executable, "-I", "-S", str(ASKING), there]

        try:
            yield program
        finally:
            for process in begun:
                ended(process)
