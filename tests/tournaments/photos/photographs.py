"""Photos of cards for tests: what was read on a card, as the task keeps it; and files as they are sent."""

import io
import zlib
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from tournaments.models import CardPhoto, PhotographedCard

BOX = [100, 200, 80, 60]


def picture(size=(300, 400), kind="JPEG", **more):
    file = io.BytesIO()
    Image.new("L", size, 255).save(file, kind, **more)
    return file.getvalue()


def sent(content, name="card.jpg"):
    return SimpleUploadedFile(name, content)


def a_reading(deal, number=1, totals=(), doubts=(), **other):
    """A line of St. Hilary as it was read: fields by name, the doubtful ones among them."""
    fields = {"bid_side": deal.bid_side, "bid": deal.bid}
    fields |= {f"meld_{side}": points for side, points in enumerate(deal.meld)}
    fields |= {f"take_{side}": points for side, points in enumerate(deal.take)}
    fields |= {f"written_{side}": total for side, total in enumerate(totals)} | other
    marked = {name: [str(text), "doubt" if name in doubts else "", BOX] for name, text in fields.items()}
    return {"number": number, "fields": marked, "problems": []}


def photographed(game, *lines, by="Sam"):
    """A photo of a game's card that was read."""
    event = game.group_game.group.table.draw.round.stage.event
    photo = CardPhoto.objects.create(
        event=event, sha256=uuid4().hex, state=CardPhoto.State.READ, done=1, of=1, actor=by
    )
    card = PhotographedCard(photo=photo, page=1, game=game, width=300, height=400, lines=list(lines))
    card.picture.save(f"photos/{uuid4().hex}.jpg", ContentFile(picture()), save=False)
    card.save()
    return card


def address(event, name="photos"):
    return reverse(name, args=[event.club.slug, event.slug])


def huge_png():
    """200 megapixels in a few bytes: its head says so, and that is all there is of it."""

    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = (20_000).to_bytes(4, "big") + (10_000).to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
