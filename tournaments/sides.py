"""Fixed sides from a list: a pair or team in each row, shown for a check, then entered all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any
from uuid import UUID, uuid5

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, LogEntry, Member
from clubsite.accounts.roles import request_actor
from clubsite.names import folded_words, side_name
from clubsite.previews import fingerprint
from scoring.pasted_names import Columns, Listing, ListRow, name_key, name_problem, read_names, tidy_name
from tournaments.engine.rounds import grouped
from tournaments.entries.forms import ListForm, column_roles, read_sent_list
from tournaments.entries.known import SAME, ByEar, Doubt, known_members, read_answers, store_answers
from tournaments.entries.partners import LONGEST_CLUB, known_spelling, refuse_latecomers, refuse_removed
from tournaments.errors import StepRefused
from tournaments.events.state import event_locked, refuse_finished
from tournaments.models import Entry, Event, joint_name, next_number
from tournaments.requests import event_page, parse_submission, show_refusals, show_refusals_on

# --- preview of a list: who is known, new, sounds like somebody, has a partner already ---------------


HERE, BACK, MEMBER, GUEST, ALIKE = "here", "back", "member", "guest", "alike"  # who a person on the list is
SIDE, ALONE, STANDS, BAD = "side", "alone", "stands", "bad"  # what becomes of a row


@dataclass(frozen=True, slots=True)
class PersonOnList:
    """A person as written on the list. `state` says who that is; `doubt` is set if the name sounds like another.

    `entry` and `member` are keys."""

    name: str
    state: str
    entry: int | None = None
    member: int | None = None
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A row of the list. It becomes a SIDE, somebody ALONE, nothing because it STANDS (it exists), or is BAD."""

    number: int
    people: tuple[PersonOnList, ...]
    becomes: str
    problem: str = ""

    @property
    def has_open_doubt(self) -> bool:
        """Whether a director still has to say who somebody in the row is."""
        return any(person.state == ALIKE for person in self.people)

    @property
    def name(self) -> str:
        return side_name(person.name for person in self.people)


@dataclass(frozen=True, slots=True)
class ListPreview:
    rows: tuple[PreviewRow, ...]
    listing: Listing

    def rows_becoming(self, *becomes: str) -> list[PreviewRow]:
        return [row for row in self.rows if row.becomes in becomes]

    @property
    def good(self) -> list[PreviewRow]:
        return self.rows_becoming(SIDE, ALONE)

    @property
    def doubts(self) -> list[Doubt]:
        """The doubts of rows that can be entered; of other rows only answered ones, whose answer can be changed."""
        good = [person.doubt for row in self.good for person in row.people if person.doubt]
        other = [person.doubt for row in self.rows_becoming(BAD, STANDS) for person in row.people if person.doubt]
        return good + [doubt for doubt in other if doubt.answer]

    @property
    def fingerprint(self) -> str:
        """A fingerprint of what is shown, whatever the answers to doubts."""

        def who(person: PersonOnList) -> tuple[str, object]:
            return person.name, person.doubt.like.name if person.doubt else (person.entry, person.member)

        return fingerprint([(row.number, row.becomes, [who(person) for person in row.people]) for row in self.rows])


@dataclass(frozen=True, slots=True)
class KnownPeople:
    """An event's entries and sides, and the club's members by name."""

    entries: Sequence[Entry]
    members: Mapping[str, Member]
    by_name: Mapping[str, Entry]
    by_member: Mapping[int, Entry]
    sides: Mapping[int, Sequence[Entry]]

    def find_entry(self, member: Member) -> Entry | None:
        """The member's entry, also one of that name that isn't linked to the member."""
        return self.by_member.get(member.pk) or self.by_name.get(name_key(member.name))

    def partners_of(self, entry: Entry) -> Sequence[Entry]:
        """Everybody on the entry's side, itself included; nobody if it has no side."""
        return self.sides[entry.team] if entry.team is not None else ()


def known_people(event: Event) -> KnownPeople:
    """Two queries."""
    entries = list(event.entries.order_by("number"))
    return KnownPeople(
        entries,
        known_members(event.club),
        {name_key(entry.name): entry for entry in entries},
        {entry.member_id: entry for entry in entries if entry.member_id},
        grouped((entry.team, entry) for entry in entries if entry.team is not None),
    )


def refuse_list(event: Event) -> None:
    """Raises StepRefused if the event takes no list of sides: it is over, or keeps the sides it has."""
    refuse_finished(event)
    if not event.makes_sides:
        raise StepRefused(_("In this event partners change with every round."))
    refuse_latecomers(event)


def preview_list(event: Event, text: str, *, answers: Mapping[str, str], columns: Columns = None) -> ListPreview:
    """Read a list. `answers` are those to doubts, by `Doubt.asked`. Raises UnreadableSpreadsheet: the list is too long;
    StepRefused: the event takes no list."""
    refuse_list(event)
    known = known_people(event)
    names = known.members.keys() | known.by_name.keys()
    listing = read_names(text, size=event.per_side, columns=columns, known=names)
    near = _names_by_ear(known)
    seen: dict[object, int] = {}
    rows = []
    for row in listing.rows:
        whom = {} if row.problem else {name: _identify(name, known, near=near, answers=answers) for name in row.names}
        people = tuple(whom.get(name) or PersonOnList(name, GUEST) for name in row.names)
        checked = _check_row(row, people, known=known, size=event.per_side, seen=seen)
        if checked.becomes != BAD:
            seen |= {mark: row.number for person in people for mark in _identity_marks(person)}
        rows.append(checked)
    return ListPreview(tuple(rows), listing)


def partner_problem(entry: Entry, known: KnownPeople) -> str:
    partners = ", ".join(other.name for other in known.partners_of(entry) if other.pk != entry.pk)
    return _(
        "%(name)s already plays with %(partner)s: separate them under “Who plays with whom” first, or leave this row "
        "out."
    ) % {"name": entry.name, "partner": partners or entry.name}


def _names_by_ear(known: KnownPeople) -> ByEar[Entry | Member]:
    """The names that others may sound like. Of two equally near, members without an entry come first, the newest
    before."""
    free = {member for member in known.members.values() if not known.find_entry(member)}
    near = ByEar[Entry | Member]((member.name, member) for member in sorted(free, key=attrgetter("pk"), reverse=True))
    for entry in known.entries:
        near.add(entry.name, entry)
    return near


def _identify(
    name: str, known: KnownPeople, *, near: ByEar[Entry | Member], answers: Mapping[str, str]
) -> PersonOnList:
    if entry := known.by_name.get(name_key(name)):
        return _known_person(name, entry)
    if member := known.members.get(name_key(name)):
        return _known_person(name, known.find_entry(member) or member)
    like = near.nearest(name)
    if like is None:
        return PersonOnList(name, GUEST)
    doubt = Doubt.between(name, like, answers=answers)
    if doubt.answer == SAME:
        return _known_person(name, like, doubt=doubt)
    return PersonOnList(name, GUEST if doubt.answer else ALIKE, doubt=doubt)


def _known_person(name: str, who: Entry | Member, *, doubt: Doubt | None = None) -> PersonOnList:
    if isinstance(who, Member):
        return PersonOnList(name, MEMBER, member=who.pk, doubt=doubt)
    state = HERE if who.state == Entry.State.HERE else BACK
    return PersonOnList(name, state, entry=who.pk, member=who.member_id, doubt=doubt)


def _check_row(
    row: ListRow, people: tuple[PersonOnList, ...], *, known: KnownPeople, size: int, seen: Mapping[object, int]
) -> PreviewRow:
    if row.problem:
        return PreviewRow(row.number, people, BAD, row.problem)
    marks = [mark for person in people for mark in _identity_marks(person)]
    if twice := next((seen[mark] for mark in marks if mark in seen), None):
        problem = _("Somebody in this row is also in row %(row)d. If they are two people, add a letter or a town.")
        return PreviewRow(row.number, people, BAD, problem % {"row": twice})
    if len(set(marks)) < len(marks):
        return PreviewRow(row.number, people, BAD, _("The same person is in this row twice."))
    if len(people) < size:
        stands = all(person.state == HERE for person in people)
        return PreviewRow(row.number, people, STANDS if stands else ALONE)
    entries = {person.entry for person in people}
    joined = [entry for entry in known.entries if entry.pk in entries and entry.team is not None]
    if not joined:
        return PreviewRow(row.number, people, SIDE)
    if {entry.pk for entry in known.partners_of(joined[0])} != entries:
        return PreviewRow(row.number, people, BAD, partner_problem(joined[0], known))
    back = any(person.state == BACK for person in people)
    return PreviewRow(row.number, people, SIDE if back else STANDS)


def _identity_marks(person: PersonOnList) -> list[object]:
    """What no two people on the list may share: the words of the name in any order, and the keys of entry and
    member."""
    marks: list[object] = [tuple(sorted(folded_words(person.name)))]
    return marks + [(kind, pk) for kind, pk in (("entry", person.entry), ("member", person.member)) if pk is not None]


# --- entering ----------------------------------------------------------------------------------------


VERB = "sides.enter"  # in the log


@dataclass(frozen=True, slots=True)
class SidesEntered:
    """The number of sides made, and of people marked as here."""

    sides: int
    people: int


def enter_sides(
    *, event: Event, sides: Sequence[Sequence[PersonOnList]], by: Actor, submission: UUID, plays_for: str = ""
) -> SidesEntered:
    """Mark these people as here and make each group a side, or return what this submission did before.

    People entered already only get their partner; somebody alone stays without. Raises StepRefused, and enters nothing:
    a name isn't valid, somebody is listed twice or has another partner, a side has too many or too few people, or the
    event takes no more sides."""
    plays_for = " ".join(plays_for.split())[:LONGEST_CLUB]
    with event_locked(event) as event:
        if done := entered_before(event, submission):
            return done
        refuse_list(event)
        if not sides:
            raise StepRefused(_("There is no name to enter."))
        known, plays_for = known_people(event), known_spelling(event, plays_for)
        entries = _find_or_make_entries(event, [person for side in sides for person in side], known=known)
        people, new_sides, first = iter(entries), 0, next_number(event.entries, "team")
        by_side = [[next(people) for _person in side] for side in sides]
        for side in by_side:
            if _becomes_side(side, event=event, known=known):
                for entry in side:
                    entry.team, entry.plays_for = first + new_sides, plays_for
                new_sides += 1
        arrived = sum(entry.state != Entry.State.HERE or entry.pk is None for entry in entries)
        _save_entries(entries)
        names = list(map(joint_name, by_side))
        new = {"submission": str(submission), "names": names, "sides": new_sides, "people": arrived}
        log(club=event.club, by=by, verb=VERB, subject=event, new=new)
    return SidesEntered(new_sides, arrived)


def entered_before(event: Event, submission: UUID) -> SidesEntered | None:
    """What this submission did; None if it is new."""
    done = LogEntry.objects.filter(club=event.club, verb=VERB, event=event.pk, new__submission=str(submission)).first()
    return SidesEntered(done.new["sides"], done.new["people"]) if done and done.new else None


def _find_or_make_entries(event: Event, listed: Sequence[PersonOnList], *, known: KnownPeople) -> list[Entry]:
    """Each person's entry; new ones aren't saved yet."""
    members = {member.pk: member for member in known.members.values()}
    entries = {entry.pk: entry for entry in known.entries}
    taken, number, attending = set(), next_number(event.entries), []
    for person in listed:
        name = tidy_name(person.name)
        if problem := name_problem(name):
            raise StepRefused(f"{name}: {problem}")
        member = members.get(person.member) if person.member else known.members.get(name_key(name))
        entry = entries.get(person.entry) if person.entry else known.by_name.get(name_key(name))
        if (person.entry and not entry) or (person.member and not member):
            raise StepRefused(_("Somebody on this list is no longer a member. Check the list again."))
        entry = entry or (known.find_entry(member) if member else None)
        if entry is None:
            entry = Entry(event=event, number=number, name=member.name if member else name, member=member)
            number += 1
        if name_key(entry.name) in taken:
            raise StepRefused(_("%(name)s is in this list twice. Check the list.") % {"name": entry.name})
        taken.add(name_key(entry.name))
        attending.append(entry)
    return attending


def _becomes_side(people: Sequence[Entry], *, event: Event, known: KnownPeople) -> bool:
    """Whether these people become a side: not somebody alone, nor a side that exists. Raises StepRefused for people who
    can't."""
    if len(people) not in (1, event.per_side):
        raise StepRefused(_("A side has %(n)d players. Choose %(n)d.") % {"n": event.per_side})
    joined = [entry for entry in people if entry.team is not None]
    if len(people) < event.per_side or not joined:
        return len(people) == event.per_side
    if {entry.pk for entry in known.partners_of(joined[0])} != {entry.pk for entry in people}:
        raise StepRefused(partner_problem(joined[0], known))
    return False


def _save_entries(entries: Sequence[Entry]) -> None:
    """Save these entries and mark them as here."""
    refuse_removed(entries)
    new, old = [entry for entry in entries if entry.pk is None], [entry for entry in entries if entry.pk is not None]
    for entry in entries:
        entry.state = Entry.State.HERE
    Entry.objects.bulk_create(new)
    Entry.objects.bulk_update(old, ["state", "team", "plays_for"])


# --- pages -------------------------------------------------------------------------------------------


class SideListForm(ListForm):
    plays_for = forms.CharField(
        label=gettext_lazy("Plays for"),
        max_length=LONGEST_CLUB,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy(
            "The club that everybody on this list plays for. You can leave it empty and add it later."
        ),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        self.fields["names"].help_text = row_help(event)
        if not event.traits.between_clubs:
            del self.fields["plays_for"]

    def correction_form(self, text: str) -> SideListForm:
        """The form beside the preview: it has the list's text, even if that came from a file."""
        form = SideListForm({**dict(self.data.items()), "names": text}, event=self.event)
        for name in ("file", "sheets", "sheet"):
            del form.fields[name]
        return form


def row_help(event: Event) -> str:
    if event.per_side == 1:
        return _("One name in each row")
    if event.per_side == 2:
        return _(
            "A pair in each row: “Anna Lee & Bob Wu”. Instead of “&”, also “/”, “+”, “and”, or the two columns of a "
            "spreadsheet. Give somebody without a partner a row of their own."
        )
    return _(
        "A team of %(n)d in each row, with “&”, “/” or “+” between the names, or in %(n)d columns of a spreadsheet. "
        "Give somebody without a team a row of their own."
    ) % {"n": event.per_side}


@event_page
def side_list(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """A list of pairs or teams, as text or file: previewed, then entered."""
    if not event.makes_sides:
        raise Http404
    form = SideListForm(request.POST or None, request.FILES or None, event=event)
    above = {"leave": reverse("partners", args=[club.slug, event.slug]), "up": _("Who plays with whom")}
    sent = parse_submission(request.POST.get("submission"))
    step = request.POST.get("step")
    if form.is_valid():
        field = form.source_field
        with show_refusals_on(form, field):
            listed = read_sent_list(request, form)
            submission = uuid5(sent, listed.text)  # another list is no second tap
            if step in ("enter", "enter-good") and (done := entered_before(event, submission)):
                return _report_entered(request, event, done=done)
            preview = preview_list(
                event, listed.text, answers=read_answers(club, request.POST), columns=column_roles(request, club)
            )
            if not preview.rows:
                form.add_error(field, _("There is nobody in this list. Paste names, or choose a file."))
    if not form.is_valid():
        context = {"event": event, "form": form, "sheet": True, **above}
        return render(request, "tournaments/sides/side_list.html", context, status=422 if form.errors else 200)
    if step in ("enter", "enter-good"):
        with show_refusals(request):
            _refuse_unclear(request, preview)
            done = enter_sides(
                event=event,
                sides=[row.people for row in preview.good],
                by=request_actor(request),
                submission=submission,
                plays_for=form.cleaned_data.get("plays_for", ""),
            )
            store_answers(club=club, doubts=preview.doubts, by=request_actor(request))
            return _report_entered(request, event, done=done)
    context = {
        "event": event,
        "form": form.correction_form(listed.text),
        "listing": preview,
        "bad": preview.rows_becoming(BAD),
        "doubts": preview.doubts,
        "sides": preview.rows_becoming(SIDE),
        "alone": preview.rows_becoming(ALONE),
        "submission": sent,
        **above,
        **listed.context(preview.listing, size=event.per_side),
    }
    return render(request, "tournaments/sides/side_list_look.html", context)


def _refuse_unclear(request: HttpRequest, preview: ListPreview) -> None:
    """Raises StepRefused if the list can't be entered as it is."""
    if request.POST.get("seen") != preview.fingerprint:
        raise StepRefused(_("The list has changed since you checked it. Check it again, then enter it."))
    if not all(doubt.answer for doubt in preview.doubts):
        raise StepRefused(_("For each name that sounds like another, say whether it is the same person."))
    if preview.rows_becoming(BAD) and request.POST.get("step") != "enter-good":
        raise StepRefused(_("Some rows can't be entered. Correct them in the list, or enter only the others."))


def _report_entered(request: HttpRequest, event: Event, *, done: SidesEntered) -> HttpResponse:
    words = [
        ngettext("%(n)d side is made.", "%(n)d sides are made.", done.sides) % {"n": done.sides},
        ngettext("%(n)d person is marked as here.", "%(n)d people are marked as here.", done.people)
        % {"n": done.people},
    ]
    messages.success(request, " ".join(words))
    return redirect("partners", event.club.slug, event.slug)
