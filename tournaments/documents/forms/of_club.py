"""The paper twins of a club's screens, and of an evening's screens that aren't about its draws. They are printed with
an event, since the print centre belongs to an event."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clubsite.accounts.forms import ClubForm
from clubsite.accounts.models import Member
from clubsite.names import in_order
from scoring.quick_games.forms import NewGameForm
from scoring.templatetags.rule_texts import translated
from tournaments.advice.forms import AdviceForm
from tournaments.documents.forms.sheets import PaperForm, Question, questions_of
from tournaments.documents.from_draws import title_of_draw
from tournaments.events.forms import EventForm
from tournaments.events.state import published_draws
from tournaments.models import Entry, Event
from tournaments.prizes.words import EXPLAINED, KINDS
from tournaments.seasons.forms import SeasonForm

DEALS = 6  # columns of a round's sheet


def points(event: Event) -> PaperForm:
    """A round's points, every table of the last published draw with its sides; without one, tables to be numbered."""
    last = published_draws(event).select_related("round__stage__event").last()
    groups = last.groups.prefetch_related("seats__entry") if last else ()
    rows: list[tuple[str, ...]] = [(one.label_in(event), " & ".join(side)) for one in groups for side in one.names]
    columns = (
        (_("Table"), 14),
        (_("Side"), 0),
        *((_("Deal %(n)d") % {"n": n}, 15) for n in range(1, DEALS + 1)),
        (_("Total"), 18),
    )
    told = (_("Points of each deal, with their sign. The cards themselves say how they came about."),)
    screen = _("%(round)s from paper") % {"round": title_of_draw(last) if last else _("Round")}
    return PaperForm(screen, columns=columns, rows=tuple(rows), blank=0 if rows else 24, told=told)


def prizes(event: Event) -> PaperForm:
    """The list of prizes, and who passes theirs on."""
    bids = event.rules.rule_set.has_bids
    keys = [key for key in KINDS if bids or not key.endswith("sets")]
    kinds = "; ".join(str(EXPLAINED.get(key, KINDS[key])) for key in keys)
    columns = ((_("Order"), 14), (_("Prize"), 0), (_("Money"), 26), (_("Or what else"), 44), (_("Won by"), 50))
    told = (_("Under Prize write one of: %(kinds)s.") % {"kinds": kinds},)
    return PaperForm(_("Prizes"), columns=columns, blank=14, told=told)


def fees(event: Event) -> PaperForm:
    """Everybody entered, to be ticked off as they pay, and empty lines for more people."""
    names = event.entries.exclude(state=Entry.State.WITHDRAWN).values_list("name", flat=True)
    rows = tuple((name,) for name in sorted(names, key=in_order))
    columns = ((_("Name"), 0), (_("Paid"), 26), (_("Time"), 18), (_("Taken by"), 34))
    return PaperForm(_("Fees at the door"), columns=columns, rows=rows, blank=8)


def money(event: Event) -> PaperForm:
    """Other amounts that came in or went out."""
    columns = (
        (_("Time"), 18),
        (_("What for"), 0),
        (_("It came in"), 30),
        (_("It went out"), 30),
        (_("Written by"), 34),
    )
    return PaperForm(_("Money"), columns=columns, blank=18)


def members(event: Event) -> PaperForm:
    """The club's members, to be corrected by hand, with lines for new ones."""
    found = Member.objects.filter(club=event.club, active=True, erased_at=None).values_list("name", "initials_only")
    by_name = sorted(found, key=lambda one: in_order(one[0]))
    rows = tuple((name, "", "", "×" if initials else "") for name, initials in by_name)
    columns = (
        (_("Name"), 0),
        (_("E-mail"), 48),
        (_("Telephone"), 30),
        (_("Initials only"), 18),
        (_("Plays no more"), 20),
    )
    told = (_("Only what is new or wrong. The same person twice: write “the same as …” beside the name."),)
    return PaperForm(_("Members"), columns=columns, rows=rows, blank=12, told=told)


def game(event: Event) -> PaperForm:
    """A game outside of events: the rules, who plays, and the handicap."""
    rules = Question(_("Rules"), now=translated(event.rules.title))
    form = NewGameForm(shape=event.shape, handicap=True)
    for name, field in form.fields.items():
        if name.startswith("name_"):
            side, seat = (int(part) + 1 for part in name.split("_")[1:])
            field.label = _("Side %(side)d, player %(n)d") % {"side": side, "n": seat}
    questions = (rules, *questions_of(form))
    return PaperForm(_("A quick game"), questions)


def new_event(event: Event) -> PaperForm:
    """Which event fits, and what the next one of this format is to be."""
    questions = (*questions_of(AdviceForm()), *questions_of(EventForm(club=event.club, format=event.format)))
    return PaperForm(_("New event"), questions)


def season(event: Event) -> PaperForm:
    """A new season: its name and days."""
    return PaperForm(_("New season"), questions_of(SeasonForm()))


def settings(event: Event) -> PaperForm:
    """What holds for the whole club."""
    return PaperForm(_("Settings of the club"), questions_of(ClubForm(instance=event.club)))
