"""Logging in, who may do what in a club, the club's settings and its log: forms and pages."""

import re
import zoneinfo
from functools import cache
from itertools import groupby, islice
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, UsernameField
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.contrib.messages.views import SuccessMessageMixin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language
from django_htmx.http import HttpResponseClientRefresh

from clubsite.accounts.audit_log import KINDS, describe_entry, describe_route, list_changes, log, log_own
from clubsite.accounts.face import DEFAULT_COLOUR, read_crest, store_crest
from clubsite.accounts.invitations import AcceptForm, usable_invitations
from clubsite.accounts.login_attempts import PAUSE, TooManyTries, Try, clear_tries, give_back, login_tries, spend
from clubsite.accounts.models import Club, LogEntry, Role
from clubsite.accounts.people import LastDirector, NameTaken, add_person, change_role, ended_roles, restore_role
from clubsite.accounts.roles import club_page, logged_in_user, page_after_log_in, request_actor
from clubsite.accounts.sessions import INTRODUCED_FOR, INTRODUCTION, end_sessions, log_in_places, make_introduction
from clubsite.accounts.starting import mark_step_done, may_start_club, username_like
from clubsite.accounts.two_factor import ask_for_code
from clubsite.addresses import client_network, site_address
from clubsite.codes import qr_svg
from clubsite.names import SEPARATOR, name_matches, translate_name

AREAS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def _known_zones() -> list[str]:
    return sorted(name for name in zoneinfo.available_timezones() if name.partition("/")[0] in AREAS)


def time_zone_choices(*, beside: str) -> list[Any]:
    """Time zones under the names of their continents, as a select shows them; any other, such as UTC, comes first."""
    in_areas = _known_zones()
    grouped = [
        (area, [(name, name.partition("/")[2].replace("_", " ").replace("/", ", ")) for name in names])
        for area, names in groupby(in_areas, key=lambda name: name.partition("/")[0])
    ]
    return [*((name, name) for name in sorted({"UTC", beside} - set(in_areas))), *grouped]


class LoginForm(AuthenticationForm):
    username = UsernameField(label=gettext_lazy("Log-in name"), widget=forms.TextInput(attrs={"autofocus": True}))

    error_messages = {
        "invalid_login": gettext_lazy("That name and password don't match. Capital letters matter in the password."),
        "inactive": gettext_lazy("This log-in is switched off. Ask a director of your club."),
        "throttled": gettext_lazy("Too many wrong passwords. Wait %(minutes)d minutes, then try again."),
        "slowed": gettext_lazy("Somebody may be guessing this password. Wait %(seconds)d seconds, then try again."),
    }

    def clean_username(self) -> str:
        """A name with a space is a person's, from which their log-in name was made. Other capitals are accepted where
        they fit one account only."""
        name = str(self.cleaned_data["username"]).strip()
        name = username_like(name) if " " in name else name
        users = get_user_model().objects
        if users.filter(username=name).exists():
            return name
        alike = users.filter(username__iexact=name).values_list("username", flat=True)[:2]
        return alike[0] if len(alike) == 1 else name

    def clean(self) -> dict[str, Any]:
        attempt, shared = login_tries(self.request, self.cleaned_data.get("username", ""))
        try:
            spend(attempt, *shared)
        except TooManyTries as late:
            code = "throttled" if late.wait > PAUSE else "slowed"
            params = {"minutes": late.minutes, "seconds": late.wait}
            raise ValidationError(self.error_messages[code], code=code, params=params) from None
        cleaned = super().clean()  # raises for a wrong password
        clear_tries(attempt)
        give_back(*shared)
        return cleaned


class OwnPasswordForm(PasswordChangeForm):
    """The old password and twice the new one, with a limit on wrong old ones: a phone may lie open on a table."""

    error_messages = {
        **PasswordChangeForm.error_messages,
        "throttled": LoginForm.error_messages["throttled"],
    }

    def __init__(self, *args: Any, network: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        parts = ("password", str(self.user.pk), network)
        self.tried = Try(parts, most=settings.LOGIN_ATTEMPTS, window=settings.LOGIN_WINDOW)

    def clean_old_password(self) -> str:
        try:
            spend(self.tried)
        except TooManyTries as late:
            params = {"minutes": late.minutes}
            raise ValidationError(self.error_messages["throttled"], code="throttled", params=params) from None
        old: str = super().clean_old_password()
        clear_tries(self.tried)
        return old


class NewPersonForm(AcceptForm):
    full_name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=140,
        help_text=gettext_lazy("As it should appear next to what they record."),
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=[(value, label) for value, label in Role.Kind.choices if value != Role.Kind.MEMBER],
        initial=Role.Kind.SCOREKEEPER,
        help_text=gettext_lazy("Invite members instead, so that the site knows which page is theirs."),
    )
    password = forms.CharField(
        label=gettext_lazy("First password"),
        widget=forms.PasswordInput,
        help_text=gettext_lazy("At least ten characters. They can change it after logging in."),
    )
    email = None  # type: ignore[assignment]  # Django: no such field. They say it themselves, since it opens the log-in
    field_order = ("username", "full_name", "kind", "password")


class ClubForm(forms.ModelForm):
    class Meta:
        model = Club
        fields = ["name", "plays", "language", "time_zone", "date_place", "paper", "correction_minutes", "agreement"]
        fields += ["link_hours", "currency", "rating", "second_factor", "colour", "announcement", "announcement_until"]
        fields += ["nights_for", "results_for", "people_for"]
        widgets: ClassVar = {
            "announcement": forms.Textarea(attrs={"rows": 4}),
            "announcement_until": forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        }

    colour = forms.RegexField(
        r"^#[0-9a-f]{6}$",
        label=gettext_lazy("Your own colour"),
        required=False,
        widget=forms.TextInput(attrs={"type": "color"}),
        help_text=gettext_lazy(
            "For buttons and links. If it would be hard to read, a darker or lighter shade is used."
        ),
    )
    own_colour = forms.BooleanField(label=gettext_lazy("Use it instead of the site's green"), required=False)
    crest_file = forms.FileField(
        label=gettext_lazy("Crest"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        help_text=gettext_lazy(
            "A PNG, JPEG or WebP picture of at most 2 MB. It appears on your pages, the hall board and paper."
        ),
    )
    no_crest = forms.BooleanField(label=gettext_lazy("Remove the crest"), required=False)

    GROUPS = (
        (gettext_lazy("Announcement"), ("announcement", "announcement_until")),
        (gettext_lazy("Colour and crest"), ("plays", "crest_file", "no_crest", "colour", "own_colour")),
        (gettext_lazy("Language and paper"), ("language", "date_place", "paper")),
        (gettext_lazy("Scoring"), ("agreement", "link_hours", "correction_minutes", "rating")),
        (gettext_lazy("Money"), ("currency",)),
        (gettext_lazy("Who sees what"), ("nights_for", "results_for", "people_for")),
        (gettext_lazy("Logging in"), ("second_factor",)),
    )

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields by heading; those of no group come first."""
        grouped = [(str(title), [self[name] for name in names if name in self.fields]) for title, names in self.GROUPS]
        ungrouped = [field for field in self if not any(field.name in names for _title, names in self.GROUPS)]
        return [(_("The club"), ungrouped), *grouped]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["own_colour"] = bool(self.instance.colour)
        self.initial["colour"] = self.instance.colour or DEFAULT_COLOUR
        if not self.instance.crest:
            del self.fields["no_crest"]
        zone = self.fields["time_zone"]
        zone.widget = forms.Select(choices=time_zone_choices(beside=self.instance.time_zone))
        zone.help_text = gettext_lazy(
            "The nearest large city. If you change it, the times of planned events change too."
        )

    def clean_crest_file(self) -> bytes | None:
        file = self.cleaned_data["crest_file"]
        return read_crest(file) if file else None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not cleaned.pop("own_colour", False):
            cleaned["colour"] = ""
        if cleaned.get("announcement") and not cleaned.get("announcement_until"):
            self.add_error("announcement_until", gettext_lazy("Until which day should the announcement be shown?"))
        return cleaned

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"]
        if self.instance.currency_stands and currency != self.instance.currency:
            words = gettext_lazy("There are already amounts in this currency, so it stays %(currency)s.")
            raise ValidationError(words, params={"currency": self.instance.get_currency_display()})
        return currency


class Login(LoginView):
    template_name = "accounts/login.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A part of a page that htmx asks for is no place for a log-in: the whole page is loaded again."""
        if request.htmx:  # type: ignore[attr-defined]  # from its middleware
            return HttpResponseClientRefresh()
        return super().get(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        response = ask_for_code(self.request, form.get_user(), to=self.get_redirect_url())
        return response if response is not None else super().form_valid(form)

    def get_default_redirect_url(self) -> str:
        return page_after_log_in(logged_in_user(self.request))


@method_decorator(never_cache, name="dispatch")
class PasswordChange(SuccessMessageMixin, PasswordChangeView):
    """Somebody's own log-in: the password, with links to the second factor and to where they are logged in."""

    template_name = "accounts/password.html"
    form_class = OwnPasswordForm
    success_url = reverse_lazy("password")
    success_message = gettext_lazy("Your password is changed.")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "network": client_network(self.request)}

    def form_valid(self, form: Form) -> HttpResponse:
        with transaction.atomic():
            response = super().form_valid(form)
            user = logged_in_user(self.request)
            end_sessions(user, but=self.request.session.session_key)
            log_own(user=user, verb="password.new")
            mark_step_done(clubs=Club.objects.filter(roles__user=user), step="director")
        return response


@never_cache
@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """Where the user is logged in; a POST ends one place or all others. With a QR code for a new device."""
    user, session_key = logged_in_user(request), request.session.session_key
    if request.method == "POST":
        ended = end_sessions(user, but=session_key, mark=request.POST.get("place", ""))
        if ended:
            log_own(user=user, verb="session.end", new={"ended": ended})
        words = ngettext("Logged out at %(n)d place.", "Logged out at %(n)d places.", ended)
        messages.success(request, words % {"n": ended} if ended else _("Nobody is logged in there now."))
        return redirect("sessions")
    role = user.roles.select_related("club").first()
    query = urlencode({INTRODUCTION: make_introduction(user.get_username())})
    context = {
        "places": log_in_places(user, current_key=session_key),
        "introduction_qr": qr_svg(f"{site_address(request)}{reverse('login')}?{query}"),
        "introduced_minutes": INTRODUCED_FOR // 60,
    }
    with timezone.override(role.club.zone if role else None):
        return render(request, "accounts/sessions.html", context)


@csrf_exempt
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Put a visitor's language into a cookie and go back to the page. No CSRF token: cached pages have none, and
    another site could only change the language."""
    return set_language(request)


@club_page
def people(request: HttpRequest, club: Club) -> HttpResponse:
    if "again" in request.POST:
        if back := restore_role(club=club, by=request_actor(request), entry=request.POST["again"]):
            messages.success(request, _("%(name)s can log in again, as before.") % {"name": back.user.username})
        return redirect("people", club.slug)
    form = NewPersonForm(request.POST or None)
    if form.is_valid():
        try:
            role = add_person(club=club, by=request_actor(request), **form.cleaned_data)
        except NameTaken:
            form.add_error("username", _name_taken_message(club, form.cleaned_data["username"]))
        else:
            messages.success(request, _("%(name)s can log in now.") % {"name": role.user.username})
            return redirect("people", club.slug)
    context = {
        "roles": Role.objects.filter(club=club).select_related("user", "member").order_by("user__username"),
        "form": form,
        "kinds": Role.Kind.choices,
        "invitations": usable_invitations(club),
        "ended": ended_roles(club),
    }
    return render(request, "accounts/people.html", context)


def _name_taken_message(club: Club, username: str) -> str:
    if Role.objects.filter(club=club, user__username__iexact=username).exists():
        return _("This log-in name is already on the list. Change the role there.")
    if username.casefold() in {role.user.username.casefold() for role in ended_roles(club).values()}:
        return _("This person could log in before. Press “Restore the role” next to their name.")
    return _("Somebody has this log-in name already. Choose another.")


@require_POST
@club_page
def role(request: HttpRequest, club: Club, *, pk: int) -> HttpResponse:
    role = get_object_or_404(Role, pk=pk, club=club)
    kind = request.POST.get("kind") or None
    if kind not in (None, *Role.Kind.values):
        return HttpResponse(status=400)
    words = _("The role of %(name)s is changed.")
    if kind is None:
        words = _("%(name)s can no longer log in to this club. To undo this, press “Restore the role” below.")
    try:
        change_role(role=role, by=request_actor(request), kind=kind)
    except LastDirector:
        messages.error(request, _("A club needs a director. Make somebody else director first."))
    else:
        messages.success(request, words % {"name": role.user.username})
    return redirect("people", club.slug)


@club_page
def club_settings(request: HttpRequest, club: Club) -> HttpResponse:
    form = ClubForm(instance=club)
    if request.method == "POST":
        with club.locked_transaction() as club:
            old = {name: getattr(club, name) for name in (*ClubForm.Meta.fields, "crest")}
            form = ClubForm(request.POST, request.FILES, instance=club)
            if form.is_valid():
                new = form.cleaned_data
                if (png := new.pop("crest_file")) or new.pop("no_crest", False):
                    store_crest(club, png)
                club.save(update_fields=[*ClubForm.Meta.fields, "crest"])
                new = {name: club.crest if name == "crest" else new[name] for name in old}
                for facts in (old, new):
                    facts["announcement_until"] = str(facts["announcement_until"] or "")
                log(club=club, by=request_actor(request), verb="club.change", subject=club, old=old, new=new)
                mark_step_done(clubs=[club], step="club")
        if not form.errors:
            messages.success(request, _("Saved."))
            return redirect("club_settings", club.slug)
    context = {"form": form, "may_start": may_start_club(request), "mail": settings.MAIL_IS_SET}
    return render(request, "accounts/club_settings.html", context, status=422 if form.errors else 200)


@club_page
def log_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Who did what in the club, the newest first, a hundred at a time; with `before`, those older than the entry of
    that key. It can be searched by a person or a thing (`q`), an event and a kind of action."""
    entries = LogEntry.objects.filter(club=club)
    before, event, kind = (request.GET.get(name, "") for name in ("before", "event", "kind"))
    search = request.GET.get("q", "").strip()[:80]
    for field, key in (("pk__lt", before), ("event", event)):
        if key.isdecimal() and len(key) <= 18:
            entries = entries.filter(**{field: int(key)})
    kinds = {word: str(label) for word, label in KINDS.items()}
    if kind in kinds:
        words = "|".join(re.escape(word) for word, label in kinds.items() if label == kinds[kind])
        entries = entries.filter(verb__regex=rf"^({words})\.")
    if search:
        named = entries.values_list("pk", "actor", "subject").iterator()
        matching = (pk for pk, actor, subject in named if name_matches(f"{actor} {translate_name(subject)}", search))
        entries = LogEntry.objects.filter(pk__in=list(islice(matching, 101)))
    shown = list(entries[:101])
    filters = {name: value for name, value in (("q", search), ("event", event), ("kind", kind)) if value}
    rows = [
        {
            "at": entry.at,
            "day": timezone.localdate(entry.at),
            "sentence": describe_entry(entry),
            "route": describe_route(entry),
            "changes": list_changes(entry),
        }
        for entry in shown[:100]
    ]
    context = {
        "rows": rows,
        "older": f"?{urlencode(filters | {'before': shown[99].pk})}" if len(shown) > 100 else "",
        "search": search,
        "events": _events_in_log(club),
        "event": event,
        "kinds": sorted({label: word for word, label in reversed(kinds.items())}.items()),
        "kind": kind,
        "searched": bool(filters),
    }
    return render(request, "accounts/log.html", context)


def _events_in_log(club: Club) -> list[tuple[str, str]]:
    """The events in the log, the newest first: key, as text, and name as it was last written."""
    newest = LogEntry.objects.filter(club=club, event__isnull=False).order_by().values("event").annotate(at=Max("pk"))
    last = LogEntry.objects.filter(pk__in=newest.values("at")).order_by("-event").values_list("event", "subject")
    return [(str(event), subject.split(SEPARATOR)[0]) for event, subject in last]
