"""Pictures of tournaments: who met whom, a person's nights, how good a draw is."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.utils.translation import gettext as _, ngettext

from clubsite.charts import Chart, Pair, Series, bar_chart, meeting_matrix, places_chart
from clubsite.names import name_sort_key
from scoring.templatetags.figures import points

MOST_DRAWN = 54  # people; a square of more can't be read, and only the words are shown
MANY = 32  # people; a larger square takes the whole width
FEWEST = 4


@dataclass(frozen=True, slots=True)
class PersonMeetings:
    """The row of the matrix for one person, as text."""

    number: int
    name: str
    partners: tuple[str, ...]
    opponents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meetings:
    """Who met whom. There is no `matrix` for too few or too many people."""

    people: tuple[PersonMeetings, ...]
    matrix: dict[str, Any] | None
    marks: tuple[tuple[str, bool, str], ...]  # kinds of marks in the picture; whether more than once; in words

    @property
    def is_wide(self) -> bool:
        """Whether the matrix needs the whole width of the page."""
        return len(self.people) > MANY


def count_meetings(groups: Iterable[Sequence[Sequence[int]]], names: Mapping[int, str]) -> Meetings:
    """Who met whom in these groups, given by their sides and people. People without a name, or in no group, are left
    out."""
    seated = [{person: n for n, side in enumerate(sides) for person in side if person in names} for sides in groups]
    order = sorted(set().union(*seated), key=lambda person: (name_sort_key(names[person]), person))
    at = {person: n for n, person in enumerate(order)}
    met: dict[str, Counter[Pair]] = {"partner": Counter(), "opponent": Counter()}  # by their places in that order
    for side_of in seated:
        for a, b in combinations(sorted(side_of, key=at.__getitem__), 2):
            met["partner" if side_of[a] == side_of[b] else "opponent"][at[a], at[b]] += 1
    drawn = FEWEST <= len(order) <= MOST_DRAWN
    kinds = {(kind, times > 1) for kind, pairs in met.items() for times in pairs.values()}
    named = [names[person] for person in order]
    return Meetings(
        tuple(
            PersonMeetings(n + 1, name, *(_people_met(n, met[kind], names=named) for kind in ("partner", "opponent")))
            for n, name in enumerate(named)
        ),
        meeting_matrix(named, met) if drawn else None,
        tuple((kind, often, mark_label(kind, often)) for kind, often in sorted(kinds, reverse=True)),
    )


def _people_met(person: int, pairs: Mapping[Pair, int], *, names: Sequence[str]) -> tuple[str, ...]:
    """The names of those somebody met, by name, with the number of times if more than one."""
    times_met = sorted((b if a == person else a, times) for (a, b), times in pairs.items() if person in (a, b))
    return tuple(
        names[other]
        if times == 1
        else ngettext("%(name)s (%(n)d time)", "%(name)s (%(n)d times)", times) % {"name": names[other], "n": times}
        for other, times in times_met
    )


def mark_label(kind: str, often: bool) -> str:
    if kind == "partner":
        return _("partners more than once") if often else _("partners")
    return _("opponents more than once") if often else _("opponents")


FEWEST_NIGHTS = 2  # nights without which there is nothing to see
MOST = 24  # the newest that are drawn


@dataclass(frozen=True, slots=True)
class PersonNight:
    """A night with its label (the date), the place, out of how many, and the points. No place for a night away or
    without a result."""

    label: str
    place: int | None
    of: int
    points: int | None


def person_chart(nights: Sequence[PersonNight]) -> Chart | None:
    """A person's places in the newest `MOST` nights, beside the last place of each night. None with fewer than
    FEWEST_NIGHTS places. Points are in the table beside it."""
    nights = nights[-MOST:]
    if sum(night.place is not None for night in nights) < FEWEST_NIGHTS:
        return None
    return places_chart(
        [
            Series(_("Place"), tuple(night.place for night in nights), lit=True),
            Series(_("Players"), tuple(night.of or None for night in nights)),
        ],
        [night.label for night in nights],
        extra_rows=[(_("Points"), tuple(points(night.points) for night in nights))],
    )


def quality_bars(statement: Mapping[str, Any]) -> dict[str, Any] | None:
    """Bars of a draw's statement (`engine.verify.Statement` as stored), of the whole plan if it has one. As in the
    statement, couples who are always partners are left out. None for a statement that doesn't count meetings."""
    counts = statement.get("whole") or statement
    if "table_mate" not in counts or "never_met" not in counts:
        return None
    pairs = counts["table_mate"]["different"] + counts["never_met"]
    roles = ((_("As partners"), "partner"), (_("As opponents"), "opponent"), (_("At one table"), "table_mate"))
    return bar_chart(
        [_("once"), _("more than once"), _("never")],
        [(words, _bar_parts(counts[role], pairs)) for words, role in roles],
    )


def _bar_parts(role: Mapping[str, int], pairs: int) -> list[int]:
    again = role["pairs_repeated"]
    return [role["different"] - again, again, pairs - role["different"]]
