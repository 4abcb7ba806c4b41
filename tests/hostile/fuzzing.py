"""Feeds every reader of files with what atheris (libFuzzer) makes of right ones, guided by what the reader's code does.

    ./dev prove fuzz [SECONDS] [READER ...]

shares the seconds among the readers, each in a process of its own, and prints for each how many files it read and the
most memory that it took beyond what it began with. Ends with 1 where something was uncaught. A file that breaks a
reader is kept in FOLDER, and so are the files that reached something new, from which the next run goes on.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

FOLDER = Path(os.environ.get("FUZZ_FOLDER", ".tools/fuzz"))
MEMORY = 64 * 1024  # kB that reading may take beyond the program
LONGEST = 8_000  # bytes of a file that is tried: beyond the limits there are `bombs`
SECONDS_EACH = 10  # a single file that takes longer hangs
LOADED = (  # while the code is prepared to guide: what is loaded later is no guide
    "tests.hostile.test_readers",
    "scoring.deal_files.importer",
    "scoring.pasted_names",
    "openpyxl",
    "defusedxml.ElementTree",
)


def deals(raw):
    from tests.hostile.test_readers import told_of_games

    assert all(told_of_games(raw))


def scores(raw):
    from tests.hostile.test_readers import told_of_scores

    assert all(told_of_scores(raw))


def names(raw):
    from tests.hostile.test_readers import told_of_names

    assert all(told_of_names(raw))


def workbook(raw):
    from tests.hostile.test_readers import told_of_book

    assert told_of_book(raw)


def xlsx_sheet(raw):
    """The rows of an Excel sheet, its texts and its styles, packed here: no packed file survives many changes."""
    from tests.hostile.bombs import xlsx

    rows, strings, styles = (*raw.decode("utf-8", "surrogateescape").split("\0"), "", "")[:3]
    workbook(packed(xlsx, rows, strings=strings, styles=styles))


def ods_sheet(raw):
    """The rows of an OpenDocument sheet, packed here."""
    from tests.hostile.bombs import ods

    workbook(packed(ods, raw.decode("utf-8", "surrogateescape")))


def packed(make, rows, **parts):
    """A workbook of XML that needn't be valid text."""
    clean = {name: text.encode("utf-8", "replace").decode() for name, text in parts.items()}
    return make(rows.encode("utf-8", "replace").decode(), **clean)


READERS = {reader.__name__: reader for reader in (deals, scores, names, xlsx_sheet, ods_sheet, workbook)}


def seeds_of(reader):
    from tests.hostile import test_readers as known
    from tests.hostile.bombs import ods_row, xlsx_row

    cell = (
        "<row r='1'><c r='A1' t='s' s='0'><v>0</v></c><c r='B1' t='n'><v>7.5</v></c><c r='C1' t='b'><v>1</v></c></row>"
    )
    strings = "<si><t>Ann</t></si><si><r><t>Bo</t></r><r><t>b</t></r></si>"
    styles = "<numFmts><numFmt numFmtId='164' formatCode='d.m.yyyy'/></numFmts><cellXfs><xf numFmtId='14'/></cellXfs>"
    date = "<row r='2'><c r='A2' s='0'><v>45000</v></c><c t='d'><v>2054-01-01</v></c><c t='e'><v>#REF!</v></c></row>"
    repeated = ods_row("Ann", "table:number-rows-repeated='3'").replace(
        "<table:table-cell>", "<table:covered-table-cell/><table:table-cell table:number-columns-repeated='2'>"
    )
    valued = "<table:table-row><table:table-cell office:value='7.5' office:value-type='float'/></table:table-row>"
    files = [short(file) for file in known.deal_files()]
    return {
        "deals": files,
        "scores": files,
        "names": known.LISTS,
        "workbook": known.BOOKS,
        "xlsx_sheet": [f"{xlsx_row(1, 'Ann')}\0\0".encode(), f"{cell}{date}\0{strings}\0{styles}".encode()],
        "ods_sheet": [(ods_row("Ann") + repeated).encode(), valued.encode()],
    }[reader]


def short(file):
    """The first game of a file with its first deals: what is short is read often."""
    whole = json.loads(file)
    whole["games"] = [{**game, "deals": game["deals"][:2]} for game in whole["games"][:1]]
    return json.dumps(whole).encode()


def dictionary():
    """What hostile files are made of, in libFuzzer's spelling."""
    from tests.hostile.test_readers import PIECES

    words = (
        b"t='s'", b"t='inlineStr'", b"t='d'", b"t='e'", b"r='XFD1048576'", b"<v>", b"</v>", b"&#0;", b"<![CDATA[",
        b"table:number-rows-repeated='99999'", b"table:number-columns-repeated='99999'", b"<text:p>", b"<text:s/>",
        b'"facts"', b'"rules"', b'"shape"', b'"sides"', b'"names"', b'"winner"', b'"result"', b'"points"', b'"state"',
    )  # fmt: skip
    spelt = ("".join(f"\\x{byte:02x}" for byte in piece) for piece in (*PIECES, *words) if piece)
    return "".join(f'"{piece}"\n' for piece in spelt)


def fuzz(reader, seconds):
    """Read until the time is over: in a process of its own, which ends here. Needs atheris."""
    import atheris  # lies in .tools/fuzz alone

    only = ["scoring", "tournaments.entries", "openpyxl", "defusedxml", "zipfile", "csv", "json"]
    with atheris.instrument_imports(include=only):
        import django

        django.setup()
        for module in LOADED:
            import_module(module)
    place = FOLDER / reader
    place.mkdir(parents=True, exist_ok=True)
    (FOLDER / "words").write_text(dictionary())
    for number, seed in enumerate(seeds_of(reader)):
        (place / f"seed-{number}").write_bytes(seed[:LONGEST])
    read = READERS[reader]
    for seed in seeds_of(reader):
        read(seed)  # whatever is made once
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def once(raw):
        read(raw)
        more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        if more > MEMORY:
            raise MemoryError(f"{more} kB beyond the start")

    options = {
        "max_total_time": seconds, "timeout": SECONDS_EACH, "max_len": LONGEST, "dict": FOLDER / "words",
        "print_final_stats": 1, "artifact_prefix": f"{FOLDER}/broke-{reader}-", "verbosity": 1, "len_control": 0,
        "malloc_limit_mb": MEMORY // 1024,
    }  # fmt: skip
    atheris.Setup([sys.argv[0], *(f"-{name}={value}" for name, value in options.items()), str(place)], once)
    print(f"began with {before} kB", file=sys.stderr, flush=True)
    atheris.Fuzz()


def told(reader, seconds):
    """Whether nothing was uncaught; prints what became of one reader."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    log = FOLDER / f"{reader}.log"
    with log.open("w") as out, tempfile.TemporaryDirectory() as var:
        done = subprocess.run(
            [sys.executable, "-m", "tests.hostile.fuzzing", "--in-here", str(seconds), reader],
            env={**os.environ, "VAR_DIR": var, "DJANGO_SETTINGS_MODULE": "clubsite.settings"},
            stderr=out, stdout=out, check=False,
        )  # fmt: skip
    said = log.read_text(errors="replace")

    def figure(pattern):
        found = re.findall(pattern, said)
        return int(found[-1]) if found else 0

    runs = figure(r"number_of_executed_units:\s+(\d+)") or figure(r"#(\d+)\t")
    more = max(0, figure(r"peak_rss_mb:\s+(\d+)") - figure(r"began with (\d+) kB") // 1024)
    print(f"{reader:12}{runs:>12,} files, {more} MB more, {'SEE' if done.returncode else 'log:'} {log}", flush=True)
    return done.returncode == 0


def main():
    """Fuzz the readers one after another; 1 where something was uncaught."""
    asked = argparse.ArgumentParser(prog="./dev prove fuzz", description=__doc__.partition("\n")[0] if __doc__ else "")
    asked.add_argument("seconds", type=int, nargs="?", default=60, help="of all readers together")
    asked.add_argument("readers", nargs="*", metavar="reader", help=", ".join(READERS))
    asked.add_argument("--in-here", action="store_true", help=argparse.SUPPRESS)
    options = asked.parse_args()
    if unknown := set(options.readers) - set(READERS):
        asked.error(f"there is no reader {', '.join(unknown)}: {', '.join(READERS)}")
    readers = options.readers or list(READERS)
    if options.in_here:
        fuzz(readers[0], options.seconds)
        return 0
    well = [told(reader, options.seconds // len(readers)) for reader in readers]
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
