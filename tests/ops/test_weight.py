"""What a card weighs on its way to a phone."""

import gzip
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from clubsite.accounts.models import User
from lab.benchmarks.pages import linked_files
from scoring.models import Game
from tests.kept import made_once
from tournaments.demo import load


@pytest.mark.django_db
def test_a_card_is_light_enough_for_the_halls_wifi(client_of):
    """Its files as gzip compresses them."""
    loaded = made_once("demo", load)
    browser = client_of(User.objects.get(username=loaded.director.username))
    card = Game.objects.filter(club=loaded.parish, deals_played=4)[0].get_absolute_url()
    html = browser.get(card).content.decode()
    sent = len(browser.get(card, headers={"Accept-Encoding": "gzip"}).content)
    text = fonts = 0
    for address in linked_files(html):
        name = address.removeprefix(settings.STATIC_URL)
        file = Path(str(finders.find(name))).read_bytes()
        if address.endswith(".woff2"):
            fonts += len(file)
        else:
            text += len(gzip.compress(file))
    assert fonts > 0
    assert 0 < sent <= 10_000
    assert sent + text <= 72_000  # as written: scripts and sheets keep their comments
    assert sent + text + fonts <= 100_000
