"""Plays events with true deals, through the same verbs as the forms: a game, a round, a club night, a competition.

Everything comes from the `Random` that is handed in. What it writes bears the route "simulated".
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias
from uuid import NAMESPACE_OID, UUID, uuid5

from django.db.models import Max
from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor, Member
from lab.simulation.deals import true_deal
from lab.simulation.people import PEOPLE
from scoring.cards.deals import end_game, record_deal
from scoring.families.deal_form import EnteredDeal
from scoring.models import Deal, Game
from tournaments.cuts import cuts
from tournaments.draws import making
from tournaments.draws.making import ROUNDS, DrawOptions
from tournaments.engine.rounds import SEEDS
from tournaments.entries.actions import import_names
from tournaments.errors import StepRefused
from tournaments.events.state import night_stage, published_cut, published_draws
from tournaments.models import Draw, Entry, Event, PublishedStandings, Stage
from tournaments.rounds import attendance, publishing
from tournaments.standings import results as standings_results

ROUTE = "simulated"
MOST_DEALS = 60  # of one game: rules may name neither a target nor a number of deals

# Called after each step with its kind: "arrive", "draw", "deal" (one at every table), "close", "cut", "result".
Watch: TypeAlias = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Stop:
    """Where to stop: when part `part` (a round of a night, a stage of a competition) is over and the next isn't drawn;
    with `deals`, in the middle of it, when so many deals are played at every table."""

    part: int
    deals: int | None = None


@dataclass(frozen=True, slots=True)
class Pace:
    """How much is played: the rounds of a night, and the deals after which a round's time is up (None: no limit)."""

    rounds: int = ROUNDS
    time: int | None = None


USUAL = Pace()


def ignore_step(_step: str) -> None:
    """A watch that does nothing."""


def play_deal(game: Game, rng: Random, *, by: Actor) -> Game:
    number = 1 + (Deal.objects.filter(game=game).aggregate(n=Max("number"))["n"] or 0)
    totals = [side.total for side in game.sides.all()]
    facts = true_deal(game.rules.family, rng, game.engine_rules, deals_before=game.deals_played, before=totals)
    version = record_deal(
        game=game,
        number=number,
        entered=EnteredDeal(facts, sure=True),
        by=_simulated_actor(by),
        submission=_submission(f"deal {number} of game {game.pk}"),
    )
    game = version.deal.game
    if game.state == Game.State.OPEN and number >= MOST_DEALS:
        return end_game(game=game, by=_simulated_actor(by), reason=_("Ended after %(n)d deals.") % {"n": number})
    return game


def play_round(draw: Draw, rng: Random, *, by: Actor, deals: int | None = None, watch: Watch = ignore_step) -> int:
    """Play the games of a draw's groups, the tables keeping pace deal by deal, until all are over; or `deals` for each
    group at most. Returns how many deals were recorded."""
    sets = [
        deque(
            Game.objects.filter(group_game__group=group, state=Game.State.OPEN)
            .select_related("club", "rules")
            .order_by("group_game__number")
        )
        for group in draw.groups
    ]
    recorded = passed = 0
    while any(sets) and (deals is None or passed < deals):
        for games in filter(None, sets):
            games[0] = play_deal(games[0], rng, by=by)
            if games[0].state != Game.State.OPEN:
                games.popleft()
            recorded += 1
        passed += 1
        watch("deal")
    return recorded


def play_event(
    event: Event, rng: Random, *, by: Actor, pace: Pace = USUAL, stop: Stop | None = None, watch: Watch = ignore_step
) -> PublishedStandings | None:
    """Play an event of any format from where it is to its result, or to `stop`; then there is no result.

    With an empty list, invented names fill the places of a competition; with nobody marked here, all members are on a
    night. Games still open when a round's time is up are ended as they stand. Ties at the line of a cut are settled by
    lots.

    Raises:
        StepRefused: as the verbs do.
    """
    by = _simulated_actor(by)
    _gather(event, by, watch=watch)
    night = event.by_rounds
    parts = (
        [(night_stage(event), n) for n in range(1, pace.rounds + 1)]
        if night
        else [(one, 1) for one in event.stages.all()]
    )
    for part, (stage, number) in enumerate(parts, start=1):
        final = part == len(parts) and not night
        draw = published_draws(event).filter(round__stage=stage, round__number=number).select_related("round").first()
        if draw is None:
            options = DrawOptions(planned=pace.rounds, seed=None if night and part > 1 else rng.randrange(SEEDS))
            draw = publishing.publish_draw(draw=making.make_draw(stage=stage, by=by, options=options), by=by)
            watch("draw")
        if not draw.round.closed and published_cut(stage) is None:
            middle = stop is not None and stop.part == part and stop.deals is not None
            play_round(draw, rng, by=by, deals=stop.deals if stop and middle else pace.time, watch=watch)
            if middle:
                return None
            if night:
                publishing.close_round(round=draw.round, by=by, end_open=True, reason=_("Time was up."))
                watch("close")
            elif not final:
                _cut(stage, rng, by=by)
                watch("cut")
        if stop is not None and stop.part == part and not final:
            return None
    result = standings_results.publish_result(event=event, by=by)
    watch("result")
    return result


def _gather(event: Event, by: Actor, *, watch: Watch) -> None:
    if event.by_rounds and not event.entries.filter(state=Entry.State.HERE).exists():
        for member in Member.objects.filter(club=event.club, active=True):
            attendance.arrive(event=event, by=by, member=member)
    elif not event.by_rounds and not event.entries.exists():
        import_names(
            event=event, names=_invented_names(event), by=by, submission=_submission(f"names of event {event.pk}")
        )
    else:
        return
    watch("arrive")


def _cut(stage: Stage, rng: Random, *, by: Actor) -> None:
    while ties := (proposal := cuts.propose(stage)).cut.open_ties:
        seed = rng.randrange(SEEDS)
        cuts.draw_lots(stage=stage, by=by, entries=ties[0].entries, seen=proposal.version, seed=seed)
    cuts.publish_cut(stage=stage, by=by, fingerprint=proposal.fingerprint)


def _invented_names(event: Event) -> Sequence[str]:
    if event.places is None or event.places > len(PEOPLE):
        raise StepRefused(_("Nobody is entered. At most %(n)d names can be invented.") % {"n": len(PEOPLE)})
    return PEOPLE[-event.places :]


def _submission(what: str) -> UUID:
    """The id that a client would have made: the same for the same thing, whatever the seed."""
    return uuid5(NAMESPACE_OID, f"simulated {what}")


def _simulated_actor(by: Actor) -> Actor:
    return replace(by, route=ROUTE)
