"""Signing up: who says before an event that they are coming, who waits for a place, and who cancels.

Nobody needs a log-in. Everybody who signs up gets a private link to see whether they have a place, and to cancel."""

from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db.models import F, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache

from clubsite.accounts.audit_log import log
from clubsite.accounts.login_attempts import TooManyTries, Try, spend
from clubsite.accounts.models import Actor, Club, Door, Member
from clubsite.accounts.roles import public, request_actor
from clubsite.addresses import client_network, site_address
from scoring.pasted_names import LONGEST_NAME, name_key, read_name
from tournaments.entries.actions import import_names, refuse_bad_name, taken_names
from tournaments.errors import StepRefused
from tournaments.events.state import event_locked
from tournaments.mail import AHEAD, AddressForm, spend_letter_request, subscribe, write_letters
from tournaments.models import Entry, Event, Letter, SignUp, Subscriber
from tournaments.requests import event_page, get_event, parse_submission, show_refusals, show_refusals_on, whole_number

VISITOR = Actor(user=None, name="", route="site")
SIGN_UPS_AN_HOUR = 30  # sign-ups from one network


def is_open(event: Event) -> bool:
    return event.sign_up == Event.SignUps.OPEN and event.state == Event.State.PLANNED and not event.called_off


def queue_and_free_places(event: Event) -> tuple[list[SignUp], int | None]:
    """The sign-ups in order, with `waits` set for those on the waiting list; and the number of free places, None if
    there is no limit. Two queries.

    People whom the director entered without a sign-up have a place too. Nobody overtakes: a pair waits until two places
    are free, and all who signed up later wait behind it. So only the director's own entries can take away a confirmed
    place."""
    line = list(event.sign_ups.filter(cancelled_at=None))
    if event.places is None:
        return line, None
    signed_up = {name_key(name) for place in line for name in place.people}
    entered = event.entries.filter(state=Entry.State.HERE, stands_in=None).values_list("name", flat=True)
    free = event.places - sum(name_key(name) not in signed_up for name in entered)
    waiting = 0
    for place in line:
        free -= len(place.people)
        if waiting or free < 0:
            waiting += 1
            place.waits = waiting
    return line, max(0, free)


def sign_up_context(event: Event) -> dict[str, Any]:
    """What everybody may see of an event's sign-ups."""
    line, free = queue_and_free_places(event)
    coming, waiting = ([place for place in line if bool(place.waits) == waits] for waits in (False, True))
    number = sum(len(place.people) for place in coming)
    return {"sign_up_open": is_open(event), "coming": coming, "waiting": waiting, "number": number, "free": free}


def expected_names(event: Event) -> list[str]:
    """The names of those who have signed up and aren't entered yet, those on the waiting list last."""
    taken = taken_names(event)
    line, _free = queue_and_free_places(event)
    return [name for place in line for name in place.people if name_key(name) not in taken]


def sign_up(
    *, event: Event, by: Actor, name: str, partner: str = "", wants_partner: bool = False, submission: UUID
) -> SignUp:
    """Sign somebody up, perhaps with a partner; the same submission again returns what it made.

    Raises StepRefused: signing up is closed (directors still can before the event begins), a name isn't valid, or is on
    the list already."""
    with event_locked(event) as event:
        if again := event.sign_ups.filter(submission=submission).first():
            return again
        if event.state != Event.State.PLANNED or event.called_off or not (is_open(event) or by.director):
            raise StepRefused(_("You can't sign up for this event any more. Ask the club."))
        taken = {name_key(person) for place in event.sign_ups.filter(cancelled_at=None) for person in place.people}
        name, partner = (read_name(person, listed=taken) for person in (name, partner))
        new = SignUp(event=event, name=name, partner=partner, submission=submission)
        new.wants_partner = wants_partner and not new.partner
        for person in new.people or [""]:
            refuse_bad_name(person)
            if name_key(person) in taken:
                words = _(
                    "%(name)s is already on the list. If this is somebody else with the same name, add something "
                    "to tell them apart, such as a street."
                )
                raise StepRefused(words % {"name": person})
            taken.add(name_key(person))
        new.save()
        if event.places is not None and any(place == new and place.waits for place in queue_and_free_places(event)[0]):
            new.waited = True
            new.save()
        log(club=event.club, by=by, verb="sign-up.add", subject=event.in_log)
    return new


def cancel_sign_up(*, sign_up: SignUp, by: Actor) -> SignUp:
    """Cancel a sign-up; the next on the waiting list moves up."""
    with event_locked(sign_up.event) as event:
        sign_up = event.sign_ups.get(pk=sign_up.pk)
        if sign_up.cancelled_at is None:
            sign_up.cancelled_at = timezone.now()
            sign_up.save()
            Subscriber.objects.filter(sign_up=sign_up).delete()
            log(club=event.club, by=by, verb="sign-up.cancel", subject=event.in_log)
    return sign_up


def delete_old_sign_ups(now: datetime | None = None) -> None:
    """Delete the sign-ups of events more than `SIGN_UPS_KEPT_FOR` days ago (0: never)."""
    if days := settings.SIGN_UPS_KEPT_FOR:
        before = (now or timezone.now()) - timedelta(days=days)
        SignUp.objects.filter(event__starts_at__lt=before).delete()


def write_sign_up_letters(now: datetime) -> None:
    """Write to people who wanted letters about their sign-up: that they have moved up, and the reminder."""
    agreed = SignUp.objects.filter(subscriber__agreed_at__isnull=False, event__starts_at__gt=now, event__called_off="")
    agreed = agreed.exclude(event__state=Event.State.FINISHED).select_related("subscriber")
    day_before = F("event__starts_at") - AHEAD
    soon = Q(event__starts_at__lte=now + AHEAD, at__lte=day_before, subscriber__agreed_at__lte=day_before)
    for event in Event.objects.filter(pk__in=agreed.values("event")):
        line, _free = queue_and_free_places(event)
        waiting = [place.pk for place in line if place.waits]  # some of them perhaps since the places became fewer
        SignUp.objects.filter(pk__in=waiting, waited=False).update(waited=True)
        for kind, due in ((Letter.Kind.PLACE, Q(waited=True)), (Letter.Kind.REMINDER, soon)):
            places = agreed.filter(due, event=event).exclude(pk__in=waiting).exclude(subscriber__letters__kind=kind)
            write_letters(kind, [sign_up.subscriber for sign_up in places], event=event)


class SignUpForm(AddressForm):
    field_order = ("name", "partner", "wants_partner", "email")

    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "name", "list": "members"}),
    )
    partner = forms.CharField(
        label=gettext_lazy("Who comes with you"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "list": "members"}),
    )
    wants_partner = forms.BooleanField(label=gettext_lazy("I am looking for a partner"), required=False)
    submission = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, sent: Any = None, *, event: Event, mail: bool = False) -> None:
        super().__init__(sent, initial={"submission": uuid4()})
        self.fields["email"].required = False
        self.fields["email"].help_text = _(
            "If you like: for a reminder, and a message if you move up from the waiting list."
        )
        if not mail:
            del self.fields["email"]
        if event.makes_sides:
            self.fields["partner"].label = gettext_lazy("Your partner")
        else:
            del self.fields["wants_partner"]

    def sign_up(self, event: Event, *, by: Actor) -> SignUp | None:
        """Sign up with what was typed; None, with errors on the form, if that fails."""
        if self.is_valid():
            with show_refusals_on(self):
                typed = {name: value for name, value in self.cleaned_data.items() if name != "email"}
                return sign_up(event=event, by=by, **typed)
        return None


@never_cache
@public
def sign_up_page(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Sign up, then go to the page of the sign-up, whose address is its private link."""
    this_event = get_event(club, event)
    form = SignUpForm(request.POST or None, event=this_event, mail=settings.MAIL_IS_SET)
    if request.method == "POST":
        try:
            spend(Try(("sign-up", client_network(request)), most=SIGN_UPS_AN_HOUR, window=3600))
        except TooManyTries as late:
            words = _("Too many people have signed up from here. Wait %(minutes)d minutes, then try again.")
            form.add_error(None, words % {"minutes": late.minutes})
        else:
            if place := form.sign_up(this_event, by=VISITOR):
                if email := form.cleaned_data.get("email"):
                    try:  # they have signed up in any case
                        spend_letter_request(request, email)
                        subscribe(club=club, email=email, site=site_address(request), sign_up=place)
                    except TooManyTries as late:
                        messages.warning(request, late.letter_message)
                return redirect("sign_up", club.slug, this_event.slug, place.submission)
    context = {"event": this_event, "form": form, **sign_up_context(this_event)}
    if club.came_as != Door.ANYONE and club.shows("people"):
        members = Member.objects.filter(club=club, active=True, erased_at=None, initials_only=False)
        context["members"] = sorted(members, key=attrgetter("by_name"))
    return render(request, "tournaments/sign_ups/coming.html", context, status=422 if form.errors else 200)


@never_cache
@public
def sign_up_state(request: HttpRequest, club: Club, *, event: str, submission: UUID) -> HttpResponse:
    """A sign-up, for anybody with its link; a POST cancels it."""
    this_event = get_event(club, event)
    this_sign_up = get_object_or_404(this_event.sign_ups.select_related("subscriber"), submission=submission)
    if request.method == "POST":
        cancel_sign_up(sign_up=this_sign_up, by=VISITOR)
        return redirect(request.path)
    line, _free = queue_and_free_places(this_event)
    waits = next((place.waits for place in line if place == this_sign_up), 0)
    context = {"event": this_event, "sign_up": this_sign_up, "waits": waits}
    return render(request, "tournaments/sign_ups/own.html", context)


@event_page
def desk(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """For directors: the sign-ups; add or cancel one, or enter all for a competition."""
    step, by = request.POST.get("step"), request_actor(request)
    form = SignUpForm(request.POST if step == "add" else None, event=event)
    if step == "add" and form.sign_up(event, by=by):
        return redirect(request.path)
    if step in ("cancel", "enter"):
        with show_refusals(request):
            if step == "enter":
                names = expected_names(event)
                submission = parse_submission(request.POST.get("submission"))
                entries = import_names(event=event, names=names, by=by, submission=submission)
                words = ngettext("%(n)d name is entered.", "%(n)d names are entered.", len(entries))
                messages.success(request, words % {"n": len(entries)})
            else:
                chosen = get_object_or_404(event.sign_ups, pk=whole_number(request.POST.get("sign_up")))
                cancel_sign_up(sign_up=chosen, by=by)
                messages.success(request, _("%(name)s is off the list.") % {"name": chosen})
        return redirect(request.path)
    form.fields["name"].label = _("Name")
    people = sign_up_context(event)
    context = {"event": event, "form": form, **people, "line": [*people["coming"], *people["waiting"]]}
    context |= {"left": expected_names(event), "submission": uuid4()}
    return render(request, "tournaments/sign_ups/desk.html", context, status=422 if form.errors else 200)
