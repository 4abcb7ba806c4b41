"""Letters, where the host has mail (`EMAIL_URL`).

A task sends them, and only the task looks whether anybody has the address: so the page answers the same, and as fast,
for an address that nobody has.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django_tasks import task
from django_tasks.base import Task

from clubsite.accounts.invitations.actions import shown_code
from clubsite.accounts.languages import as_in
from clubsite.accounts.models import Invitation


def ask_for(letter: Task[Any, Any], *args: Any) -> None:
    """Have a letter sent: one of the tasks below, with its arguments."""
    letter.using(backend="default" if settings.TASKS_APART else "at-once").enqueue(*args)


@task()
def send_invitation(pk: int, site: str) -> None:
    """Send an invitation to its address, in the club's language. `site` is the site's: "https://cards.example.org"."""
    found = Invitation.objects.select_related("club").filter(pk=pk, used_at=None, revoked_at=None).first()
    if found is None or not found.email:
        return
    with as_in(found.club):
        text = render_to_string(
            "accounts/invitations/letter.txt", {"invitation": found, "code": shown_code(found), "site": site}
        )
        # Django refuses a subject of several lines, and sends nothing then.
        words = _("An invitation to %(club)s") % {"club": found.club.name}
        subject = " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())
    send_mail(subject, text, None, [found.email])


@task()
def send_new_password(email: str, domain: str, secure: bool) -> None:  # noqa: PLR0917  (a task: its arguments wait by place)
    """Send a link to a new password to everybody who has this address."""
    form = PasswordResetForm({"email": email})
    if form.is_valid():
        form.save(
            domain_override=domain,
            use_https=secure,
            subject_template_name="accounts/invitations/lost_subject.txt",
            email_template_name="accounts/invitations/lost.txt",
        )
