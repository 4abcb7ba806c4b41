"""Every form of the site, filled with whatever somebody could send: no fault, nothing written by what is refused, and
nothing of another club read or touched.

The forms are those of the pages themselves, opened as a director and as a table. Hypothesis changes what the page
filled in: other choices, garbage, fields missing, twice or added, and the numbers of another club's rows.
"""

from collections import Counter
from urllib.parse import quote_plus

import pytest
from django.apps import apps
from django.db import transaction
from django.forms import BaseForm, ModelForm
from django.urls import reverse
from hypothesis import HealthCheck, given, strategies as st

from clubsite.accounts.models import Actor, Member, Throttle, User
from clubsite.accounts.permissions.table import Who
from scoring.cards.deals import start_game
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import adopt
from scoring.models import HouseRules
from tests.examples import examples
from tests.hostile.forms_of_pages import forms_of
from tests.test_every_page import LINES, made_site
from tests.tournaments import nights

SECRET = "Wilhelmina Harbourmaster"  # a name that only the other club knows
UNSAVED = {400, 403, 404, 405, 413, 414, 422, 429, 431}
BESIDE = {"sessions", "contenttypes", "django_tasks_db"}
GARBAGE = (
    "", " ", "0", "-1", "-0", "007", "2147483648", "-9223372036854775809", "9" * 400, "1e5", "1.5", "NaN", "Infinity",
    "½", "²", "٣", "０", "\0", "a\0b", "\ud800", "\u202egnp.exe", "\u200b", "e" + "\u0301" * 200, "on", "None", "null",
    "[]", "{}", '{"a": 1}', "0001-01-01T00:00", "9999-12-31T23:59", "2054-02-30", "2054-11-22T14:30+99:00", "24:61",
    "00000000-0000-0000-0000-000000000000", "<script>alert(1)</script>", "{{ 7 * 7 }}", "%s%n%(a)s", "=1+1", "'; --",
    "../../etc/passwd", "file:///etc/passwd", "http://127.0.0.1:1/", "\r\nX-Evil: 1", "W" * 140, "x" * 20_000, "👩‍👧",
    "a+b", "1,2,3", "1 2", "2054-11-22", "12:30", "-", "+", ".", ",", "·", "١٢٣", "true", "Ann\nBob\nCal",
)  # fmt: skip
# Made by the second step of a page, once a table's games are over, while the site is empty, or where people are level:
# `test_every_page` sends garbage to their addresses.
LATER = {"AgreeCardForm", "FurtherDirectorForm", "NewGameForm", "PlayOffForm", "StartCodeForm"}
CLOSING = {"logout", "demo_remove"}  # what ends the test's own session
ADDED = ("form-TOTAL_FORMS", "form-INITIAL_FORMS", "step", "seen", "fingerprint", "submission", "row-1", "club", "pk")


@pytest.fixture
def site(club, actor, rules_for, settings):
    settings.MAIL_IS_SET = True  # for the page of a lost password
    return made_site(club, actor, rules_for("st-hilary-v3"))


@pytest.fixture
def elsewhere(other_club, stranger):
    by = Actor(user=stranger, name="Otto")
    rules = adopt(club=other_club, rule_set=shipped()["st-hilary-v3"], by=by)
    night = nights.make_night(other_club, rules, slug="elsewhere")
    Member.objects.create(club=other_club, name=SECRET)
    nights.arrive(night, by, 8)
    drawn = nights.publish_next(night, by)
    nights.play_deals(nights.games_of(drawn)[0], by)
    start_game(club=other_club, rules=rules, title=SECRET, sides=[["Ann", "Bob"], ["Cal", "Dee"]])
    numbers = {str(row.pk) for rows in theirs(other_club) for row in rows}
    return [*sorted(numbers), other_club.slug, night.slug]


def models_with(name):
    for model in apps.get_models():
        if any(one.name == name for one in model._meta.get_fields()):
            yield model


def theirs(club):
    for model in models_with("club"):
        yield list(model._default_manager.filter(club=club).order_by("pk"))


def state_of(club):
    """What is there of a club: the rows that name it, and the deals of its games."""
    games = apps.get_model("scoring", "DealVersion").objects.filter(deal__game__club=club).order_by("pk")
    rows = [[row.__dict__ for row in rows] for rows in theirs(club)] + [[row.__dict__ for row in games]]
    return [[{k: v for k, v in row.items() if not k.startswith("_")} for row in part] for part in rows]


def counts():
    """How many rows there are of everything that a form could write; tries of codes and passwords are to be counted."""
    models = (model for model in apps.get_models() if model._meta.app_label not in BESIDE and model is not Throttle)
    return {model._meta.label: model._base_manager.count() for model in models}


def found_forms(site, browsers):
    found = {}
    for name in sorted(set(LINES) - CLOSING):
        for url in [*site.urls(name)[:2], *(cards_of_every_game(site.club) if name == "card" else ())]:
            for role in ("nobody",) if url.startswith("/t/") else ("director", "nobody", "owner"):
                if role != "director" and not LINES[name].opens & {Who.ANYONE, Who.OWNER, Who.TABLE}:
                    continue
                answer = browsers[role].get(url)
                if answer.status_code == 200 and "html" in answer.get("Content-Type", ""):
                    for form in forms_of(url, answer.content.decode()):
                        same = (name, form.action if form.action != url else "", *form.names)
                        found.setdefault(same, (role, form))
    return list(found.values())


def cards_of_every_game(club):
    """A new game by each rule set and shape: each family has a form of its own."""
    by = Actor(user=None, name="Dora")
    for rule_set in shipped().values():
        shape = rule_set.shapes[0]
        seats = [[f"Player {side}{seat}" for seat in range(shape.per_side)] for side in range(shape.sides)]
        own = HouseRules.objects.filter(club=club, slug=rule_set.slug).first()
        rules = own or adopt(club=club, rule_set=rule_set, by=by)
        game = start_game(club=club, rules=rules, title=rule_set.slug, sides=seats)
        yield reverse("card", args=[club.slug, game.pk])


def browsers_of(client_of, director):
    """A browser each for the director, for somebody who isn't logged in, and for the site's owner."""
    owner = User.objects.create_superuser(username="olga", password="nine tables in the hall")
    return {"director": client_of(director), "nobody": client_of(None), "owner": client_of(owner)}


def body_of(fields):
    """Fields as a browser sends them, and as no browser does: half a pair of surrogates goes as its bytes."""
    part = (f"{quote_plus(k, errors='surrogatepass')}={quote_plus(v, errors='surrogatepass')}" for k, v in fields)
    return "&".join(part).encode()


@st.composite
def filled(draw, form, foreign):
    fields = list(form.filled)
    names = st.sampled_from([*form.names, *ADDED])
    value = st.one_of(st.sampled_from(GARBAGE), st.sampled_from(foreign), st.text(max_size=30), st.integers().map(str))
    for _n in range(draw(st.integers(1, 4))):
        name = draw(names)
        change = draw(st.sampled_from(("another", "garbage", "garbage", "garbage", "missing", "twice")))
        if change != "twice":
            fields = [one for one in fields if one[0] != name]
        if change == "another" and name in form.offered:
            fields.append((name, draw(st.sampled_from(form.offered[name]))))
        elif change != "missing":
            fields.append((name, draw(value)))
    for button in ("step", "say", "what"):  # most forms have several buttons
        if len(set(form.offered.get(button, ()))) > 1 and button not in dict(fields):
            fields.append((button, draw(st.sampled_from(form.offered[button]))))
    return fields


@pytest.mark.proof
def test_no_form_breaks_or_writes_what_it_refuses_or_reaches_another_club(
    site, elsewhere, director, other_club, client_of, tried
):
    browsers = browsers_of(client_of, director)
    forms = found_forms(site, browsers)
    assert len(forms) > 100
    before, there, sent = counts(), state_of(other_club), Counter[int]()

    @examples(20 * len(forms), unchecked=list(HealthCheck))
    @given(st.data())
    def each(data):
        role, form = data.draw(st.sampled_from(forms))
        fields = data.draw(filled(form, elsewhere))
        with transaction.atomic():
            answer = browsers[role].post(form.action, body_of(fields), content_type="application/x-www-form-urlencoded")
            sent[answer.status_code] += 1
            assert answer.status_code < 500
            page = answer.content.decode(errors="replace") if not answer.streaming else ""
            assert SECRET not in page or any(SECRET in value for _name, value in fields)
            if answer.status_code in UNSAVED:
                assert counts() == before
            else:
                assert state_of(other_club) == there
            transaction.set_rollback(True)

    each()
    tried(sum(sent.values()))


def form_classes(of=BaseForm):
    for one in of.__subclasses__():
        if one.__module__.split(".")[0] in ("clubsite", "scoring", "tournaments"):
            yield one
        yield from form_classes(one)


@pytest.mark.proof
def test_every_class_of_a_form_is_found_on_some_page(site, director, client_of, monkeypatch):
    """So that none is left out of the test above: which classes are there, and which are made by opening pages."""
    made = set()
    init = BaseForm.__init__

    def noted(self, *args, **kwargs):
        made.add(type(self))
        init(self, *args, **kwargs)

    monkeypatch.setattr(BaseForm, "__init__", noted)
    browsers = browsers_of(client_of, director)
    for role, form in found_forms(site, browsers):
        browsers[role].post(form.action, body_of(form.filled), content_type="application/x-www-form-urlencoded")
    abstract = {one for one in form_classes() if one.__subclasses__()} | {ModelForm}
    missing = {one.__qualname__ for one in set(form_classes()) - made - abstract}
    assert missing == LATER, missing
