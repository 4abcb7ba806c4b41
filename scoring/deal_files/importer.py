"""Games and deals from a file into a club: everything is checked, then all of it is written, or nothing.

A deal version is identified by its submission, so what is here already is skipped when a file, or a newer one of the
same games, is imported again. An identity that another club of the site has is replaced by one derived from it and the
club's address.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID, uuid5

from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.invisible_characters import is_one_line, to_one_line
from clubsite.names import side_name
from scoring import wording
from scoring.cards.deals import recount, start_game
from scoring.deal_files.export import BY_DIRECTOR
from scoring.deal_files.formats import (
    ClubDeal,
    ClubGame,
    DealFile,
    FileLimits,
    Known,
    TooManyDeals,
    Version,
    add_rules,
    read_either,
)
from scoring.deal_files.json_text import TextFault, UnreadableText, add_lines, decode_utf8, describe_place, find_lines
from scoring.engine.core.family import check_in_game, judge_deals, next_place
from scoring.engine.core.ledger import Problem
from scoring.engine.core.ruleset import RulesError, RuleSet, shapes_in_family, shipped, shipped_versions
from scoring.engine.families import rules_of
from scoring.engine.settings import setting_problems
from scoring.families.deal_form import player_names
from scoring.house_rules.actions import save_rules
from scoring.house_rules.in_words import labelled_problem
from scoring.models import Deal, DealVersion, Game, HouseRules, Points
from scoring.templatetags.figures import points

NAMES = UUID("6a1fbd0e-3f0e-5c43-9a5d-3c7a0f3a1c55")  # the namespace of identities that are derived here
IDS_PER_QUERY = 400

BY_COMMAND = FileLimits(deals=20_000)
# For a file that is sent to the site. While its deals are written, some five seconds, nobody else can record anything;
# reading it takes less than 64 MB, whatever is in it (tests/hostile/test_memory.py).
ON_A_PAGE = FileLimits(deals=3_000, weight=800_000, size=4 * 1024 * 1024)


@dataclass(frozen=True, slots=True)
class FileProblem:
    line: int
    path: str
    words: str

    @property
    def place(self) -> str:
        return describe_place(self.path, self.line)


class BadFile(Exception):
    """The file has problems, and nothing was written."""

    def __init__(self, bad: tuple[FileProblem, ...]) -> None:
        super().__init__("; ".join(row.words for row in bad))
        self.bad = bad


class UnreadableFile(BadFile):
    """The file can't be read."""

    @classmethod
    def because(cls, words: str) -> "UnreadableFile":
        return cls((FileProblem(0, "", words),))


# --- reading -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GamesFile:
    games: tuple[ClubGame, ...]
    text: str
    has_versions: bool  # its deals have versions, as in a club's export

    def versions(self) -> Iterator[tuple[str, ClubGame, ClubDeal, int, Version]]:
        for number, game in enumerate(self.games):
            for at, deal in enumerate(game.deals):
                for place, version in enumerate(deal.versions):
                    yield self.path(number, at, version=place), game, deal, place, version

    def path(self, game: int, deal: int, *, version: int) -> str:
        return f"games.{game}.deals.{deal}" + (f".versions.{version}" if self.has_versions else "")


def known_rules(club: Club) -> Known:
    """The rules that a file can name, by slug; the club's newest version first."""
    club_rules = [rules.rule_set for rules in HouseRules.objects.filter(club=club).order_by("version")]
    played = {rule_set.slug: rule_set for rule_set in club_rules}
    by_slug = add_rules(shipped_versions(), club_rules)
    return {slug: sorted(versions, key=lambda rules: rules != played.get(slug)) for slug, versions in by_slug.items()}


def read_file(raw: bytes, known: Known, *, limits: FileLimits = BY_COMMAND) -> GamesFile:
    """The games of a club's export or of a deal file.

    Raises:
        UnreadableFile: it is too large, isn't text, or is of neither format.
    """
    if len(raw) > limits.size:
        words = _("This file has more than %(most)s bytes. Split it by seasons or events.")
        raise UnreadableFile.because(words % {"most": points(limits.size)})
    if raw[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] not in (b"{", b"["):
        raise UnreadableFile.because(
            _("This isn't a file of games in JSON, as this page exports them. Choose another file.")
        )
    try:
        text = decode_utf8(raw)
        file = read_either(text, known, limits=limits)
        if isinstance(file, DealFile):
            return GamesFile(tuple(_club_games(file, text)), text, has_versions=False)
        return GamesFile(file.games, text, has_versions=True)
    except UnreadableText as error:
        bad = tuple(FileProblem(fault.line, fault.path, fault.reason) for fault in error.faults)
        raise UnreadableFile(bad) from None
    except TooManyDeals:
        words = _(
            "This page imports at most %(most)s deals at once. Split the file, or ask the person who runs the site to "
            "use “manage.py deals import”, which takes up to %(all)s."
        )
        named = {"most": points(limits.deals), "all": points(BY_COMMAND.deals)}
        raise UnreadableFile.because(words % named) from None


def _club_games(file: DealFile, text: str) -> Iterator[ClubGame]:
    """The games of a deal file; each deal gets one version, recorded by the person who imports it."""
    nameless = [TextFault(0, 0, f"games.{place}.sides", "missing") for place, g in enumerate(file.games) if not g.sides]
    if nameless:
        raise UnreadableText(add_lines(nameless, text))
    for game in file.games:
        deals = tuple(
            ClubDeal(number=number, versions=(Version(**dict(deal)),)) for number, deal in enumerate(game.deals, 1)
        )
        yield ClubGame(
            **{**dict(game), "rules": game.rule_set.slug, "rules_version": game.rule_set.version, "deals": deals}
        )


# --- looking -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GamePlan:
    """What importing one game would do."""

    game: ClubGame
    existing: Game | None  # the same game, here already
    new: Mapping[int, tuple[Version, ...]]  # by the deal's number; with the identity and the ruling they would get


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What importing a file would do."""

    games: tuple[GamePlan, ...]  # with something new
    rules: tuple[RuleSet, ...]  # that the club would publish
    unchanged: int  # deals that are here already, unchanged

    @property
    def new_games(self) -> int:
        return sum(game.existing is None for game in self.games)

    @property
    def new_deals(self) -> int:
        """Deals that would come, or get another version."""
        return sum(len(game.new) for game in self.games)


def import_message(plan: FilePlan, *, look: bool = False) -> str:
    """What importing a file did; with `look`, what it would do."""
    if not plan.games:
        if not plan.unchanged:
            return _("There is no deal in this file.")
        return _("All of this file is here already; nothing was changed.")
    words = _("To import: %(games)s and %(deals)s.") if look else _("Imported: %(games)s and %(deals)s.")
    return words % {
        "games": ngettext("%(n)d new game", "%(n)d new games", plan.new_games) % {"n": plan.new_games},
        "deals": ngettext("%(n)d deal", "%(n)d deals", plan.new_deals) % {"n": plan.new_deals},
    }


def plan_import(club: Club, file: GamesFile, *, ruling: str = "") -> FilePlan:
    """What importing a file would do. `ruling` lets deals count that the rules refuse.

    Raises:
        BadFile: the file has problems.
    """
    return _Planner(club, file, ruling=ruling).plan()


def import_games(*, club: Club, file: GamesFile, by: Actor, name: str, ruling: str = "") -> FilePlan:
    """Import the games of a file called `name` into the club, all or nothing.

    Raises:
        BadFile: the file has problems.
    """
    with club.locked_transaction():
        plan = plan_import(club, file, ruling=ruling)
        if plan.games:
            _write_plan(club, plan, by=by)
            counted = {"games": plan.new_games, "deals": plan.new_deals, "known": plan.unchanged, "ruling": ruling}
            log(club=club, by=by, verb="deals.import", subject=name, new=counted)
    return plan


class _Planner:
    """Plans the import of every game of a file and collects problems."""

    def __init__(self, club: Club, file: GamesFile, *, ruling: str) -> None:
        self.club, self.file, self.ruling = club, file, ruling
        self.wrong: list[tuple[str, str, str]] = []  # path of a game or version, path within it, words
        self.club_rules = {(rules.slug, rules.version): rules for rules in HouseRules.objects.filter(club=club)}
        named = {
            path: UUID(version.id) if version.id else _derive_id(club, game, number=deal.number, place=place)
            for path, game, deal, place, version in file.versions()
        }
        self.stored = _stored_versions(named.values(), club)
        self.ids = {path: self._id_here(identity) for path, identity in named.items()}
        self.used: set[UUID] = set()
        self.barred: set[tuple[str, int]] = set()  # rules whose games can't be imported
        self.unchanged = 0

    def plan(self) -> FilePlan:
        rules = self._missing_rules()
        games = [self._plan_game(number, game) for number, game in enumerate(self.file.games)]
        if self.wrong:
            lines = find_lines({path for path, _within, _words in self.wrong}, self.file.text)
            bad = [FileProblem(lines[path], f"{path}.{within}", words) for path, within, words in self.wrong]
            raise BadFile(tuple(sorted(bad, key=lambda row: row.line)))
        with_news = tuple(game for game in games if game is not None and game.new)
        needed = {_rules_key(plan.game) for plan in with_news if not plan.existing}
        return FilePlan(with_news, tuple(rules[key] for key in sorted(needed & rules.keys())), self.unchanged)

    def _id_here(self, named: UUID) -> UUID:
        """The identity of a version in this club."""
        ours = _club_id(self.club, named)
        if ours in self.stored:
            return ours
        row = self.stored.get(named)
        return named if row is None or row["deal__game__club"] == self.club.pk else ours

    def _missing_rules(self) -> dict[tuple[str, int], RuleSet]:
        """Rules that the club doesn't have, by slug and version."""
        missing: dict[tuple[str, int], RuleSet] = {}
        first_games: dict[tuple[str, int], tuple[int, ClubGame]] = {}
        for number, game in enumerate(self.file.games):
            first_games.setdefault(_rules_key(game), (number, game))
        for key, (number, game) in first_games.items():
            before, club_version = len(self.wrong), self.club_rules.get(key)
            if club_version is None:
                missing[key] = game.rule_set
                self.wrong += ((f"games.{number}", "rules", words) for words in rules_faults(game.rule_set))
            elif club_version.rule_set != game.rule_set and not same_rules(club_version.rule_set, game.rule_set):
                words = _("This club has other rules under version %(version)d of %(title)s.")
                named = {"version": club_version.version, "title": club_version.title}
                self.wrong.append((f"games.{number}", "rules_version", words % named))
            if len(self.wrong) > before:
                self.barred.add(key)
        return missing

    def _plan_game(self, number: int, game: ClubGame) -> GamePlan | None:
        if _rules_key(game) in self.barred:
            return None
        path = f"games.{number}"
        paths = [
            [self.file.path(number, at, version=n) for n in range(len(d.versions))] for at, d in enumerate(game.deals)
        ]
        ids = {self.stored[self.ids[p]]["deal__game"] for some in paths for p in some if self.ids[p] in self.stored}
        if len(ids) > 1:
            self.wrong.append((path, "deals", _("These deals are on several cards of this club.")))
            return None
        stored = Game.objects.select_related("rules", "club").get(pk=ids.pop()) if ids else None
        if stored is not None and not _is_same_game(stored, game):
            words = _("This game is here already as “%(title)s”, with other rules or names.") % {"title": stored.title}
            self.wrong.append((path, "sides", words))
            return None
        before = _version_ids(stored)
        fresh: dict[int, dict[str, Version]] = {}  # by the deal's number, the new versions by their paths
        for deal, deal_paths in zip(game.deals, paths, strict=True):
            if deal.number in fresh:
                words = _("Deal %(n)d is in this game twice.") % {"n": deal.number}
                self.wrong.append((deal_paths[0], "deal", words))
            versions = dict(zip(deal_paths, deal.versions, strict=True))
            fresh[deal.number] = self._new_versions(game, versions, ids=before.get(deal.number, []))
        in_game = problems_in_game(game, stored, fresh={n: list(versions.values()) for n, versions in fresh.items()})
        new: dict[int, tuple[Version, ...]] = {}
        for deal in game.deals:
            news = tuple(
                self._judge_version(
                    game, path, version=version, in_game=in_game.get(deal.number), last=version is deal.versions[-1]
                )
                for path, version in fresh[deal.number].items()
            )
            if news:
                new[deal.number] = news
            else:
                self.unchanged += 1
        return GamePlan(game, stored, new)

    def _new_versions(
        self, game: ClubGame, versions: Mapping[str, Version], *, ids: Sequence[UUID]
    ) -> dict[str, Version]:
        """The versions of a deal that aren't here yet, by their paths; they must follow those that are."""
        for path, version in versions.items():
            identity = self.ids[path]
            if identity in self.used:
                self.wrong.append((path, "id", _("The same identity is in this file twice.")))
            self.used.add(identity)
            stored = self.stored.get(identity)
            if stored is None:
                continue
            same = stored["state"] == version.state and game.family.read(stored["facts"]) == version.facts
            if identity not in ids or not same:
                words = _("This deal is here already with other figures. Correct it on its own page.")
                self.wrong.append((path, "facts", words))
        fresh = [path for path in versions if self.ids[path] not in ids]
        of_file = [self.ids[path] for path in versions]
        if fresh and ids and (ids[-1] not in of_file or fresh != list(versions)[of_file.index(ids[-1]) + 1 :]):
            words = _("This deal was recorded or corrected here in another way. Correct it on its own page.")
            self.wrong.append((fresh[0], "id", words))
            return {}
        return {path: versions[path] for path in fresh}

    def _judge_version(
        self, game: ClubGame, path: str, *, version: Version, in_game: tuple[Problem, ...] | None, last: bool
    ) -> Version:
        """The version with its identity here and its ruling; notes its problems. Only a deal's last version is checked
        in full, by `in_game` if given (its problems at its place in the game); others must only be scorable."""
        rules, family = game.engine_rules, game.family
        version = version.model_copy(update={"id": str(self.ids[path])})
        if version.state == DealVersion.State.VOID:
            return version
        problems = in_game if last and in_game is not None else family.check(version.facts, rules)
        stopping = [p for p in problems if p.severity.stops]
        unscorable = [p for p in stopping if p.code in family.unscorable]
        ruling = version.ruling or (self.ruling if stopping and last else "")
        names, own_words = [side_name(names) for names in game.sides], wording.own_words(rules)
        players = player_names(game.sides, game.shape.per_side)
        for problem in unscorable or (stopping if last and not ruling else ()):
            words = wording.describe_problem(problem, names, words=own_words, players=players)
            self.wrong.append((path, f"facts.{problem.field}", f"{wording.SEVERITIES[problem.severity]}: {words}"))
        overruled = version.overruled or (tuple(p.code for p in stopping) if ruling else ())
        return version.model_copy(update={"overruled": overruled, "ruling": ruling})


def _rules_key(game: ClubGame) -> tuple[str, int]:
    return game.rule_set.slug, game.rule_set.version


def _derive_id(club: Club, game: ClubGame, *, number: int, place: int) -> UUID:
    """For a version without an identity: always the same for the same deal of the same game."""
    names = [game.rules, game.title, *("\t".join(side) for side in game.sides), *map(str, game.start)]
    return uuid5(NAMES, "\n".join([club.slug, *names, str(number), str(place)]))


def _club_id(club: Club, named: UUID) -> UUID:
    return uuid5(NAMES, f"{club.slug}\n{named}")


def _stored_versions(named: Iterable[UUID], club: Club) -> dict[UUID, dict[str, Any]]:
    identities = sorted({identity for name in named for identity in (name, _club_id(club, name))})
    fields = ("submission", "deal__game__club", "deal__game", "state", "facts")
    stored: dict[UUID, dict[str, Any]] = {}
    for start in range(0, len(identities), IDS_PER_QUERY):
        some = DealVersion.objects.filter(submission__in=identities[start : start + IDS_PER_QUERY]).values(*fields)
        stored |= {row["submission"]: row for row in some}
    return stored


def _version_ids(game: Game | None) -> dict[int, list[UUID]]:
    identities: dict[int, list[UUID]] = {}
    if game is not None:
        rows = DealVersion.objects.filter(deal__game=game).order_by("deal__number", "number")
        for number, submission in rows.values_list("deal__number", "submission"):
            identities.setdefault(number, []).append(submission)
    return identities


def _is_same_game(existing: Game, game: ClubGame) -> bool:
    # as a file has them
    sides = tuple(tuple(to_one_line(name) for name in side.names) for side in existing.sides.all())
    same_rules = (existing.rules.slug, existing.rules.version) == _rules_key(game)
    return same_rules and existing.shape == game.shape and sides == game.sides


def same_rules(club_rules: RuleSet, other: RuleSet) -> bool:
    """Whether games by `other` can be counted by the club's rules."""
    return set(other.shapes) <= set(club_rules.shapes) and all(
        rules_of(club_rules, shape) == rules_of(other, shape) for shape in other.shapes
    )


def rules_faults(rule_set: RuleSet) -> Iterator[str]:
    """Why rules of a file can't become the club's."""
    if shipped().get(rule_set.slug) == rule_set:
        return
    try:
        date.fromisoformat(rule_set.published)
    except ValueError:
        yield _("The day on which these rules were published can't be read.")
    if not re.fullmatch(r"[a-z0-9-]{1,50}", rule_set.slug) or not 1 <= rule_set.version < 32768:
        yield _("These rules need an address of small letters, figures and hyphens, and a version from 1 on.")
    if not rule_set.title.strip() or len(rule_set.title) > 120 or not is_one_line(rule_set.title):
        yield _("These rules need a title of one line.")
    if not set(rule_set.shapes) <= shapes_in_family(rule_set.family):
        yield _("These rules name a number of players that the game can't have.")
        return
    try:
        rules_of(rule_set)
    except RulesError as error:
        yield str(error)
        return
    for problem in setting_problems(rule_set):
        yield labelled_problem(problem, rule_set)


def problems_in_game(
    game: ClubGame, existing: Game | None, *, fresh: Mapping[int, Sequence[Version]]
) -> dict[int, tuple[Problem, ...]]:
    """Problems of the new deals, by number, where the scores before a deal or its place in the game matter.

    Scores are used only up to the first deal that was corrected or made void: later deals were checked against other
    scores when they were recorded; if one is wrong now, its card says so. Places are counted among the deals that were
    never void: when a deal was recorded, its place was at least that.
    """
    rules, family = game.engine_rules, game.family
    new = {number: versions for number, versions in fresh.items() if versions}
    latest = [versions[-1].facts for versions in new.values()]
    checks = family.game_checks
    if not any(checks.needs_scores(facts, rules) or checks.needs_place(facts, rules) for facts in latest):
        return {}
    rows: dict[int, list[tuple[str, Any]]] = {}  # state and facts of every version
    if existing is not None:
        for version in DealVersion.objects.filter(deal__game=existing).select_related("deal").order_by("number"):
            rows.setdefault(version.deal.number, []).append((version.state, family.read(version.facts)))
    for number, versions in new.items():
        rows.setdefault(number, []).extend((version.state, version.facts) for version in versions)
    start = [side.start for side in existing.sides.all()] if existing is not None else game.start
    void = {n for n, of_deal in rows.items() if any(state == DealVersion.State.VOID for state, _facts in of_deal)}
    changed = void | {n for n, of_deal in rows.items() if any(facts != of_deal[0][1] for _state, facts in of_deal)}
    settled = min(changed, default=max(rows))
    standing = {n: rows[n][-1][1] for n in sorted(rows) if rows[n][-1][0] != DealVersion.State.VOID}
    sure = [n for n in standing if n <= settled]
    judged = judge_deals(family, rules, cards=[standing[n] for n in sure], start=start)
    problems = {n: wrong for n, (wrong, _score) in zip(sure, judged, strict=True)}
    place = 0
    for number, facts in standing.items():
        at = next_place(family, place, facts=facts, rules=rules)
        if number not in problems:
            problems[number] = check_in_game(family, facts, rules=rules, before=None, place=at)
        if number not in void:
            place = at
    return {number: wrong for number, wrong in problems.items() if number in new}


# --- writing -------------------------------------------------------------------------------------------


def _write_plan(club: Club, plan: FilePlan, *, by: Actor) -> None:
    for rule_set in plan.rules:
        save_rules(club=club, rule_set=rule_set, by=by)
    club_rules = {(rules.slug, rules.version): rules for rules in HouseRules.objects.filter(club=club)}
    for game in plan.games:
        _write_deals(game, game.existing or _new_game(club, club_rules[_rules_key(game.game)], played=game.game), by=by)


def _new_game(club: Club, rules: HouseRules, *, played: ClubGame) -> Game:
    game = start_game(club=club, rules=rules, title=played.title, sides=played.sides, start=played.start)
    game.ended_by, game.reason = BY_DIRECTOR if played.ended else "", played.ended
    game.set_aside = played.set_aside
    game.save()
    game.sides.filter(number__in=played.absent).update(absent=True)
    return game


def _write_deals(plan: GamePlan, game: Game, *, by: Actor) -> None:
    deals = {deal.number: deal for deal in game.deals.all()}
    missing = [Deal(game=game, number=number) for number in plan.new if number not in deals]
    deals |= {deal.number: deal for deal in Deal.objects.bulk_create(missing)}
    before = {number: len(ids) for number, ids in _version_ids(plan.existing).items()}
    DealVersion.objects.filter(deal__in=[deals[number] for number in plan.new], current=True).update(current=False)
    rows = [
        (record, _version_row(deals[number], record, number=place, current=record is news[-1], by=by))
        for number, news in plan.new.items()
        for place, record in enumerate(news, start=before.get(number, 0) + 1)
    ]
    DealVersion.objects.bulk_create([row for _record, row in rows])
    for record, row in rows:
        if record.at:
            row.at = datetime.fromisoformat(record.at)
    DealVersion.objects.bulk_update([row for record, row in rows if record.at], ["at"], batch_size=IDS_PER_QUERY)
    family, rules = plan.game.family, game.engine_rules
    Points.objects.bulk_create(
        Points(version=row, side=side, points=points, was_set=side in score.sets)
        for record, row in rows
        if record.state != DealVersion.State.VOID
        for score in [family.score(record.facts, rules)]
        for side, points in enumerate(score.totals)
    )
    recount(game)


def _version_row(deal: Deal, record: Version, *, number: int, current: bool, by: Actor) -> DealVersion:
    return DealVersion(
        deal=deal,
        number=number,
        current=current,
        state=record.state,
        facts=deal.game.rules.family.write(record.facts),
        written=list(record.written),
        written_sets=None if record.written_sets is None else list(record.written_sets),
        submission=record.id,
        by=None if record.by else by.user,
        actor=record.by or by.name,
        route=record.route or by.route,
        reason=record.reason,
        ruling=record.ruling,
        overruled=list(record.overruled),
    )
