"""Charts, drawn as SVG by templates: pure functions turn figures into points, and know of no game.

Lengths are in ems of the words around a picture, so that its words are as large as those of the page, of a phone, of
the hall board or of a sheet of paper.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clubsite.names import AND, initials, side_name
from clubsite.pdf.typeface import advances

STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps figures from `low` to `high` to positions from `start` to `end`, in ems; either end may be the larger."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        if self.high == self.low:
            return (self.start + self.end) / 2
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)


def two_decimals(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def ticks(low: int, high: int, *, most: int = 6) -> list[int]:
    """Round figures, evenly apart, the first at or below `low` and the last at or above `high`: at most `most` (3 and
    more), at least two.

    >>> ticks(-40, 510)
    [-200, 0, 200, 400, 600]
    >>> ticks(3, 3)
    [3, 4]
    """
    size = 1
    while True:
        for factor in STEPS:
            step = size * factor
            first, last = low // step, -(-high // step)
            if last - first < most:
                return [step * n for n in range(first, max(last, first + 1) + 1)]
        size *= 10


def spread(targets: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Places for labels in the order given, each as near to its target as possible, no two nearer than `gap`, all from
    `low` to `high`. Where there isn't room enough they are spread evenly.

    >>> spread([1.0, 1.0, 9.0], gap=1.0, low=0.0, high=10.0)
    [0.5, 1.5, 9.0]
    """
    if len(targets) > 1:
        gap = min(gap, (high - low) / (len(targets) - 1))
    order = sorted(range(len(targets)), key=lambda n: (targets[n], n))
    blocks: list[tuple[float, int]] = []  # per block: sum of where its labels' targets put the first, count
    for rank, n in enumerate(order):
        total, count = min(max(targets[n], low), high) - rank * gap, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            before, many = blocks.pop()
            total, count = total + before, count + many
        blocks.append((total, count))
    starts = [total / count for total, count in blocks for _ in range(count)]
    places = [0.0] * len(targets)
    for rank, n in enumerate(order):
        first, last = low + rank * gap, high - (len(order) - 1 - rank) * gap
        places[n] = min(max(starts[rank] + rank * gap, first), max(first, last))
    return places


def labels_that_fit(widths: Sequence[float], *, room: float, white: float = 0.8) -> set[int]:
    """The indexes of the labels to write in a row spread evenly over `room`, so that none touches the next: the last
    one, and from there back every second, third and so on. At least `white` is left between two."""
    count = len(widths)
    if count <= 1:
        return set(range(count))
    each = room / (count - 1)
    step = 1
    while step < count and max(widths) + white > step * each:
        step += 1
    return set(range(count - 1, -1, -step))


ELLIPSIS = "…"
OTHER_TYPE = 1.15  # letters that the typeface lacks come from Noto Sans, which runs wider


def text_width(words: str, *, weight: int = 400) -> float:
    """The width of words in ems, from the typeface's own files."""
    widths = advances(weight)
    widest = widths["W"]

    def width(letter: str) -> float:
        if letter in widths:
            return widths[letter]
        if unicodedata.combining(letter):
            return 0.0
        plain = unicodedata.normalize("NFD", letter)[0]
        return OTHER_TYPE * widths.get(plain, widest)

    return sum(width(letter) for letter in unicodedata.normalize("NFC", words))


def clip(words: str, room: float, *, weight: int = 400) -> str:
    """Words that are no wider than `room` ems: whole, or cut with an ellipsis, after a whole word where most of the
    room is used then.

    >>> clip("Agnes Kowalczyk", 20), clip("Agnes Kowalczyk", 4.5)
    ('Agnes Kowalczyk', 'Agnes K…')
    """
    words = unicodedata.normalize("NFC", " ".join(words.split()))
    if text_width(words, weight=weight) <= room:
        return words
    left = room - text_width(ELLIPSIS, weight=weight)
    short = words
    while short and text_width(short, weight=weight) > left:
        short = short[:-1]
    while short and unicodedata.combining(words[len(short)]):  # a letter goes with its accents
        short = short[:-1]
    return short.rstrip(" -,.'’") + ELLIPSIS


def shorten_name(name: str, room: float, *, weight: int = 400) -> str:
    """A name that is no wider than `room` ems: whole, or with the initial of each person's first name, or as initials.
    One word that is too wide is cut.

    >>> shorten_name("Agnes Kowalczyk", 20), shorten_name("Agnes Kowalczyk", 7), shorten_name("Agnes Kowalczyk", 3)
    ('Agnes Kowalczyk', 'A. Kowalczyk', 'A. K.')
    >>> shorten_name("Maria de la Cruz & Łucja O'Brien", 14)
    "M. de la Cruz & Ł. O'Brien"
    """
    people = name.split(AND)
    shorter = (name, *(side_name(map(way, people)) for way in (_abbreviate_first_name, _person_initials)))
    fitting = (words for words in shorter if text_width(words, weight=weight) <= room)
    return next(fitting, clip(name, room, weight=weight))


def _abbreviate_first_name(person: str) -> str:
    first, _, surname = person.partition(" ")
    return f"{initials(first)} {surname}" if surname else person


def _person_initials(person: str) -> str:
    return initials(person) if " " in person else person


def bar_chart(kinds: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> dict[str, Any]:
    """One bar for each row of a name and its parts' figures, which are 0 or more; the bar with the largest sum has the
    full width. `kinds` are what the parts are called; a part has the number of its kind, from 1, and its start and
    width as percentages."""
    whole = max((sum(values) for _name, values in rows), default=0) or 1
    bars = [
        {
            "name": name,
            "parts": [
                {
                    "kind": n,
                    "value": value,
                    "start": two_decimals(100 * sum(values[: n - 1]) / whole),
                    "width": two_decimals(100 * value / whole),
                }
                for n, value in enumerate(values, start=1)
            ],
        }
        for name, values in rows
    ]
    return {"kinds": kinds, "bars": bars}


WIDTH = 28.0  # of the plot on paper; on a page it takes the width there is
TALL = 20.0  # height of a plot of places, unless its labels need more: the hall board shows it large
LEAST = 14.0  # height of a plot of figures; many lines take more
PHONE, NARROW = 17.75, 6.5  # the narrowest phone, and the plot on it
TOP, BOTTOM = 0.8, 2.2  # above the highest line; below the lowest, with the labels of the posts
FOOT = 0.31  # from the middle of a line of text to its baseline
LINE = 1.35  # from one label to the next
NAME_ROOM, SHORT_ROOM = 14.0, 4.5  # width for a name at the end of its line, and on a phone at least
KEY_GAP = 0.5
PAD = 0.7  # white left and right of the first and the last post
PATTERNS = 6  # kinds of lines that can be told apart without colour
FIRST = 3  # lines that stand out


@dataclass(frozen=True, slots=True)
class Series:
    """A line's name, and its figure at every post; None where it has none."""

    name: str
    values: tuple[int | None, ...]
    lit: bool = False  # whether it is highlighted


@dataclass(frozen=True, slots=True)
class Label:
    """Words of a picture and their position; `wide`: shown only where there is room."""

    x: float
    y: float
    words: str
    wide: bool = False

    @property
    def low(self) -> float:
        return round(self.y + FOOT, 2)

    @property
    def percent(self) -> str:
        """The distance from the left, as a percentage of the plot's width."""
        return two_decimals(100 * self.x / WIDTH)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One line: its path, its dots, and the label at its end: a key, then a name that may be made shorter."""

    path: str
    dots: str
    kind: str  # "lit", "first" (one of the first few), "rest"
    pattern: int  # from 1: which dashes and dots
    key: str
    name: str
    short: str  # the name on a phone
    end: float  # where its label is
    last: float  # where the line itself ends

    @property
    def low(self) -> float:
        return round(self.end + FOOT, 2)


@dataclass(frozen=True, slots=True)
class Chart:
    """`rows` are its figures as text, for people who can't see it (the "text twin")."""

    height: float
    rules: tuple[Label, ...]
    posts: tuple[Label, ...]
    lines: tuple[ChartLine, ...]
    zero: float | None  # the height of 0, where there are figures below it
    left: float  # width of the labels of the rules
    right: float  # width of the labels at the ends
    right_short: float  # the same on a phone
    heads: tuple[str, ...]  # what each post is called
    rows: tuple[tuple[Series, tuple[str, ...]], ...]
    left_out: int = 0  # how many more there are without a line

    width = WIDTH

    @property
    def of(self) -> int:
        return len(self.lines) + self.left_out

    @property
    def whole(self) -> float:
        return round(self.left + self.width + self.right, 2)

    @property
    def ends(self) -> float:
        """Where the labels at the ends begin on paper."""
        return round(self.left + self.width, 2)

    @property
    def rule_end(self) -> float:
        """Where the labels of the rules end on paper."""
        return round(self.left - KEY_GAP / 2, 2)

    @property
    def layers(self) -> list[ChartLine]:
        """The lines in the order in which they are drawn: those that stand out last, above the others."""
        return [line for kind in ("rest", "first", "lit") for line in reversed(self.lines) if line.kind == kind]

    @property
    def by_post(self) -> list[tuple[str, tuple[str, ...]]]:
        """The figures by post, one for each line: for few lines."""
        return [(head, tuple(row[n] for _series, row in self.rows)) for n, head in enumerate(self.heads)]

    @property
    def few(self) -> bool:
        return len(self.rows) <= 3

    @property
    def by_line(self) -> list[tuple[Series, list[tuple[str, str]]]]:
        return [(series, [(h, v) for h, v in zip(self.heads, row, strict=True) if v]) for series, row in self.rows]


def line_chart(
    series: Sequence[Series], posts: Sequence[str], *, write: Callable[[int], str] = str, heads: Sequence[str] = ()
) -> Chart:
    """A line for each series over posts (deals, nights), larger figures higher. `write` gives a figure as text,
    `heads` are what the text twin calls the posts."""
    values = [value for line in series for value in line.values if value is not None] or [0]
    marks = ticks(min(0, *values), max(0, *values))
    scale = Scale(marks[0], marks[-1], max(LEAST, LINE * len(series)) + TOP, TOP)
    keys = [write(_last_value(line)) for line in series]
    drawn = _chart(series, posts, scale=scale, marks=marks, write=write, keys=keys)
    return replace(drawn, heads=tuple(heads or posts))


def places_chart(
    series: Sequence[Series],
    posts: Sequence[str],
    *,
    keys: Sequence[str] = (),
    heads: Sequence[str] = (),
    extra_rows: Sequence[tuple[str, tuple[str, ...]]] = (),
) -> Chart:
    """A line of places for each series over posts, the first place on top. `keys` are at the ends of the lines;
    without them each line's last place. `heads` are what the text twin calls the posts, `extra_rows` only it has."""
    values = [value for line in series for value in line.values if value is not None] or [1]
    worst = max(values)
    step = min(LINE, TALL / worst)  # height of a place: a label's, or less where there are very many
    height = max(step * (worst - 1), LINE * (len(series) - 1), 6.0)
    scale = Scale(1, max(worst, 2), TOP, TOP + height)
    marks = [1, *(n for n in ticks(1, worst, most=7) if 1 < n <= worst)]
    drawn = _chart(
        series,
        posts,
        scale=scale,
        marks=marks,
        write=str,
        keys=keys or [str(_last_value(line) or "") for line in series],
    )
    rows = (*drawn.rows, *((Series(name, ()), words) for name, words in extra_rows))
    return replace(drawn, heads=tuple(heads or posts), rows=rows)


def _chart(
    series: Sequence[Series],
    posts: Sequence[str],
    *,
    scale: Scale,
    marks: Sequence[int],
    write: Callable[[int], str],
    keys: Sequence[str],
) -> Chart:
    across = Scale(0, max(1, len(posts) - 1), PAD, WIDTH - PAD)
    bottom = max(scale.start, scale.end)
    ends = [scale.at(_last_value(line)) for line in series]
    places = spread(ends, gap=LINE, low=TOP, high=max(bottom, TOP + LINE * (len(series) - 1)))
    widths = [text_width(post) for post in posts]
    wide, narrow = (labels_that_fit(widths, room=room - 2 * PAD) for room in (WIDTH, NARROW))
    left = max(text_width(write(mark)) for mark in marks) + KEY_GAP
    beside = max((text_width(key, weight=700) for key in keys), default=0.0) + 3 * KEY_GAP
    short = max(SHORT_ROOM, PHONE - left - NARROW - beside)
    lines = tuple(
        ChartLine(
            path=_path(line.values, across, scale=scale),
            dots=_dots(line.values, across, scale=scale),
            kind="lit" if line.lit else "first" if n < FIRST else "rest",
            pattern=n % PATTERNS + 1,
            key=keys[n],
            name=shorten_name(line.name, NAME_ROOM, weight=700 if line.lit else 400),
            short=shorten_name(line.name, short, weight=700 if line.lit else 400),
            end=round(places[n], 2),
            last=round(ends[n], 2),
        )
        for n, line in enumerate(series)
    )
    names = max((text_width(line.name, weight=700) for line in lines), default=0.0)
    shorts = max((text_width(line.short, weight=700) for line in lines), default=0.0)
    return Chart(
        height=round(bottom + BOTTOM, 2),
        rules=tuple(Label(0, round(scale.at(mark), 2), write(mark)) for mark in marks),
        posts=tuple(
            Label(round(across.at(n), 2), round(bottom + 1.7, 2), post, wide=n not in narrow)
            for n, post in enumerate(posts)
            if n in wide | narrow
        ),
        lines=lines,
        zero=round(scale.at(0), 2) if marks[0] < 0 else None,
        left=round(left, 2),
        right=round(beside + names, 2),
        right_short=round(beside + shorts, 2),
        heads=tuple(posts),
        rows=tuple((line, tuple("" if v is None else write(v) for v in line.values)) for line in series),
    )


def _last_value(line: Series) -> int:
    return next((value for value in reversed(line.values) if value is not None), 0)


def _path(values: Sequence[int | None], across: Scale, *, scale: Scale) -> str:
    drawn, pen = [], "M"
    for n, value in enumerate(values):
        if value is None:
            pen = "M"
        else:
            drawn.append(f"{pen}{two_decimals(across.at(n))} {two_decimals(scale.at(value))}")
            pen = "L"
    return "".join(drawn)


def _dots(values: Sequence[int | None], across: Scale, *, scale: Scale) -> str:
    """The SVG path of a line's dots: strokes of almost no length, whose round or square ends stay dots in a stretched
    picture."""
    points = [(n, value) for n, value in enumerate(values) if value is not None]
    return "".join(f"M{two_decimals(across.at(n))} {two_decimals(scale.at(value))}h.01" for n, value in points)


CELL = 1.2
MATRIX_NARROW = 8.0  # the square on the narrowest phone
MATRIX_WIDTH = 46.0  # of a square of few with their names
MATRIX_NAME_ROOM = 11.0  # at least

Pair = tuple[int, int]


def meeting_matrix(names: Sequence[str], met: Mapping[str, Mapping[Pair, int]]) -> dict[str, Any]:
    """The picture of who met whom. `met` has for each kind of meeting how often two met, by their places in `names`.

    Marks are on both sides of the diagonal, drawn as strokes of almost no length, which stay dots in a stretched
    picture; `often`: those met more than once. Paths count in halves of a cell, which keeps them short.
    """
    count = len(names)
    number_room = text_width(str(count), weight=700) + 1.2
    beside = max(MATRIX_NAME_ROOM, MATRIX_WIDTH - CELL * count - number_room), PHONE - MATRIX_NARROW - number_room
    long, short = ([clip(name, room) for name in names] for room in beside)
    heads = [text_width(str(n)) for n in range(1, count + 1)]
    wide = sorted(labels_that_fit(heads, room=CELL * count, white=0.4))
    # among the wide ones
    narrow = {wide[n] for n in labels_that_fit([heads[n] for n in wide], room=MATRIX_NARROW, white=0.3)}
    cells: dict[tuple[str, bool], set[Pair]] = {}
    for kind, pairs in met.items():
        for (a, b), times in pairs.items():
            cells.setdefault((kind, times > 1), set()).update({(a, b), (b, a)})
    rows = [
        {
            "number": n + 1,
            "name": long[n],
            "short": short[n],
            "at": round(CELL * (n + 0.5), 2),  # the middle of its row, which is also that of its column
            "low": round(CELL * (n + 0.5) + 0.35, 2),  # the baseline that puts its letters in the middle
            # the middle of its column; "" where the column's number isn't written, not `wide`: only where there is room
            "percent": f"{100 * (n + 0.5) / count:.2f}" if n in wide else "",
            "wide": n not in narrow,
        }
        for n in range(count)
    ]
    return {
        "rows": rows,
        "marks": [
            {"kind": kind, "often": often, "path": _matrix_path(at)} for (kind, often), at in sorted(cells.items())
        ],
        "diagonal": _matrix_path((n, n) for n in range(count)),
        "bands": "".join(f"M0 {2 * n}H{2 * count}" for n in range(3, count, 3)),  # lines between rows, every few
        "left": round(max(map(text_width, long), default=0.0) + number_room, 2),
        "left_short": round(max(map(text_width, short), default=0.0) + number_room, 2),
        "size": round(CELL * count, 2),
        "halves": 2 * count,
        "foot": round(CELL * count + 1.1, 2),  # where the numbers of the columns are, below the square
        "tall": round(CELL * count + 1.5, 2),  # the height with these numbers
    }


def _matrix_path(cells: Iterable[Pair]) -> str:
    return "".join(f"M{2 * b + 1} {2 * a + 1}h.1" for a, b in sorted(cells))
