"""Who met whom: partners and opponents, as a picture and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.charts import Matrix, Pair, matrix_of
from clubsite.names import in_order

MOST_DRAWN = 54  # people; a square of more can't be read, and only the words are shown
MANY = 32  # people; a larger square takes all the room that there is
FEWEST = 4


@dataclass(frozen=True, slots=True)
class PersonMeetings:
    """One person, and whom they met, each as often as it was: the text twin of the picture."""

    number: int
    name: str
    partners: tuple[str, ...]
    opponents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meetings:
    """Everybody, and the picture of who met whom: None where there are too few or too many people for one."""

    people: tuple[PersonMeetings, ...]
    matrix: Matrix | None
    marks: tuple[tuple[str, bool, str], ...]  # kinds of marks in the picture; whether more than once; in words

    @property
    def many(self) -> bool:
        """Whether the picture needs all the room that there is."""
        return len(self.people) > MANY


def meetings_of(groups: Iterable[Sequence[Sequence[int]]], names: Mapping[int, str]) -> Meetings:
    """Who met whom in these groups, each given by its sides and their people. Who sat in none is left out."""
    seated = [{one: n for n, side in enumerate(sides) for one in side if one in names} for sides in groups]
    order = sorted(set().union(*seated), key=lambda person: (in_order(names[person]), person))
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
        matrix_of(named, met) if drawn else None,
        tuple((kind, often, mark_words(kind, often)) for kind, often in sorted(kinds, reverse=True)),
    )


def _words(own: int, pairs: Mapping[Pair, int], *, names: Sequence[str]) -> tuple[str, ...]:
    """Whom somebody met, in the order of names; with how often, where it was more than once."""
    found = sorted((b if a == own else a, times) for (a, b), times in pairs.items() if own in (a, b))
    return tuple(
        names[other]
        if times == 1
        else ngettext("%(name)s (%(n)d time)", "%(name)s (%(n)d times)", times) % {"name": names[other], "n": times}
        for other, times in found
    )


def mark_words(kind: str, often: bool) -> str:
    """What a mark of the picture means."""
    if kind == "partner":
        return _("partners more than once") if often else _("partners")
    return _("opponents more than once") if often else _("opponents")
