"""From the address of a night to a place on its list and to the door, on a phone and on a laptop, in both languages."""

import re

import pytest
from django.core import mail
from django.utils import timezone
from playwright.sync_api import expect

from tests.tournaments.nights import make_night
from tournaments.mail import DUE, send_letters
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = {
    "en": ("I'm coming", "Your name", "Who comes with you", "I can't come after all"),
    "es": ("Voy", "Su nombre", "Quién viene con usted", "Al final no puedo ir"),
}


@pytest.mark.parametrize(("width", "language"), [(390, "en"), (1366, "es")])
def test_signing_up_waiting_moving_up_and_the_door(signed_in, director, club, rules_for, settings, width, language):
    settings.MAIL_IS_SET = True
    club.language = language
    club.save()
    night = make_night(club, rules_for("st-hilary-v3"))
    Event.objects.update(sign_up=Event.SignUps.OPEN, places=2)
    coming, name, partner, cancel = WORDS[language]

    def link_in_letter():
        for write_due in DUE:
            write_due(timezone.now())
        send_letters.call()
        (letter,) = mail.outbox
        mail.outbox.clear()
        assert letter.to == ["cal@example.org"]
        return re.findall(r"http\S+", letter.body)[0]

    def signs_up(*people, email=""):
        page = signed_in(None, viewport={"width": width, "height": 800})
        page.goto(night.get_absolute_url())
        page.get_by_role("link", name=coming, exact=True).click()
        page.get_by_label(name).fill(people[0])
        if people[1:]:
            page.get_by_label(partner).fill(people[1])
        page.locator("[name=email]").fill(email)
        page.get_by_role("button", name=coming, exact=True).click()
        expect(page.get_by_role("heading", name=" & ".join(people))).to_be_visible()
        return page

    first, second = signs_up("Ann", "Bob"), signs_up("Cal", email="cal@example.org")
    expect(second.locator(".lede")).to_contain_text("1")  # on the waiting list
    waiting = second.url
    second.goto(link_in_letter())
    second.locator("[name=agree]").click()
    expect(second.locator("[name=agree]")).to_have_count(0)
    first.get_by_role("button", name=cancel).click()
    expect(first.get_by_role("button", name=cancel)).to_have_count(0)
    assert link_in_letter() == waiting
    second.goto(waiting)
    expect(second.locator(".lede")).not_to_contain_text("1")

    desk = signed_in(director, viewport={"width": width, "height": 800})
    desk.goto(f"/st-hilary/desk/{night.slug}/here/")
    expect(desk.locator(".tick")).to_have_count(1)
    desk.locator(".tick").click()
    expect(desk.locator(".tick[aria-pressed=true]")).to_contain_text("Cal")
    assert night.entries.get().name == "Cal"
