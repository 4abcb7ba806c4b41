"""The evening of `./dev load` counts what is lost and doubled, and would say so."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.test import Client

from lab.benchmarks import load
from scoring.models import DealVersion


@pytest.fixture
def an_evening(db):
    return load.make_evening()


def send(request):
    """A request as it stands, by Django's client: its status."""
    head, _gap, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.cookies.load(headers["Cookie"])
    return browser.post(first.split()[1], body, content_type=headers["Content-Type"]).status_code


def test_what_is_sent_twice_is_recorded_once_and_of_two_who_disagree_one_is_refused(an_evening):
    sent = next(an_evening.rounds())
    twice = next(tap for tap in sent if len(tap) > 1 and tap[1].submission == tap[0].submission)
    against = next(tap for tap in sent if len(tap) > 1 and tap[1].submission != tap[0].submission)
    assert [send(post.request) for post in twice] == [302, 302]
    assert [send(post.request) for post in against] == [302, 409]
    an_evening.acknowledged += [*twice, against[0]]
    assert (an_evening.recorded(), an_evening.lost(), an_evening.doubled()) == (2, 0, 0)


def test_a_deal_that_is_gone_counts_as_lost_and_one_acknowledged_to_two_as_doubled(an_evening):
    post = next(an_evening.rounds())[0][0]
    assert send(post.request) == 302
    an_evening.acknowledged += [post, replace(post, submission=uuid4())]
    assert (an_evening.lost(), an_evening.doubled()) == (1, 1)
    DealVersion.objects.filter(submission=post.submission).update(submission=uuid4())
    assert an_evening.lost() == 2
