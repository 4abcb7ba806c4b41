"""E-mail to people who asked for it: a result, a reminder of a night, a place after the waiting list.

An address counts once somebody has agreed by the link that was sent to it; every letter has that link, which also
unsubscribes. A letter is a row, one for each address and occasion, before a worker sends it. It is marked as sent when
the server has accepted the address and is about to get the text: a worker killed before that has sent nothing, and
another sends it; one killed afterwards has handed it over, so it is never sent twice. Other mail services get all of it
at once, and the mark follows. A letter sent again has the same Message-ID, by which mailboxes recognise it."""

import logging
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from email.utils import formataddr, parseaddr
from smtplib import SMTP, SMTPRecipientsRefused
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django_tasks import task

from clubsite.accounts.audit_log import log as write_down
from clubsite.accounts.languages import use_language
from clubsite.accounts.login_attempts import TooManyTries, Try, spend
from clubsite.accounts.models import Actor, Club, Door, Member
from clubsite.accounts.name_privacy import hidden_names
from clubsite.accounts.roles import club_page, public, request_actor
from clubsite.accounts.staying import rows_from_json, rows_to_json
from clubsite.addresses import client_network, is_loopback, site_address
from clubsite.invisible_characters import to_one_line
from clubsite.jobs import heartbeat
from clubsite.jobs.periodic import enqueue_if_due
from clubsite.jobs.queue import Priority, enqueue
from scoring.pasted_names import name_key
from tournaments.models import Event, Letter, SignUp, Subscriber

AHEAD = timedelta(days=1)  # a reminder comes this long before
LATE = timedelta(days=2)  # a result isn't news any more
LOOK = timedelta(minutes=1)  # how often to look for letters that are due
BATCH = 20  # letters a task sends before others get their turn
LEASE = timedelta(minutes=5)  # how long a worker has a letter to itself
PAUSES = [timedelta(minutes=minutes) for minutes in (5, 20, 60, 240)]  # before it is tried again
DOUBLE_TAP = timedelta(minutes=2)  # in which nobody is asked once more whether they agree
LETTERS_KEPT_FOR = timedelta(days=30)
ASKED_FROM, ASKED_TO = 30, 3  # letters asked for from a network in an hour, and to an address in a day
Kind, State = Letter.Kind, Letter.State
log = logging.getLogger(__name__)

DUE: list[Callable[[datetime], None]] = []
"""Functions that write the letters that are due."""


def subscribe(
    *, club: Club, email: str, site: str, results: bool = False, reminders: bool = False, sign_up: SignUp | None = None
) -> None:
    """Send a letter that asks somebody to confirm. Until they do, what they agreed to before stays as it is."""
    with club.locked_transaction():
        wishes: dict[str, Any] = {"results": results, "reminders": reminders, "site": site}
        wishes |= {"language": (translation.get_language() or club.language)[:2], "asked_at": timezone.now()}
        whose = {"sign_up": sign_up} if sign_up else {"email": email, "sign_up": None}
        subscriber, new = Subscriber.objects.get_or_create(club=club, **whose, defaults={"email": email, **wishes})
        if not new and subscriber.agreed_at is None:  # for a sign-up perhaps another address: the first was mistyped
            Subscriber.objects.filter(pk=subscriber.pk).update(email=email, **wishes)
            subscriber.email = email
        Subscriber.objects.filter(pk=subscriber.pk, came_as__lt=club.came_as).update(came_as=club.came_as)
        letters = subscriber.letters.filter(kind=Kind.AGREE)
        if letters.filter(email=email, made_at__gt=timezone.now() - DOUBLE_TAP).exists():
            return
        letters.delete()
        write_letters(Kind.AGREE, [subscriber], event=sign_up.event if sign_up else None)
    enqueue(send_letters)


def agree(*, subscriber: Subscriber, results: bool, reminders: bool) -> None:
    """Store what somebody with the link wants. If that is nothing, delete the address."""
    with subscriber.club.locked_transaction():
        if results or reminders or subscriber.sign_up_id:
            rows = Subscriber.objects.filter(pk=subscriber.pk)
            rows.update(results=results, reminders=reminders, agreed_at=Coalesce("agreed_at", timezone.now()))
        else:
            subscriber.delete()


def unsubscribe(*, club: Club, email: str, by: Actor | None = None) -> bool:
    """Delete an address with all its subscriptions, logged if `by` says that somebody else did it. Returns whether it
    was subscribed."""
    with club.locked_transaction():
        deleted, _rows = Subscriber.objects.filter(club=club, email=email).delete()
        if deleted and by:
            write_down(club=club, by=by, verb="mail.delete", subject=club)
    return bool(deleted)


def subscribers_of(member: Member, names: Collection[str]) -> list[Subscriber]:
    """A member's subscriptions: by the address in the list of members, or by their own sign-up."""
    members = Member.every.filter(Q(pk=member.pk) | Q(merged_into=member))
    emails = {email.lower() for email in members.values_list("email", flat=True) if email}
    keys = {name_key(name) for name in names}
    return [
        subscriber
        for subscriber in Subscriber.objects.filter(club=member.club).select_related("sign_up__event").order_by("pk")
        if subscriber.email in emails or (subscriber.sign_up and name_key(subscriber.sign_up.name) in keys)
    ]


def demote_link_subscribers(club: Club) -> None:
    """After the club's link has ended: send people who subscribed by it only what everybody may see."""
    Subscriber.objects.filter(club=club, came_as=Door.LINK).update(came_as=Door.ANYONE)


def clean_up(now: datetime | None = None) -> None:
    """Delete addresses whose owners haven't agreed in time, and old letters that can't be due again."""
    now = now or timezone.now()
    before = now - timedelta(days=settings.UNCONFIRMED_KEPT_FOR)
    Subscriber.objects.filter(agreed_at=None, asked_at__lt=before).delete()
    old = now - LETTERS_KEPT_FOR
    Letter.objects.filter(Q(event=None) | Q(event__starts_at__lt=old), made_at__lt=old).delete()


def dump_mail() -> dict[str, Any]:
    """Subscribers and letters, which stay as they are now when a backup is restored."""
    data = {
        "subscribers": rows_to_json(Subscriber.objects.order_by("pk")),
        "letters": rows_to_json(Letter.objects.all()),
    }
    sign_ups = SignUp.objects.exclude(subscriber=None).values_list("pk", "submission")
    return data | {"sign_ups": [[pk, str(submission)] for pk, submission in sign_ups]}


def restore_mail(data: dict[str, Any], then: Any, *, by: Actor) -> dict[int, list[str]]:
    """Restore what `dump_mail` gave, without rows about events or sign-ups that no longer exist."""
    Subscriber.objects.all().delete()
    sign_ups = {(pk, str(submission)) for pk, submission in SignUp.objects.values_list("pk", "submission")}
    reused = {pk for pk, submission in data.get("sign_ups", ()) if (pk, submission) not in sign_ups}
    for part in ("subscribers", "letters"):
        for row in rows_from_json(data[part]):
            links = [field for field in row.object._meta.get_fields() if field.concrete and field.is_relation]
            targets = [(link.related_model, getattr(row.object, link.attname)) for link in links]
            if getattr(row.object, "sign_up_id", None) in reused:  # that key is somebody else's now
                continue
            if all(pk is None or model._base_manager.filter(pk=pk).exists() for model, pk in targets):
                row.save()
    return {}


# Letters that are due


def write_letters(kind: str, subscribers: Iterable[Subscriber], *, event: Event | None) -> None:
    """Write a letter to each, unless that address has one of this kind about this event."""
    letters = (Letter(subscriber=to, email=to.email, kind=kind, event=event) for to in subscribers)
    Letter.objects.bulk_create(letters, ignore_conflicts=True)


def write_to_subscribers(now: datetime) -> None:
    """Write letters about new results and tomorrow's events to those who want them for all nights."""
    agreed = Subscriber.objects.filter(sign_up=None, agreed_at__isnull=False)
    events = Event.objects.filter(Exists(agreed.filter(club=OuterRef("club"))))
    for event in events.filter(state=Event.State.FINISHED, result_at__range=(now - LATE, now)):
        in_time = agreed.filter(results=True, agreed_at__lt=event.result_at, came_as__gte=F("club__results_for"))
        _write_missing(Kind.RESULT, in_time, event=event)
    soon = events.exclude(state=Event.State.FINISHED).filter(called_off="", starts_at__range=(now, now + AHEAD))
    for event in soon:
        in_time = agreed.filter(reminders=True, agreed_at__lt=event.starts_at - AHEAD)
        in_time = in_time.filter(came_as__gte=F("club__nights_for"))
        _write_missing(Kind.REMINDER, in_time, event=event)


def _write_missing(kind: str, agreed: QuerySet[Subscriber], *, event: Event) -> None:
    written = Letter.objects.filter(email=OuterRef("email"), kind=kind, event=event)
    write_letters(kind, agreed.filter(~Exists(written), club=event.club_id), event=event)


def enqueue_due_letters() -> None:
    """Write letters that are due, and enqueue the task that sends them. Called every few seconds."""
    if not settings.MAIL_IS_SET:
        return
    if cache.add("mail-looked", value=True, timeout=int(LOOK.total_seconds())):
        for write_due in DUE:
            write_due(timezone.now())
    enqueue_if_due(send_letters, every=LOOK, due=_due_letters().exists)


def _due_letters() -> QuerySet[Letter]:
    return Letter.objects.filter(state=State.WAITING, due_at__lte=timezone.now())


# Sending


@task()
def send_letters() -> None:
    """Send due letters, a batch at a time. If the server itself fails, the rest waits for the next time."""
    connection = get_connection()
    for _turn in range(BATCH):
        letter = _claim_letter()
        if letter is None:
            break
        try:
            _send_letter(letter, connection)
        except Exception as why:  # noqa: BLE001 - whatever a service's library raises: the other letters go all the same
            _postpone(letter, why)
            with suppress(Exception):
                connection.close()
            if not isinstance(why, SMTPRecipientsRefused):  # the server is away, and a worker has more to do than wait
                break
    else:
        enqueue(send_letters, priority=Priority.CLEANING)
    connection.close()


def _claim_letter() -> Letter | None:
    """The next letter, kept from other workers for LEASE: it is due again then, in case this worker dies first."""
    with transaction.atomic():
        due = _due_letters().select_for_update(of=("self",), skip_locked=True)
        letter = (
            due.select_related("subscriber__club", "subscriber__sign_up", "event").order_by("kind", "due_at").first()
        )
        if letter:
            letter.due_at = timezone.now() + LEASE
            letter.save(update_fields=["due_at"])
    return letter


def _send_letter(letter: Letter, connection: Any) -> None:
    message = build_message(letter)
    if message is None:
        letter.delete()
        return

    def mark() -> None:
        Letter.objects.filter(pk=letter.pk).update(state=State.SENT, problem="")

    def send(sent: Any) -> None:
        if isinstance(sent, bytes) and sent.endswith(b"\r\n.\r\n"):  # the text, in one piece: commands are `str`
            mark()
        SMTP.send(smtp, sent)

    connection.open()
    smtp: Any = getattr(connection, "connection", None)
    if isinstance(smtp, SMTP):
        smtp.send = send  # type: ignore[method-assign,assignment]  # of this connection alone
    connection.send_messages([message])
    mark()


def _postpone(letter: Letter, why: Exception) -> None:
    """Try again later, up to `len(PAUSES)` times; not if the server refuses the address for good."""
    problem, refused = str(why) or type(why).__name__, False
    if isinstance(why, SMTPRecipientsRefused):
        code, words = next(iter(why.recipients.values()))
        problem, refused = f"{code} {words.decode(errors='replace')}", code >= 500
    over = refused or letter.tries >= len(PAUSES)
    due_at = timezone.now() + (PAUSES[letter.tries] if not over else LEASE)
    state = State.HELD if over else State.WAITING
    Letter.objects.filter(pk=letter.pk).update(
        state=state, due_at=due_at, tries=letter.tries + 1, problem=to_one_line(problem)[:300]
    )
    log.warning("A letter wasn't sent, id=%s: %s", letter.pk, type(why).__name__)


def build_message(letter: Letter) -> EmailMessage | None:
    """The letter in its reader's language; None if it has become pointless."""
    subscriber, event = letter.subscriber, letter.event
    club, sign_up = subscriber.club, subscriber.sign_up
    if letter.kind != Kind.AGREE and subscriber.agreed_at is None:
        return None
    over = event and (event.called_off or event.starts_at <= timezone.now())
    if letter.kind in (Kind.PLACE, Kind.REMINDER) and (over or (sign_up and sign_up.cancelled_at)):
        return None
    names, best = hidden_names(club), []
    if letter.kind == Kind.RESULT and event:
        result = event.published_standings.filter(final=True).order_by("-stage__number", "-number").first()
        if result is None or event.state != Event.State.FINISHED or subscriber.came_as < club.results_for:
            return None
        best = [{**row, "name": names.text(row["name"])} for row in result.rows[:3]]
    site = str(settings.SITE_URL or subscriber.site).rstrip("/")
    link = f"{site}{reverse('mail_own', args=[club.slug, subscriber.key])}"
    with use_language(club, subscriber.language):
        name = names.text(event.name) if event else ""
        context = {"kind": letter.kind, "club": club, "event": event, "name": name, "best": best}
        text = render_to_string(
            "tournaments/mail/letter.txt", {**context, "sign_up": sign_up, "site": site, "own": link}
        )
        subject, _line, body = text.strip().partition("\n")
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    headers = {
        "Message-ID": f"<{letter.pk}@{address.rpartition('@')[2]}>",
        "List-Unsubscribe": f"<{link}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    sender = formataddr((to_one_line(club.name), address))
    return EmailMessage(to_one_line(subject), body.strip() + "\n", sender, [letter.email], headers=headers)


# Pages


class AddressForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("E-mail"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()


class WishForm(forms.Form):
    results = forms.BooleanField(label=gettext_lazy("Results, when they are published"), required=False)
    reminders = forms.BooleanField(label=gettext_lazy("A reminder the day before an event"), required=False)


class SubscribeForm(WishForm, AddressForm):
    field_order = ("email", "results", "reminders")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not (cleaned.get("results") or cleaned.get("reminders")):
            raise forms.ValidationError(_("Choose what you want by e-mail."), code="nothing")
        return cleaned


def spend_letter_request(request: HttpRequest, email: str) -> None:
    """Count a letter that somebody asks for. Raises TooManyTries."""
    spend(
        Try(("mail-from", client_network(request)), most=ASKED_FROM, window=3600),
        Try(("mail-to", email), most=ASKED_TO, window=24 * 3600),
    )


@never_cache
@public
def subscribe_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Subscribe to results or reminders. The answer doesn't tell whether the address is known."""
    if not settings.MAIL_IS_SET:
        raise Http404
    form, sent = SubscribeForm(request.POST or None), False
    if not club.shows("nights"):
        del form.fields["reminders"]
    if form.is_valid():
        try:
            spend_letter_request(request, form.cleaned_data["email"])
        except TooManyTries as late:
            form.add_error(None, late.letter_message)
        else:
            subscribe(club=club, site=site_address(request), **form.cleaned_data)
            sent = True
    context, status = {"form": form, "sent": sent}, 422 if form.errors else 200
    return render(request, "tournaments/mail/asking.html", context, status=status)


@csrf_exempt  # the secret is in the address: mail programs post to it without any page
@never_cache
@public
def subscription(request: HttpRequest, club: Club, *, key: UUID) -> HttpResponse:
    """What an address gets, for anybody with the link in its letters: confirm, change, or unsubscribe, which any other
    POST does. A GET changes nothing, as virus scanners open links."""
    subscriber = Subscriber.objects.filter(club=club, key=key).select_related("sign_up__event").first()
    form = WishForm(request.POST or None, initial=vars(subscriber) if subscriber else None)
    if request.method == "POST" and subscriber:
        if "agree" in request.POST and form.is_valid():
            agree(subscriber=subscriber, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect(request.path)
        unsubscribe(club=club, email=subscriber.email)
        return render(request, "tournaments/mail/own.html", {})
    context, status = {"subscriber": subscriber, "form": form}, 200 if subscriber else 410
    return render(request, "tournaments/mail/own.html", context, status=status)


@club_page
def desk(request: HttpRequest, club: Club) -> HttpResponse:
    """For directors: how many subscribe and what couldn't be sent; send a test, delete an address."""
    if not settings.MAIL_IS_SET:
        raise Http404
    letters = (
        Letter.objects.filter(subscriber__club=club).exclude(problem="").select_related("event").order_by("made_at")
    )
    step, by = request.POST.get("step"), request_actor(request)
    form = AddressForm(request.POST if step in ("test", "delete") else None)
    held = letters.filter(state=State.HELD)
    if step == "again":
        held.update(state=State.WAITING, due_at=timezone.now(), tries=0)
        enqueue(send_letters)
        messages.success(request, _("They are being sent again."))
        return redirect(request.path)
    if form.is_valid():
        email = form.cleaned_data["email"]
        if step == "delete":
            gone = unsubscribe(club=club, email=email, by=by)
            messages.success(request, _("The address is deleted.") if gone else _("No e-mail goes to this address."))
            return redirect(request.path)
        try:
            spend_letter_request(request, email)
            subject = to_one_line(_("A test from %(club)s") % {"club": club.name})
            EmailMessage(subject, _("E-mail works."), None, [email]).send()
        except TooManyTries as late:
            form.add_error("email", late.letter_message)
        except Exception as why:  # noqa: BLE001 - as above: it is what the director wants to know
            form.add_error("email", _("It couldn't be sent: %(problem)s") % {"problem": to_one_line(str(why))[:300]})
        else:
            messages.success(request, _("The test is sent. Check that it has arrived; look in the junk mail too."))
            return redirect(request.path)
    agreed = Subscriber.objects.filter(club=club, agreed_at__isnull=False)
    context = {
        "form": form,
        "letters": list(letters),
        "held": held.exists(),
        "results": agreed.filter(results=True).count(),
        "reminders": agreed.filter(reminders=True).count(),
        "only_here": is_loopback(site_address(request)),
        "no_worker": heartbeat.is_worker_missing(),
    }
    return render(request, "tournaments/mail/desk.html", context, status=422 if form.errors else 200)
