"""What a club as a whole waits for: the steps of its beginning that were passed over, and what to do with the demo."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubsite.accounts.models import Club, Member
from clubsite.accounts.starting import STEPS, is_demo
from scoring.models import HouseRules
from tournaments.models import Event
from tournaments.pages.next_steps.tasks import Action, NextStep, Urgency

# A step of the start, what its button says, and the page where it is done; some are the whole site's, some the club's.
START_WORDS: dict[str, Promise] = {
    "club": gettext_lazy("Name the club"),
    "director": gettext_lazy("Choose a password of your own"),
    "rules": gettext_lazy("Choose the game"),
    "members": gettext_lazy("Add members"),
    "night": gettext_lazy("Plan the first night"),
}
PAGES = {"rules": "start_rules", "members": "start_members", "night": "start_night", "club": "club_settings"}


def done_of_start(club: Club) -> set[str]:
    """Which steps of the start are done, judged by whether there are rules, members, events. Three queries."""
    there = {
        "rules": HouseRules.objects.filter(club=club).exists(),
        "members": Member.objects.filter(club=club).exists(),
        "night": Event.objects.filter(club=club).exists(),
    }
    return {step for step, done in there.items() if done}


def left_of_start(club: Club) -> Iterator[NextStep]:
    """The steps passed over that are still to be done, until a director puts them away."""
    if not club.start_left:
        return
    done = done_of_start(club)
    left = [step for step in STEPS if step in club.start_left and step not in done]
    if left:
        pages = {step: reverse(name, args=[club.slug]) for step, name in PAGES.items()} | {
            "director": reverse("password")
        }
        yield NextStep(
            Urgency.KNOW,
            _("The club isn't set up to the end"),
            _("Each step can be done at any time, here or on its own page."),
            (
                *(Action(str(START_WORDS[step]), pages[step]) for step in left),
                Action(_("Put this away"), reverse("start_away", args=[club.slug]), post={}),
            ),
        )


def of_the_demo(club: Club) -> Iterator[NextStep]:
    """A club of the demo: its people are invented, and it can go."""
    if is_demo(club):
        yield NextStep(
            Urgency.KNOW,
            _("This club is part of the demo"),
            _("Its people are invented. Try anything here; it can be removed when you have seen enough."),
            (
                Action(_("Set up my club"), reverse("start")),
                Action(_("Remove the demo"), reverse("demo_remove", args=[club.slug])),
            ),
        )
