"""Which format suits a number of people and a time: the ways that fit, with figures from simulated events."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from math import log
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _, gettext_lazy

from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page
from scoring.engine.core.ruleset import Shape
from scoring.form_parts import NumberField
from tournaments.engine.draws.contest import DoesNotFit, Sizes, table_sizes
from tournaments.engine.formats import TRAITS
from tournaments.events.stages import plan_stages, table_size
from tournaments.events.words import ABOUT, VARIANTS
from tournaments.models import Event

FEWEST_PEOPLE, MOST_PEOPLE, MOST_ROUNDS = 4, 200, 20
BETWEEN = 5  # minutes from the end of a round to the start of the next
FOUR, SIX = 4, 6  # people at a table
CONTEST_SHAPE = Shape(3)  # three-handed, two groups at a table of six
MOST_GAMES, FEWEST_IN_CONTEST = 4, 9  # of a set: "maximum four game set"; people: both of US 2006/0267282 A1


@dataclass(frozen=True, slots=True)
class FittingWay:
    """A format or variant that fits, with what is certain about it beforehand."""

    format: str
    rounds: int  # at most; a contest counts games
    tables: int
    games: tuple[int, int]  # the fewest and the most games that one person plays
    options: Mapping[str, Any]  # values for the form of a new event
    sit_outs: int = 0  # people in each round, as long as nobody is out
    people_at_a_table: int = FOUR
    over: int = 0  # people left without a partner where partners are fixed
    stages: tuple[int, ...] = ()  # of a contest: how many play in each
    variant: str = ""  # of `events.words.VARIANTS`

    @property
    def kind(self) -> str:
        """The variant, else the format: what the trial results call it."""
        return self.variant or self.format


def rounds_in(minutes: int, per_game: int) -> int:
    """The number of rounds that there is time for, with BETWEEN minutes between two.

    >>> rounds_in(180, 30), rounds_in(30, 30), rounds_in(20, 30)
    (5, 1, 0)
    """
    return max(0, (minutes + BETWEEN) // (per_game + BETWEEN))


def total_minutes(rounds: int, per_game: int) -> int:
    """How long the rounds take.

    >>> total_minutes(5, 30)
    170
    """
    return max(0, rounds * (per_game + BETWEEN) - BETWEEN)


def fitting_ways(
    people: int, *, rounds: int, fours: int | None = None, sixes: int | None = None, fixed: bool | None = None
) -> Iterator[FittingWay]:
    """Every way that fits the time and the hall, in the order in which formats are offered. `fours` and `sixes` are the
    hall's tables of that size (None: enough); `fixed` says whether partners are fixed (None: either).

    A contest is three-handed at tables of six. The others play two against two at tables of four, or three against
    three at a single table."""
    makers: tuple[Callable[..., FittingWay | None], ...] = (
        partial(_in_fours, Event.Format.ROTATION),
        _contest,
        _progressive,
        partial(_in_fours, Event.Format.OPEN_PLAY),
        _round_robin,
        _groups,
        _swiss,
        _out_after,
        _danish,
        _ladder,
        partial(_in_pairs, Event.Format.RUNGS),
        partial(_in_pairs, Event.Format.OPEN_PAIRS),
        _knock_out,
        _double_knock_out,
        _single_table,
        _team_match,
    )
    for make in makers:
        offer = make(people, rounds=min(rounds, MOST_ROUNDS))
        if offer is None or not 0 < offer.rounds <= rounds:
            continue
        room = sixes if offer.people_at_a_table == SIX else fours
        if fixed in (None, TRAITS[offer.format].fixed_sides) and (room is None or offer.tables <= room):
            yield offer


def fitting_way(kind: str, people: int, *, rounds: int) -> FittingWay | None:
    return next((offer for offer in fitting_ways(people, rounds=rounds) if offer.kind == kind), None)


def _contest(people: int, rounds: int) -> FittingWay | None:
    """A contest, with as many games in a set as there is time for."""
    size = table_size(CONTEST_SHAPE)
    try:
        tables = table_sizes(people, Sizes(size, CONTEST_SHAPE.players))
    except DoesNotFit:
        return None
    plans = plan_stages(people, CONTEST_SHAPE)
    games = min(MOST_GAMES, rounds // len(plans))
    if games < 1 or people < FEWEST_IN_CONTEST:
        return None
    return FittingWay(
        format=Event.Format.CONTEST,
        rounds=games * len(plans),
        tables=len(tables),
        games=(games, games * len(plans)),
        options={"places": people, "games": games},
        people_at_a_table=size,
        stages=tuple(plan.entries for plan in plans),
    )


def _progressive(people: int, rounds: int) -> FittingWay | None:
    return _in_fours(Event.Format.PROGRESSIVE, people, rounds=rounds, least=8, options={"rounds": rounds})


def _round_robin(people: int, rounds: int) -> FittingWay | None:
    sides = people // 2
    return _in_pairs(Event.Format.ROUND_ROBIN, people, rounds=sides - 1 + sides % 2, least=6, options={"legs": 1})


def _groups(people: int, rounds: int) -> FittingWay | None:
    """Two, four, eight ... groups of three to five, of which two go on, so that their knock-out has no byes."""
    sides = people // 2
    if sides < 6:
        return None
    groups = 1 << (sides // 3).bit_length() - 1
    fewest, remainder = divmod(sides, groups)
    largest, after = fewest + (remainder > 0), groups.bit_length()
    options = {"groups": groups, "advance": 2}
    games = (fewest - 1, largest - 1 + after)
    longest = max(size - 1 + size % 2 for size in (fewest, largest)) + after
    return _in_pairs(Event.Format.GROUPS, people, rounds=longest, options=options, games=games)


def _swiss(people: int, rounds: int) -> FittingWay | None:
    """A Swiss short enough to need no rematch, whatever the results: at most half as many rounds as sides.

    Before the last of these rounds each side has half of the sides yet to meet, so all can be paired (Dirac's theorem).
    """
    sides = people // 2
    most = min(rounds, (sides + sides % 2) // 2)
    return _in_pairs(Event.Format.SWISS, people, rounds=most, options={"rounds": most})


def _danish(people: int, rounds: int) -> FittingWay | None:
    """A Swiss with more rounds than `_swiss` allows."""
    sides = people // 2
    way = _in_pairs(Event.Format.SWISS, people, rounds=rounds, least=6, options={"rounds": rounds})
    return replace(way, variant="danish") if way and rounds > (sides + sides % 2) // 2 else None


def _ladder(people: int, rounds: int) -> FittingWay | None:
    """A ladder. With an odd number of sides one side may rest every other round: after a rest it comes back at the last
    table, whose loser rests next."""
    games = (rounds // 2 if people // 2 % 2 else rounds, rounds)
    return _in_pairs(Event.Format.LADDER, people, rounds=rounds, options={"rounds": rounds}, games=games)


def _knock_out(people: int, rounds: int) -> FittingWay | None:
    """A knock-out with a consolation, which takes one round more from nine sides on unless their number is a power of
    two. Everybody plays at least twice; with three or five sides, a bye can leave somebody with a single match."""
    sides = people // 2
    most = (sides - 1).bit_length()
    longest = most + (sides > 8 and sides & (sides - 1) != 0)
    options = {"consolation": "yes", "third": "yes"}
    games = (1 if sides in (3, 5) else 2, most)
    return _in_pairs(Event.Format.KNOCK_OUT, people, rounds=longest, least=6, options=options, games=games)


def _double_knock_out(people: int, rounds: int) -> FittingWay | None:
    """A double knock-out: as many rounds again as the first bracket has for that of the losers, and one more where the
    final has to be decided twice."""
    longest = 2 * (people // 2 - 1).bit_length() + 1
    return _in_pairs(Event.Format.DOUBLE_KNOCK_OUT, people, rounds=longest, least=6, games=(2, longest))


def _out_after(people: int, rounds: int) -> FittingWay | None:
    """Out after three losses. It takes longest when half of the sides lose until they are out, then half of the others,
    and the last two win in turn."""
    losses, sides, longest = 3, people // 2, 0
    while sides > 2:
        sides, longest = sides - sides // 2, longest + losses
    longest += 2 * losses - 1
    games = (losses, longest)
    return _in_pairs(Event.Format.OUT_AFTER, people, rounds=longest, options={"losses": losses}, games=games)


def _single_table(people: int, rounds: int) -> FittingWay | None:
    """Two against two, or three against three at a table of six."""
    if people not in (4, 6):
        return None
    games, options = (rounds, rounds), {"rounds": rounds}
    return FittingWay(Event.Format.SINGLE_TABLE, rounds, 1, games, options, people_at_a_table=people)


def _team_match(people: int, rounds: int) -> FittingWay | None:
    """Two clubs with the same number of people; as many rounds as there are sides to meet."""
    tables = people // 4
    most = min(rounds, tables)
    if tables < 2 or people % 4:
        return None
    return _in_pairs(Event.Format.TEAM_MATCH, people, rounds=most, options={"rounds": most})


def _in_fours(
    format: str, people: int, *, rounds: int, least: int = 4, options: Mapping[str, Any] | None = None
) -> FittingWay | None:
    """Everybody for themselves at tables of four; those left over sit out in turn. None for fewer than `least`."""
    if people < least:
        return None
    fewest, remainder = divmod(rounds * (people - people % 4), people)
    return FittingWay(
        format, rounds, people // 4, (fewest, fewest + (remainder > 0)), options or {}, sit_outs=people % 4
    )


def _in_pairs(
    format: str,
    people: int,
    *,
    rounds: int,
    least: int = 8,
    options: Mapping[str, Any] | None = None,
    games: tuple[int, int] | None = None,
) -> FittingWay | None:
    """Fixed partners; an odd side sits out in turn, or has a bye before a knock-out. None for fewer than `least`."""
    if people < least:
        return None
    sides, traits = people // 2, TRAITS[format]
    fewest, remainder = divmod(rounds * (sides - sides % 2), sides)
    return FittingWay(
        format,
        rounds,
        sides // 2,
        games or (fewest, fewest + (remainder > 0)),
        options or {},
        sit_outs=0 if traits.outs or traits.in_groups else 2 * (sides % 2),
        over=people % 2,
    )


SHIPPED = Path(__file__).with_name("advice.json")
EDGE = 60  # per cent of games that somebody one standard deviation above another wins against them


class TrialResult(NamedTuple):
    """What came of simulated events of one format or variant, with these people and at most these rounds."""

    kind: str
    people: int
    rounds: int
    events: int
    met: float  # different people that one person meets
    again: float  # times that one person meets somebody again
    wins: float  # share of events that the best person or side wins
    in_top: float  # share of events in which they are among the first three


@cache
def trial_results() -> tuple[TrialResult, ...]:
    return tuple(TrialResult(*row) for row in json.loads(SHIPPED.read_text(encoding="utf-8")))


def nearest_trial(offer: FittingWay, people: int) -> TrialResult | None:
    """The trial of the same kind whose numbers of people and rounds come nearest, by their ratios."""

    def distance(tried: TrialResult) -> float:
        return abs(log(tried.people / people)) + abs(log(tried.rounds / offer.rounds))

    return min((tried for tried in trial_results() if tried.kind == offer.kind), key=distance, default=None)


SHORTEST, LONGEST = 5, 240  # minutes of a game
MOST_MINUTES = 24 * 60


def _table_count_field(label: Any) -> forms.IntegerField:
    enough = gettext_lazy("Leave empty if there are enough.")
    return NumberField(label=label, min_value=0, max_value=MOST_PEOPLE, required=False, help_text=enough)


class AdviceForm(forms.Form):
    people = NumberField(label=gettext_lazy("People"), min_value=FEWEST_PEOPLE, max_value=MOST_PEOPLE, initial=24)
    minutes = NumberField(
        label=gettext_lazy("Time to play, in minutes"),
        min_value=SHORTEST,
        max_value=MOST_MINUTES,
        initial=180,
        help_text=gettext_lazy("Three hours are 180."),
    )
    per_game = NumberField(
        label=gettext_lazy("One game takes, in minutes"), min_value=SHORTEST, max_value=LONGEST, initial=30
    )
    fours = _table_count_field(gettext_lazy("Tables for four"))
    sixes = _table_count_field(gettext_lazy("Tables for six"))
    partners = forms.ChoiceField(
        label=gettext_lazy("Partners"),
        required=False,
        choices=[
            ("", gettext_lazy("either way")),
            ("change", gettext_lazy("change, or everybody plays alone")),
            ("stay", gettext_lazy("stay together")),
        ],
    )

    def limits(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            **{name: data[name] for name in ("people", "fours", "sixes")},
            "rounds": min(MOST_ROUNDS, rounds_in(data["minutes"], data["per_game"])),
            "fixed": {"change": False, "stay": True}.get(data["partners"]),
        }


@club_page
def advice(request: HttpRequest, club: Club) -> HttpResponse:
    form = AdviceForm(request.GET if "people" in request.GET else None)
    context = {"form": form, "between": BETWEEN, "edge": EDGE}
    if form.is_bound and form.is_valid():
        limits, per_game = form.limits(), form.cleaned_data["per_game"]
        people = limits["people"]
        ways = [way for offer in fitting_ways(**limits) if (way := _way_context(offer, people, per_game=per_game))]
        context |= {
            "wanted": limits,
            "per_game": per_game,
            "ways": ways,
            "most_met": max(ways, key=itemgetter("met"), default=None),
            "most_wins": max(ways, key=itemgetter("wins"), default=None),
        }
        over = people % CONTEST_SHAPE.players
        if over and people > FEWEST_IN_CONTEST and not limits["fixed"]:
            context |= {"fewer": people - over, "more": people - over + CONTEST_SHAPE.players}
    return render(request, "tournaments/advice/event_advice.html", context)


def _way_context(offer: FittingWay, people: int, *, per_game: int) -> dict[str, Any] | None:
    """What the page shows about one way; None if nothing like it was tried."""
    tried = nearest_trial(offer, people)
    if tried is None:
        return None
    traits = TRAITS[offer.format]
    hours, minutes = divmod(total_minutes(offer.rounds, per_game), 60)
    clock = {} if traits.has_cut else {"round_minutes": per_game}  # stages go by games
    # Different people that one person meets, never more than there are. A partner who stays isn't counted.
    met = min(round(tried.met), people - offer.over - 1 - traits.fixed_sides)
    wins = round(100 * tried.wins)  # of 100 events, by the best player or side
    return {
        "offer": offer,
        "title": str(VARIANTS[offer.variant][2] if offer.variant else Event.Format(offer.format).label),
        "about": VARIANTS[offer.variant][3] if offer.variant else ABOUT[offer.format],
        "hours": hours,
        "minutes": minutes,
        "link": urlencode(
            {"variant" if offer.variant else "format": offer.kind, **offer.options, **clock}
        ),  # the query of the new event's form
        "tried": tried,
        "met": met,
        "wins": wins,
        "of_others": "" if tried.people == people else _("Tried with %(n)d people.") % {"n": tried.people},
        "figures": [
            (_("Others met"), met),
            (_("Repeated meetings"), round(tried.again)),
            (_("The best one wins, of 100"), wins),
            (_("… is in the first three"), round(100 * tried.in_top)),
        ],
    }
