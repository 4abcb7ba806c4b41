"""Whose name is whose: the club's members by the names they go by, which names sound alike, and the answers whether
those are one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from operator import itemgetter
from typing import Generic, TypeVar

from rapidfuzz.distance import OSA

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member
from clubsite.names import folded_words
from scoring.pasted_names import ListRow, name_key, read_name
from tournaments.engine.rounds import grouped
from tournaments.models import Entry, Event, NameAnswer


def known_members(club: Club) -> dict[str, Member]:
    """Members by `name_key`. The name of a merged member leads to the member who was kept.
    One query."""
    members = {member.pk: member for member in Member.every.filter(club=club)}
    return {name_key(member.name): members[member.merged_into_id or pk] for pk, member in members.items()}


def members_named(names: Sequence[str], members: Mapping[str, Member]) -> list[Member | None]:
    """The member of each name: of exactly that name, else the only one by `same_name` whom no other name here means."""
    matches = [members.get(name_key(name)) for name in names]
    left = set(members.values()).difference(member for member in matches if member)
    alike = defaultdict(set)
    for member_key, member in members.items():
        alike[_spoken(member_key)].add(member)
    for n, name in enumerate(names):
        if matches[n] is None and _spoken(name) and len(alike[_spoken(name)]) == 1 and alike[_spoken(name)] <= left:
            (matches[n],) = alike[_spoken(name)]
            left -= alike[_spoken(name)]
    return matches


def same_name(name: str, other: str) -> bool:
    """Whether two names differ only in capitals, accents and signs, or by a family name before a comma."""
    return name_key(name) == name_key(other) or (bool(_spoken(name)) and _spoken(name) == _spoken(other))


def _spoken(name: str) -> tuple[str, ...]:
    family, _comma, given = name.partition(",")
    return folded_words(f"{given} {family}")


# --- by ear: names that were misheard or mistyped ----------------------------------------------------


Who = TypeVar("Who")

LONG = 8  # letters of a word that may differ in two of them
MOST_WORDS = 4  # up to this many words, every order is tried


class ByEar(Generic[Who]):
    """People by the sound of their names; somebody may be added under several.

    >>> people = ByEar([("Kowalczyk Agnès", 1), ("Agnes Kowalski", 2), ("Gary Smith", 3)])
    >>> people.nearest("Agnes Kowalcyk"), people.nearest("Mary Smith")
    (1, None)
    """

    def __init__(self, people: Iterable[tuple[str, Who]] = ()) -> None:
        self._people = defaultdict[str, list[tuple[tuple[str, ...], Who]]](list)  # by initials: few are compared
        for name, who in people:
            self.add(name, who)

    def add(self, name: str, who: Who) -> None:
        words = folded_words(name)
        self._people[_initials(words)].append((words, who))

    def nearest(self, name: str) -> Who | None:
        """Who may be the same person: the nearest, of equals the first added; None if nobody may.

        Every word has to be like a word of the other name: the same, an initial of it, or with one wrong letter (two in
        a long word) and the same first letter. The order of words doesn't matter."""
        words = folded_words(name)
        people = self._people.get(_initials(words), ())
        near = [(far, who) for other, who in people if (far := _distance(words, other)) is not None]
        return min(near, key=itemgetter(0))[1] if near else None


def _distance(words: tuple[str, ...], other: tuple[str, ...]) -> int | None:
    """The number of wrong letters in the best order of words; None if they can't be one person."""
    if len(words) != len(other) or not words:
        return None
    if sorted(words) == sorted(other):
        return 0
    if len(words) == 1 and len(min(words[0], other[0], key=len)) < 4:
        return None  # "Ann" and "Ana" alone say too little
    orders = permutations(other) if len(other) <= MOST_WORDS else [other]
    distances = [_count_wrong_letters(words, order) for order in orders]
    return min((far for far in distances if far is not None), default=None)


def _count_wrong_letters(words: Sequence[str], other: Sequence[str]) -> int | None:
    far = 0
    for a, b in zip(words, other, strict=True):
        if a == b:
            continue
        if a[0] != b[0] or any(ch.isdigit() for ch in a + b):
            return None  # numbers tell people apart
        if 1 in (len(a), len(b)):
            far += 1  # an initial
            continue
        most = 2 if max(len(a), len(b)) >= LONG else 1
        differ = OSA.distance(a, b, score_cutoff=most)
        if differ > most:
            return None
        far += differ
    return far if far <= 3 else None


def _initials(words: Sequence[str]) -> str:
    return "".join(sorted(word[0] for word in words))


# --- names that sound like somebody ------------------------------------------------------------------


SAME, OTHER = "same", "other"  # answers about a name that sounds like another: it is that person, or somebody else


@dataclass(frozen=True, slots=True)
class Doubt:
    """A name on a list that sounds like that of an entry, a member or another row."""

    name: str
    like: Entry | Member | ListRow
    asked: str  # the name of the field that says whether they are the same person
    answer: str  # SAME, OTHER, "" without an answer yet

    @classmethod
    def between(cls, name: str, like: Entry | Member | ListRow, *, answers: Mapping[str, str]) -> Doubt:
        """A doubt with its answer. `answers` are by field name, one for each pair of names. Any answer but SAME ("new",
        too) is OTHER."""
        field = doubt_field(name, like.name)
        answer = answers.get(field, "")
        return cls(name, like, field, OTHER if answer and answer != SAME else answer)

    @property
    def like_row(self) -> int | None:
        """The row of the other name; None if that isn't on the list."""
        return self.like.number if isinstance(self.like, ListRow) else None


def doubt_field(name: str, like: str) -> str:
    return f"who-{name_key(name)}-{name_key(like)}"


def read_answers(club: Club, sent: Mapping[str, str]) -> dict[str, str]:
    """Answers about names that sound alike by field name, from the form, else from earlier ones in the club. One
    query."""
    by_field: dict[str, str] = {}
    for name, like, same in NameAnswer.objects.filter(club=club).order_by("pk").values_list("name", "like", "same"):
        answer = SAME if same else OTHER
        by_field |= {doubt_field(name, like): answer, doubt_field(like, name): answer}
    return by_field | {field: answer for field, answer in sent.items() if field.startswith("who-")}


def store_answers(*, club: Club, doubts: Iterable[Doubt], by: Actor) -> None:
    """Store the answers to these doubts, so that nobody is asked again. The last answer about two names counts."""
    with club.locked_transaction() as club:
        answered = read_answers(club, {})
        new = {doubt.asked: doubt for doubt in doubts if doubt.answer and answered.get(doubt.asked) != doubt.answer}
        if not new:
            return
        rows = [NameAnswer(club=club, name=d.name, like=d.like.name, same=d.answer == SAME) for d in new.values()]
        NameAnswer.objects.bulk_create(rows)
        pairs = grouped(("one person" if pair.same else "two people", str(pair)) for pair in rows)
        log(club=club, by=by, verb="names.answer", subject=", ".join(map(str, rows)), new=dict(pairs))


def find_doubts(event: Event, rows: Sequence[ListRow], *, answers: Mapping[str, str]) -> list[Doubt]:
    """The rows that sound like an entry, a member or another row; a member's own name is no doubt. `answers` are by
    `Doubt.asked`. Two queries."""
    entries = list(event.entries.select_related("member"))
    entered = {entry.member_id for entry in entries}
    free = {name: member for name, member in known_members(event.club).items() if member.pk not in entered}
    members = members_named([row.name for row in rows], free)
    listed = {member: row for row, member in zip(rows, members, strict=True) if member}
    people = ByEar[Entry | Member | ListRow]((entry.name, entry) for entry in entries)
    for entry in entries:
        if entry.member:
            people.add(entry.member.name, entry)
    for name, free_member in free.items():
        people.add(name, listed.get(free_member, free_member))
    doubts = []
    for row, member in zip(rows, members, strict=True):
        if member:
            continue
        if like := people.nearest(row.name):
            doubts.append(Doubt.between(row.name, like, answers=answers))
        people.add(row.name, row)
    return doubts


def listed_names(event: Event) -> set[str]:
    """The names of the event's list and of the club's members, by `name_key`. Two queries."""
    return {*map(name_key, event.entries.values_list("name", flat=True)), *known_members(event.club)}


def find_name_doubts(event: Event, name: str, *, answers: Mapping[str, str]) -> list[Doubt]:
    """The doubts about one more name; none if it is on the list itself, which is refused. Five queries."""
    name = read_name(name, listed=listed_names(event))
    if name_key(name) in map(name_key, event.entries.values_list("name", flat=True)):
        return []
    return find_doubts(event, [ListRow(1, (name,))], answers=answers)


def names_to_enter(rows: Sequence[ListRow], doubts: Iterable[Doubt]) -> dict[str, ListRow]:
    """The names to enter with their rows: the member's name if a row is a member; none if it is an entry."""
    same = {doubt.name: doubt.like for doubt in doubts if doubt.answer == SAME}
    names: dict[str, ListRow] = {}
    for row in rows:
        like = same.get(row.name)
        if like is None or isinstance(like, Member):
            names.setdefault(like.name if like else row.name, row)
    return names
