"""Files that are nearly right: every reader gives what it read, or a sentence for each thing that is wrong."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, strategies as st

from lab.tools.deal_files import example_games, to_text
from scoring import pasted_names, spreadsheets
from scoring.deal_files.formats import read_games
from scoring.deal_files.importer import ON_A_PAGE, UnreadableFile, read_file
from scoring.deal_files.json_text import UnreadableText as NoDealFile, decode_utf8
from scoring.deal_files.scored import GameReport, score_game
from scoring.engine.core.ruleset import shipped, shipped_versions
from scoring.spreadsheets import Sheet, UnreadableSpreadsheet, WrongEncoding, workbook_sheets
from tests.examples import examples
from tests.hostile import fuzzing
from tests.hostile.bombs import ods, ods_row, xlsx, xlsx_row

KNOWN = shipped_versions()
LISTS = ['Name;E-mail\nAnn Abel;ann@example.org\n"Hale, Bob";\n'.encode(code) for code in ("utf-8", "utf-16", "cp1252")]
BOOKS = [xlsx(xlsx_row(1, "Ann") + xlsx_row(2, "Bob")), ods(ods_row("Ann") + ods_row("Bob", "table:x='1'"))]
PIECES = (
    b"", b"0", b"-1", b"9" * 30, b"1e9", b"null", b"NaN", b"[]", b"{}", b'""', b'"', b"\\ud800", b"\0", b"\xff", b",",
    b";", b"\r", b"\n", b"\xef\xbb\xbf", b"true", b".0", b".99999", b"facts.meld.0", b"=1+1", b"\xe2\x88\x92", b":",
    b"games", b"deals", b"versions", b"st-hilary-v3", b"points-only", b"[[[[", b"]", b"}", b"\xc2\xb2",
)  # fmt: skip


@cache
def deal_files():
    """Of every rule set; they are not made where another process asks these tests."""
    return [to_text(example_games(rule_set)).encode() for rule_set in shipped().values()]


@st.composite
def nearly(draw, files):
    """A file with some pieces of it lost, doubled, moved or replaced."""
    made = draw(st.sampled_from(files()))
    for _n in range(draw(st.integers(0, 4))):
        random = Random(draw(st.integers(0, 2**32)))
        at, length = random.randrange(len(made) + 1), random.choice((0, 1, 1, 2, 5, 20, 200))
        piece = random.choice((random.choice(PIECES), random.choice(PIECES), made[at : at + length] * 2, b""))
        made = made[:at] + piece + made[at + length :]
    return made


def test_the_files_are_right_as_they_are():
    for file in deal_files():
        assert read_file(file, KNOWN).games
    assert [workbook_sheets(book)[0].text for book in BOOKS] == ["Ann\nBob"] * 2


def test_rows_beyond_those_that_a_sheet_can_have_are_not_waited_for(monkeypatch):
    """Of a row that says it is the 10^30th the reader makes all those before it."""
    monkeypatch.setattr(spreadsheets, "LAST_ROW", 1000)
    assert workbook_sheets(xlsx("<row r='900'/>")) == [Sheet("Names", "")]
    with pytest.raises(UnreadableSpreadsheet, match="too large"):
        workbook_sheets(xlsx("<row r='1100'/>"))


def told_of_games(raw):
    """What is said of a file that is to be taken in: a sentence for each fault."""
    try:
        found = read_file(raw, KNOWN, limits=ON_A_PAGE)
    except UnreadableFile as no:
        return [bad.words for bad in no.bad]
    return ["read", *(game.rules for game in found.games)]


def told_of_scores(raw):
    try:
        games = read_games(decode_utf8(raw), known=KNOWN)
    except NoDealFile as no:
        return [fault.words for fault in no.faults]
    return ["read", *("".join(GameReport(score_game(game), number).text()) for number, game in enumerate(games, 1))]


def told_of_names(raw):
    """What is said of a list of names; names that are read are as tidy as they can be."""
    try:
        text = pasted_names.read_sheets(raw)[0].text
    except WrongEncoding as wrong:
        text = wrong.guess
    except UnreadableSpreadsheet as no:
        return [str(no)]
    try:
        listing = pasted_names.read_names(text)
    except UnreadableSpreadsheet as no:
        return [str(no)]
    return ["read", *("read" if row.name == pasted_names.tidy_name(row.name) else "" for row in listing.rows)]


@examples(60)
@given(nearly(deal_files))
def test_files_of_games(raw):
    assert all(told_of_games(raw))


@examples(40)
@given(nearly(deal_files))
def test_files_that_are_scored(raw):
    assert all(told_of_scores(raw))


@examples(100)
@given(nearly(lambda: LISTS) | st.binary(max_size=300))
def test_lists_of_names(raw):
    assert all(told_of_names(raw))


def told_of_book(book):
    """What is read of a workbook, or the sentence that refuses it."""
    try:
        return "read" + "".join(sheet.text for sheet in workbook_sheets(book))
    except UnreadableSpreadsheet as no:
        return str(no)


@pytest.mark.parametrize("book", BOOKS, ids=["xlsx", "ods"])
def test_spreadsheets(book, tried):
    random, count = Random(7), 60
    for _n in range(count):
        at = random.randrange(len(book))
        damaged = book[:at] + random.choice(PIECES) + book[at + random.choice((0, 1, 3, 30)) :]
        assert told_of_book(damaged)
    tried(count)


@pytest.mark.parametrize("reader", fuzzing.READERS)
def test_what_the_fuzzer_begins_from_is_read(reader):
    """`./dev prove fuzz` makes its files of these."""
    for seed in fuzzing.seeds_of(reader):
        fuzzing.READERS[reader](seed)
        assert len(seed) <= fuzzing.LONGEST
