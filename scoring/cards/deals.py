"""Verbs on games and deals. Each is one transaction for the change, the totals and the log entry.

Nothing recorded is edited: a correction, a confirmation, a ruling and a void are new versions of the deal. Sides agree
to a deal or dispute it; the club chooses which of them have to agree (`Club.agreement`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from scoring.engine.core.family import check_in_game, score_deal, score_deals
from scoring.engine.core.game import leaders, progress
from scoring.engine.core.ledger import Problem, Score
from scoring.families.deal_form import EnteredDeal
from scoring.handicaps import update_handicap
from scoring.models import LONGEST_REASON, Agreement, Deal, DealVersion, Game, HouseRules, Points, Side
from scoring.templatetags.figures import points as in_figures

TABLE = "table"  # the route of a deal entered through a table's link

ON_REOPEN: list[Callable[[Game], None]] = []  # called in the transaction in which a finished game opens again


class DealError(Exception):
    """A deal or game can't be changed as asked; nothing was changed."""


class Refused(DealError):
    """The rules or the pack make the card impossible and there is no ruling; has all problems."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(", ".join(p.code for p in problems))
        self.problems = problems


class NotConfirmed(Refused):
    """The card is possible but unlikely, and nobody has confirmed it yet."""


class GameOver(DealError):
    """The game has ended."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.ended_by)
        self.game = game


class DealsMissing(DealError):
    """A deal before this one isn't recorded."""


class Superseded(DealError):
    """Another version was recorded since the form was opened; has that version."""

    def __init__(self, version: DealVersion) -> None:
        super().__init__(f"version {version.number}")  # naming the deal would cost two queries
        self.version = version


class SentElsewhere(DealError):
    """This submission has recorded a deal on another card."""


class DealIsVoid(DealError):
    """Only a correction with a reason brings back a void deal."""


class ReasonMissing(DealError):
    """A correction, a void or an early end needs its reason."""


class Signed(DealError):
    """All deals of a finished game are agreed: only a director may change its card."""


class TableMayNotCorrect(DealError):
    """A table may correct only its own last deal, until another side has agreed to it."""


def start_game(
    *,
    club: Club,
    rules: HouseRules,
    title: str,
    sides: Sequence[Sequence[str]],
    start: Sequence[int] = (),
    submission: UUID | None = None,
) -> Game:
    """Open a game between sides, given as the names of their players in order of seats.

    `start`: the points that each side begins with (handicap). The same submission returns the game that it started.
    """
    per_side = {len(names) for names in sides}
    if len(per_side) != 1:
        raise ValueError("sides of different sizes")
    with transaction.atomic():
        if submission is not None:
            club = club.lock()  # two taps at once wait for each other here
            if sent := Game.objects.filter(club=club, submission=submission).first():
                return sent
        game = Game(club=club, rules=rules, title=title, sides_count=len(sides), per_side=per_side.pop())
        game.submission = submission
        _ = game.engine_rules  # raises RulesError for a shape that the rules don't know
        game.save()
        points = list(start) or [0] * len(sides)
        Side.objects.bulk_create(
            Side(game=game, number=n, names=list(names), start=points[n], total=points[n])
            for n, names in enumerate(sides)
        )
    return game


def deal_problems(game: Game, number: int, *, facts: Any) -> tuple[Problem, ...]:
    """Two queries where the scores before the deal matter, one where its place does."""
    rules, family = game.engine_rules, game.rules.family
    before = scores_before(game, number) if family.game_checks.needs_scores(facts, rules) else None
    place = place_in_game(game, number) if family.game_checks.needs_place(facts, rules) else None
    return check_in_game(family, facts, rules=rules, before=before, place=place)


def place_in_game(game: Game, number: int) -> int:
    """The deal's place among those that count, from 1: the deal after a void one takes its place."""
    return 1 + _counting_versions(game).filter(deal__number__lt=number).count()


def scores_before(game: Game, number: int) -> tuple[int, ...]:
    scores = [side.start for side in game.sides.all()]
    counted = Points.objects.filter(version__deal__game=game, version__current=True, version__deal__number__lt=number)
    for row in counted:  # a void deal has no points
        scores[row.side] += row.points
    return tuple(scores)


def carried_into(game: Game, number: int) -> tuple[int, ...]:
    """What earlier deals carry into this one, such as bags. One query where the game's deals carry anything."""
    rules, family = game.engine_rules, game.rules.family
    if not family.game_checks.carries(rules):
        return ()
    before = _counting_versions(game).filter(deal__number__lt=number).order_by("deal__number")
    scores = score_deals(family, rules, cards=map(family.read, before.values_list("facts", flat=True)))
    return scores[-1].carried if scores else ()


def score_in_game(game: Game, number: int, *, facts: Any) -> Score:
    carried = carried_into(game, number)
    return score_deal(game.rules.family, facts, rules=game.engine_rules, carried=carried)


def record_deal(
    *,
    game: Game,
    number: int,
    entered: EnteredDeal,
    by: Actor,
    submission: UUID,
) -> DealVersion:
    """Record deal `number` as it is on the card, or return what this submission recorded before.

    Raises:
        Refused: the rules or the pack make the card impossible and there is no ruling.
        NotConfirmed: the card is unlikely, and not `sure`.
        GameOver: the game had ended.
        DealsMissing: a deal before this one isn't recorded.
        Superseded: a deal of that number was recorded since the form was opened, or this submission recorded other
            figures before (from a page gone back to).
        SentElsewhere: the submission belongs to another card.
    """
    try:
        with transaction.atomic():
            now = lock_game(game)
            numbers = set(_current_versions(now).values_list("deal__number", flat=True))
            if number in numbers or now.state != Game.State.OPEN:
                if earlier := _recorded_by(now, submission):
                    return _require_same(earlier, **_card_fields(now, entered))
                if number in numbers:
                    raise Superseded(_current_versions(now).select_related("deal").get(deal__number=number))
                raise GameOver(now)
            if number > max(numbers, default=0) + 1:
                raise DealsMissing
            fields = _judge_card(now, number, entered=entered, by=by)
            deal = Deal.objects.create(game=now, number=number)
            version = _write_version(deal, entered.facts, by=by, submission=submission, **fields)
            recount(now)
            log(club=game.club, by=by, verb="deal.record", subject=deal, new=_log_data(version))
            return version
    except IntegrityError:  # the submission has recorded another deal
        if (earlier := _recorded_by(game, submission)) is None:
            raise
        return _require_same(earlier, **_card_fields(game, entered))


def correct_deal(
    *,
    deal: Deal,
    entered: EnteredDeal,
    by: Actor,
    submission: UUID,
    seen: int,
    reason: str,
) -> DealVersion:
    """Record a new version of a deal: what the card should have said. It brings back a void deal.

    `seen` is the number of the version that the form showed.

    Raises:
        ReasonMissing: no reason was given.
        Refused, NotConfirmed, SentElsewhere: as for `record_deal`.
        Superseded: another version was recorded since the form was opened, or other figures by this submission.
        Signed: the card is signed, and `by` isn't a director.
        TableMayNotCorrect: a table's link sent it, and it isn't its last deal, or another side has agreed to it.
    """
    if not reason.strip():
        raise ReasonMissing
    with transaction.atomic():
        game = lock_game(deal.game)
        if earlier := _recorded_by(game, submission):
            return _require_same(earlier, deal_id=deal.pk, reason=reason, **_card_fields(game, entered))
        old = _require_current(deal, seen)
        refuse_signed(game, by)
        if by.route == TABLE:
            _refuse_late_table(game, old)
        fields = _judge_card(game, deal.number, entered=entered, by=by)
        version = _replace_version(old, entered.facts, by=by, submission=submission, reason=reason, **fields)
        recount(game)
        log(club=game.club, by=by, verb="deal.correct", subject=deal, old=_log_data(old), new=_log_data(version))
    return version


def mark_deal(*, deal: Deal, state: str, by: Actor, submission: UUID, seen: int, reason: str = "") -> DealVersion:
    """Mark a deal agreed, disputed or void: a new version with the same facts. Void needs a reason and counts nothing.

    Raises:
        ReasonMissing: void without a reason.
        Superseded: another version was recorded since the page was opened, or something else by this submission.
        DealIsVoid: the deal is void.
        Signed: the card is signed, and `by` isn't a director.
        SentElsewhere: the submission belongs to another card.
    """
    if state == DealVersion.State.VOID and not reason.strip():
        raise ReasonMissing
    with transaction.atomic():
        game = lock_game(deal.game)
        if earlier := _recorded_by(game, submission):
            return _require_same(earlier, deal_id=deal.pk, state=state, reason=reason)
        old = _require_current(deal, seen)
        if old.state == DealVersion.State.VOID:
            raise DealIsVoid
        refuse_signed(game, by)
        stays = {
            name: getattr(old, name) for name in ("written", "written_sets", "entered_side", "ruling", "overruled")
        }
        facts = game.rules.family.read(old.facts)
        version = _replace_version(old, facts, by=by, submission=submission, state=state, reason=reason, **stays)
        if state == DealVersion.State.VOID:
            recount(game)
        new = {"state": state, "reason": reason}
        log(club=game.club, by=by, verb=f"deal.{state}", subject=deal, old=old.state, new=new)
    return version


def end_game(*, game: Game, by: Actor, reason: str) -> Game:
    """End a game now: the best total wins, equal totals share; without a deal it counts as not played.

    Raises:
        ReasonMissing: no reason was given.
    """
    if not reason.strip():
        raise ReasonMissing
    with transaction.atomic():
        game = lock_game(game)
        if game.state != Game.State.OPEN:
            return game
        game.ended_by, game.reason = "director", reason[:LONGEST_REASON]
        recount(game)
        log(club=game.club, by=by, verb="game.end", subject=game, new={"state": game.state, "reason": reason})
    return game


def reopen_game(*, game: Game, by: Actor, reason: str) -> Game:
    """Undo `end_game`.

    Raises:
        ReasonMissing: no reason was given.
    """
    if not reason.strip():
        raise ReasonMissing
    with transaction.atomic():
        game = lock_game(game)
        if game.ended_by == "director":
            game.ended_by, game.reason = "", ""
            recount(game)
            log(club=game.club, by=by, verb="game.reopen", subject=game, new={"reason": reason})
    return game


def record_walkover(*, game: Game, absent: Collection[int], by: Actor, reason: str = "") -> Game:
    """Give a game to the others, because the sides with these numbers were absent; none: undo that, so that the deals
    decide again.

    Raises:
        ValueError: the game has no such side.
    """
    with transaction.atomic():
        game = lock_game(game)
        sides = list(Side.objects.filter(game=game))
        if set(absent) - {side.number for side in sides}:
            raise ValueError(absent)
        old = {"absent": [side.number for side in sides if side.absent]}
        new = {"absent": sorted(absent)}
        if new != old:
            for side in sides:
                side.absent = side.number in absent
            Side.objects.bulk_update(sides, ["absent"])
            recount(game)
            log(club=game.club, by=by, verb="game.walkover", subject=game, old=old, new={**new, "reason": reason})
    return game


def is_signed(game: Game) -> bool:
    """Whether a game is over and all its deals are agreed, in a club that asks for agreement. Costs a query."""
    if game.state == Game.State.OPEN or game.club.agreement == Club.Agreement.NONE:
        return False
    return set(_counting_versions(game).values_list("state", flat=True)) == {DealVersion.State.AGREED}


def refuse_signed(game: Game, by: Actor) -> None:
    if not by.director and is_signed(game):
        raise Signed


def _refuse_late_table(game: Game, old: DealVersion) -> None:
    open_to_it = (DealVersion.State.ENTERED, DealVersion.State.DISPUTED)
    later = _counting_versions(game).filter(deal__number__gt=old.deal.number)
    agreed = Agreement.objects.filter(version=old)
    if old.entered_side is not None:
        agreed = agreed.exclude(side=old.entered_side)
    if old.route != TABLE or old.state not in open_to_it or later.exists() or agreed.exists():
        raise TableMayNotCorrect


def lock_game(game: Game) -> Game:
    """The game, read again after taking its club's lock, which is held until the transaction ends."""
    Club.acquire_lock(game.club_id)
    now = Game.objects.get(pk=game.pk)
    if now.rules_id == game.rules_id:  # a version of rules never changes, so it needn't be read again
        now.rules = game.rules
    return now


def _current_versions(game: Game) -> QuerySet[DealVersion]:
    return DealVersion.objects.filter(deal__game=game, current=True)


def _counting_versions(game: Game) -> QuerySet[DealVersion]:
    return _current_versions(game).exclude(state=DealVersion.State.VOID)


def _recorded_by(game: Game, submission: UUID) -> DealVersion | None:
    """The version that a submission recorded. Raises SentElsewhere when that was on another card."""
    earlier = DealVersion.objects.filter(submission=submission).select_related("deal").first()
    if earlier is not None and earlier.deal.game_id != game.pk:
        raise SentElsewhere
    if earlier is not None:
        earlier.deal.game = game  # so that words about it cost no query
    return earlier


def _require_same(earlier: DealVersion, **sent: Any) -> DealVersion:
    """The version, if the same was sent again. Raises Superseded if something else was."""
    if any(getattr(earlier, name) != value for name, value in sent.items()):
        raise Superseded(earlier)
    return earlier


def _card_fields(game: Game, entered: EnteredDeal) -> dict[str, Any]:
    return {"facts": game.rules.family.write(entered.facts), **_written_fields(entered)}


def _written_fields(entered: EnteredDeal) -> dict[str, Any]:
    """What the scorer wrote besides the facts."""
    sets = entered.written_sets
    return {"written": list(entered.written), "written_sets": None if sets is None else list(sets)}


def _require_current(deal: Deal, seen: int) -> DealVersion:
    current = deal.versions.get(current=True)
    if current.number != seen:
        raise Superseded(current)
    return current


def _judge_card(game: Game, number: int, *, entered: EnteredDeal, by: Actor) -> dict[str, Any]:
    """The fields of a version besides its facts. A table's link can make no ruling.

    Raises:
        Refused: problems have no ruling, or leave nothing to score.
        NotConfirmed: the card is unlikely, and not `sure`.
    """
    ruling = "" if by.route == TABLE else entered.ruling
    problems = deal_problems(game, number, facts=entered.facts)
    stopping = [p for p in problems if p.severity.stops]
    if stopping and (not ruling.strip() or any(p.code in game.rules.family.unscorable for p in stopping)):
        raise Refused(problems)
    if problems and not stopping and not entered.sure:
        raise NotConfirmed(problems)
    overruled = [p.code for p in stopping]
    return {**_written_fields(entered), "entered_side": by.side, "ruling": ruling, "overruled": overruled}


def _replace_version(old: DealVersion, facts: Any, *, by: Actor, submission: UUID, **fields: Any) -> DealVersion:
    DealVersion.objects.filter(pk=old.pk).update(current=False)
    return _write_version(old.deal, facts, by=by, submission=submission, number=old.number + 1, **fields)


def _write_version(
    deal: Deal, facts: Any, *, by: Actor, submission: UUID, number: int = 1, **fields: Any
) -> DealVersion:
    game = deal.game
    family = game.rules.family
    version = DealVersion.objects.create(
        deal=deal,
        number=number,
        facts=family.write(facts),
        submission=submission,
        by=by.user,
        actor=by.name,
        route=by.route,
        **fields,
    )
    if version.state != DealVersion.State.VOID:
        score = score_in_game(game, deal.number, facts=facts)
        version.by_side = score.totals
        Points.objects.bulk_create(
            Points(version=version, side=side, points=points, was_set=side in score.sets)
            for side, points in enumerate(score.totals)
        )
    return version


def recount(game: Game) -> None:
    """Write a game's totals, winners and state from its deals; in a walkover no deal counts.

    Where deals carry something into later ones, writes the points of these too. Calls `ON_REOPEN` for a game that was
    over and is open now.
    """
    rules, was_over = game.engine_rules, game.state != Game.State.OPEN
    family = game.rules.family
    counting = list(_counting_versions(game).order_by("deal__number").values_list("pk", "facts"))
    scores = score_deals(family, rules, cards=(family.read(facts) for _pk, facts in counting))
    if family.game_checks.carries(rules):
        _write_points({pk: score for (pk, _facts), score in zip(counting, scores, strict=True)})
    sides = list(Side.objects.filter(game=game))
    absent = {side.number for side in sides if side.absent}
    now = progress([] if absent else scores, rules, start=[side.start for side in sides])
    if absent:
        game.state = Game.State.NOT_PLAYED
        winners = tuple(side.number for side in sides if side.number not in absent)
    elif game.ended_by == "director":
        game.state = Game.State.OVER if now.running else Game.State.NOT_PLAYED
        winners = now.winners or leaders(now.totals, rules) if now.running else ()
    else:
        game.state = Game.State.OVER if now.over else Game.State.OPEN
        game.ended_by = now.ended_by
        winners = now.winners
    counted = scores[: len(now.running)]
    game.deals_played = len(counted)
    halves = 2 if len(winners) == 1 else 1
    game.save(update_fields=["state", "ended_by", "reason", "deals_played"])
    for side in sides:
        side.total = now.totals[side.number]
        side.sets = sum(side.number in score.sets for score in counted)
        side.lone_hands = sum(side.number in score.lone_hands for score in counted)
        side.half_wins = halves if side.number in winners else 0
        # two or three: `bulk_update` takes six times as long
        side.save(update_fields=["total", "sets", "lone_hands", "half_wins"])
    update_handicap(game)
    if was_over and game.state == Game.State.OPEN:
        for goes_on in ON_REOPEN:
            goes_on(game)


def _write_points(scores: Mapping[int, Score]) -> None:
    """By key of the version; those that differ from the stored ones."""
    for row in Points.objects.filter(version__in=scores):
        if row.points != (points := scores[row.version_id].totals[row.side]):
            Points.objects.filter(pk=row.pk).update(points=points)


def _log_data(version: DealVersion) -> dict[str, Any]:
    return {"version": version.number} | {
        name: getattr(version, name) for name in ("state", "facts", "reason", "ruling")
    }


# --- what the sides say about a deal -----------------------------------------------------------------


MAX_OBJECTION = 120  # characters; the stored reason has the side's name and figures too


class NotAsked(DealError):
    """The club doesn't ask this side: it wrote the deal itself, or nobody is asked."""


def sides_asked(version: DealVersion, game: Game, *, agreed: Collection[int]) -> tuple[int, ...]:
    """The sides, from 0, that have yet to agree to a version of a deal; none when it is agreed.

    `agreed` are those that have agreed. A disputed deal needs every side, whatever the club asks for.

    >>> game, by_first = Game(club=Club(agreement="one"), sides_count=3), DealVersion(entered_side=0)
    >>> sides_asked(by_first, game, agreed=()), sides_asked(by_first, game, agreed={2})
    ((1, 2), ())
    >>> sides_asked(DealVersion(entered_side=0, state="disputed"), game, agreed={2})
    (0, 1)
    """
    if version.state in (DealVersion.State.AGREED, DealVersion.State.VOID):
        return ()
    rule, wrote, sides = game.club.agreement, version.entered_side, range(game.sides_count)
    if rule == Club.Agreement.BOTH or version.state == DealVersion.State.DISPUTED:
        return tuple(side for side in sides if side not in agreed)
    if rule == Club.Agreement.NONE or any(side != wrote for side in agreed):
        return ()
    return tuple(side for side in sides if side != wrote)


def agree(*, deal: Deal, side: int, by: Actor, submission: UUID, seen: int) -> DealVersion:
    """A side agrees to version `seen` of a deal. The deal is agreed when all sides that are asked have agreed.

    When the same side agrees again (its phone sends twice), nothing changes.

    Raises:
        NotAsked: this side isn't asked.
        Superseded: another version was recorded since the page was opened.
        DealIsVoid: the deal is void.
    """
    with transaction.atomic():
        game = lock_game(deal.game)
        version = deal.versions.get(current=True)
        if Agreement.objects.filter(version__deal=deal, version__number=seen, side=side).exists():
            return version
        if version.number != seen:
            raise Superseded(version)
        if version.state == DealVersion.State.VOID:
            raise DealIsVoid
        agreed = {row.side for row in version.agreements.all()}
        if side not in sides_asked(version, game, agreed=agreed):
            raise NotAsked
        Agreement.objects.create(version=version, side=side, actor=by.name, route=by.route)
        log(club=game.club, by=by, verb="deal.agree", subject=deal, new={"side": side, "version": seen})
        if sides_asked(version, game, agreed={*agreed, side}):
            return version
        done = mark_deal(deal=deal, state=DealVersion.State.AGREED, by=by, submission=submission, seen=seen)
        Agreement.objects.bulk_create(  # the new version also names those who agreed to the old one
            Agreement(version=done, side=row.side, actor=row.actor, route=row.route) for row in version.agreements.all()
        )
    return done


def agree_card(*, game: Game, side: int, by: Actor, submission: UUID, seen: Mapping[int, int]) -> None:
    """A side agrees to all deals of a card that it is asked about, or to none. `seen` has the version of each deal that
    the page showed, by the deal's key.

    Raises:
        Superseded: a deal has changed since, or isn't among those seen.
    """
    with transaction.atomic():
        lock_game(game)
        rows = _current_versions(game).order_by("deal__number")
        for version in rows.select_related("deal__game__club").prefetch_related("agreements"):
            agreed = {row.side for row in version.agreements.all()}
            if side not in sides_asked(version, game, agreed=agreed):
                continue
            if seen.get(version.deal_id) != version.number or version.state == DealVersion.State.DISPUTED:
                raise Superseded(version)
            deal_submission = uuid5(submission, str(version.deal_id))
            agree(deal=version.deal, side=side, by=by, submission=deal_submission, seen=version.number)


@dataclass(frozen=True, slots=True)
class Objection:
    """What a deal should be, as a side says: words, or the sides' points."""

    says: str
    points: Sequence[int | None] = ()

    def __bool__(self) -> bool:
        return bool(self.says) or any(value is not None for value in self.points)

    def by(self, names: Sequence[str], side: int) -> str:
        """The reason to store, with the side's name; where that is too long, only names are cut."""
        by_side = {n: in_figures(value) for n, value in enumerate(self.points) if value is not None}
        side_figure = [by_side.pop(side)] if side in by_side else []  # its name is written before it
        figures = ", ".join([*side_figure, *(f"{names[n]} {value}" for n, value in by_side.items())])
        whole = self._sentence(names[side], figures)
        if len(whole) <= LONGEST_REASON:
            return whole
        in_order = figures and " · ".join("–" if value is None else in_figures(value) for value in self.points)
        room = LONGEST_REASON - len(self._sentence("", in_order))
        return self._sentence(Truncator(names[side]).chars(room), in_order)

    def _sentence(self, who: str, figures: str) -> str:
        return _("%(side)s: %(says)s") % {"side": who, "says": " · ".join(filter(None, (figures, self.says)))}


def dispute(*, deal: Deal, side: int, objection: Objection, by: Actor, submission: UUID, seen: int) -> DealVersion:
    """A side objects to version `seen` of a deal, which counts as it is until it is corrected or agreed.

    Raises:
        Superseded, DealIsVoid, Signed, SentElsewhere: as `mark_deal` does.
    """
    reason = objection.by(list(map(str, deal.game.sides.all())), side)
    state = DealVersion.State.DISPUTED
    return mark_deal(deal=deal, state=state, by=by, submission=submission, seen=seen, reason=reason)
