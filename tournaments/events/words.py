"""Words of events: seats, formats and their options, cuts, the order of standings."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from scoring.engine.core.ruleset import Shape
from scoring.models import Game
from scoring.templatetags.figures import points
from tournaments.engine.ranking import STRENGTH, lot, lot_digits, misfits
from tournaments.errors import StepRefused
from tournaments.models import Entry, Event, Seat, Stage, joint_name

TIE_BREAKS: dict[str, Promise] = {
    "reached": gettext_lazy("how far in the knock-out"),
    "rung": gettext_lazy("the rung on the ladder"),
    "in-group": gettext_lazy("the place in the group"),
    "points": gettext_lazy("points"),
    "games-won": gettext_lazy("games won"),
    "net": gettext_lazy("difference to the opponents' points"),
    "buchholz": gettext_lazy("games won by opponents (Buchholz)"),
    "median-buchholz": gettext_lazy("games won by opponents, without the best and the weakest (median Buchholz)"),
    "fewest-sets": gettext_lazy("fewest failed bids"),
    "head-to-head": gettext_lazy("games against each other"),
    "last-game": gettext_lazy("points in the last game"),
    "best-game": gettext_lazy("best game"),
    "play-off": gettext_lazy("play-off"),
    "lots": gettext_lazy("drawing of lots"),
    "shared": gettext_lazy("the place is shared"),
}

FEW_ARE_GOOD: dict[str, Promise] = {  # the same where the lowest total wins
    "points": gettext_lazy("fewest points"),
    "net": gettext_lazy("difference to the opponents' points, the lowest first"),
    "last-game": gettext_lazy("fewest points in the last game"),
    "best-game": gettext_lazy("the game with the fewest points"),
    "play-off": gettext_lazy("play-off, with the fewest points"),
}


def describe_cut_rule(stage: Stage) -> str:
    if not stage.cut_rule:
        return _("Its order is the result.")
    if stage.wild_cards:
        return ngettext(
            "%(n)d go on: %(rule)s, and %(wild)d by wild card, the best of the others.",
            "%(n)d go on: %(rule)s, and %(wild)d by wild cards, the best of the others.",
            stage.wild_cards,
        ) % {"n": stage.advance, "rule": stage.get_cut_rule_display(), "wild": stage.wild_cards}
    return _("%(n)d go on: %(rule)s.") % {"n": stage.advance, "rule": stage.get_cut_rule_display()}


def describe_tie_breaks(slugs: Iterable[str], *, event: Event) -> str:
    words = {**TIE_BREAKS, **(FEW_ARE_GOOD if event.lowest_wins else {})}
    unsaid = ["play-off", "lots", "shared", *([] if event.rules.rule_set.has_bids else ["fewest-sets"])]
    return ", ".join(str(words[slug]) for slug in slugs if slug not in unsaid)


def describe_walkover(event: Event) -> str:
    if event.lowest_wins:
        return _("%(worth)s; for the side that isn't there, the average of that round's losers") % {
            "worth": _worth_of_winning(event)
        }
    return _worth_of_winning(event)


def _worth_of_winning(event: Event) -> str:
    if event.walkover_points is None:
        return _("the average of that round's winners")
    if not event.walkover_points:
        return _("no points")
    return ngettext("%(n)s point", "%(n)s points", event.walkover_points) % {"n": points(event.walkover_points)}


def describe_order(event: Event) -> str:
    return describe_tie_breaks(tie_break_chain(event), event=event)


def seat_name(shape: Shape, side: int, *, position: int) -> str:
    """A compass point where partners sit opposite, else the number round the table.

    >>> [seat_name(Shape(2, 2), side, position=position) for side, position in ((0, 0), (1, 0), (0, 1), (1, 1))]
    ['North', 'East', 'South', 'West']
    >>> seat_name(Shape(2, 3), 1, position=2)
    'Seat 6'
    """
    number = position * shape.sides + side
    if shape == Shape(2, 2):
        return (_("North"), _("East"), _("South"), _("West"))[number]
    return _("Seat %(n)d") % {"n": number + 1}


def named_seats(names: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """The seats round a table with who sits there, from each side's names in the order of seats.

    >>> named_seats([["Ann", "Cal"], ["Bob", "Dot"]])
    [('North', 'Ann'), ('East', 'Bob'), ('South', 'Cal'), ('West', 'Dot')]
    """
    shape = Shape(len(names), len(names[0]))
    around = sorted((position, side, name) for side, team in enumerate(names) for position, name in enumerate(team))
    return [(seat_name(shape, side, position=position), name) for position, side, name in around]


def annulment_reason(seats: Iterable[Seat]) -> str:
    """Why the games of a group with these seats don't count; "" if they do."""
    left = [seat.entry for seat in seats if seat.entry.removed]
    if all(entry.removed != Entry.Removed.ANNULLED for entry in left):
        return ""
    return _("Doesn't count: %(names)s have left the event.") % {"names": joint_name(left)}


def game_annulment_reason(game: Game) -> str:
    """Why a game doesn't count; "" if it does. One query; none for a game outside events."""
    if game.submission is not None:
        return ""
    return annulment_reason(Seat.objects.filter(group__games__game=game).select_related("entry"))


LOTS = gettext_lazy(
    "To check the lots: each is the beginning of the SHA-256 of the text in quotes, the lowest goes first."
)


def describe_lots(seed: int, numbers: Mapping[str, int]) -> str:
    """Lots in words, the first to go on first. `numbers` maps names to the numbers that their lots are computed from;
    `LOTS` says how to check them."""
    drawn = ", ".join(
        _("%(name)s (“%(seed)d:%(number)d”: %(digits)s)")
        % {"name": name, "seed": seed, "number": number, "digits": lot_digits(seed, number)}
        for name, number in sorted(numbers.items(), key=lambda item: lot(seed, item[1]))
    )
    return _("Lots drawn with the lot number %(seed)d: %(drawn)s") % {"seed": seed, "drawn": drawn}


def format_games_won(won: Fraction) -> str:
    """Games won in digits, with a half as a sign.

    >>> format_games_won(Fraction(5, 2)), format_games_won(Fraction(1, 2)), format_games_won(Fraction(0))
    ('2½', '½', '0')
    """
    whole, half = divmod(won.numerator * 2 // won.denominator, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


AFTERWARDS = ("play-off", "lots", "shared")  # what comes after the links that a director chooses


BY_RESULT = ("points", "games-won", "net")
"""The order where results give points. Source: American Cribbage Congress, Tournament Rules."""


def tie_break_chain(event: Event) -> tuple[str, ...]:
    return tuple(event.tie_breaks) or (BY_RESULT if event.points_by_result else event.traits.chain)


def chosen_tie_breaks(slugs: Iterable[str]) -> tuple[str, ...]:
    """The tie-breaks that a director chooses, without what comes after them."""
    return tuple(slug for slug in slugs if slug not in AFTERWARDS)


def all_meet(event: Event) -> bool:
    """Whether all who may be level have met, so that games against each other can decide.

    In a competition that is so if each plays alone and every cut is within a group."""
    if event.by_rounds:
        return event.traits.all_meet
    within = {Stage.CutRule.NONE, Stage.CutRule.GROUP} | ({Stage.CutRule.TABLE} if event.shape.players > 3 else set())
    return event.per_side == 1 and {stage.cut_rule for stage in event.stages.all()} <= within


def refuse_misfits(event: Event, slugs: Sequence[str]) -> None:
    """Raises StepRefused if a tie-break doesn't fit the event's format."""
    strength = _(
        "This tie-break only works in a Swiss, where some meet stronger opponents than others. Choose another "
        "tie-break."
    )
    words = dict.fromkeys((f"chain.{slug}" for slug in STRENGTH), strength) | {
        "chain.reached": _("“How far in the knock-out” only works in a knock-out. Choose another tie-break."),
        "chain.head-to-head": _(
            "“Games against each other” can't decide here: not everybody who may be level has met. Choose another "
            "tie-break."
        ),
    }
    slugs = tuple(slugs) or tie_break_chain(event)
    traits, met = event.traits, "head-to-head" not in slugs or all_meet(event)
    if event.points_by_result and slugs[:1] != ("points",):
        raise StepRefused(_("Where results give points, places are decided by points first. Change the order."))
    for code in misfits(slugs, bracket=traits.outs, all_meet=met, by_score=traits.by_score):
        raise StepRefused(words[code])


ABOUT: dict[str, Promise] = {
    "rotation": gettext_lazy(
        "Everybody who comes plays several rounds, with new partners in each, and scores for themselves."
    ),
    "contest": gettext_lazy(
        "Groups drawn by lot play a set of games, and the best of each stage go on, down to one final table."
    ),
    "progressive": gettext_lazy(
        "Tables of four change partners after each round; everyone wants to reach the top table."
    ),
    "open-play": gettext_lazy("People come and go all night; in every round those who have waited longest sit down."),
    "single-table": gettext_lazy("One table plays several rounds."),
    "round-robin": gettext_lazy("Every side meets every other, in as few rounds as possible."),
    "groups": gettext_lazy("In each group every side meets every other; the best of each go on to a knock-out."),
    "swiss": gettext_lazy("In every round sides with similar scores meet, with no rematches if avoidable."),
    "ladder": gettext_lazy("Winners go up a table and losers down: the king of the hall stays at table 1."),
    "rungs": gettext_lazy(
        "Every side has a rung and keeps it from week to week; the winner takes the higher of the two."
    ),
    "open-pairs": gettext_lazy("Pairs come and go all night; in every round those who have waited longest sit down."),
    "knock-out": gettext_lazy("Winners go on until the last two play the final."),
    "double-ko": gettext_lazy(
        "Two losses and a side is out: after the first it plays on in the losers' bracket, up to the final."
    ),
    "out-after": gettext_lazy("In every round sides with the same number of losses meet, until only one side is left."),
    "team-match": gettext_lazy("At every table a side of one club meets a side of the other, and the games add up."),
}
"""What each format is, in the order in which they are offered. What an option says stands there alone."""

VARIANTS: dict[str, tuple[str, Mapping[str, Any], Promise, Promise]] = {
    "monrad": (
        "swiss",
        {"pairing": "neighbours", "rematches": "last"},
        gettext_lazy("Monrad"),
        gettext_lazy("In every round each side meets the nearest in the standings that it hasn't met."),
    ),
    "danish": (
        "swiss",
        {"pairing": "neighbours", "rematches": "always"},
        gettext_lazy("Danish system"),
        gettext_lazy(
            "In every round first meets second, third meets fourth, even if they have met before. Any number of rounds."
        ),
    ),
    "whist-drive": (
        "progressive",
        {"rounds": 6, "moves": "losers-colours", "game": "whist-drive:2x2"},
        gettext_lazy("Whist drive"),
        gettext_lazy("24 hands, four at a table; losers move on, ladies and gentlemen in opposite ways."),
    ),
    "euchre-drive": (
        "progressive",
        {"rounds": 10, "moves": "losers-stay", "game": "euchre-by-tricks:2x2"},
        gettext_lazy("Progressive euchre"),
        gettext_lazy("Winners go up a table, and the head table rings the bell."),
    ),
    "euchre-compass": (
        "progressive",
        {"rounds": 12, "moves": "compass", "game": "euchre-by-tricks:2x2"},
        gettext_lazy("Euchre by the compass"),
        gettext_lazy("Twelve games in which every seat has its own way to the next table."),
    ),
    "mus": (
        "out-after",
        {"losses": 3, "game": "mus:2x2"},
        gettext_lazy("Mus tournament"),
        gettext_lazy("Best of three games; a pair that has lost three matches is out."),
    ),
    "grass-roots": (
        "swiss",
        {
            "rounds": 9,
            "pairing": "lot",
            "rematches": "fewest",
            "game": "cribbage:2x1",
            "round_minutes": 20,
            "walkover_points": 2,
            "result_points": {"win": 2, "draw": 0, "loss": 0, "wide": [[31, 3]]},
        },
        gettext_lazy("Grass Roots night (ACC)"),
        gettext_lazy("Nine games of cribbage, each against somebody new: 2 points for a win, 3 for a skunk."),
    ),
}
"""What clubs know by a name of its own: its format, the options and facts of the event that differ and the game, the
name, what it is. Source of a Grass Roots night: michigancribbage.com, "Grass Roots: General Information" (9 games in
about three hours; 2 points for a win, 3 for a skunk)."""

ALIKE = {"euchre": "euchre-by-tricks", "cribbage-by-deal": "cribbage"}  # the nights of one are those of the other


def game_variants(slug: str) -> list[str]:
    """The variants in which clubs play a game, the usual one first."""
    game = f"{ALIKE.get(slug, slug)}:"
    return [key for key, (_of, options, _n, _a) in VARIANTS.items() if options.get("game", "").startswith(game)]


LABELS: dict[str, Promise] = {
    "rounds": gettext_lazy("Rounds"),
    "legs": gettext_lazy("How often everybody meets everybody"),
    "groups": gettext_lazy("Groups"),
    "advance": gettext_lazy("Sides of each group that go on"),
    "bye": gettext_lazy("A side without a table in a round scores"),
    "first_by_lot": gettext_lazy("The first round is by lot"),
    "pairing": gettext_lazy("Who meets whom"),
    "rematches": gettext_lazy("When not all can meet somebody new"),
    "moves": gettext_lazy("After each round"),
    "tables": gettext_lazy("Tables in the hall"),
    "consolation": gettext_lazy("Sides that lose their first match play on in a consolation"),
    "third": gettext_lazy("The losers of the semi-finals play for the third place"),
    "level": gettext_lazy("A match that ends level is settled by"),
    "losses": gettext_lazy("Losses after which a side is out"),
    "partners": gettext_lazy("Partners"),
}

CHOICES: dict[str, dict[str, Promise]] = {
    "bye": {
        "win": gettext_lazy("a game won"),
        "half": gettext_lazy("half a game won"),
        "nothing": gettext_lazy("nothing"),
    },
    "moves": {
        "losers-stay": gettext_lazy("winners go up a table, losers stay; the losers of the head table go to the last"),
        "losers-down": gettext_lazy("winners go up a table, losers go down one"),
        "colours": gettext_lazy("two colours: winners of the first go up, of the second down, losers stay"),
        "losers-colours": gettext_lazy("two colours: losers of the first go up, of the second down, winners stay"),
        "compass": gettext_lazy("North stays, South goes down a table, East up one, West up two, win or lose"),
    },
    "rematches": {
        "refused": gettext_lazy("no further round is drawn"),
        "fewest": gettext_lazy("as few sides as possible meet again, or sit out again"),
        "last": gettext_lazy("the same; and rematches are allowed in the last round"),
        "last-two": gettext_lazy("the same; and rematches are allowed in the last two rounds"),
        "always": gettext_lazy("rematches are allowed in every round (Danish)"),
    },
    "pairing": {
        "halves": gettext_lazy("of similar scores, the upper half meets the lower half (Swiss)"),
        "neighbours": gettext_lazy("first meets second, third meets fourth (Monrad, Danish)"),
        "lot": gettext_lazy("somebody new, by lot, whatever their scores"),
    },
    "level": {"extra-deal": gettext_lazy("one more deal"), "lots": gettext_lazy("lots")},
    "partners": {
        "change": gettext_lazy("change, so that everybody partners everybody else"),
        "stay": gettext_lazy("stay together"),
    },
}


def describe_format(event: Event) -> str:
    by_lot = event.options.get("pairing") == "lot"
    return _("In every round everybody meets somebody new, by lot.") if by_lot else str(ABOUT[event.format])


def describe_options(event: Event) -> list[str]:
    sentences = []
    options: Mapping[str, Any] = event.options
    by_lot = options.get("pairing") == "lot"  # `describe_format` has said so
    for name, value in options.items():
        if (by_lot and name in ("pairing", "first_by_lot")) or (name == "partners" and event.per_side == 1):
            continue
        if name == "rounds":
            sentences.append(ngettext("%(n)d round is planned.", "%(n)d rounds are planned.", value) % {"n": value})
        elif name == "legs":
            sentences.append(
                _("Every side meets every other once.")
                if value == 1
                else _("Every side meets every other %(n)d times.") % {"n": value}
            )
        elif name in ("groups", "advance", "losses", "tables"):
            sentences.append(_("%(what)s: %(choice)s.") % {"what": LABELS[name], "choice": value})
        elif name in CHOICES:
            sentences.append(_("%(what)s: %(choice)s.") % {"what": LABELS[name], "choice": CHOICES[name][value]})
        elif name in LABELS and value:
            sentences.append(_("%(what)s.") % {"what": LABELS[name]})
    return sentences
