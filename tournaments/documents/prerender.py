"""Makes a draw's documents when it is published, before anybody opens them."""

import logging

from django.conf import settings
from django.http import Http404, HttpRequest, QueryDict
from django_tasks import task

from clubsite import pango
from clubsite.accounts.models import Role
from clubsite.accounts.roles import AT_DESK
from clubsite.jobs.queue import Priority, enqueue
from clubsite.pdf import documents
from tournaments.documents.views import Options, cache_names, document_pages, remember_pages
from tournaments.draws.drafts import WITH_EVENT
from tournaments.errors import StepRefused
from tournaments.models import Draw
from tournaments.table_links.links import phone_site

AFTER_DRAW = ("round", "seating", "cards", "movement")  # documents; not every event has all of them
log = logging.getLogger(__name__)


def prerender_documents(request: HttpRequest, draw: Draw) -> None:
    """Queue the documents of a published draw. Does nothing without workers or Pango."""
    if settings.TASKS_APART and not pango.missing():
        enqueue(make_ahead, draw.pk, request.user.pk, phone_site(request), priority=Priority.SEARCH)


@task()
def make_ahead(draw: int, user: int, site: str) -> None:  # noqa: PLR0917  (a task: its arguments wait by place)
    """Order the documents printed after a draw, on the club's paper and with links to this site.

    Once for this user's role and once for the other: a director's file of the round has more than a scorekeeper's."""
    published = WITH_EVENT.filter(pk=draw, state=Draw.State.PUBLISHED).first()
    if published is None:
        return
    event = published.round.stage.event
    roles = Role.objects.filter(club=event.club, kind__in=AT_DESK, user__is_active=True).values_list("user", "kind")
    kinds = dict.fromkeys(kind for _user, kind in sorted(roles, key=lambda role: role[0] != user))
    for kind in kinds:
        options = Options(event, kind, site, QueryDict(f"draw={published.pk}"))
        for document in AFTER_DRAW:
            try:
                names = cache_names(options, document)
                pages = remember_pages(names, document_pages(options, document))
                documents.order_ahead(pages)  # the same pages are one file
            except (Http404, StepRefused):
                log.debug("%s has no %s for a %s", event, document, kind)
