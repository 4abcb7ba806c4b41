"""The log: append-only, the newest first, a hundred to a page."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext

from clubsite.accounts.audit_log import KINDS, SENTENCES, About, LockNotHeld, log as written
from clubsite.accounts.models import Actor, LogEntry
from tests.log_entries import log
from tests.tournaments.nights import queries_of
from tournaments.models import Entry


def shown(page):
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_an_entry_cannot_be_changed_or_deleted(club, actor):
    entry = log(club=club, by=actor, verb="club.change", subject="x")
    entry.actor = "somebody else"
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()
    assert LogEntry.objects.get().actor == "Dora"


@pytest.mark.parametrize(("search", "others"), [("", 0), ("hall", 1)])
def test_pages_of_a_hundred_lead_to_the_oldest(club, actor, browser, search, others):
    for n in range(101):
        log(club=club, by=actor, verb="club.change", subject=f"hall {n:03}")
        for _other in range(others):
            log(club=club, by=actor, verb="club.change", subject="roof")
    page = browser.get("/st-hilary/log/", {"q": search}).content.decode()
    assert page.index("hall 100") < page.index("hall 001")
    assert "hall 000" not in page
    (older,) = set(re.findall(r'href="(\?[^"]*before=[^"]+)"', page))
    oldest = browser.get(f"/st-hilary/log/{unescape(older)}")
    assert len(oldest.context["rows"]) == 1
    assert "hall 000" in oldest.content.decode()
    assert "before=" not in oldest.content.decode()


def test_a_deed_is_a_sentence_and_what_changed_has_a_name(club, actor, director, client_of):
    log(
        club=club,
        by=actor,
        verb="deal.correct",
        subject="Table 3 · 2",
        old={"version": 1, "facts": {"bid": 24}, "reason": ""},
        new={"version": 2, "facts": {"bid": 25}, "reason": ""},
    )
    log(club=club, by=actor, verb="member.add", subject="Helen P.")
    page = shown(client_of(director).get("/st-hilary/log/").content.decode())
    assert "Dora corrected a deal: Table 3 · 2." in page
    assert "Dora added the member Helen P." in page
    assert "P.." not in page
    assert "card before: bid: 24; since then: bid: 25" in page
    assert "reason" not in page, "it was empty before and is empty now"


def test_codes_and_counts_of_a_draw_are_said_in_words(club, actor, director, client_of, browser):
    role = {"repeats": 2, "most": 2, "least_repeats": 1, "least_squares": 0, "squares": 0, "different": 9}
    role |= {"pairs_repeated": 2, "meetings": 11}
    outs = {"fewest": 0, "most": 1, "total": 3, "back_to_back": 0, "least_spread": 1}
    counts = {"people": 9, "rounds": 3, **dict.fromkeys(("partner", "opponent", "table_mate"), role)}
    counts |= {"never_met": 4, "sit_outs": outs, "visits": []}
    log(club=club, by=actor, verb="draw.make", subject="Round 3", new={"seed": 7, "statement": counts})
    log(
        club=club,
        by=actor,
        verb="draw.make",
        subject="Round 4",
        new={"seed": 7, "statement": {"of": "a version before"}},
    )
    facts = {"bid_side": 0, "trump": "hearts", "ending": "played"}
    log(club=club, by=actor, verb="deal.record", subject="Table 3 · 2", new={"state": "agreed", "facts": facts})
    page = shown(client_of(director).get("/st-hilary/log/").content.decode())
    assert "Met again as partners: 2 (fewest possible: at least 1); one pair up to 2 times." in page
    assert "least_squares" not in page.replace(" ", "_")
    assert "side that bid: 1" in page  # PostgreSQL keeps the keys of an object in another order
    assert "trump: hearts" in page
    browser.cookies["django_language"] = "es"
    assert "Se encuentran otra vez como compañeros: 2" in shown(browser.get("/st-hilary/log/").content.decode())


def test_a_spanish_reader_finds_melds_states_and_counts_in_their_words(club, actor, browser):
    melds = [{"kind": "aces", "suit": None, "count": 1}, {"kind": "royal-marriage", "suit": None, "count": 2}]
    log(club=club, by=actor, verb="deal.record", subject="Table 3 · 2", new={"facts": {"counted": [{"melds": melds}]}})
    log(club=club, by=actor, verb="game.end", subject="Table 3", new={"state": "over"})
    log(club=club, by=actor, verb="entry.add", subject="Ann", new={"state": "withdrawn"})
    log(club=club, by=actor, verb="round.close", subject="Round 1", new={"ended": [101, 103], "despite": []})
    log(club=club, by=actor, verb="round.close", subject="Round 2", new={"ended": []})
    browser.cookies["django_language"] = "es"
    page = shown(browser.get("/st-hilary/log/").content.decode())
    with translation.override("es"):
        for code, words in (("aces", "Aces around"), ("royal-marriage", "Royal marriage"), ("over", "over")):
            assert gettext(words) in page
            assert code not in page
        assert str(Entry.State.WITHDRAWN.label) in page
        assert f"{gettext('tables ended')} 2" in page
        assert page.count(gettext("tables ended")) == 1, "none ended is nothing to say"


def test_what_was_done_at_a_table_or_from_paper_says_so(club, director, client_of):
    log(club=club, by=Actor(None, "Table 3", "table"), verb="deal.record", subject="the first")
    log(club=club, by=Actor(director, "Dora"), verb="deal.record", subject="the second")
    page = shown(client_of(director).get("/st-hilary/log/").content.decode())
    assert "Table 3 recorded a deal: the first. (at the table)" in page
    assert "the second. (" not in page


def test_what_it_was_done_to_is_called_in_each_readers_language(club, director, browser):
    with translation.override("es"):
        log(club=club, by=Actor(None, "Mesa 3A", "table"), verb="deal.record", subject="Noche · Ronda 2 · Mesa 3")
    log(club=club, by=Actor(director, "Dora"), verb="draw.make", subject="Friday · Round 2 · Draw 1")
    page = shown(browser.get("/st-hilary/log/").content.decode())
    assert "Table 3A recorded a deal: Noche · Round 2 · Table 3. (at the table)" in page
    browser.cookies["django_language"] = "es"
    page = shown(browser.get("/st-hilary/log/").content.decode())
    assert "Mesa 3A anotó un reparto: Noche · Ronda 2 · Mesa 3." in page
    assert "Dora hizo un sorteo: Friday · Ronda 2 · Sorteo 1." in page


def test_what_it_was_done_to_fits_its_column_in_whatever_language_it_was_said(club):
    """In English a table takes a letter more than in Spanish; PostgreSQL refuses what doesn't fit."""
    with translation.override("es"):
        said = log(club=club, by=Actor(None, "Dora"), verb="draw.make", subject=f"{'x' * 190} · Mesa 12")
    kept = LogEntry.objects.values_list("subject", flat=True).get(pk=said.pk)
    assert kept == f"{'x' * 190} · Table 1"


def test_days_are_the_clubs_own(club, actor, director, client_of):
    log(club=club, by=actor, verb="club.change", subject="x")
    LogEntry.objects.update(at=datetime(2054, 11, 22, 3, 30, tzinfo=UTC))  # still the evening before in Chicago
    page = shown(client_of(director).get("/st-hilary/log/").content.decode())
    assert "21 November 2054" in page
    assert "21:30" in page


def test_a_verb_of_an_older_version_is_shown_as_it_was_written(club, actor, director, client_of):
    log(club=club, by=actor, verb="club.change", subject="x")
    LogEntry.objects.update(verb="club.rename")
    assert "Dora: club.rename x" in shown(client_of(director).get("/st-hilary/log/").content.decode())


def test_a_verb_without_a_sentence_is_refused(club, actor):
    with pytest.raises(LookupError, match=r"no\.such"):
        log(club=club, by=actor, verb="no.such", subject="x")


def test_a_deed_that_took_no_turn_is_told_of_and_takes_it_late(club, other_club, actor):
    with transaction.atomic():
        club.lock()
        written(club=club, by=actor, verb="club.change", subject="x")
    with transaction.atomic():  # the turn went with its transaction, and another club's is another
        other_club.lock()
        with pytest.warns(LockNotHeld, match="club.change"):
            written(club=club, by=actor, verb="club.change", subject="x")
        written(club=club, by=actor, verb="club.change", subject="x")


@pytest.mark.parametrize("verb", sorted(SENTENCES))
def test_every_sentence_says_who_and_to_what(verb):
    said = str(SENTENCES[verb]) % {"who": "Dora", "what": "Table 3"}
    assert "Dora" in said
    assert "Table 3" in said
    assert said.endswith(".")


def test_queries_do_not_grow_with_entries(club, actor, browser):
    log(club=club, by=actor, verb="club.change", subject="x")
    few = queries_of(browser, "/st-hilary/log/")
    for _n in range(20):
        log(club=club, by=actor, verb="club.change", subject="x")
    assert queries_of(browser, "/st-hilary/log/") == few


def test_no_number_breaks_the_page_of_the_log(client_of, director):
    for before in ("9" * 5000, "9" * 30, "²", "-1", ""):
        assert client_of(director).get("/st-hilary/log/", {"before": before}).status_code == 200


def test_every_verb_is_of_a_kind():
    assert {verb.split(".")[0] for verb in SENTENCES} == KINDS.keys()


def test_the_log_is_searched_by_person_event_and_kind(club, actor, browser):
    first, second = About("Friday · Table 3", event=1), About("Saturday · José Núñez", event=2)
    log(club=club, by=actor, verb="deal.record", subject=first)
    log(club=club, by=Actor(None, "Table 3", route="table"), verb="deal.correct", subject=first)
    log(club=club, by=actor, verb="entry.add", subject=second)
    log(club=club, by=actor, verb="deals.import", subject=second)
    log(club=club, by=actor, verb="member.add", subject="José Núñez")

    def found(**by):
        return len(browser.get("/st-hilary/log/", by).context["rows"])

    assert [found(), found(q="jose nu"), found(q="dora"), found(event="1"), found(kind="deal")] == [5, 3, 4, 2, 3]
    assert [found(event="2", kind="deal"), found(q="nobody"), found(event="²"), found(kind="?")] == [1, 0, 5, 5]
    page = browser.get("/st-hilary/log/", {"event": "2"}).context
    assert page["events"] == [("2", "Saturday"), ("1", "Friday")]
