"""Forms to fill in by hand and enter afterwards: names, who is here, wishes, points of a round, fees."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from clubsite.accounts.models import Member
from clubsite.names import name_sort_key, side_name
from clubsite.pdf.documents import PAPERS, Heading, Pages
from tournaments.documents.sheets import crest_drawings, draw_title
from tournaments.events.state import published_draws
from tournaments.models import Entry, Event, Wish

ONE_SHEET, CLOSE_SHEET = 20, 24  # lines on one sheet with the signature, on either paper; and close together
LEAST_BLANK = 4
DEALS = 6  # columns of a round's sheet


@dataclass(frozen=True, slots=True)
class PaperForm:
    """A ruled table to write in. `screen` is the name of the page on which it is entered.

    `columns`: the head of each, and its width in millimetres (0: the width that is left). `rows` are filled in as far
    as is known, `blank` more are empty, or fewer where that saves a sheet."""

    screen: str
    columns: tuple[tuple[str, int], ...]
    rows: tuple[tuple[str, ...], ...] = ()
    blank: int = 0
    note: str = ""

    @property
    def close(self) -> bool:
        """Whether the lines are set closer together so that all fit on one sheet."""
        return bool(self.rows) and ONE_SHEET < len(self.rows) + min(self.blank, LEAST_BLANK) <= CLOSE_SHEET

    @property
    def lines(self) -> Iterator[tuple[str, ...]]:
        room = (CLOSE_SHEET if self.close else ONE_SHEET) - len(self.rows)
        blank = min(room, self.blank) if self.rows and room >= LEAST_BLANK else self.blank
        for row in (*self.rows, *((),) * blank):
            yield row + ("",) * (len(self.columns) - len(row))


@dataclass(frozen=True, slots=True)
class PaperFormKind:
    title: Promise
    make: Callable[[Event], PaperForm]
    directors_only: bool = False
    fits: Callable[[Event], bool] = lambda event: True


def form_pages(form: PaperForm, paper: str, *, heading: Heading) -> Pages:
    context = {"form": form, "sheet": {"heading": heading}, "size": PAPERS[paper].size}
    return Pages((render_to_string("documents/form.html", context),), crest_drawings(heading))


def names_form(event: Event) -> PaperForm:
    columns = ((_("No."), 12), (_("Name, in block letters"), 0), (_("Member"), 22), (_("Note"), 50))
    return PaperForm(_("Entries"), columns, blank=22)


def attendance_form(event: Event) -> PaperForm:
    """The club's members and the event's guests, to be ticked as they come and go."""
    entered = dict(event.entries.values_list("name", "state"))
    members = Member.objects.filter(club=event.club, active=True).values_list("name", flat=True)
    everyone = sorted({*members, *entered}, key=name_sort_key)
    rows = tuple((name, "×" if entered.get(name) == Entry.State.HERE else "") for name in everyone)
    columns = ((_("Name"), 0), (_("Here"), 18), (_("Came in round"), 28), (_("Left after round"), 30))
    return PaperForm(_("Who is here"), columns, rows, blank=8, note=_("A cross: already here when this was printed."))


def wishes_form(event: Event) -> PaperForm:
    columns = (
        (_("Who"), 0),
        (_("Wish"), 14),
        (_("With whom"), 0),
        (_("Table"), 15),
        (_("Seat"), 15),
        (_("Must be met"), 18),
    )
    kinds = "; ".join(f"{n}: {kind.label}" for n, kind in enumerate(Wish.Kind, 1))
    note = _("Under Wish write a number. %(kinds)s.") % {"kinds": kinds}
    return PaperForm(_("Wishes for the draw"), columns, blank=20, note=note)


def points_form(event: Event) -> PaperForm:
    """Points of a round, for each table and side of the last published draw; without one, empty lines."""
    draw = published_draws(event).select_related("round__stage__event").last()
    groups = draw.groups.prefetch_related("seats__entry") if draw else ()
    rows = tuple((group.label_in(event), side_name(side)) for group in groups for side in group.names)
    deals = ((_("Deal %(n)d") % {"n": n}, 15) for n in range(1, DEALS + 1))
    columns = ((_("Table"), 14), (_("Side"), 0), *deals, (_("Total"), 18))
    screen = _("%(round)s from paper") % {"round": draw_title(draw) if draw else _("Round")}
    note = _("Points of each deal, with plus or minus. The cards show how they were scored.")
    return PaperForm(screen, columns, rows, blank=0 if rows else 24, note=note)


def fees_form(event: Event) -> PaperForm:
    entered = event.entries.exclude(state=Entry.State.WITHDRAWN).values_list("name", flat=True)
    rows = tuple((name,) for name in sorted(entered, key=name_sort_key))
    columns = ((_("Name"), 0), (_("Paid"), 26), (_("Time"), 18), (_("Taken by"), 34))
    return PaperForm(_("Fees at the door"), columns, rows, blank=8)


PAPER_FORMS = {
    "form-names": PaperFormKind(gettext_lazy("Names to enter"), names_form, directors_only=True),
    "form-here": PaperFormKind(gettext_lazy("Who is here, to tick"), attendance_form, fits=attrgetter("by_rounds")),
    "form-fees": PaperFormKind(gettext_lazy("Fees at the door"), fees_form),
    "form-wishes": PaperFormKind(
        gettext_lazy("Wishes for the draw"), wishes_form, directors_only=True, fits=attrgetter("traits.searched")
    ),
    "form-points": PaperFormKind(gettext_lazy("Points of a round, all tables"), points_form),
}
"""Name in the address to the form, in the order in which an event needs them."""
