"""Going back to a backup as a task: the page asks again and again how far it is, and no request waits meanwhile.

Without a worker it is done in the request: whoever needs a backup must not need a worker. If two ask at once, or one
taps twice, it is done once: meanwhile others are told that it is going on (`notice`), and afterwards what they
confirmed no longer matches what would be lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_tasks import TaskResultStatus, task

from clubsite.accounts.models import Actor, User
from clubsite.backups import notice
from clubsite.backups.files import Backup, BackupRefused, look_into
from clubsite.backups.losses import losses_of
from clubsite.backups.restoring import restore
from clubsite.jobs import heartbeat
from clubsite.jobs.queue import Priority, enqueue, left

# Why it was "refused"; or the numbers of "deals" lost and of persons "erased" again, and the cards to "print_again".
Told = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RestoreProgress:
    """How far a task is: whether it `waits` for a worker. `words`: how it ended, in sentences; "" while it goes on."""

    waits: bool = False
    words: str = ""
    well: bool = True


def ask(found: Backup, *, club: int | None, mark: str, by: Actor) -> str | RestoreProgress:
    """Go back, or have a worker do so. Returns how it ended, or the id of the task.

    `mark` is `Losses.mark` of the losses that were confirmed.

    Raises:
        GoingOn: somebody else is at it.
    """
    with notice.begun(found, club) as keep_on:
        user = by.user.pk if by.user else None
        words = [by.name, by.route, by.director]
        arguments = (found.name, club, mark, user, words, translation.get_language() or "en")
        if settings.TASKS_APART and not heartbeat.is_missing():
            asked = enqueue(go_back, *arguments, priority=Priority.SEARCH)
            keep_on()
            return asked
        keep_on()  # `go_back` ends the notice itself
        return _ended(go_back.func(*arguments), found, club=club)


@task()
def go_back(  # noqa: PLR0917  (a task: its arguments wait by place)
    name: str, club: int | None, mark: str, user: int | None, by: list[Any], language: str
) -> Told:
    """Go back to the backup of this name, unless it would now lose something else (`Losses.mark`) than was
    confirmed."""
    who, route, director = by
    actor = Actor(user=User.objects.filter(pk=user or 0).first(), name=who, route=route, director=director)
    back_at: Backup | None = None
    print_again: Mapping[str, list[str]] = {}
    with translation.override(language):
        try:
            found = look_into(settings.BACKUPS / name)  # refused if the file has gone since
            if losses_of(found, club).mark != mark:
                return {"refused": _("Something was done since you looked. Look again at what would be lost.")}
            restored = restore(found.path, folder=settings.BACKUPS, by=actor, club=club)
            back_at, print_again = found, restored.print_again
            return {"deals": restored.deals, "erased": restored.erased, "print_again": dict(print_again)}
        except BackupRefused as refused:
            return {"refused": str(refused)}
        finally:
            notice.end(back_at, club, print_again=print_again)


def how_far(asked: str, found: Backup, *, club: int | None) -> RestoreProgress | None:
    """How far a task is; None where there is none of this id for this backup and club."""
    result = left(asked).filter(task_path=go_back.module_path).first()
    if result is None or result.args_kwargs["args"][:2] != [found.name, club]:
        return None
    if result.status == TaskResultStatus.SUCCESSFUL:
        told: Any = result.return_value
        return _ended(told, found, club=club)
    if result.status == TaskResultStatus.FAILED:
        notice.end_here(found, club, done=False)
        words = _(
            "Something went wrong, and nothing was changed. Whoever looks after this machine finds it in the log."
        )
        return RestoreProgress(words=words, well=False)
    return RestoreProgress(waits=result.status == TaskResultStatus.READY)


def _ended(told: Told, found: Backup, *, club: int | None) -> RestoreProgress:
    """How it ended, in words. Also ends the notice on this host, where the worker ran on another."""
    well = "refused" not in told
    again = told.get("print_again", {})
    notice.end_here(found, club, done=well, print_again=again)
    words = _done(told) if well else told["refused"]
    return RestoreProgress(words=words, well=well)


def _done(told: Told) -> str:
    deals, erased = told["deals"], told["erased"]
    words = [_("Done. What was there before is a backup too, the newest in the list.")]
    if cards := [card for of_club in told.get("print_again", {}).values() for card in of_club]:
        words.append(_("Print these cards again: %(cards)s.") % {"cards": "; ".join(cards)})
    if deals:
        words.append(
            ngettext(
                "%(n)d deal was recorded since and isn’t there any more.",
                "%(n)d deals were recorded since and aren’t there any more.",
                deals,
            )
            % {"n": deals}
        )
    if erased:
        words.append(
            ngettext(
                "%(n)d person who had been erased since was erased again.",
                "%(n)d persons who had been erased since were erased again.",
                erased,
            )
            % {"n": erased}
        )
    return " ".join(words)
