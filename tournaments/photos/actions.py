"""Photos of cards: adding and removing them, deleting old ones, and their problems in words."""

import hashlib
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db import models, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from clubsite.accounts.models import Actor
from clubsite.jobs.queue import enqueue, is_active
from tournaments.errors import StepRefused
from tournaments.events.state import event_locked
from tournaments.models import CardPhoto, Event, PhotographedCard, PublishedStandings
from tournaments.photos.tasks import OPEN, read_cards

MOST_BYTES = 10_000_000  # of a file
MOST_WAITING = 200  # photos of an event
KINDS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"%PDF")  # first bytes of JPEG, PNG and PDF
KEPT_WITHOUT_RESULT = timedelta(days=365)  # for an event that never had a result
STRAY_FOR = timedelta(hours=1)  # a younger file without a row may be about to get one

PROBLEMS: dict[str, str | Promise] = {
    "blurred": gettext_lazy("The picture is blurred. Hold the phone still, let it focus on the card, and try again."),
    "dark": gettext_lazy("The picture is too dark. Put the card under a lamp, without your shadow on it."),
    "cut": gettext_lazy("A part of the card isn't in the picture. Photograph the whole card, with its edges."),
    "no-card": gettext_lazy(
        "No card was found. Photograph cards that Nine Tables has printed with a code, from above, so that each code "
        "is sharp. Cards without a code have to be keyed."
    ),
    "lines": gettext_lazy("The lines on this card aren't clear. Lay it flat and photograph it from above."),
    "foreign": gettext_lazy("This isn't a card of Nine Tables: its code belongs to something else."),
    "forged": gettext_lazy("No table of this site has the code on this card. Nothing was read."),
    "other-event": gettext_lazy("This card belongs to another event: %(about)s."),
    "old-draw": gettext_lazy("This card is from a draw that was taken back. Nothing was read."),
    "no-game": gettext_lazy("The game of this card hasn't begun here, so nothing can be recorded for it."),
    "damaged": gettext_lazy("This file is damaged. Take the picture again."),
    "pixels": gettext_lazy(
        "This picture is too large: it may have at most 60 megapixels. Set your camera to a lower resolution."
    ),
    "pages": gettext_lazy("This PDF has more than 60 pages. Send it in parts."),
    "memory": gettext_lazy("This file can't be read: it may be damaged, or needs too much memory. Take a new picture."),
    "slow": gettext_lazy("Reading this file took too long. Photograph fewer cards at a time."),
    "fault": gettext_lazy("The program failed while it read this photo. Send it again, or key the cards."),
    "missing": gettext_lazy("The computer that reads photos lacks a part of Nine Tables: see “Photograph cards”."),
}


def describe_problem(row: Any) -> str:
    """What is wrong with a photo, or with a page of one; "" for nothing."""
    if getattr(row, "game", None) and not row.lines:
        table = row.game.group_game.group.label_in(row.photo.event)
        return _("No figures were found on the card of table %(n)s.") % {"n": table}
    if row.problem == "other-event" and not row.about:
        return _("This card belongs to another club's event.")
    return str(PROBLEMS.get(row.problem, "")) % {"about": getattr(row, "about", "")}


def add_photo(*, event: Event, file: UploadedFile, by: Actor) -> CardPhoto:
    """Queue a file to be read. One that was sent before is the same photo, and is read again only if that failed.

    Raises StepRefused: it is too large or no picture, the event is called off, or too many photos are waiting."""
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise StepRefused(
            _("%(file)s is larger than 10 MB. Set your camera to a lower resolution.") % {"file": file.name}
        )
    if b"ftyp" in content[4:8] and content[8:12] in (b"heic", b"heix", b"hevc", b"mif1", b"heif"):
        words = _("%(file)s is a HEIC picture. On an iPhone choose Settings, Camera, Formats, Most Compatible.")
        raise StepRefused(words % {"file": file.name})
    if not content.startswith(KINDS):
        raise StepRefused(_("%(file)s isn't a picture. Send JPEG, PNG or PDF.") % {"file": file.name})
    with event_locked(event) as event:
        if event.called_off:
            raise StepRefused(_("This event is called off."))
        if event.photos.filter(state__in=OPEN).count() >= MOST_WAITING:
            raise StepRefused(_("Too many photos are waiting to be read. Try again in a few minutes."))
        sha256 = hashlib.sha256(content).hexdigest()
        photo = event.photos.filter(sha256=sha256).first() or CardPhoto(event=event, sha256=sha256)
        if (
            photo.pk
            and photo.state != CardPhoto.State.FAILED
            and not (photo.state in OPEN and not is_active(photo.task))
        ):
            return photo
        photo.state, photo.attempt, photo.done, photo.of, photo.problem = CardPhoto.State.WAITING, 0, 0, 0, ""
        photo.by, photo.actor = by.user, by.name
        file.seek(0)
        photo.file.save(f"photos/{uuid4().hex}", file, save=False)
        photo.save()
        if settings.TASKS_APART:
            photo.task = enqueue(read_cards, photo.pk)
            photo.save(update_fields=["task"])
    if not settings.TASKS_APART:  # no workers: read it now
        enqueue(read_cards, photo.pk)
    return photo


def remove_photo(*, event: Event, photo: int) -> bool:
    """Delete a photo with what was read on it; recorded deals stay. Returns whether there was one."""
    with event_locked(event) as event:
        return bool(event.photos.filter(pk=photo).delete()[0])


def delete_files(sender: object, *, instance: Any, **rest: object) -> None:
    """Signal handler: delete the file of a deleted row when the transaction is committed."""
    file = instance.file if isinstance(instance, CardPhoto) else instance.picture
    if name := str(file or ""):
        transaction.on_commit(lambda: default_storage.delete(name))


def delete_old_photos(now: datetime | None = None) -> None:
    """Delete photos `PHOTOS_KEPT_FOR` days after their event's result was last published (0: never), and files without
    a row."""
    now = now or timezone.now()
    if days := settings.PHOTOS_KEPT_FOR:
        before = now - timedelta(days=days)
        results = PublishedStandings.objects.filter(event=OuterRef("event"), final=True)
        over = Exists(results) & ~Exists(results.filter(at__gte=before))
        CardPhoto.objects.filter(over | models.Q(at__lt=now - KEPT_WITHOUT_RESULT)).delete()
    named = {*CardPhoto.objects.values_list("file", flat=True)}
    named |= {*PhotographedCard.objects.values_list("picture", flat=True)}
    try:
        stored = [f"photos/{name}" for name in default_storage.listdir("photos")[1]]
    except FileNotFoundError:
        return
    for name in set(stored) - named:
        if default_storage.get_modified_time(name) < now - STRAY_FOR:
            default_storage.delete(name)
