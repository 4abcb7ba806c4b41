"""Logging in, and who may do what in a club."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.contrib.messages.views import SuccessMessageMixin
from django.db import transaction
from django.db.models import Max
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language
from django_htmx.http import HttpResponseClientRefresh

from clubsite.accounts.audit_log import KINDS, changes_of, log, log_own, route_of, sentence_of
from clubsite.accounts.forms import ClubForm, LoginForm, NewPersonForm, OwnPasswordForm
from clubsite.accounts.invitations import live
from clubsite.accounts.models import Club, LogEntry, Role
from clubsite.accounts.people import LastDirector, NameTaken, add_person, change_role, ended_roles, give_back
from clubsite.accounts.roles import actor_of, after_log_in, club_page, user_of
from clubsite.accounts.sessions import INTRODUCED_FOR, INTRODUCTION, end_sessions, introduction_of, places_of
from clubsite.accounts.starting import may_start_club, step_done
from clubsite.accounts.two_factor import ask
from clubsite.addresses import network_of, site_of
from clubsite.codes import qr_of
from clubsite.names import BETWEEN, found_by
from clubsite.names import shown as shown_name


class Login(LoginView):
    template_name = "accounts/login.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The page. In place of a part of another it would be unseen, and what it says of a log-out is said once: the
        other is loaded again as a whole."""
        if request.htmx:  # type: ignore[attr-defined]  # from its middleware
            return HttpResponseClientRefresh()
        return super().get(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        """Log in; whoever has a second factor is asked for it first, unless this device is remembered for it."""
        asked = ask(self.request, form.get_user(), to=self.get_redirect_url())
        return asked if asked is not None else super().form_valid(form)

    def get_default_redirect_url(self) -> str:
        return after_log_in(user_of(self.request))


@method_decorator(never_cache, name="dispatch")
class PasswordChange(SuccessMessageMixin, PasswordChangeView):
    """Somebody's own log-in: the password is changed here, and the pages of the second factor and the places follow."""

    template_name = "accounts/password.html"
    form_class = OwnPasswordForm
    success_url = reverse_lazy("password")
    success_message = gettext_lazy("Your password is changed.")

    def get_form_kwargs(self) -> dict[str, Any]:
        """Tell the form where the request comes from, too, for its limit on wrong tries."""
        return {**super().get_form_kwargs(), "network": network_of(self.request)}

    def form_valid(self, form: Form) -> HttpResponse:
        """Change it and end the user's other sessions; the step of the start that made a password is done then, too."""
        with transaction.atomic():
            changed = super().form_valid(form)
            user = user_of(self.request)
            end_sessions(user, but=self.request.session.session_key)
            log_own(user=user, verb="password.new")
            step_done(clubs=Club.objects.filter(roles__user=self.request.user.pk), step="director")
        return changed


@never_cache
@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """Show where the user is logged in, end one place or all others, and show a QR code for a new device."""
    user, here = user_of(request), request.session.session_key
    if request.method == "POST":
        ended = end_sessions(user, but=here, mark=request.POST.get("place", ""))
        if ended:
            log_own(user=user, verb="session.end", new={"ended": ended})
        words = ngettext("Logged out at %(n)d place.", "Logged out at %(n)d places.", ended)
        messages.success(request, words % {"n": ended} if ended else _("Nobody is logged in there any more."))
        return redirect("sessions")
    role = user.roles.select_related("club").first()
    query = urlencode({INTRODUCTION: introduction_of(user.get_username())})
    context = {
        "places": places_of(user, here=here),
        "introduction_qr": qr_of(f"{site_of(request)}{reverse('login')}?{query}"),
        "introduced_minutes": INTRODUCED_FOR // 60,
    }
    with timezone.override(role.club.zone if role else None):
        return render(request, "accounts/sessions.html", context)


@csrf_exempt
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Keep a visitor's language in a cookie and go back to the page.

    It asks for no CSRF token: pages that are kept for everybody carry none, and all that another site could do with it
    is to show somebody the other language.
    """
    return set_language(request)


@club_page
def people(request: HttpRequest, club: Club) -> HttpResponse:
    """Who logs in to the club, the form for one more, and the way back for whoever's role was ended by mistake."""
    if "again" in request.POST:
        if back := give_back(club=club, by=actor_of(request), entry=request.POST["again"]):
            messages.success(request, _("%(name)s can log in again, as before.") % {"name": back.user.username})
        return redirect("people", club.slug)
    form = NewPersonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            role = add_person(club=club, by=actor_of(request), **form.cleaned_data)
        except NameTaken:
            form.add_error("username", _taken_words(club, form.cleaned_data["username"]))
        else:
            messages.success(request, _("%(name)s can log in now.") % {"name": role.user.username})
            return redirect("people", club.slug)
    roles = Role.objects.filter(club=club).select_related("user", "member").order_by("user__username")
    context = {"roles": roles, "form": form, "kinds": Role.Kind.choices}
    context |= {"invitations": live(club), "ended": ended_roles(club)}
    return render(request, "accounts/people.html", context)


def _taken_words(club: Club, username: str) -> str:
    if Role.objects.filter(club=club, user__username__iexact=username).exists():
        return _("This log-in name is on the list already. Change the role there.")
    if username.casefold() in {role.user.username.casefold() for role in ended_roles(club).values()}:
        return _("This person could log in before. Press “Give it back” beside their name.")
    return _("Somebody has this log-in name already. Choose another.")


@require_POST
@club_page
def role(request: HttpRequest, club: Club, *, pk: int) -> HttpResponse:
    found = get_object_or_404(Role, pk=pk, club=club)
    kind = request.POST.get("kind") or None
    if kind not in (None, *Role.Kind.values):
        return HttpResponse(status=400)
    try:
        change_role(role=found, by=actor_of(request), kind=kind)
    except LastDirector:
        messages.error(request, _("A club needs a director. Make somebody else director first."))
    else:
        words = (
            _("The role of %(name)s is changed.")
            if kind
            else _("%(name)s can't log in to this club any more. “Give it back” below undoes that.")
        )
        messages.success(request, words % {"name": found.user.username})
    return redirect("people", club.slug)


@club_page
def settings_of_club(request: HttpRequest, club: Club) -> HttpResponse:
    form = ClubForm(instance=club)
    if request.method == "POST":
        with transaction.atomic():
            now = club.lock()
            old = {name: getattr(now, name) for name in ClubForm.Meta.fields}
            form = ClubForm(request.POST, instance=now)
            if form.is_valid():
                now.save(update_fields=ClubForm.Meta.fields)  # validating the form has changed `now`
                log(club=now, by=actor_of(request), verb="club.change", subject=now, old=old, new=form.cleaned_data)
                step_done(clubs=[now], step="club")
        if not form.errors:
            messages.success(request, _("Saved."))
            return redirect("club_settings", club.slug)
    context = {"form": form, "may_start": may_start_club(request)}
    return render(request, "accounts/club_settings.html", context, status=422 if form.errors else 200)


@club_page
def log_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Who did what in the club, the newest first, a hundred at a time; with `before`, those older than the entry of
    that key. It is searched by a person or a thing (`q`), an event and a kind of deed."""
    entries = LogEntry.objects.filter(club=club)
    before, event, kind = (request.GET.get(name, "") for name in ("before", "event", "kind"))
    search = request.GET.get("q", "").strip()[:80]
    if before.isdecimal() and len(before) <= 18:
        entries = entries.filter(pk__lt=int(before))
    if event.isdecimal() and len(event) <= 18:
        entries = entries.filter(event=int(event))
    kinds = {word: str(label) for word, label in KINDS.items()}
    if kind in kinds:
        words = "|".join(re.escape(word) for word, label in kinds.items() if label == kinds[kind])
        entries = entries.filter(verb__regex=rf"^({words})\.")
    if search:
        named = entries.values_list("pk", "actor", "subject").iterator()
        found = (pk for pk, actor, subject in named if found_by(f"{actor} {shown_name(subject)}", search))
        entries = LogEntry.objects.filter(pk__in=list(islice(found, 101)))
    shown = list(entries[:101])
    asked = {name: value for name, value in (("q", search), ("event", event), ("kind", kind)) if value}
    rows = [
        {
            "at": entry.at,
            "day": timezone.localdate(entry.at),
            "sentence": sentence_of(entry),
            "route": route_of(entry),
            "changes": changes_of(entry),
        }
        for entry in shown[:100]
    ]
    context = {
        "rows": rows,
        "older": f"?{urlencode(asked | {'before': shown[99].pk})}" if len(shown) > 100 else "",
        "search": search,
        "events": _events_in_log(club),
        "event": event,
        "kinds": sorted({label: word for word, label in reversed(kinds.items())}.items()),
        "kind": kind,
        "searched": bool(asked),
    }
    return render(request, "accounts/log.html", context)


def _events_in_log(club: Club) -> list[tuple[str, str]]:
    """The events of which the log knows, the newest first: key, as text, and name as it was written last."""
    newest = LogEntry.objects.filter(club=club, event__isnull=False).order_by().values("event").annotate(at=Max("pk"))
    last = LogEntry.objects.filter(pk__in=newest.values("at")).order_by("-event").values_list("event", "subject")
    return [(str(event), subject.split(BETWEEN)[0]) for event, subject in last]
