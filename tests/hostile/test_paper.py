"""A hundred documents asked for by strangers keep nobody of the club waiting, and paper fetches nothing."""

import pytest
from django.test import Client
from django.urls import reverse

from clubsite.jobs.models import MadeFile, Order
from clubsite.jobs.queue import count_tasks_before
from scoring.engine.core.ruleset import shipped
from tests.tournaments import nights


def card_of(club, slug):
    return reverse("shipped_rules_print", args=[club.slug, slug, "card"])


@pytest.mark.usefixtures("apart")
def test_strangers_from_many_addresses_wait_for_so_many_files_together_and_behind_the_club(
    club, actor, scorekeeper, rules_for, client_of, settings
):
    settings.ORDERS_OF_VISITORS = 3
    addresses = [f"10.0.0.{n}" for n in range(6)]
    answers = [  # each without a cookie
        Client(REMOTE_ADDR=address).post(card_of(club, slug))
        for address, slug in zip(addresses, sorted(shipped()), strict=False)
    ]
    assert [answer.status_code for answer in answers] == [302] * 3 + [429] * 3
    assert MadeFile.objects.count() == 3
    again = Client(REMOTE_ADDR="10.0.9.9").post(card_of(club, sorted(shipped())[0]))
    assert again.status_code == 302  # it is being made already
    night = nights.make_night(club, rules_for("st-hilary-v3"))
    nights.arrive(night, actor, 8)
    nights.publish_next(night, actor)
    mine = client_of(scorekeeper).post(reverse("document", args=[club.slug, night.slug, "seating"]))
    assert mine.status_code == 302
    assert count_tasks_before(Order.objects.get(user=scorekeeper).file.task) == 0


@pytest.mark.usefixtures("apart")
def test_not_even_the_clubs_people_can_fill_the_queue(club, scorekeeper, client_of, settings):
    settings.ORDERS_OF_ALL = 1
    client = client_of(scorekeeper)
    answers = [client.post(card_of(club, slug)).status_code for slug in sorted(shipped())[:2]]
    assert answers == [302, 429]


@pytest.mark.usefixtures("apart")
def test_a_name_on_paper_is_text_and_nothing_is_fetched_for_it(club, actor, scorekeeper, rules_for, client_of):
    night = nights.make_night(club, rules_for("st-hilary-v3"))
    night.name = "<img src=http://127.0.0.1:9/x><link rel=stylesheet href=file:///etc/passwd>"
    night.save()
    nights.arrive(night, actor, 8)
    nights.publish_next(night, actor)
    client_of(scorekeeper).post(reverse("document", args=[club.slug, night.slug, "seating"]))
    text = MadeFile.objects.get(orders__user=scorekeeper).payload
    assert "&lt;img src=http://127.0.0.1:9/x&gt;" in text
    assert "<img src=http" not in text
    assert "<link rel=stylesheet href=file" not in text
