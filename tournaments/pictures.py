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
    """One person, and whom they met how often: the picture as text."""

    number: int
    name: str
    partners: tuple[str, ...]
    opponents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meetings:
    """Everybody, and the picture of who met whom: None where there are too few or too many people for one."""

    people: tuple[PersonMeetings, ...]
    matrix: dict[str, Any] | None
    marks: tuple[tuple[str, bool, str], ...]  # kinds of marks in the picture; whether more than once; in words

    @property
    def many(self) -> bool:
        """Whether the picture needs the whole width."""
        return len(self.people) > MANY


def meetings_of(groups: Iterable[Sequence[Sequence[int]]], names: Mapping[int, str]) -> Meetings:
    """Who met whom in these groups, each given by its sides and their people. People in no group are left out."""
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
            PersonMeetings(n + 1, name, *(_words(n, met[kind], names=named) for kind in ("partner", "opponent")))
            for n, name in enumerate(named)
        ),
        meeting_matrix(named, met) if drawn else None,
        tuple((kind, often, mark_words(kind, often)) for kind, often in sorted(kinds, reverse=True)),
    )


def _words(person: int, pairs: Mapping[Pair, int], *, names: Sequence[str]) -> tuple[str, ...]:
    """Whom somebody met, in the order of names; and how often, if more than once."""
    times_met = sorted((b if a == person else a, times) for (a, b), times in pairs.items() if person in (a, b))
    return tuple(
        names[other]
        if times == 1
        else ngettext("%(name)s (%(n)d time)", "%(name)s (%(n)d times)", times) % {"name": names[other], "n": times}
        for other, times in times_met
    )


def mark_words(kind: str, often: bool) -> str:
    if kind == "partner":
        return _("partners more than once") if often else _("partners")
    return _("opponents more than once") if often else _("opponents")


FEWEST_NIGHTS = 2  # nights without which there is nothing to see
MOST = 24  # the newest that are drawn


@dataclass(frozen=True, slots=True)
class PersonNight:
    """One night: what it is called (its date), the place and of how many, the points; no place for a night
    away, or without a result yet."""

    label: str
    place: int | None
    of: int
    points: int | None


def person_chart(nights: Sequence[PersonNight]) -> Chart | None:
    """The picture of a person's places, and of the last place of each night beside it, in the order given: the newest
    `MOST` nights. None before the second night that they came to. The points are in the text beside it."""
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
    """The picture of a draw's statement (`engine.verify.Statement`, as stored with the draw): of all rounds planned, if
    it has those. Couples who are always partners are left out, as in the statement. None for a statement that doesn't
    count meetings."""
    counts = statement.get("whole") or statement
    if "table_mate" not in counts or "never_met" not in counts:
        return None
    pairs = counts["table_mate"]["different"] + counts["never_met"]
    roles = ((_("As partners"), "partner"), (_("As opponents"), "opponent"), (_("At one table"), "table_mate"))
    return bar_chart(
        [_("once"), _("more than once"), _("never")], [(words, _parts(counts[role], pairs)) for words, role in roles]
    )


def _parts(role: Mapping[str, int], pairs: int) -> list[int]:
    again = role["pairs_repeated"]
    return [role["different"] - again, again, pairs - role["different"]]
