"""Documents made before anybody opens them, when a draw is published."""

from __future__ import annotations

import logging

from django.conf import settings
from django.http import Http404, HttpRequest, QueryDict
from django_tasks import task

from clubsite.accounts.models import Club, Role
from clubsite.accounts.roles import AT_DESK
from clubsite.jobs.queue import Priority, enqueue
from clubsite.pdf import documents
from tournaments.documents.views import DocumentKeys, pages_of
from tournaments.draws.drafts import WITH_EVENT
from tournaments.errors import StepRefused
from tournaments.models import Draw

AHEAD = ("round", "seating", "cards", "movement")  # what is wanted after a draw; an event that lacks one goes without
log = logging.getLogger(__name__)


class OnBehalf(HttpRequest):
    """A made-up request, to make a document that nobody has asked for yet: as which role, at which address."""

    def __init__(self, *, role: Role, site: tuple[str, str], query: str) -> None:
        """`site` is the scheme and the host with its port."""
        super().__init__()
        self.method, self.user, self.GET = "GET", role.user, QueryDict(query)
        self._roles = {role.club_id: (role.kind, role.member_id)}  # as clubsite.accounts.roles keeps them
        self._scheme, self.META["HTTP_HOST"] = site
        if settings.SECURE_PROXY_SSL_HEADER:
            self.META[settings.SECURE_PROXY_SSL_HEADER[0]] = self._scheme

    def _get_scheme(self) -> str:
        return self._scheme


def order_ahead(request: HttpRequest, draw: Draw) -> None:
    """Have the documents of a draw that was published made before anybody asks for them. Nothing without workers."""
    if settings.TASKS_APART:
        site = [request.scheme, request.get_host()]
        enqueue(make_ahead, draw.pk, request.user.pk, site, priority=Priority.SEARCH)


@task()
def make_ahead(draw: int, user: int, site: list[str]) -> None:  # noqa: PLR0917  (a task: its arguments wait by place)
    """Order the documents printed after a draw, on the club's paper and with links to this site: once as this user gets
    them and once for the other role that prints, since a director's file of the round has more than a scorekeeper's."""
    found = WITH_EVENT.filter(pk=draw, state=Draw.State.PUBLISHED).first()
    if found is None:
        return
    event = found.round.stage.event
    for role in _who_prints(event.club, user):
        request = OnBehalf(role=role, site=(site[0], site[1]), query=f"draw={found.pk}")
        for document in AHEAD:
            try:
                keys = DocumentKeys(request, event, document=document)
                pages = keys.remember(pages_of(request, event, document=document))
                documents.order_ahead(pages)  # the same pages are one file for all readers
            except (Http404, StepRefused):
                log.debug("%s has no %s for a %s", event, document, role.kind)


def _who_prints(club: Club, user: int) -> list[Role]:
    """One log-in of each role at the club's desk, this user's role first. One query."""
    roles = Role.objects.filter(club=club, kind__in=AT_DESK, user__is_active=True).select_related("user").order_by("pk")
    found: dict[str, Role] = {}
    for role in sorted(roles, key=lambda role: role.user_id != user):
        found.setdefault(role.kind, role)
    return list(found.values())
