"""Games and deals from a file into a club: first all is looked at, then all of it is written, or nothing.

A deal is known by the identity of its submission, so a file can be taken in again, or a newer one of the same games:
what is here already is passed over. On a site of many clubs an identity that another club has is replaced by one
made from it and the club's address, always the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.one_line import is_one_line, one_line
from scoring import wording
from scoring.cards.deals import recount
from scoring.engine.core.ledger import Problem
from scoring.engine.core.ruleset import RulesError, RuleSet, shapes_of, shipped
from scoring.engine.families import rules_of
from scoring.engine.settings.sound import setting_problems
from scoring.exchange.explained import place_words
from scoring.exchange.in_game import wrong_in_game
from scoring.exchange.records import GameRecord, Records, VersionRecord
from scoring.exchange.stored import BY_DIRECTOR
from scoring.house_rules.actions import save_rules
from scoring.house_rules.setting_words import setting_problem
from scoring.models import Deal, DealVersion, Game, HouseRules, Points, Side
from scoring.players import players_of

NAMES = UUID("6a1fbd0e-3f0e-5c43-9a5d-3c7a0f3a1c55")  # the namespace of identities that are made here
AT_ONCE = 400  # identities in one query


@dataclass(frozen=True, slots=True)
class Bad:
    """One thing that keeps a file out: its line, the field, and what is wrong."""

    line: int
    path: str
    words: str

    @property
    def place(self) -> str:
        """Where to look, in words."""
        return place_words(self.path, self.line)


@dataclass(frozen=True, slots=True)
class GamePlan:
    """What would come of one game. `here`: the game that is here already; `new`: by the deal's number, the versions
    that aren't here yet, with the identity and the ruling with which they would be recorded."""

    record: GameRecord
    here: Game | None
    new: Mapping[int, tuple[VersionRecord, ...]]


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What taking a file in would do."""

    games: tuple[GamePlan, ...]  # with something new
    rules: tuple[RuleSet, ...]  # that the club would publish
    known: int  # deals that are here already, unchanged

    @property
    def new_games(self) -> int:
        """Games that aren't here yet."""
        return sum(game.here is None for game in self.games)

    @property
    def new_deals(self) -> int:
        """Deals that would come, or get another version."""
        return sum(len(game.new) for game in self.games)


def taken_words(plan: FilePlan, *, look: bool = False) -> str:
    """What taking a file in did; after a mere `look`, what it would do."""
    if not plan.games:
        if not plan.known:
            return _("There is no deal in this file.")
        return _("All of this file is here already; nothing was changed.")
    words = _("%(games)s and %(deals)s would be taken in.") if look else _("%(games)s and %(deals)s are taken in.")
    return words % {
        "games": ngettext("%(n)d new game", "%(n)d new games", plan.new_games) % {"n": plan.new_games},
        "deals": ngettext("%(n)d deal", "%(n)d deals", plan.new_deals) % {"n": plan.new_deals},
    }


class BadFile(Exception):
    """Something in the file is bad, and nothing was written; carries what, line by line."""

    def __init__(self, bad: tuple[Bad, ...]) -> None:
        super().__init__("; ".join(one.words for one in bad))
        self.bad = bad


def plan_of(club: Club, records: Records, *, ruling: str = "") -> FilePlan:
    """What taking these records in would do. `ruling` lets deals stand that the rules refuse.

    Raises:
        BadFile: something is bad.
    """
    return _Planner(club, records, ruling=ruling).plan()


def take_in(*, club: Club, records: Records, by: Actor, name: str, ruling: str = "") -> FilePlan:
    """Take the records of a file called `name` into the club, all or nothing; what was done.

    Raises:
        BadFile: something is bad; nothing was written.
    """
    with transaction.atomic():
        club.lock()
        plan = plan_of(club, records, ruling=ruling)
        if plan.games:
            _write(club, plan, by=by)
            counted = {"games": plan.new_games, "deals": plan.new_deals, "known": plan.known, "ruling": ruling}
            log(club=club, by=by, verb="deals.import", subject=name, new=counted)
    return plan


# --- looking -------------------------------------------------------------------------------------------


class _Planner:
    """Looks at every game of a file and collects what is bad."""

    def __init__(self, club: Club, records: Records, *, ruling: str) -> None:
        self.club, self.records, self.ruling = club, records, ruling
        self.wrong: list[tuple[str, str, str]] = []  # path of the record, path within it, words
        self.own = {(rules.slug, rules.version): rules for rules in HouseRules.objects.filter(club=club)}
        named = self._identities()
        self.stored = _stored(named.values(), club)
        self.ids = {path: self._mine(one) for path, one in named.items()}  # every version's in this club, by its path
        self.used: set[UUID] = set()
        self.barred: set[tuple[str, int]] = set()  # rules by which nothing can be taken in
        self.known = 0

    def plan(self) -> FilePlan:
        rules = self._rules()
        games = [self._game(game) for game in self.records.games]
        if self.wrong:
            lines = self.records.lines({path for path, _within, _words in self.wrong})
            found = [Bad(lines[path], _joined(path, within), words) for path, within, words in self.wrong]
            raise BadFile(tuple(sorted(found, key=lambda one: one.line)))
        with_news = tuple(game for game in games if game is not None and game.new)
        needed = {_key(game.record) for game in with_news if not game.here}
        return FilePlan(with_news, tuple(rules[key] for key in sorted(needed & rules.keys())), self.known)

    def _identities(self) -> dict[str, UUID]:
        """The identity of every version of the file, by the version's path."""
        return {
            version.path: UUID(version.said.id)
            if version.said.id
            else _made(self.club, game, number=deal.number, place=place)
            for game in self.records.games
            for deal in game.deals
            for place, version in enumerate(deal.versions)
        }

    def _mine(self, named: UUID) -> UUID:
        """The identity that a version has in this club."""
        ours = _ours(self.club, named)
        if ours in self.stored:
            return ours
        found = self.stored.get(named)
        return named if found is None or found["deal__game__club"] == self.club.pk else ours

    def _rules(self) -> dict[tuple[str, int], RuleSet]:
        """The rules that the club hasn't got yet, by slug and version."""
        wanted = {_key(game): game for game in reversed(self.records.games)}
        missing = {}
        for key, game in wanted.items():
            before = len(self.wrong)
            own = self.own.get(key)
            if own is None:
                missing[key] = game.rule_set
                for words in _unsound(game.rule_set):
                    self.wrong.append((game.path, "rules", words))
            elif own.rule_set != game.rule_set and not _same_rules(own.rule_set, game.rule_set):
                words = _("This club has other rules under version %(version)d of %(title)s.")
                named = {"version": own.version, "title": own.title}
                self.wrong.append((game.path, "rules_version", words % named))
            if len(self.wrong) > before:
                self.barred.add(key)
        return missing

    def _game(self, game: GameRecord) -> GamePlan | None:
        if _key(game) in self.barred:
            return None
        stored = [self.stored.get(self.ids[version.path]) for deal in game.deals for version in deal.versions]
        here = {row["deal__game"] for row in stored if row is not None}
        if len(here) > 1:
            self.wrong.append((game.path, "deals", _("These deals are on several cards of this club.")))
            return None
        found = Game.objects.select_related("rules", "club").get(pk=here.pop()) if here else None
        if found is not None and not _same_game(found, game):
            words = _("This game is here already as “%(title)s”, with other rules or names.") % {"title": found.title}
            self.wrong.append((game.path, "sides", words))
            return None
        before = _versions_of(found)
        fresh: dict[int, list[VersionRecord]] = {}
        for deal in game.deals:
            if deal.number in fresh:
                words = _("Deal %(n)d stands twice in this game.") % {"n": deal.number}
                self.wrong.append((deal.versions[0].path, "deal", words))
            fresh[deal.number] = self._fresh(game, deal.versions, here=before.get(deal.number, []))
        in_game = wrong_in_game(game, found, fresh=fresh)
        new: dict[int, tuple[VersionRecord, ...]] = {}
        for deal in game.deals:
            news = tuple(
                self._judged(game, version, in_game=in_game.get(deal.number), last=version is deal.versions[-1])
                for version in fresh[deal.number]
            )
            if news:
                new[deal.number] = news
            else:
                self.known += 1
        return GamePlan(game, found, new)

    def _fresh(
        self, game: GameRecord, versions: Sequence[VersionRecord], *, here: Sequence[UUID]
    ) -> list[VersionRecord]:
        """The versions of a deal that aren't here yet; they must follow what is here."""
        for version in versions:
            one = self.ids[version.path]
            if one in self.used:
                self.wrong.append((version.path, "id", _("The same identity stands twice in this file.")))
            self.used.add(one)
            stored = self.stored.get(one)
            if stored is None:
                continue
            same = stored["state"] == version.said.state and game.family.read(stored["facts"]) == version.facts
            if one not in here or not same:
                words = _("This deal is here already with other figures. Correct it on its own page.")
                self.wrong.append((version.path, "facts", words))
        fresh = [version for version in versions if self.ids[version.path] not in here]
        of_file = [self.ids[version.path] for version in versions]
        if fresh and here and (here[-1] not in of_file or fresh != list(versions[of_file.index(here[-1]) + 1 :])):
            words = _("This deal was recorded or corrected here in another way. Correct it on its own page.")
            self.wrong.append((fresh[0].path, "id", words))
            return []
        return fresh

    def _judged(
        self, game: GameRecord, version: VersionRecord, *, in_game: tuple[Problem, ...] | None, last: bool
    ) -> VersionRecord:
        """A version with its identity here and the ruling by which it stands; what is wrong with it is noted. Only a
        deal's last version is checked in full, by `in_game` if given (the problems at its place in the game); others
        must be fit to score."""
        rules, family = rules_of(game.rule_set, game.said.shape), game.family
        said = replace(version.said, id=str(self.ids[version.path]))
        if said.state == DealVersion.State.VOID:
            return replace(version, said=said)
        problems = in_game if last and in_game is not None else family.check(version.facts, rules)
        stopping = [p for p in problems if p.severity.stops]
        unscorable = [p for p in stopping if p.code in family.unscorable]
        ruling = said.ruling or (self.ruling if stopping and last else "")
        names, own = [" & ".join(names) for names in game.said.sides], wording.own_words(rules)
        players = players_of(game.said.sides, game.said.shape.per_side)
        for problem in unscorable or (stopping if last and not ruling else ()):
            words = wording.wrong(problem, names, own=own, players=players)
            severity = wording.SEVERITIES[problem.severity]
            self.wrong.append((version.path, f"facts.{problem.field}", f"{severity}: {words}"))
        if not unscorable and version.points:
            right = family.score(version.facts, rules).totals
            if right != version.points:
                words = _("These rules make it %(right)s.") % {"right": " · ".join(str(n) for n in right)}
                self.wrong.append((version.path, "points", words))
        overruled = said.overruled or (tuple(p.code for p in stopping) if ruling else ())
        return replace(version, said=replace(said, overruled=overruled, ruling=ruling))


def _key(game: GameRecord) -> tuple[str, int]:
    """The slug and version of a game's rules."""
    return game.rule_set.slug, game.rule_set.version


def _joined(path: str, within: str) -> str:
    """A path as it is shown: that of a row of a table is its line, which is shown by itself."""
    return within if path.isdecimal() else f"{path}.{within}"


def _made(club: Club, game: GameRecord, *, number: int, place: int) -> UUID:
    """The identity of a version that has none of its own: always the same for the same deal of the same game."""
    said = game.said
    names = [said.rules, said.title, *("\t".join(side) for side in said.sides), *map(str, said.start)]
    return uuid5(NAMES, "\n".join([club.slug, *names, str(number), str(place)]))


def _ours(club: Club, named: UUID) -> UUID:
    return uuid5(NAMES, f"{club.slug}\n{named}")


def _stored(named: Any, club: Club) -> dict[UUID, dict[str, Any]]:
    """The versions that are on this site under these identities, or those made from them."""
    asked = sorted({one for name in named for one in (name, _ours(club, name))})
    fields = ("submission", "deal__game__club", "deal__game", "state", "facts")
    found: dict[UUID, dict[str, Any]] = {}
    for start in range(0, len(asked), AT_ONCE):
        some = DealVersion.objects.filter(submission__in=asked[start : start + AT_ONCE]).values(*fields)
        found |= {row["submission"]: row for row in some}
    return found


def _versions_of(game: Game | None) -> dict[int, list[UUID]]:
    """The identities of what is here, by the deal's number."""
    found: dict[int, list[UUID]] = {}
    if game is not None:
        rows = DealVersion.objects.filter(deal__game=game).order_by("deal__number", "number")
        for number, submission in rows.values_list("deal__number", "submission"):
            found.setdefault(number, []).append(submission)
    return found


def _same_game(here: Game, game: GameRecord) -> bool:
    sides = tuple(tuple(one_line(name) for name in side.names) for side in here.sides.all())  # as a file has them
    same_rules = (here.rules.slug, here.rules.version) == (game.rule_set.slug, game.rule_set.version)
    return same_rules and here.shape == game.said.shape and sides == game.said.sides


def _same_rules(own: RuleSet, other: RuleSet) -> bool:
    """Whether games by the other rules can be counted by the club's own."""
    return set(other.shapes) <= set(own.shapes) and all(
        rules_of(own, shape) == rules_of(other, shape) for shape in other.shapes
    )


def _unsound(rule_set: RuleSet) -> Iterator[str]:
    """Why rules that came with a file can't be the club's."""
    if shipped().get(rule_set.slug) == rule_set:
        return
    try:
        date.fromisoformat(rule_set.published)
    except ValueError:
        yield _("The day on which these rules were published can't be read.")
    if not re.fullmatch(r"[a-z0-9-]{1,50}", rule_set.slug) or not 1 <= rule_set.version < 32768:
        yield _("These rules have no address and version that could be theirs.")
    if not rule_set.title.strip() or len(rule_set.title) > 120 or not is_one_line(rule_set.title):
        yield _("These rules need a title of one line.")
    if not set(rule_set.shapes) <= shapes_of(rule_set.family):
        yield _("These rules are for numbers of players that this game isn't played by.")
        return
    try:
        rules_of(rule_set)
    except RulesError as no:
        yield str(no)
        return
    for problem in setting_problems(rule_set):
        yield f"{problem.setting}: {setting_problem(problem, rule_set)}"


# --- writing -------------------------------------------------------------------------------------------


def _write(club: Club, plan: FilePlan, *, by: Actor) -> None:
    for rule_set in plan.rules:
        save_rules(club=club, rule_set=rule_set, by=by)
    own = {(rules.slug, rules.version): rules for rules in HouseRules.objects.filter(club=club)}
    for game in plan.games:
        said = game.record.said
        _write_game(game, game.here or _new_game(club, own[_key(game.record)], said=said), by=by)


def _new_game(club: Club, rules: HouseRules, *, said: Any) -> Game:
    made = Game.objects.create(
        club=club,
        rules=rules,
        title=said.title,
        sides_count=said.shape.sides,
        per_side=said.shape.per_side,
        ended_by=BY_DIRECTOR if said.ended else "",
        reason=said.ended,
        set_aside=said.set_aside,
    )
    start = said.start or (0,) * said.shape.sides
    Side.objects.bulk_create(
        Side(game=made, number=n, names=list(names), start=start[n], total=start[n], absent=n in said.absent)
        for n, names in enumerate(said.sides)
    )
    return made


def _write_game(plan: GamePlan, game: Game, *, by: Actor) -> None:
    deals = {deal.number: deal for deal in game.deals.all()}
    missing = [Deal(game=game, number=number) for number in plan.new if number not in deals]
    deals |= {deal.number: deal for deal in Deal.objects.bulk_create(missing)}
    touched = [deals[number] for number in plan.new]
    before = {number: len(ids) for number, ids in _versions_of(plan.here).items()}
    DealVersion.objects.filter(deal__in=touched, current=True).update(current=False)
    written = [
        _version(deals[number], place, record=record, by=by, current=record is news[-1])
        for number, news in plan.new.items()
        for place, record in enumerate(news, start=before.get(number, 0) + 1)
    ]
    records = [record for news in plan.new.values() for record in news]
    DealVersion.objects.bulk_create(written)
    timed = []
    for version, record in zip(written, records, strict=True):
        if record.said.at:
            version.at = datetime.fromisoformat(record.said.at)
            timed.append(version)
    DealVersion.objects.bulk_update(timed, ["at"], batch_size=AT_ONCE)
    family, rules = plan.record.family, game.engine_rules
    Points.objects.bulk_create(
        Points(version=version, side=side, points=points, was_set=side in score.sets)
        for version, record in zip(written, records, strict=True)
        if record.said.state != DealVersion.State.VOID
        for score in [family.score(record.facts, rules)]
        for side, points in enumerate(score.totals)
    )
    recount(game)


def _version(deal: Deal, number: int, *, record: VersionRecord, by: Actor, current: bool) -> DealVersion:
    said = record.said
    return DealVersion(
        deal=deal,
        number=number,
        current=current,
        state=said.state,
        facts=deal.game.rules.family.write(record.facts),
        written=list(said.written),
        written_sets=None if said.written_sets is None else list(said.written_sets),
        submission=said.id,
        by=None if said.by else by.user,
        actor=said.by or by.name,
        route=said.route or by.route,
        reason=said.reason,
        ruling=said.ruling,
        overruled=list(said.overruled),
    )
