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
from clubsite.accounts.languages import as_in
from clubsite.accounts.login_attempts import TooManyTries, Try, spend
from clubsite.accounts.models import Actor, Club, Invitation, Member, Role, User
from clubsite.accounts.people import NameTaken, clubs_own_log_in, new_user
from clubsite.accounts.roles import actor_of, club_page, first_page, user_of
from clubsite.accounts.sessions import end_sessions
from clubsite.accounts.starting import free_username
from clubsite.addresses import network_of, only_here, site_of
from clubsite.codes import code_of, hash_of, new_nonce, qr_of
from clubsite.invisible_characters import one_line
from clubsite.names import PersonField

LASTS = timedelta(days=14)
PASSWORD_LASTS = timedelta(days=2)
JOIN, PASSWORD = Invitation.Purpose.JOIN, Invitation.Purpose.PASSWORD


class NotOpen(Exception):
    """The code was used, has expired, or has been withdrawn."""


class NotTheirs(Exception):
    """The log-in also opens another club, or is the site owner's: no director alone may set its password."""


class HereAlready(Exception):
    """The person already has a role in the club."""


def _open() -> QuerySet[Invitation]:
    usable = Q(user=None) | Q(by_owner=True) | clubs_own_log_in()
    return Invitation.objects.filter(usable, used_at=None, revoked_at=None, expires_at__gt=timezone.now())


def live(club: Club) -> QuerySet[Invitation]:
    """The invitations and codes of a club that somebody can still use."""
    return _open().filter(club=club)


def invite_person(
    *, club: Club, by: Actor, name: str, kind: str, member: Member | None = None, email: str = ""
) -> Invitation:
    """Invite somebody to a role, and say which member they are. A double tap makes one invitation."""
    with transaction.atomic():
        club = club.lock()
        fields: dict[str, Any] = {"purpose": JOIN, "name": name, "kind": kind, "member": member, "email": email}
        invitation = live(club).filter(**fields).first()
        if invitation is None:
            invitation = _create(club, by, lasts=LASTS, **fields)
            log(club=club, by=by, verb="invitation.make", subject=name, new={"role": kind})
    return invitation


def give_code(*, role: Role, by: Actor, owner: bool = False) -> Invitation:
    """Make a code by which somebody of the club sets a new password; one made before stops working. The site's `owner`
    may do so for everybody; otherwise raises NotTheirs where the log-in opens another club too, or is the owner's."""
    with transaction.atomic():
        club = role.club.lock()
        user = role.user
        if not owner and not Role.objects.filter(clubs_own_log_in(), pk=role.pk).exists():
            raise NotTheirs
        live(club).filter(purpose=PASSWORD, user=user).update(revoked_at=timezone.now())
        name = user.get_full_name() or user.username
        invitation = _create(club, by, lasts=PASSWORD_LASTS, purpose=PASSWORD, name=name, user=user, by_owner=owner)
        log(club=club, by=by, verb="password.code", subject=user.username)
    return invitation


def _create(club: Club, by: Actor, *, lasts: timedelta, **fields: Any) -> Invitation:
    fields |= {"made_by": by.name, "expires_at": timezone.now() + lasts, "nonce": new_nonce()}
    return Invitation.objects.create(club=club, code_hash=hash_of(code_of(fields["nonce"])), **fields)


def shown_code(invitation: Invitation) -> str:
    """The code to show and print; "" when it was made with another secret key."""
    code = code_of(invitation.nonce)
    return code if hash_of(code) == invitation.code_hash else ""


def revoke(*, invitation: Invitation, by: Actor) -> None:
    """Take an invitation or code back: it opens nothing from now on. One that was used stays used."""
    with transaction.atomic():
        invitation.club.lock()
        unused = Invitation.objects.filter(pk=invitation.pk, used_at=None, revoked_at=None)
        if unused.update(revoked_at=timezone.now()):
            log(club=invitation.club, by=by, verb="invitation.revoke", subject=invitation.name)


def accept(*, invitation: Invitation, username: str, password: str, email: str = "") -> Role:
    """Accept an invitation with a new log-in. `email` is where a letter goes when its password is lost. Raises NotOpen,
    and NameTaken where somebody has the log-in name."""
    with transaction.atomic():
        held = _held(invitation)
        return _join(held, new_user(username=username, full_name=held.name, password=password, email=email))


def accept_as(*, invitation: Invitation, user: User) -> Role:
    """Accept an invitation with a log-in that somebody already has from another club. Raises NotOpen, and HereAlready
    where they have a role in this club."""
    with transaction.atomic():
        held = _held(invitation)
        if Role.objects.filter(club=held.club, user=user).exists():
            raise HereAlready
        return _join(held, user)


def _join(held: Invitation, user: User) -> Role:
    role = Role.objects.create(user=user, club=held.club, kind=held.kind, member=held.member)
    by = Actor(user=user, name=user.get_full_name() or user.username)
    log(club=held.club, by=by, verb="invitation.accept", subject=user.username, new={"role": held.kind})
    return role


def set_password(*, invitation: Invitation, password: str) -> User:
    """Set the password that a code is for, and log that person out everywhere. Raises NotOpen."""
    with transaction.atomic():
        held = _held(invitation)
        user = held.user
        if user is None:
            raise NotOpen
        user.set_password(password)
        user.save()
        end_sessions(user)
        log_own(user=user, verb="password.new")
    return user


def _held(invitation: Invitation) -> Invitation:
    """Lock the club, read the invitation as it is now, and use it up. Raises NotOpen if it opens nothing any more."""
    invitation.club.lock()
    open_now = _open().select_for_update(of=("self",)).select_related("club", "user", "member")
    held = open_now.filter(pk=invitation.pk).first()
    if held is None:
        raise NotOpen
    held.used_at = timezone.now()
    held.save(update_fields=["used_at"])
    return held


def send_later(letter: Task[Any, Any], *args: Any) -> None:
    """Queue a letter: one of the tasks below, with its arguments."""
    letter.using(backend="default" if settings.TASKS_APART else "at-once").enqueue(*args)


@task()
def send_invitation(pk: int, site: str) -> None:
    """Send an invitation to its address, in the club's language. `site` is the site's: "https://cards.example.org"."""
    invitation = Invitation.objects.select_related("club").filter(pk=pk, used_at=None, revoked_at=None).first()
    if invitation is None or not invitation.email:
        return
    with as_in(invitation.club):
        context = {"invitation": invitation, "code": shown_code(invitation), "site": site}
        text = render_to_string("accounts/invitations/letter.txt", context)
        subject = one_line(_("An invitation to %(club)s") % {"club": invitation.club.name})  # or Django refuses it
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


class LostForm(forms.Form):
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
        invitation = invite_person(club=club, by=actor_of(request), **form.cleaned_data)
        if invitation.email:
            send_later(send_invitation, invitation.pk, site_of(request))
            messages.success(request, _("The invitation goes to %(email)s.") % {"email": invitation.email})
        return redirect("invitation", club.slug, invitation.pk)
    context = {"form": form, "mail": settings.MAIL_IS_SET}
    return render(request, "accounts/invitations/invite.html", context, status=422 if form.errors else 200)


@club_page
def invitation(request: HttpRequest, club: Club, *, pk: int) -> HttpResponse:
    """The slip of an invitation or of a new password, to be printed; a POST takes it back."""
    invitation = get_object_or_404(Invitation.objects.select_related("user"), club=club, pk=pk)
    if request.method == "POST":
        revoke(invitation=invitation, by=actor_of(request))
        messages.success(request, _("The code no longer works."))
        return redirect("people", club.slug)
    code = shown_code(invitation) if live(club).filter(pk=pk).exists() else ""
    site = site_of(request)
    context = {
        "invitation": invitation,
        "code": code,
        "typed_at": f"{site}{reverse('invited')}".partition("//")[2],
        "site": f"{site}/",
        "only_here": only_here(site),
        "qr": qr_of(f"{site}{reverse('invited_with', args=[code])}") if code else "",
    }
    return render(request, "accounts/invitations/slip.html", context)


@club_page
def role_password(request: HttpRequest, club: Club, *, pk: int) -> HttpResponse:
    """Make a code by which somebody of the club sets a new password, and show its slip."""
    role = get_object_or_404(Role.objects.select_related("user", "club"), pk=pk, club=club)
    try:
        invitation = give_code(role=role, by=actor_of(request))
    except NotTheirs:
        messages.error(
            request,
            _("This log-in isn't only for your club. The site's owner can give it a new password with a command."),
        )
        return redirect("people", club.slug)
    return redirect("invitation", club.slug, invitation.pk)


@never_cache
def invited(request: HttpRequest) -> HttpResponse:
    """The page where the code of a slip is typed in."""
    form = SlipCodeForm(request.POST or None)
    if form.is_valid():
        try:
            if _opened(request, form.cleaned_data["code"]) is not None:
                return redirect("invited_with", form.cleaned_data["code"].strip())
            form.add_error("code", _closed())
        except TooManyTries as late:
            form.add_error("code", late.of_codes)
    context = {
        "form": form,
        "title": _("Your code"),
        "lede": _("Type the code on the slip that a director gave you."),
        "save": _("Continue"),
    }
    return render(request, "form_page.html", context, status=422 if form.errors else 200)


@never_cache
def invited_with(request: HttpRequest, code: str) -> HttpResponse:
    """Take up an invitation or set a new password, by the code in the address alone."""
    try:
        invitation = _opened(request, code)
        if invitation is not None:
            return (_set if invitation.purpose == PASSWORD else _accept)(request, invitation)
    except TooManyTries as late:
        return _refused(request, late.of_codes, status=429)
    except NotOpen:  # somebody else used it at the same time
        pass
    return _refused(request, _closed(), status=410)


def _refused(request: HttpRequest, message: str, *, status: int) -> HttpResponse:
    links = [(reverse("invited"), _("Type a code")), (reverse("login"), _("Log in"))]
    return render(
        request, "message_page.html", {"title": _("Your code"), "message": message, "links": links}, status=status
    )


def _accept(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    user = user_of(request) if request.user.is_authenticated else None
    form = AcceptForm(request.POST if request.POST.get("step") == "new" else None)
    if not settings.MAIL_IS_SET:
        del form.fields["email"]
    if request.method == "POST" and request.POST.get("step") == "mine" and user is not None:
        try:
            return _come_in(request, accept_as(invitation=invitation, user=user))
        except HereAlready:
            messages.error(request, _("You already have a log-in for %(club)s.") % {"club": invitation.club.name})
            return redirect(request.path)
    if form.is_valid():
        try:
            role = accept(invitation=invitation, **form.cleaned_data)
        except NameTaken:
            form.add_error("username", _("Somebody has this log-in name already. Choose another."))
        else:
            login(request, role.user)
            return _come_in(request, role)
    if not form.is_bound:
        form.initial = {"username": free_username(invitation.name), "email": invitation.email}
    context = {"form": form, "invitation": invitation, "club": invitation.club, "as_user": user}
    return render(request, "accounts/invitations/accept.html", context, status=422 if form.errors else 200)


def _come_in(request: HttpRequest, role: Role) -> HttpResponse:
    words = _("Welcome to %(club)s. Your log-in name is %(username)s.")
    messages.success(request, words % {"club": role.club.name, "username": role.user.username})
    return redirect(first_page(role))


def _set(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    form = NewPasswordForm(request.POST or None, user=invitation.user)
    if form.is_valid():
        set_password(invitation=invitation, password=form.cleaned_data["password"])
        messages.success(request, _("The new password is set. Log in with it."))
        return redirect("login")
    context = {"form": form, "invitation": invitation, "club": invitation.club}
    return render(request, "accounts/invitations/new_password.html", context, status=422 if form.errors else 200)


def _opened(request: HttpRequest, code: str) -> Invitation | None:
    """The invitation that a code opens, or None. A wrong code is counted; raises TooManyTries after too many."""
    invitation = _open().select_related("club", "user", "member").filter(code_hash=hash_of(code)).first()
    if invitation is None:
        spend(Try(("invitation", network_of(request)), most=WRONG_CODES, window=settings.LOGIN_WINDOW))
    return invitation


def _closed() -> str:
    """The same for a code that never existed and one that is used up, so that nobody learns which codes exist."""
    return _("This code doesn't work: it was used, has expired, or was mistyped. Ask a director for another.")


@never_cache
def lost(request: HttpRequest) -> HttpResponse:
    """The page for a lost password: a link by mail where the host has mail, else what to ask a director for. The answer
    is the same whether anybody has the address or not."""
    form = LostForm(request.POST or None) if settings.MAIL_IS_SET else None
    sent = False
    if form is not None and form.is_valid():
        email, window = form.cleaned_data["email"], settings.LOGIN_WINDOW
        keys = ("lost", network_of(request)), ("lost-at", email.lower())
        try:
            spend(*(Try(key, most=LETTERS_ASKED, window=window) for key in keys))
        except TooManyTries as late:
            form.add_error("email", late.of_letters)
        else:
            scheme, _between, domain = site_of(request).partition("://")
            send_later(send_new_password, email, domain, scheme == "https")
            sent = True
    context = {"form": form, "sent": sent}
    return render(request, "accounts/invitations/lost.html", context, status=422 if form and form.errors else 200)


class NewByMail(PasswordResetConfirmView):
    """Where the link in a letter leads: Django's own page for a new password."""

    template_name = "accounts/invitations/new_password.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: object) -> HttpResponse:
        answer = super().form_valid(form)  # type: ignore[arg-type]  # its SetPasswordForm
        for user in User.objects.filter(username=getattr(self.user, "username", "")):
            end_sessions(user)
            log_own(user=user, verb="password.new")
        messages.success(self.request, _("The new password is set. Log in with it."))
        return answer
