"""Inviting on the director's side, and taking an invitation or a new password up on the other."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clubsite.accounts.entrance.addresses import network_of, only_here, site_of
from clubsite.accounts.entrance.sessions import end_sessions
from clubsite.accounts.invitations import actions, mail
from clubsite.accounts.invitations.codes import qr_of
from clubsite.accounts.invitations.forms import AcceptForm, InviteForm, LostForm, NewPasswordForm, SlipCodeForm
from clubsite.accounts.log import log_own
from clubsite.accounts.models import Club, Invitation, Role, User
from clubsite.accounts.people import NameTaken
from clubsite.accounts.roles import actor_of, club_page, first_page, user_of
from clubsite.accounts.starting import free_username
from clubsite.accounts.throttle import TooManyTries, Try, spend

WRONG_CODES = 10  # from one network address, within `LOGIN_WINDOW`
LETTERS_ASKED = 5  # from one network address, and to one e-mail address, within `LOGIN_WINDOW`


@club_page
def invite(request: HttpRequest, club: Club) -> HttpResponse:
    """Invite somebody by name and role: by mail where the host has it and an address is given, else by a slip."""
    form = InviteForm(request.POST or None, club=club, mail=settings.MAIL_IS_SET)
    if request.method == "POST" and form.is_valid():
        made = actions.invite(club=club, by=actor_of(request), **form.cleaned_data)
        if made.email:
            mail.ask_for(mail.send_invitation, made.pk, site_of(request))
            messages.success(request, _("The invitation goes to %(email)s.") % {"email": made.email})
        return redirect("invitation", club.slug, made.pk)
    context = {"form": form, "mail": settings.MAIL_IS_SET}
    return render(request, "accounts/invitations/invite.html", context, status=422 if form.errors else 200)


@club_page
def invitation(request: HttpRequest, club: Club, *, pk: int) -> HttpResponse:
    """The slip of an invitation or of a new password, to be printed; a POST takes it back."""
    found = get_object_or_404(Invitation.objects.select_related("user"), club=club, pk=pk)
    if request.method == "POST":
        actions.revoke(invitation=found, by=actor_of(request))
        messages.success(request, _("Taken back: its code opens nothing now."))
        return redirect("people", club.slug)
    code = actions.shown_code(found) if actions.live(club).filter(pk=pk).exists() else ""
    site = site_of(request)
    address = f"{site}{reverse('invited_with', args=[code])}" if code else ""
    context = {
        "invitation": found,
        "code": code,
        "typed_at": f"{site}{reverse('invited')}".partition("//")[2],
        "site": f"{site}/",
        "only_here": only_here(site),
        "qr": qr_of(address) if code else "",
    }
    return render(request, "accounts/invitations/slip.html", context)


@club_page
def role_password(request: HttpRequest, club: Club, *, pk: int) -> HttpResponse:
    """Make a code by which somebody of the club sets a new password, and show its slip."""
    role = get_object_or_404(Role.objects.select_related("user", "club"), pk=pk, club=club)
    try:
        made = actions.give_code(role=role, by=actor_of(request))
    except actions.NotTheirs:
        messages.error(
            request, _("This log-in opens more than your club. The site's owner gives it a new password, by a command.")
        )
        return redirect("people", club.slug)
    return redirect("invitation", club.slug, made.pk)


@never_cache
def invited(request: HttpRequest) -> HttpResponse:
    """The page where the code of a slip is typed in."""
    form = SlipCodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            if _opened(request, form.cleaned_data["code"]) is not None:
                return redirect("invited_with", form.cleaned_data["code"].strip())
            form.add_error("code", _closed())
        except TooManyTries as late:
            form.add_error("code", late.of_codes)
    return render(request, "accounts/invitations/code.html", {"form": form}, status=422 if form.errors else 200)


@never_cache
def invited_with(request: HttpRequest, code: str) -> HttpResponse:
    """Take up an invitation or set a new password, by the code in the address alone."""
    try:
        found = _opened(request, code)
    except TooManyTries as late:
        return _refused(request, late.of_codes, status=429)
    if found is None:
        return _refused(request, _closed(), status=410)
    try:
        return _set(request, found) if found.purpose == Invitation.Purpose.PASSWORD else _accept(request, found)
    except actions.NotOpen:  # somebody else used it at the same time
        return _refused(request, _closed(), status=410)


def _accept(request: HttpRequest, found: Invitation) -> HttpResponse:
    user = user_of(request) if request.user.is_authenticated else None
    form = AcceptForm(request.POST if request.POST.get("step") == "new" else None)
    if not settings.MAIL_IS_SET:
        del form.fields["email"]
    if request.method == "POST" and request.POST.get("step") == "mine" and user is not None:
        try:
            actions.accept_as(invitation=found, user=user)
        except actions.HereAlready:
            messages.error(request, _("You have a log-in of %(club)s already.") % {"club": found.club.name})
            return redirect(request.path)
        return _come_in(request, found, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            role = actions.accept(invitation=found, **form.cleaned_data)
        except NameTaken:
            form.add_error("username", _("Somebody has this log-in name already. Choose another."))
        else:
            login(request, role.user)
            return _come_in(request, found, user=role.user)
    if not form.is_bound:
        form.initial = {"username": free_username(found.name), "email": found.email}
    context = {"form": form, "invitation": found, "club": found.club, "as_user": user}
    return render(request, "accounts/invitations/accept.html", context, status=422 if form.errors else 200)


def _come_in(request: HttpRequest, found: Invitation, *, user: User) -> HttpResponse:
    words = _("Welcome to %(club)s. Your log-in name is %(username)s.")
    messages.success(request, words % {"club": found.club.name, "username": user.username})
    return redirect(first_page(Role.objects.select_related("club").get(user=user, club=found.club)))


def _set(request: HttpRequest, found: Invitation) -> HttpResponse:
    form = NewPasswordForm(request.POST or None, user=found.user)
    if request.method == "POST" and form.is_valid():
        actions.set_password(invitation=found, password=form.cleaned_data["password"])
        messages.success(request, _("The new password is set. Log in with it."))
        return redirect("login")
    context = {"form": form, "invitation": found, "club": found.club}
    return render(request, "accounts/invitations/set_password.html", context, status=422 if form.errors else 200)


def _opened(request: HttpRequest, code: str) -> Invitation | None:
    """The invitation that a code opens, or None. Only a wrong code writes anything: it is counted.

    Raises:
        TooManyTries: no code is looked at.
    """
    if (found := actions.with_code(code)) is not None:
        return found
    spend(Try(("invitation", network_of(request)), most=WRONG_CODES, window=settings.LOGIN_WINDOW))
    return None


def _refused(request: HttpRequest, why: str, *, status: int) -> HttpResponse:
    return render(request, "accounts/invitations/refused.html", {"why": why}, status=status)


def _closed() -> str:
    """What is said of a code that opens nothing: the same whether it was never made or is used up, so that nobody
    learns which codes exist."""
    return _("This code opens nothing: it was used, has run out, or isn't quite this. Ask a director for another.")


@never_cache
def lost(request: HttpRequest) -> HttpResponse:
    """The page for a lost password: a link by mail where the host has mail, else what to ask a director for. The answer
    is the same whether anybody has the address or not."""
    form = LostForm(request.POST or None) if settings.MAIL_IS_SET else None
    sent = False
    if form is not None and request.method == "POST" and form.is_valid():
        email, window = form.cleaned_data["email"], settings.LOGIN_WINDOW
        tries = [
            Try(("lost", network_of(request)), most=LETTERS_ASKED, window=window),
            Try(("lost-at", email.lower()), most=LETTERS_ASKED, window=window),
        ]
        try:
            spend(*tries)
        except TooManyTries as late:
            words = _("Too many letters were asked for. Wait %(minutes)d minutes, then try again.")
            form.add_error("email", words % {"minutes": late.minutes})
        else:
            scheme, _between, domain = site_of(request).partition("://")
            mail.ask_for(mail.send_new_password, email, domain, scheme == "https")
            sent = True
    context = {"form": form, "sent": sent}
    return render(request, "accounts/invitations/lost.html", context, status=422 if form and form.errors else 200)


class NewByMail(PasswordResetConfirmView):
    """Where the link in a letter leads: Django's own page for a new password."""

    template_name = "accounts/invitations/new_by_mail.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: object) -> HttpResponse:
        """Set the password, log that person out everywhere, and write it in the log."""
        answer = super().form_valid(form)  # type: ignore[arg-type]  # its SetPasswordForm
        for user in User.objects.filter(username=getattr(self.user, "username", "")):
            end_sessions(user)
            log_own(user=user, verb="password.new")
        messages.success(self.request, _("The new password is set. Log in with it."))
        return answer
