"""Letting in people without a password: an invitation to a club, a code or a letter in place of a lost password.

A task sends the letters (where the host has `EMAIL_URL`), and only the task checks whether anybody has the address: so
the page answers the same, and as fast, for an address that nobody has.
"""

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import PasswordResetForm, UsernameField
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django_tasks import task
from django_tasks.base import Task

from clubsite.accounts.audit_log import log, log_own
from clubsite.accounts.languages import use_language
from clubsite.accounts.login_attempts import TooManyTries, Try, spend
from clubsite.accounts.models import Actor, Club, Invitation, Member, Role, User
from clubsite.accounts.people import NameTaken, clubs_own_log_in, create_user
from clubsite.accounts.roles import club_page, logged_in_user, request_actor, start_page
from clubsite.accounts.sessions import end_sessions
from clubsite.accounts.starting import free_username
from clubsite.addresses import client_network, is_loopback, site_address
from clubsite.codes import code_from_nonce, hash_code, new_nonce, qr_svg
from clubsite.invisible_characters import to_one_line
from clubsite.names import PersonField

LASTS = timedelta(days=14)
PASSWORD_LASTS = timedelta(days=2)
JOIN, PASSWORD = Invitation.Purpose.JOIN, Invitation.Purpose.PASSWORD


class CodeClosed(Exception):
    """The code was used, has expired, or has been withdrawn."""


class NotOnlyThisClub(Exception):
    """The log-in also opens another club, or is the site owner's: no director alone may set its password."""


class AlreadyInClub(Exception):
    """The person already has a role in the club."""


def _usable_invitations() -> QuerySet[Invitation]:
    usable = Q(user=None) | Q(by_owner=True) | clubs_own_log_in()
    return Invitation.objects.filter(usable, used_at=None, revoked_at=None, expires_at__gt=timezone.now())


def usable_invitations(club: Club) -> QuerySet[Invitation]:
    return _usable_invitations().filter(club=club)


def invite_person(
    *, club: Club, by: Actor, name: str, kind: str, member: Member | None = None, email: str = ""
) -> Invitation:
    """Invite somebody to a role, and say which member they are. A double tap makes one invitation."""
    with club.locked_transaction() as club:
        fields: dict[str, Any] = {"purpose": JOIN, "name": name, "kind": kind, "member": member, "email": email}
        invitation = usable_invitations(club).filter(**fields).first()
        if invitation is None:
            invitation = _create(club, by, lasts=LASTS, **fields)
            log(club=club, by=by, verb="invitation.make", subject=name, new={"role": kind})
    return invitation


def make_password_code(*, role: Role, by: Actor, owner: bool = False) -> Invitation:
    """Make a code for setting a new password; one made before stops working. Raises NotOnlyThisClub where the log-in
    also opens another club or is the owner's, unless the site's `owner` makes it."""
    with role.club.locked_transaction() as club:
        user = role.user
        if not owner and not Role.objects.filter(clubs_own_log_in(), pk=role.pk).exists():
            raise NotOnlyThisClub
        usable_invitations(club).filter(purpose=PASSWORD, user=user).update(revoked_at=timezone.now())
        name = user.get_full_name() or user.username
        invitation = _create(club, by, lasts=PASSWORD_LASTS, purpose=PASSWORD, name=name, user=user, by_owner=owner)
        log(club=club, by=by, verb="password.code", subject=user.username)
    return invitation


def _create(club: Club, by: Actor, *, lasts: timedelta, **fields: Any) -> Invitation:
    fields |= {"made_by": by.name, "expires_at": timezone.now() + lasts, "nonce": new_nonce()}
    return Invitation.objects.create(club=club, code_hash=hash_code(code_from_nonce(fields["nonce"])), **fields)


def invitation_code(invitation: Invitation) -> str:
    """The code in plain text; "" when it was made with another secret key."""
    code = code_from_nonce(invitation.nonce)
    return code if hash_code(code) == invitation.code_hash else ""


def revoke(*, invitation: Invitation, by: Actor) -> None:
    with invitation.club.locked_transaction():
        unused = Invitation.objects.filter(pk=invitation.pk, used_at=None, revoked_at=None)
        if unused.update(revoked_at=timezone.now()):
            log(club=invitation.club, by=by, verb="invitation.revoke", subject=invitation.name)


def accept_as_new_user(*, invitation: Invitation, username: str, password: str, email: str = "") -> Role:
    """`email` is where a letter goes when the password is lost. Raises CodeClosed and NameTaken."""
    with transaction.atomic():
        held = _use_up(invitation)
        return _add_role(held, create_user(username=username, full_name=held.name, password=password, email=email))


def accept_as_user(*, invitation: Invitation, user: User) -> Role:
    """Accept an invitation with a log-in from another club. Raises CodeClosed and AlreadyInClub."""
    with transaction.atomic():
        held = _use_up(invitation)
        if Role.objects.filter(club=held.club, user=user).exists():
            raise AlreadyInClub
        return _add_role(held, user)


def _add_role(held: Invitation, user: User) -> Role:
    role = Role.objects.create(user=user, club=held.club, kind=held.kind, member=held.member)
    log(club=held.club, by=Actor.of(user), verb="invitation.accept", subject=user.username, new={"role": held.kind})
    return role


def set_password(*, invitation: Invitation, password: str) -> User:
    """Set the password that a code is for, and log that person out everywhere. Raises CodeClosed."""
    with transaction.atomic():
        held = _use_up(invitation)
        user = held.user
        if user is None:
            raise CodeClosed
        user.set_password(password)
        user.save()
        end_sessions(user)
        log_own(user=user, verb="password.new")
    return user


def _use_up(invitation: Invitation) -> Invitation:
    """Lock the club and mark the invitation as used. Raises CodeClosed where it can't be used any more."""
    invitation.club.lock()
    open_now = _usable_invitations().select_for_update(of=("self",)).select_related("club", "user", "member")
    held = open_now.filter(pk=invitation.pk).first()
    if held is None:
        raise CodeClosed
    held.used_at = timezone.now()
    held.save(update_fields=["used_at"])
    return held


def send_later(letter: Task[Any, Any], *args: Any) -> None:
    """`letter` is one of the tasks below, `args` are its arguments."""
    letter.using(backend="default" if settings.TASKS_APART else "at-once").enqueue(*args)


@task()
def send_invitation(pk: int, site: str) -> None:
    """`site` is the site's address: "https://cards.example.org"."""
    invitation = Invitation.objects.select_related("club").filter(pk=pk, used_at=None, revoked_at=None).first()
    if invitation is None or not invitation.email:
        return
    with use_language(invitation.club):
        context = {"invitation": invitation, "code": invitation_code(invitation), "site": site}
        text = render_to_string("accounts/invitations/letter.txt", context)
        subject = to_one_line(_("An invitation to %(club)s") % {"club": invitation.club.name})  # or Django refuses it
    send_mail(subject, text, None, [invitation.email])


@task()
def send_new_password(email: str, domain: str, secure: bool) -> None:  # noqa: PLR0917  (a task: its arguments wait by place)
    form = PasswordResetForm({"email": email})
    if form.is_valid():
        form.save(
            domain_override=domain,
            use_https=secure,
            subject_template_name="accounts/invitations/lost_subject.txt",
            email_template_name="accounts/invitations/lost.txt",
        )


class InviteForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=140,
        help_text=gettext_lazy("As it should appear next to what they record."),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.Kind.choices, initial=Role.Kind.SCOREKEEPER)
    member = PersonField(
        Member.objects.none(),
        label=gettext_lazy("Name on the list of members"),
        required=False,
        empty_label=gettext_lazy("not on the list"),
        help_text=gettext_lazy("Lets them see their own page. The role of a member needs it."),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        required=False,
        help_text=gettext_lazy("Leave empty to print a slip with a code for them."),
    )

    def __init__(self, *args: Any, club: Club, mail: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        member: Any = self.fields["member"]
        member.queryset = Member.objects.filter(club=club, erased_at=None)
        if not mail:
            del self.fields["email"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("kind") == Role.Kind.MEMBER and not cleaned.get("member"):
            self.add_error("member", gettext_lazy("Choose the member: this role only opens their own page."))
        return cleaned


class SlipCodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off"}),
    )


class NewPasswordForm(forms.Form):
    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=gettext_lazy("At least ten characters. Three unrelated words work well."),
    )

    def __init__(self, *args: Any, user: User | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password, self.user or User(username=self.cleaned_data.get("username", "")))
        return password


class AcceptForm(NewPasswordForm):
    username = UsernameField(
        label=gettext_lazy("Log-in name"),
        max_length=150,
        validators=User._meta.get_field("username").validators,
        help_text=gettext_lazy("Letters, digits and . _ - only, for example ann.abel."),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        required=False,
        help_text=gettext_lazy("Your own address: if you forget your password, a link to set a new one goes there."),
    )
    field_order: tuple[str, ...] = ("username", "password", "email")


class LostPasswordForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        max_length=254,
        error_messages={"max_length": gettext_lazy("This isn't an e-mail address.")},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


WRONG_CODES = 10  # from one network address, within `LOGIN_WINDOW`
LETTERS_ASKED = 5  # from one network address, and to one e-mail address, within `LOGIN_WINDOW`


@club_page
def invite(request: HttpRequest, club: Club) -> HttpResponse:
    """Invite somebody by name and role: by mail where the host has it and an address is given, else by a slip."""
    form = InviteForm(request.POST or None, club=club, mail=settings.MAIL_IS_SET)
    if form.is_valid():
        invitation = invite_person(club=club, by=request_actor(request), **form.cleaned_data)
        if invitation.email:
            send_later(send_invitation, invitation.pk, site_address(request))
            messages.success(request, _("The invitation goes to %(email)s.") % {"email": invitation.email})
        return redirect("invitation", club.slug, invitation.pk)
    context = {"form": form, "mail": settings.MAIL_IS_SET}
    return render(request, "accounts/invitations/invite.html", context, status=422 if form.errors else 200)


@club_page
def invitation(request: HttpRequest, club: Club, *, pk: int) -> HttpResponse:
    """The slip of an invitation or of a new password, to print; a POST withdraws it."""
    invitation = get_object_or_404(Invitation.objects.select_related("user"), club=club, pk=pk)
    if request.method == "POST":
        revoke(invitation=invitation, by=request_actor(request))
        messages.success(request, _("The code no longer works."))
        return redirect("people", club.slug)
    code = invitation_code(invitation) if usable_invitations(club).filter(pk=pk).exists() else ""
    site = site_address(request)
    context = {
        "invitation": invitation,
        "code": code,
        "typed_at": f"{site}{reverse('invited')}".partition("//")[2],
        "site": f"{site}/",
        "only_here": is_loopback(site),
        "qr": qr_svg(f"{site}{reverse('invited_with', args=[code])}") if code else "",
    }
    return render(request, "accounts/invitations/slip.html", context)


@club_page
def role_password(request: HttpRequest, club: Club, *, pk: int) -> HttpResponse:
    role = get_object_or_404(Role.objects.select_related("user", "club"), pk=pk, club=club)
    try:
        invitation = make_password_code(role=role, by=request_actor(request))
    except NotOnlyThisClub:
        messages.error(
            request,
            _("This log-in isn't only for your club. The site's owner can give it a new password with a command."),
        )
        return redirect("people", club.slug)
    return redirect("invitation", club.slug, invitation.pk)


@never_cache
def type_code(request: HttpRequest) -> HttpResponse:
    form = SlipCodeForm(request.POST or None)
    if form.is_valid():
        try:
            if _find_invitation(request, form.cleaned_data["code"]) is not None:
                return redirect("invited_with", form.cleaned_data["code"].strip())
            form.add_error("code", _closed_message())
        except TooManyTries as late:
            form.add_error("code", late.code_message)
    context = {
        "form": form,
        "title": _("Your code"),
        "lede": _("Type the code on the slip that a director gave you."),
        "save": _("Continue"),
    }
    return render(request, "form_page.html", context, status=422 if form.errors else 200)


@never_cache
def use_code(request: HttpRequest, code: str) -> HttpResponse:
    try:
        invitation = _find_invitation(request, code)
        if invitation is not None:
            return (_password_page if invitation.purpose == PASSWORD else _accept_page)(request, invitation)
    except TooManyTries as late:
        return _refusal_page(request, late.code_message, status=429)
    except CodeClosed:  # somebody else used it at the same time
        pass
    return _refusal_page(request, _closed_message(), status=410)


def _refusal_page(request: HttpRequest, message: str, *, status: int) -> HttpResponse:
    links = [(reverse("invited"), _("Type a code")), (reverse("login"), _("Log in"))]
    return render(
        request, "message_page.html", {"title": _("Your code"), "message": message, "links": links}, status=status
    )


def _accept_page(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    user = logged_in_user(request) if request.user.is_authenticated else None
    form = AcceptForm(request.POST if request.POST.get("step") == "new" else None)
    if not settings.MAIL_IS_SET:
        del form.fields["email"]
    if request.method == "POST" and request.POST.get("step") == "mine" and user is not None:
        try:
            return _welcome(request, accept_as_user(invitation=invitation, user=user))
        except AlreadyInClub:
            messages.error(request, _("You already have a log-in for %(club)s.") % {"club": invitation.club.name})
            return redirect(request.path)
    if form.is_valid():
        try:
            role = accept_as_new_user(invitation=invitation, **form.cleaned_data)
        except NameTaken:
            form.add_error("username", _("Somebody has this log-in name already. Choose another."))
        else:
            login(request, role.user)
            return _welcome(request, role)
    if not form.is_bound:
        form.initial = {"username": free_username(invitation.name), "email": invitation.email}
    context = {"form": form, "invitation": invitation, "club": invitation.club, "as_user": user}
    return render(request, "accounts/invitations/accept.html", context, status=422 if form.errors else 200)


def _welcome(request: HttpRequest, role: Role) -> HttpResponse:
    words = _("Welcome to %(club)s. Your log-in name is %(username)s.")
    messages.success(request, words % {"club": role.club.name, "username": role.user.username})
    return redirect(start_page(role))


def _password_page(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    form = NewPasswordForm(request.POST or None, user=invitation.user)
    if form.is_valid():
        set_password(invitation=invitation, password=form.cleaned_data["password"])
        messages.success(request, _("The new password is set. Log in with it."))
        return redirect("login")
    context = {"form": form, "invitation": invitation, "club": invitation.club}
    return render(request, "accounts/invitations/new_password.html", context, status=422 if form.errors else 200)


def _find_invitation(request: HttpRequest, code: str) -> Invitation | None:
    """The invitation with this code, or None. Counts wrong codes; raises TooManyTries after too many."""
    usable = _usable_invitations().select_related("club", "user", "member")
    invitation = usable.filter(code_hash=hash_code(code)).first()
    if invitation is None:
        spend(Try(("invitation", client_network(request)), most=WRONG_CODES, window=settings.LOGIN_WINDOW))
    return invitation


def _closed_message() -> str:
    """The same for a code that never existed and one that is used up, so that nobody learns which codes exist."""
    return _("This code doesn't work: it was used, has expired, or was mistyped. Ask a director for another.")


@never_cache
def lost_password(request: HttpRequest) -> HttpResponse:
    """Sends a link by mail where the host has mail, else says what to ask a director for. The answer is the same
    whether anybody has the address or not."""
    form = LostPasswordForm(request.POST or None) if settings.MAIL_IS_SET else None
    sent = False
    if form is not None and form.is_valid():
        email, window = form.cleaned_data["email"], settings.LOGIN_WINDOW
        keys = ("lost", client_network(request)), ("lost-at", email.lower())
        try:
            spend(*(Try(key, most=LETTERS_ASKED, window=window) for key in keys))
        except TooManyTries as late:
            form.add_error("email", late.letter_message)
        else:
            scheme, _between, domain = site_address(request).partition("://")
            send_later(send_new_password, email, domain, scheme == "https")
            sent = True
    context = {"form": form, "sent": sent}
    return render(request, "accounts/invitations/lost.html", context, status=422 if form and form.errors else 200)


class NewPasswordByMail(PasswordResetConfirmView):
    template_name = "accounts/invitations/new_password.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: object) -> HttpResponse:
        answer = super().form_valid(form)  # type: ignore[arg-type]  # its SetPasswordForm
        for user in User.objects.filter(username=getattr(self.user, "username", "")):
            end_sessions(user)
            log_own(user=user, verb="password.new")
        messages.success(self.request, _("The new password is set. Log in with it."))
        return answer
