"""The paper twins of an event's screens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _later

from clubsite.accounts.models import Member
from clubsite.names import in_order
from tournaments.documents.forms import of_club
from tournaments.documents.forms.sheets import PaperForm, questions_of
from tournaments.draws.words import ODD
from tournaments.events.chains import chain_slugs, chosen
from tournaments.events.forms import EventForm
from tournaments.events.state import published_draws, seating_exists
from tournaments.handicaps.forms import ClubHandicapForm
from tournaments.handicaps.queries import chosen_numbers
from tournaments.handicaps.queries import rule_of as handicap_of
from tournaments.models import Entry, Event, Wish
from tournaments.rulings.forms import SitOutRulesForm, TieBreaksForm
from tournaments.table_links.links import seated_groups


@dataclass(frozen=True, slots=True)
class Twin:
    """A screen's paper twin: its title, what makes it, what stands over the sheet where that isn't the title, whether
    it is for directors only, and which events have it."""

    title: Promise
    make: Callable[[Event], PaperForm]
    head: Promise | None = None
    director: bool = True
    fits: Callable[[Event], bool] = lambda event: True


def names(event: Event) -> PaperForm:
    """Lines for names to be entered."""
    columns = ((_("No."), 12), (_("Name, in block letters"), 0), (_("Member"), 22), (_("Note"), 50))
    return PaperForm(_("Entries"), columns=columns, blank=22)


def here(event: Event) -> PaperForm:
    """The club's members and the guests of this event, to be ticked as they come and go."""
    entered = dict(event.entries.values_list("name", "state"))
    members = Member.objects.filter(club=event.club, active=True).values_list("name", flat=True)
    known = sorted({*members, *entered}, key=in_order)
    rows = tuple((name, "×" if entered.get(name) == Entry.State.HERE else "") for name in known)
    columns = ((_("Name"), 0), (_("Here"), 18), (_("Came in round"), 28), (_("Left after round"), 30))
    told = (_("A cross: here already when this was made."),)
    return PaperForm(_("Who is here"), columns=columns, rows=rows, blank=8, told=told)


def partners(event: Event) -> PaperForm:
    """Who plays with whom: lines for sides."""
    seats = [(_("Player %(n)d") % {"n": n}, 0) for n in range(1, event.per_side + 1)]
    clubs = [(_("Plays for"), 45)] if event.traits.between_clubs else []
    columns = ((_("Side"), 14), *seats, *clubs)
    rows = tuple((str(n),) for n in range(1, 21))
    return PaperForm(_("Who plays with whom"), columns=columns, rows=rows)


def wishes(event: Event) -> PaperForm:
    """Lines for wishes, with what can be wished."""
    columns = (
        (_("Who"), 0),
        (_("Wish"), 14),
        (_("With whom"), 0),
        (_("Table"), 15),
        (_("Seat"), 15),
        (_("Must be met"), 18),
    )
    kinds = "; ".join(f"{n}: {kind.label}" for n, kind in enumerate(Wish.Kind, 1))
    told = (_("Under Wish write a number. %(kinds)s.") % {"kinds": kinds},)
    return PaperForm(_("Wishes for the draw"), columns=columns, blank=20, told=told)


def next_round(event: Event) -> PaperForm:
    """How the next round is to be drawn: who sits out, and which way."""
    choices = "; ".join(str(words) for words in ODD.values())
    columns = ((_("Round"), 18), (_("People here"), 26), (_("Those who don't fit the tables of four"), 0))
    told = (_("One of: %(ways)s.") % {"ways": choices},)
    return PaperForm(_("Draw"), columns=columns, blank=12, told=told)


def handicaps(event: Event) -> PaperForm:
    """The numbers by which handicaps of the event are given."""
    rule = handicap_of(event) or chosen_numbers(event.club).get(event.rules.slug)
    return PaperForm(_("Handicaps of this night"), questions_of(ClubHandicapForm(rule=rule)))


def adjustments(event: Event) -> PaperForm:
    """Points given and taken away, and disqualifications, with their reasons."""
    columns = (
        (_("Stage"), 24),
        (_("Who"), 46),
        (_("Points, + or −"), 28),
        (_("Reason"), 0),
        (_("Time"), 16),
        (_("Director"), 24),
    )
    told = (_("For a disqualification write OUT under Points; it is keyed in on the page of the entry."),)
    return PaperForm(_("Penalties and adjustments"), columns=columns, blank=16, told=told)


def seats(event: Event) -> PaperForm:
    """Seats changed while a round is played."""
    columns = (
        (_("Round"), 16),
        (_("Table, seat"), 24),
        (_("Who goes"), 0),
        (_("Who comes"), 0),
        (_("From deal"), 20),
        (_("Time"), 16),
    )
    told = (_("Two who change places are two lines."),)
    return PaperForm(_("Seats of table"), columns=columns, blank=18, told=told)


def sets(event: Event) -> PaperForm:
    """Every table of the last published draw: how its set ended, and why where that was early."""
    last = published_draws(event).select_related("round__stage").last()
    groups = seated_groups(last) if last else ()
    rows = tuple((group.label_in(event),) for group in groups)
    columns = (
        (_("Table"), 18),
        (_("Games played"), 26),
        (_("Ended early"), 24),
        (_("Reason"), 0),
        (_("Time"), 18),
        (_("Cards in"), 20),
    )
    screen = _("The desk of the event")
    return PaperForm(screen, columns=columns, rows=rows, blank=0 if rows else 18)


def ties(event: Event) -> PaperForm:
    """Play-offs and lots at the line of a cut."""
    columns = (
        (_("Stage"), 30),
        (_("Those who are level"), 0),
        (_("Points of the play-off"), 34),
        (_("Order by lot"), 28),
        (_("Director"), 28),
    )
    told = (_("One line for each of those who are level."),)
    return PaperForm(_("The cut"), columns=columns, blank=18, told=told)


def facts(event: Event) -> PaperForm:
    """What the event is: the questions of its own page, with what holds now."""
    form = EventForm(club=event.club, format=event.format, event=event)
    return PaperForm(_("Change"), questions_of(form))


def order(event: Event) -> PaperForm:
    """The order of the standings, and what rounds without a seat are worth, once an event has begun."""
    questions = questions_of(
        TieBreaksForm(format=event.format, chain=chosen(chain_slugs(event)), bids=event.rules.rule_set.has_bids)
    )
    if event.by_rounds:
        questions += questions_of(SitOutRulesForm(event=event))
    return PaperForm(_("The order of the standings"), questions)


BY_ROUNDS = attrgetter("by_rounds")

TWINS: dict[str, Twin] = {
    "form-event": Twin(_later("Facts of the event"), facts),
    "form-names": Twin(_later("Names to be entered"), names, _later("Names")),
    "form-here": Twin(_later("Who is here, to be ticked"), here, _later("Who is here"), director=False, fits=BY_ROUNDS),
    "form-partners": Twin(_later("Who plays with whom"), partners, fits=attrgetter("makes_sides")),
    "form-wishes": Twin(_later("Wishes for the draw"), wishes, fits=attrgetter("traits.searched")),
    "form-draws": Twin(_later("How rounds are drawn"), next_round, fits=attrgetter("traits.searched")),
    "form-handicaps": Twin(
        _later("Numbers for handicaps"), handicaps, _later("Handicaps of this night"), fits=BY_ROUNDS
    ),
    "form-seats": Twin(_later("Changes of seats"), seats),
    "form-tables": Twin(_later("How tables ended"), sets),
    "form-adjustments": Twin(_later("Penalties and adjustments"), adjustments),
    "form-order": Twin(_later("The order of the standings"), order, fits=seating_exists),
    "form-points": Twin(
        _later("Points of a round, all tables"), of_club.points, _later("Points of a round"), director=False
    ),
    "form-prizes": Twin(_later("Prizes to be given"), of_club.prizes, _later("Prizes")),
    "form-fees": Twin(_later("Fees at the door"), of_club.fees, director=False),
    "form-money": Twin(_later("Money in and out"), of_club.money),
    "form-members": Twin(_later("Members of the club, to be corrected"), of_club.members, _later("Members")),
    "form-game": Twin(_later("A quick game"), of_club.game, director=False),
    "form-new-event": Twin(_later("A new event"), of_club.new_event),
    "form-season": Twin(_later("A new season"), of_club.season),
    "form-club": Twin(_later("Settings of the club"), of_club.settings),
    "form-ties": Twin(_later("Play-offs and lots"), ties, fits=lambda event: not event.by_rounds),
}
"""Name in the address to the twin, in the order in which an event comes to them."""
