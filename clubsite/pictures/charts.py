"""Lines over time: points that add up, or places night by night. Positions are in ems; templates draw the picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from clubsite.pictures.lettering import name_within, width_of
from clubsite.pictures.scales import Scale, hundredths, spread, thinned, ticks

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
    """Whose line it is, and its figure at every post, None where there is none."""

    name: str
    values: tuple[int | None, ...]
    lit: bool = False  # whether it is the one that was asked for


@dataclass(frozen=True, slots=True)
class Label:
    """Words of a picture, and where they stand; `wide`: only where there is room."""

    x: float
    y: float
    words: str
    wide: bool = False

    @property
    def low(self) -> float:
        """The baseline of the words, on paper."""
        return round(self.y + FOOT, 2)

    @property
    def percent(self) -> str:
        """The distance from the left, as a percentage of the plot's width."""
        return hundredths(100 * self.x / WIDTH)


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
    end: float  # where its label stands
    last: float  # where the line itself ends

    @property
    def low(self) -> float:
        """The baseline of its label, on paper."""
        return round(self.end + FOOT, 2)


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of lines. `rows` are its figures as text, for those who can't see it (the "text twin")."""

    height: float
    rules: tuple[Label, ...]
    posts: tuple[Label, ...]
    lines: tuple[ChartLine, ...]
    nought: float | None  # the height of 0, where there are figures below it
    left: float  # width of the labels of the rules
    right: float  # width of the labels at the ends
    right_short: float  # the same on a phone
    heads: tuple[str, ...]  # what each post is called
    rows: tuple[tuple[Series, tuple[str, ...]], ...]
    left_out: int = 0  # how many more there are, of whom no line is drawn

    width = WIDTH

    @property
    def of(self) -> int:
        """How many there are, drawn or not."""
        return len(self.lines) + self.left_out

    @property
    def whole(self) -> float:
        """The width of all of it as drawn on paper."""
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
        return [one for kind in ("rest", "first", "lit") for one in reversed(self.lines) if one.kind == kind]

    @property
    def by_post(self) -> list[tuple[str, tuple[str, ...]]]:
        """The figures by post, one for each line: for few lines."""
        return [(head, tuple(row[n] for _one, row in self.rows)) for n, head in enumerate(self.heads)]

    @property
    def few(self) -> bool:
        """Whether the figures fit in columns, one for each line."""
        return len(self.rows) <= 3

    @property
    def by_line(self) -> list[tuple[Series, list[tuple[str, str]]]]:
        """The figures by line, each with its post: for many lines."""
        return [(one, [(h, v) for h, v in zip(self.heads, row, strict=True) if v]) for one, row in self.rows]


def lines_chart(
    series: Sequence[Series], posts: Sequence[str], *, shown: Callable[[int], str] = str, heads: Sequence[str] = ()
) -> Chart:
    """A line for each series over posts (deals, nights), larger figures higher. `shown` writes a figure, `heads` are
    what the text twin calls the posts."""
    found = [value for one in series for value in one.values if value is not None] or [0]
    marks = ticks(min(0, *found), max(0, *found))
    scale = Scale(marks[0], marks[-1], max(LEAST, LINE * len(series)) + TOP, TOP)
    keys = [shown(_last(one)) for one in series]
    drawn = _chart(series, posts, scale=scale, marks=marks, shown=shown, keys=keys)
    return replace(drawn, heads=tuple(heads or posts))


def places_chart(
    series: Sequence[Series],
    posts: Sequence[str],
    *,
    keys: Sequence[str] = (),
    heads: Sequence[str] = (),
    more: Sequence[tuple[str, tuple[str, ...]]] = (),
) -> Chart:
    """A line of places for each series over posts, the first place on top. `keys` stand at the ends of the lines;
    without them each line's last place. `heads` are what the text twin calls the posts, `more` rows that only it
    has."""
    found = [value for one in series for value in one.values if value is not None] or [1]
    worst = max(found)
    step = min(LINE, TALL / worst)  # height of a place: a label's, or less where there are very many
    height = max(step * (worst - 1), LINE * (len(series) - 1), 6.0)
    scale = Scale(1, max(worst, 2), TOP, TOP + height)
    marks = [1, *(n for n in ticks(1, worst, most=7) if 1 < n <= worst)]
    drawn = _chart(
        series, posts, scale=scale, marks=marks, shown=str, keys=keys or [str(_last(one) or "") for one in series]
    )
    rows = (*drawn.rows, *((Series(name, ()), words) for name, words in more))
    return replace(drawn, heads=tuple(heads or posts), rows=rows)


def _chart(
    series: Sequence[Series],
    posts: Sequence[str],
    *,
    scale: Scale,
    marks: Sequence[int],
    shown: Callable[[int], str],
    keys: Sequence[str],
) -> Chart:
    across = Scale(0, max(1, len(posts) - 1), PAD, WIDTH - PAD)
    bottom = max(scale.start, scale.end)
    ends = [scale.at(_last(one)) for one in series]
    places = spread(ends, gap=LINE, low=TOP, high=max(bottom, TOP + LINE * (len(series) - 1)))
    widths = [width_of(post) for post in posts]
    wide, narrow = (thinned(widths, room=room - 2 * PAD) for room in (WIDTH, NARROW))
    left = max(width_of(shown(mark)) for mark in marks) + KEY_GAP
    beside = max((width_of(key, weight=700) for key in keys), default=0.0) + 3 * KEY_GAP
    short = max(SHORT_ROOM, PHONE - left - NARROW - beside)
    lines = tuple(
        ChartLine(
            path=_path(one.values, across, scale=scale),
            dots=_dots(one.values, across, scale=scale),
            kind="lit" if one.lit else "first" if n < FIRST else "rest",
            pattern=n % PATTERNS + 1,
            key=keys[n],
            name=name_within(one.name, NAME_ROOM, weight=700 if one.lit else 400),
            short=name_within(one.name, short, weight=700 if one.lit else 400),
            end=round(places[n], 2),
            last=round(ends[n], 2),
        )
        for n, one in enumerate(series)
    )
    names = max((width_of(line.name, weight=700) for line in lines), default=0.0)
    shorts = max((width_of(line.short, weight=700) for line in lines), default=0.0)
    return Chart(
        height=round(bottom + BOTTOM, 2),
        rules=tuple(Label(0, round(scale.at(mark), 2), shown(mark)) for mark in marks),
        posts=tuple(
            Label(round(across.at(n), 2), round(bottom + 1.7, 2), post, wide=n not in narrow)
            for n, post in enumerate(posts)
            if n in wide | narrow
        ),
        lines=lines,
        nought=round(scale.at(0), 2) if marks[0] < 0 else None,
        left=round(left, 2),
        right=round(beside + names, 2),
        right_short=round(beside + shorts, 2),
        heads=tuple(posts),
        rows=tuple((one, tuple("" if v is None else shown(v) for v in one.values)) for one in series),
    )


def _last(one: Series) -> int:
    return next((value for value in reversed(one.values) if value is not None), 0)


def _path(values: Sequence[int | None], across: Scale, *, scale: Scale) -> str:
    """The SVG path of a line, interrupted where a figure is missing."""
    drawn, pen = [], "M"
    for n, value in enumerate(values):
        if value is None:
            pen = "M"
        else:
            drawn.append(f"{pen}{hundredths(across.at(n))} {hundredths(scale.at(value))}")
            pen = "L"
    return "".join(drawn)


def _dots(values: Sequence[int | None], across: Scale, *, scale: Scale) -> str:
    """The SVG path of a line's dots: strokes of almost no length, whose round or square ends stay dots in a stretched
    picture."""
    there = [(n, value) for n, value in enumerate(values) if value is not None]
    return "".join(f"M{hundredths(across.at(n))} {hundredths(scale.at(value))}h.01" for n, value in there)
