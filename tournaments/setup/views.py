"""Before there is a club: the first visit, the code, the club and its director; and a look at the demo.

What is typed waits in the session until the director is known: club and director are made in one step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.hashers import make_password
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubsite.accounts.forms import LoginForm
from clubsite.accounts.login_attempts import TooManyTries
from clubsite.accounts.models import Club, Role, User
from clubsite.accounts.roles import actor_of
from clubsite.accounts.starting import (
    AlreadyStarted,
    claim,
    is_demo,
    is_empty,
    may_begin,
    may_start_club,
    own_clubs,
    prove,
    share_demo,
    start_club,
    started_by,
)
from clubsite.accounts.two_factor import ask, ask_again
from clubsite.addresses import network_of
from clubsite.codes import ALPHABET, in_parts
from clubsite.ops.start_code import use_code
from tournaments.demo.loading import load
from tournaments.requests import submission_in
from tournaments.setup.forms import DirectorForm, FurtherDirectorForm, StartClubForm, StartCodeForm
from tournaments.setup.guess import guess_of

CLUB, PERSON = "start_club", "start_director"  # in the session
SENT_AGAIN = timedelta(minutes=10)  # for so long a form that is sent a second time is answered like the first time
LATER = ("rules", "members", "night")  # steps whose pages belong to the club

View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Visit:
    """Who is at the start: somebody at an empty install, or somebody who starts a further club."""

    first: bool
    own_log_in: bool  # whether they can direct the new club by the log-in that they have


def start_page(view: View) -> View:
    """Decorates a page of the start, for those who may start a club. Others: to the log-in, or 404 if they are logged
    in."""

    @never_cache
    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponse:
        if may_begin(request):
            return view(request, Visit(first=True, own_log_in=False))
        if is_empty():
            return redirect("start")
        if done := _done_before(request):
            return done
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not may_start_club(request):
            raise Http404
        if (asked := ask_again(request)) is not None:
            return asked
        held = Role.objects.filter(user=request.user).select_related("club")
        return view(request, Visit(first=False, own_log_in=not held or not all(is_demo(role.club) for role in held)))

    return wrapped


@never_cache
def welcome(request: HttpRequest) -> HttpResponse:
    """The first page of an empty install: set up, or look at the demo; from elsewhere only with the code."""
    if not is_empty():
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not may_start_club(request):
            raise Http404
        return redirect("start_club")
    if may_begin(request):
        return render(request, "tournaments/setup/welcome.html", {})
    form = StartCodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            if use_code(form.cleaned_data["code"], address=network_of(request)):
                prove(request)
                return redirect("start")
            form.add_error("code", _("This is not the code. Look again: it changes whenever the site is started."))
        except TooManyTries as late:
            form.add_error("code", late.of_codes)
    return render(request, "tournaments/setup/code.html", {"form": form}, status=422 if form.errors else 200)


@start_page
def club(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The first step: the club, as guessed or as typed before."""
    typed: dict[str, Any] = request.session.get(CLUB, {})
    form = StartClubForm(request.POST or None, instance=guess_of(request), initial=typed)
    if request.method == "POST":
        skipped = request.POST.get("step") == "skip"
        if form.is_valid() or skipped:
            # valid fields are kept, even if the step is passed over
            said = {name: form.cleaned_data.get(name) or form.initial[name] for name in form.fields}
            said["skipped"] = skipped and not said["name"]
            request.session[CLUB] = {**said, "name": said["name"] or _("Our card club")}
            return redirect("start_director")
    context = {"form": form, "visit": visit, "step": "club", "known": bool(typed.get("time_zone"))}
    return render(request, "tournaments/setup/club.html", context, status=422 if form.errors else 200)


@start_page
def director(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The second step: the director. Then the club is there, and its director logged in."""
    said = request.session.get(CLUB)
    if not said:
        return redirect("start_club")
    typed = request.session.get(PERSON, {})
    kind = FurtherDirectorForm if visit.own_log_in else DirectorForm
    form = kind(request.POST or None, initial={"full_name": typed.get("name", "")}, kept=typed.get("hash", ""))
    with override(said["language"]):
        if request.method == "POST":
            step = request.POST.get("step")
            if form.is_valid() and step != "back":
                return _started(request, visit, said=said, person=form.cleaned_data)
            if step == "skip":
                return _started(request, visit, said=said, person={"who": FurtherDirectorForm.ME})
            if step == "back":
                kept = form.cleaned_data.get("password") or typed.get("hash", "")
                request.session[PERSON] = {"name": request.POST.get("full_name", "")[:140], "hash": kept}
                return redirect("start_club")
        context = {
            "form": form,
            "visit": visit,
            "step": "director",
            "name": said["name"],
            "submission": submission_in(request.POST.get("submission")),
        }
        return render(request, "tournaments/setup/director.html", context, status=422 if form.errors else 200)


@require_POST
@start_page
def demo(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Make the demo, log its director in, and show the passwords: only now."""
    if not visit.first:
        raise Http404
    try:
        with transaction.atomic():
            claim()
            made = load()
    except AlreadyStarted:
        return redirect("home")
    login(request, User.objects.get(username=made.director.username))
    return render(request, "tournaments/setup/demo/made.html", {"demo": made})


def _started(request: HttpRequest, visit: Visit, *, said: dict[str, Any], person: dict[str, Any]) -> HttpResponse:
    """Start the club with its director. Then go on to its rules as that director, or tell the maker how the director
    logs in."""
    left = [*LATER, *(["club"] if said.get("skipped") else [])]
    maker = User.objects.filter(username=request.user.get_username()).first()  # None on a first visit
    director, password = maker, ""
    submission = submission_in(request.POST.get("submission"))
    if director is None or not visit.own_log_in or person["who"] == FurtherDirectorForm.OTHER:
        if "full_name" not in person:  # the step was passed over: make a log-in, shown once
            password = _password_for(submission)
            person = {"full_name": _("Director"), "password": make_password(password)}
            left.append("director")
        director = User(password=person["password"], is_superuser=not own_clubs().exists())
        director.call(person["full_name"])
    new = director is not maker
    try:
        role = start_club(
            club=Club(**{name: said[name] for name in StartClubForm.Meta.fields}),
            director=director,
            by=actor_of(request) if maker else None,
            left=left,
            submission=submission,
            first=visit.first,
        )
    except AlreadyStarted:
        return redirect("home")
    if new and maker and not visit.own_log_in:
        share_demo(role.user, maker)
    for key in (CLUB, PERSON):
        request.session.pop(key, None)
    if new and visit.own_log_in:
        return render(request, "tournaments/setup/started.html", {"role": role})
    if new:
        login(request, role.user)
    if password:
        return render(
            request, "tournaments/setup/password.html", {"role": role, "password": password, "step": "director"}
        )
    words = _("%(club)s is set up.")
    if new:
        words = _("%(club)s is set up, and you are logged in. Your log-in name is %(username)s.")
    messages.success(request, words % {"club": role.club, "username": role.user.username})
    return redirect("start_rules", role.club.slug)


def _password_for(submission: UUID) -> str:
    """The password made for a director who typed none: the same for the same submission, so that a second tap shows it
    again."""
    digest = salted_hmac("clubsite.start.password", str(submission), algorithm="sha256").digest()
    return in_parts([ALPHABET[byte % len(ALPHABET)] for byte in digest[:12]])


def _done_before(request: HttpRequest) -> HttpResponse | None:
    """The answer to a director's form that was sent a second time within minutes, else None. The first sending started
    the club; whoever sent the right password goes on as its director. A password that was made for them is shown again
    while it is valid."""
    sent = request.POST.get("submission", "")
    role = started_by(submission_in(sent), within=SENT_AGAIN) if sent else None
    if role is None:
        return None
    made = _password_for(submission_in(sent)) if request.POST.get("step") == "skip" else ""
    typed = made or request.POST.get("password", "")
    if made or request.user.pk != role.user_id:
        form = LoginForm(request, {"username": role.user.username, "password": typed})
        if not form.is_valid():
            return redirect("login")
        if (asked := ask(request, form.get_user(), to=request.get_full_path())) is not None:
            return asked
        login(request, form.get_user())
    if made:
        return render(request, "tournaments/setup/password.html", {"role": role, "password": made, "step": "director"})
    return redirect("start_rules", role.club.slug)
