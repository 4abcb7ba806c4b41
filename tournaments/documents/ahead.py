"""Documents before anybody opens them: made when a draw is published; their first sheets as small pictures."""

from __future__ import annotations

import hashlib
import logging

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils import timezone, translation
from django.views.decorators.http import require_safe
from django_tasks import task

from clubsite.accounts.log import version_of
from clubsite.accounts.models import Club, User
from clubsite.accounts.roles import require_role, role_in
from clubsite.live import LONGEST
from clubsite.paper import answer
from clubsite.paper.pdf import key_of
from clubsite.paper.sizes import paper_of
from clubsite.tasks.queue import Priority, enqueue
from tournaments.documents.views import DOCUMENTS
from tournaments.errors import StepRefused
from tournaments.models import Draw, Event
from tournaments.requests import event_of
from tournaments.table_links.shown import site_of

AHEAD = ("round", "seating", "cards", "movement")  # what is wanted after a draw; an event that lacks one goes without
log = logging.getLogger(__name__)


class OnBehalf(HttpRequest):
    """A request for a document that nobody has sent yet: by whom, and at which address of the site."""

    def __init__(self, *, user: User, site: tuple[str, str], query: str) -> None:
        """`site` is the scheme and the host with its port."""
        super().__init__()
        self.method, self.user, self.GET = "GET", user, QueryDict(query)
        self._scheme, self.META["HTTP_HOST"] = site
        if settings.SECURE_PROXY_SSL_HEADER:
            self.META[settings.SECURE_PROXY_SSL_HEADER[0]] = self._scheme

    def _get_scheme(self) -> str:
        return self._scheme


def order_ahead(request: HttpRequest, draw: Draw) -> None:
    """Have the documents of a draw that was published made for whoever wants them next. Nothing without workers."""
    if settings.TASKS_APART:
        site = [request.scheme, request.get_host()]
        enqueue(make_ahead, draw.pk, request.user.pk, site, translation.get_language(), priority=Priority.SEARCH)


@task()
def make_ahead(draw: int, user: int, site: list[str], language: str) -> None:
    """Order what is printed after a draw, on the club's paper, as this user would get it at this address."""
    draws = Draw.objects.select_related("round__stage__event__club", "round__stage__event__rules")
    found = draws.filter(pk=draw, state=Draw.State.PUBLISHED).first()
    by = User.objects.filter(pk=user).first()
    if found is None or by is None:
        return
    event = found.round.stage.event
    request = OnBehalf(user=by, site=(site[0], site[1]), query=f"draw={found.pk}")
    with translation.override(language), timezone.override(event.club.zone):
        for document in AHEAD:
            if make := DOCUMENTS.get(document):
                try:
                    answer.order_ahead(make(request, event, event.club.paper))
                except (Http404, StepRefused):
                    log.debug("%s has no %s", event, document)


@require_role("scorekeeper", kept=True)
@require_safe
def document_picture(request: HttpRequest, club: Club, *, event: str, document: str) -> HttpResponse:
    """The first sheet of a document as a small picture, for who may open the document; an empty sheet until it is made.

    The address is the document's, with its query.
    """
    if document not in DOCUMENTS:
        raise Http404
    found = event_of(club, event)
    return answer.picture_answer(request, _key(request, found, document))


def _key(request: HttpRequest, event: Event, document: str) -> str | None:
    """By what the document is known as it would be made now; None where it is refused.

    Making its pages takes a while, so the key is remembered while nothing is done in the club: at most LONGEST seconds.
    """
    club = event.club
    parts = (request.get_full_path(), site_of(request), role_in(request, club), translation.get_language())
    name = hashlib.sha256("\0".join(map(str, (*parts, version_of(club.slug)))).encode()).hexdigest()
    kept: str | None = cache.get(f"document:{name}")
    if kept is None:
        try:
            kept = key_of(DOCUMENTS[document](request, event, paper_of(request.GET.get("paper", ""), club.paper)))
        except StepRefused:
            kept = ""
        cache.set(f"document:{name}", kept, timeout=LONGEST)
    return kept or None
