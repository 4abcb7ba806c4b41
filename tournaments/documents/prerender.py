"""Documents made before anybody opens them, when a draw is published."""

import logging

from django.conf import settings
from django.http import Http404, HttpRequest, QueryDict
from django_tasks import task

from clubsite import pango
from clubsite.accounts.models import Role
from clubsite.accounts.roles import AT_DESK
from clubsite.jobs.queue import Priority, enqueue
from clubsite.pdf import documents
from tournaments.documents.views import Options, cache_names, pages_of, remember
from tournaments.draws.drafts import WITH_EVENT
from tournaments.errors import StepRefused
from tournaments.models import Draw
from tournaments.table_links.links import site_of

AHEAD = ("round", "seating", "cards", "movement")  # what is wanted after a draw; an event that lacks one goes without
log = logging.getLogger(__name__)


def order_ahead(request: HttpRequest, draw: Draw) -> None:
    """Have the documents of a draw that was published made before anybody asks for them. Nothing without workers,
    or without Pango."""
    if settings.TASKS_APART and not pango.missing():
        enqueue(make_ahead, draw.pk, request.user.pk, site_of(request), priority=Priority.SEARCH)


@task()
def make_ahead(draw: int, user: int, site: str) -> None:  # noqa: PLR0917  (a task: its arguments wait by place)
    """Order the documents printed after a draw, on the club's paper and with links to this site: once for this user's
    role and once for the other that prints, since a director's file of the round has more than a scorekeeper's."""
    published = WITH_EVENT.filter(pk=draw, state=Draw.State.PUBLISHED).first()
    if published is None:
        return
    event = published.round.stage.event
    roles = Role.objects.filter(club=event.club, kind__in=AT_DESK, user__is_active=True).values_list("user", "kind")
    kinds = dict.fromkeys(kind for _user, kind in sorted(roles, key=lambda role: role[0] != user))
    for kind in kinds:
        options = Options(event, kind, site, QueryDict(f"draw={published.pk}"))
        for document in AHEAD:
            try:
                names = cache_names(options, document)
                documents.order_ahead(remember(names, pages_of(options, document)))  # the same pages are one file
            except (Http404, StepRefused):
                log.debug("%s has no %s for a %s", event, document, kind)
