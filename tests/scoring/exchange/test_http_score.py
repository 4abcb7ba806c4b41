"""Scoring a file over HTTP: as the command does it, for those who are logged in; nothing is recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from clubsite.accounts.models import Actor, Club, LogEntry, User
from scoring.engine.core.ruleset import shipped
from scoring.engine.files.deal_files import to_text
from scoring.engine.files.examples import examples_of
from scoring.exchange.views import SCORE_LIMIT
from scoring.house_rules.actions import RulesChange, publish_rules
from scoring.models import Deal, HouseRules

TRUE: dict[str, Any] = {"bid_side": 0, "bid": 20, "meld": [10, 4], "take": [15, 10]}
Sender = Callable[..., Any]


def file_of(*facts: dict[str, Any], **head: Any) -> dict[str, Any]:
    game = {"rules": "st-hilary-v3", "shape": {"sides": 2, "per_side": 2}, **head}
    return {"format": "nine-tables/deals", "version": 1, "games": [{**game, "deals": [{"facts": f} for f in facts]}]}


@pytest.fixture
def url(club: Club) -> str:
    return reverse("score_file", args=[club.slug])


@pytest.fixture
def send(client_of: Callable[[User | None], Client], scorekeeper: User, url: str) -> Sender:
    """Send JSON as a scorekeeper's program."""
    client = client_of(scorekeeper)

    def make(data: Any, query: str = "") -> Any:
        body = data if isinstance(data, str | bytes) else json.dumps(data, indent=1)
        return client.post(f"{url}{query}", body, content_type="application/json")

    return make


@pytest.mark.daily(7)
@pytest.mark.parametrize("slug", sorted(shipped()))
def test_the_answer_is_what_the_command_prints(send: Sender, tmp_path: Path, slug: str) -> None:
    text, printed = to_text(examples_of(shipped()[slug])), StringIO()
    (tmp_path / "deals.json").write_text(text, encoding="utf-8")
    call_command("score", str(tmp_path / "deals.json"), "--json", stdout=printed)
    answer = send(text)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert answer.json() == json.loads(printed.getvalue())


def test_a_refused_deal_is_in_the_answer_and_nothing_is_recorded(send: Sender) -> None:
    before = LogEntry.objects.count()
    (game,) = send(file_of({**TRUE, "take": [16, 10]})).json()["games"]
    assert game["refused"] == [1]
    assert (Deal.objects.count(), LogEntry.objects.count()) == (0, before)


@pytest.mark.parametrize(
    ("body", "status", "place"),
    [
        ("{", 400, (1, "", "not-json")),
        (b'{"a": "\xe9"}', 400, (1, "", "not-utf-8")),
        (json.dumps(file_of({**TRUE, "bid": "20"}), indent=1), 422, (15, "games.0.deals.0.facts.bid", "wrong-type")),
        (json.dumps(file_of(TRUE, rules="bridge")), 422, (1, "games.0.rules", "not-a-choice")),
    ],
)
def test_what_cannot_be_read_is_named_with_line_and_field(
    send: Sender, body: str | bytes, status: int, place: tuple[int, str, str]
) -> None:
    answer = send(body)
    (fault,) = answer.json()["faults"]
    assert (answer.status_code, (fault["line"], fault["path"], fault["code"])) == (status, place)


def test_a_large_body_is_refused_unread(send: Sender) -> None:
    answer = send(b" " * (SCORE_LIMIT + 1))
    assert answer.status_code == 413
    assert "2,097,152" in answer.json()["words"]


def test_a_program_that_is_not_logged_in_gets_401(client_of: Any, url: str) -> None:
    answer = client_of(None).post(url, "{}", content_type="application/json")
    assert (answer.status_code, "Log in" in answer.json()["words"]) == (401, True)


def test_somebody_of_another_club_finds_nothing(client_of: Any, stranger: User, url: str) -> None:
    assert client_of(stranger).post(url, "{}", content_type="application/json").status_code == 404


def test_a_program_needs_the_token(scorekeeper: User, url: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(scorekeeper)
    body = json.dumps(file_of(TRUE))
    assert client.post(url, body, content_type="application/json").status_code == 403
    client.get(url)
    token = client.cookies["csrftoken"].value
    answer = client.post(url, body, content_type="application/json", headers={"x-csrftoken": token})
    assert answer.json()["games"][0]["totals"] == [25, 14]


@pytest.fixture
def our_rules(club: Club, actor: Actor, rules_for: Any) -> HouseRules:
    """The club's own version of its rules: won at 20."""
    base = rules_for("st-hilary-v3").rule_set
    return publish_rules(
        club=club,
        base=base,
        seen=base.version,
        by=actor,
        change=RulesChange(values={"target": 20}, title=base.title, about=base.about),
    )


def test_the_clubs_own_rules_are_known_by_slug_and_version(send: Sender, our_rules: HouseRules) -> None:
    versions = {None: our_rules.version, our_rules.version: our_rules.version, 3: 3}
    for asked, got in versions.items():
        (game,) = send(file_of(TRUE, **({} if asked is None else {"rules_version": asked}))).json()["games"]
        assert (game["rules"]["version"], game["over"]) == (got, got == our_rules.version)
    (game,) = send(file_of(TRUE), f"?rules=st-hilary-v3&version={our_rules.version}").json()["games"]
    assert game["over"] is True
    assert send(file_of(TRUE), "?rules=bridge").status_code == 404
    (fault,) = send(file_of(TRUE, rules_version=77)).json()["faults"]
    assert (fault["path"], str(our_rules.version) in fault["words"]) == ("games.0.rules_version", True)


def test_another_clubs_rules_are_not_known(
    client_of: Any, stranger: User, other_club: Club, our_rules: HouseRules
) -> None:
    url = reverse("score_file", args=[other_club.slug])
    body = json.dumps(file_of(TRUE, rules_version=our_rules.version))
    assert client_of(stranger).post(url, body, content_type="application/json").status_code == 422


# --- the page ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("as_file", [True, False])
def test_the_page_tells_it_in_words(client_of: Any, scorekeeper: User, url: str, as_file: bool) -> None:
    text = json.dumps(file_of(TRUE, title="<Table> 3"))
    sent = {"file": SimpleUploadedFile("deals.json", text.encode())} if as_file else {"text": text}
    answer = client_of(scorekeeper).post(url, sent)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "&lt;Table&gt; 3" in page
    assert "Bid of 20 made with 25" in page
    assert "1 game, 1 deal: none refused." in page


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ({}, 422, "Choose a file"),
        ({"text": "{"}, 400, "Line 1"),
        ({"text": json.dumps(file_of({}))}, 422, "facts.bid"),
        ({"file": SimpleUploadedFile("x", b" " * (SCORE_LIMIT + 1))}, 413, "Split the file"),
    ],
)
def test_the_page_says_what_cannot_be_read(
    client_of: Any, scorekeeper: User, url: str, sent: dict[str, Any], status: int, words: str
) -> None:
    answer = client_of(scorekeeper).post(url, sent)
    assert (answer.status_code, words in answer.content.decode()) == (status, True)


def test_the_page_gives_json_too(client_of: Any, scorekeeper: User, url: str) -> None:
    answer = client_of(scorekeeper).post(url, {"text": json.dumps(file_of(TRUE)), "json": "1"})
    assert answer.json()["games"][0]["totals"] == [25, 14]
