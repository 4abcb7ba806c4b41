"""Links of tables: made with the draw, kept as hashes, ended with the round, made anew, found by link or code."""

from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from clubsite.accounts.models import Actor, Club, LogEntry
from tests.examples import cases
from tests.kept import all_rows
from tests.pages import page_of
from tests.tournaments import contests, nights
from tests.tournaments.table_links.conftest import game_at, link_of, typed_code, url_of
from tournaments.cuts.cuts import propose, publish_cut, take_back_cut
from tournaments.draws.changes import take_seat
from tournaments.models import Event, Group, TableLink
from tournaments.rounds import publishing
from tournaments.standings.results import publish_result, take_back_result
from tournaments.table_links import links
from tournaments.table_links.links import make_links, newest_link, renew_links, revoke_links

LINKS = "/st-hilary/desk/friday/links/"
CODE = "/st-hilary/events/friday/table/"


def says(url, status):
    """What a phone shows that opens this address; it must answer with this status."""
    answer = Client().get(url)
    assert answer.status_code == status
    return answer.content.decode()


def renewed(draw, by, table=1):
    renew_links(draw=draw, by=by, group=Group.objects.get(table__draw=draw, table__number=table).pk)


def test_each_table_of_a_published_draw_has_a_link(night, actor):
    draft = nights.drafted(night, actor, planned=2)
    assert not TableLink.objects.exists()
    draw = publishing.publish_draw(draw=draft, by=actor)
    assert [link_of(draw, table).number for table in (1, 2)] == [1, 1]
    assert len({typed_code(draw, 1), typed_code(draw, 2)}) == 2
    assert "Table 1" in says(url_of(draw), 200)


def test_a_copy_of_the_database_shows_no_link_and_no_code(draw, actor, night):
    Client().get(url_of(draw))
    Client().post(CODE, {"code": typed_code(draw)})
    game = game_at(draw)
    nights.play_deals(game, actor)
    renewed(draw, actor, 2)
    secrets = [links.make_token(link.nonce) for link in TableLink.objects.all()]
    secrets += [links.make_code(link.nonce) for link in TableLink.objects.all()]
    assert len(secrets) == 6
    everything = repr(all_rows()).upper()
    assert [secret for secret in secrets if secret in everything or secret.replace("-", "") in everything] == []
    assert str(game.pk) in everything  # the rows are those that the site reads


def test_who_has_the_database_and_another_key_opens_nothing(draw, director, client_of):
    mine = url_of(draw)
    with override_settings(SECRET_KEY="another"):
        theirs = url_of(draw)
        assert theirs != mine
        says(theirs, 404)
        says(mine, 200)  # what is printed opens after a restore on a laptop with another key, too
        assert "no link" in client_of(director).get(LINKS).content.decode()
    says(mine, 200)


def test_two_links_of_an_event_never_share_a_code(night, draw, monkeypatch):
    nonces = iter([link_of(draw, 1).nonce, link_of(draw, 1).nonce, "f" * 32])
    TableLink.objects.filter(pk=link_of(draw, 2).pk).delete()
    monkeypatch.setattr("tournaments.table_links.links.new_nonce", lambda: next(nonces))
    assert make_links(draw=draw, by=Actor(user=None, name="Dora")) == 1
    assert link_of(draw, 2).nonce == "f" * 32


@pytest.mark.django_db
def test_a_link_that_there_is_not_opens_nothing():
    for nothing in ("A" * 26, "x"):
        assert "No table has this link" in says(f"/t/{nothing}/", 404)


def test_a_link_made_anew_ends_the_old_one_and_leaves_the_others(draw, actor):
    old, other, code = url_of(draw, 1), url_of(draw, 2), typed_code(draw, 1)
    renewed(draw, actor)
    answer = Client().get(old)
    assert (answer.status_code, answer.context["renewed"], answer.context["code_at"]) == (410, True, CODE)
    says(other, 200)
    says(url_of(draw, 1), 200)
    assert link_of(draw).number == 2
    assert "ended by the director" in Client().post(CODE, {"code": code}).content.decode()
    entry = LogEntry.objects.get(verb="links.renew")
    assert entry.new == {"tables": ["1"]}


def test_a_link_that_is_revoked_opens_nothing_until_another_is_made(draw, actor):
    old = url_of(draw)
    group = link_of(draw).group_id
    assert revoke_links(draw=draw, by=actor, group=group) == 1
    assert revoke_links(draw=draw, by=actor, group=group) == 0
    says(old, 410)
    assert make_links(draw=draw, by=actor) == 1
    says(url_of(draw), 200)
    says(old, 410)


def test_a_draw_taken_back_closes_its_links_until_it_is_published_again(night, draw, actor):
    url = url_of(draw)
    publishing.take_back_draw(draw=draw, by=actor)
    assert "was taken back" in says(url, 410)
    publishing.publish_draw(draw=draw, by=actor)
    says(url, 200)
    assert TableLink.objects.count() == 2
    publishing.take_back_draw(draw=draw, by=actor)
    other = publishing.publish_draw(draw=nights.drafted(night, actor, seen=draw.number, seed=8), by=actor)
    says(url, 410)
    says(url_of(other), 200)


@pytest.mark.parametrize(("hours", "status"), [(0, 410), (2, 200)])
def test_a_link_lasts_as_long_after_its_round_as_the_club_says(draw, actor, hours, status):
    Club.objects.update(link_hours=hours)
    publishing.close_round(round=draw.round, by=actor, end_open=True, reason="time")
    says(url_of(draw), status)
    TableLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert "This round is over" in says(url_of(draw), 410)
    publishing.reopen_round(round=draw.round, by=actor)
    says(url_of(draw), 200)


def test_the_link_of_a_round_before_opens_nothing_of_the_next(night, draw, actor):
    Club.objects.update(link_hours=0)
    first = url_of(draw)
    nights.play_round(draw, actor)
    second = nights.publish_next(night, actor)
    says(first, 410)
    says(url_of(second), 200)
    assert f"/t/{links.make_token(link_of(second).nonce)}/" != first


def test_links_end_with_their_event(night, draw, actor):
    Club.objects.update(link_hours=0)
    nights.play_round(draw, actor)
    TableLink.objects.update(expires_at=None)  # as in a round that was closed before there were links
    publish_result(event=night, by=actor)
    says(url_of(draw), 410)
    TableLink.objects.update(expires_at=None)
    assert "This event is over" in says(url_of(draw), 410)
    take_back_result(event=night, by=actor)


def test_links_of_a_stage_end_with_its_cut_and_of_a_set_with_the_set(club, actor):
    Club.objects.update(link_hours=0)
    event = contests.contest(club, actor)
    contests.enter(event, actor)
    first = contests.drawn(contests.stage_of(event, 1), actor)
    group = Group.objects.filter(table__draw=first).order_by("table__number", "number")[0]
    url = f"/t/{links.make_token(TableLink.objects.get(group=group).nonce)}/"
    assert "Table 1A" in says(url, 200)
    publishing.end_set(group=group, by=actor, reason="time")
    says(url, 410)
    publishing.reopen_set(group=group, by=actor, reason="not yet")
    says(url, 200)
    contests.play(first, actor, contests.by_number)
    stage = contests.stage_of(event, 1)
    cut = publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)
    says(url, 410)
    take_back_cut(cut=cut, by=actor)
    says(url, 200)


def test_who_takes_a_seat_finds_the_links_of_the_cards_that_are_printed(club, actor):
    event = contests.contest(club, actor)
    contests.enter(event, actor)
    draw = contests.drawn(contests.stage_of(event, 1), actor)
    urls = [f"/t/{links.make_token(link.nonce)}/" for link in TableLink.objects.all()]
    leaving, entering = event.entries.first(), event.entries.create(number=99, name="Zoe Quin")
    take_seat(leaving=leaving, entering=entering, stage=draw.round.stage, by=actor)
    pages = [says(url, 200) for url in urls]
    assert sum("Zoe Quin" in page for page in pages) == 1  # no token holds a space


def test_the_short_address_asks_where_somebody_plays_if_several_events_are_on(draw, club, actor, rules_for):
    another = nights.make_night(club, rules_for("st-hilary-v3"), slug="another")
    nights.arrive(another, actor, 4)
    nights.publish_next(another, actor)
    page = says("/t/", 200)
    assert all(f'href="{address}"' in page for address in (CODE, CODE.replace("friday", "another")))
    Event.objects.update(state=Event.State.FINISHED)
    assert f'href="{CODE}"' not in says("/t/", 200)


def test_the_code_leads_to_the_table_however_it_is_typed(draw):
    code = typed_code(draw)
    for typed in (code, code.lower(), code.replace("-", ""), f"  {code.replace('-', ' ')} "):
        assert Client().post(CODE, {"code": typed})["Location"] == url_of(draw)
    assert Client().get("/t/")["Location"] == CODE  # one event is on: its field at once
    for nothing in ("", "moles", "42", "mole-"):
        assert Client().post(CODE, {"code": nothing}).status_code == 422
    assert links.wrong_codes(draw.round.stage.event) == 0  # these were no guesses


def test_who_would_type_a_code_before_or_after_the_event_is_told_that_it_opens_nothing(night):
    soon, over = "codes work as soon as a round is published", "This event is over, so its links no longer work."
    pages = {}
    for state in Event.State:
        Event.objects.filter(pk=night.pk).update(state=state)
        page = page_of(Client().get(CODE))
        pages[state] = (soon in page, over in page)
    assert pages == {"planned": (True, False), "running": (False, False), "finished": (False, True)}


def test_a_code_opens_its_own_event_alone(draw, actor, club, other_club, rules_for):
    saturday = nights.make_night(club, rules_for("st-hilary-v3"), slug="saturday", day=7)
    answer = Client().post("/st-hilary/events/saturday/table/", {"code": typed_code(draw)})
    assert "No table of this event has this code." in answer.content.decode()
    assert links.wrong_codes(saturday) == 1
    assert Client().post("/harbour/events/friday/table/", {"code": typed_code(draw)}).status_code == 404


@pytest.mark.parametrize("guessed", cases(40, proof=1000))
def test_guesses_open_nothing_and_lock_no_table_out(night, draw, guessed):
    right = {typed_code(draw, table) for table in (1, 2)}
    tried = [f"{word}-{number}" for word in links.code_words()[:12] for number in range(links.FIRST, links.LAST + 1)]
    guesser, answers = Client(REMOTE_ADDR="192.168.1.66"), []
    for code in [code for code in tried if code not in right][:guessed]:
        answers.append(guesser.post(CODE, {"code": code}).status_code)
    assert answers == [422] * links.CODES + [429] * (guessed - links.CODES)
    locked = guesser.post(CODE, {"code": typed_code(draw)})
    assert "Too many wrong codes." in locked.content.decode()

    assert Client(REMOTE_ADDR="192.168.1.7").post(CODE, {"code": typed_code(draw)})["Location"] == url_of(draw)
    assert guesser.get(url_of(draw)).status_code == 200  # a link itself always opens
    assert links.wrong_codes(night) == links.CODES


def test_many_who_guess_have_fewer_tries_each_and_the_director_is_told(night, draw, client_of, scorekeeper):
    wrong = next(f"ABLE-{n}" for n in range(10, 99) if f"ABLE-{n}" not in {typed_code(draw, t) for t in (1, 2)})
    statuses = {}
    for place in range(6):
        phone = Client(REMOTE_ADDR=f"10.0.0.{place}")
        statuses[place] = [phone.post(CODE, {"code": wrong}).status_code for _try in range(4)]
    assert statuses[0] == [422] * 4
    assert statuses[5] == [422, 422, 429, 429]
    assert Client(REMOTE_ADDR="10.0.1.1").post(CODE, {"code": typed_code(draw)}).status_code == 302
    assert links.is_guessed(night)
    page = client_of(scorekeeper).get(LINKS).content.decode()
    assert "Somebody may be guessing codes" in page
    assert f"{links.wrong_codes(night)} wrong codes were typed today." in page
    assert LogEntry.objects.filter(verb="links.guessed").count() == 1


@pytest.mark.parametrize("guessed", cases(30, proof=1000))
def test_guessing_at_links_is_limited_while_rightful_ones_open(draw, guessed):
    answers = [Client().get(f"/t/{n:026}/").status_code for n in range(guessed)]
    assert answers == [404] * links.LINKS_TRIED + [429] * (guessed - links.LINKS_TRIED)
    says(url_of(draw), 200)


def test_scorekeepers_see_the_links_and_directors_change_them(draw, client_of, scorekeeper, director, browser):
    for user in (scorekeeper, director):
        page = client_of(user).get(LINKS).content.decode()
        assert typed_code(draw, 1) in page
        assert page.count("<svg xmlns") == 2
    assert "Replace all links" not in client_of(scorekeeper).get(LINKS).content.decode()
    before = url_of(draw)
    told = browser.post(LINKS, {"step": "renew"}, follow=True).content.decode()
    assert "2 links are replaced." in told
    says(before, 410)
    group = link_of(draw).group_id
    told = browser.post(LINKS, {"step": "revoke", "group": group}, follow=True).content.decode()
    assert "1 link is ended. “Make a link” gives the table a new one." in told
    assert "Make the missing links" in browser.get(LINKS).content.decode()
    assert "1 link is made." in browser.post(LINKS, {"step": "make"}, follow=True).content.decode()
    for nonsense in ({"step": "x"}, {"step": "renew", "group": "x"}):
        assert browser.post(LINKS, nonsense).status_code == 404


def test_two_taps_make_links_anew_once(draw, browser):
    form = {"step": "renew", "seen": newest_link(draw)}
    assert "2 links are replaced." in browser.post(LINKS, form, follow=True).content.decode()
    assert "somebody made links since" in browser.post(LINKS, form, follow=True).content.decode()
    assert TableLink.objects.count() == 4
    assert f'name="seen" value="{newest_link(draw)}"' in browser.get(LINKS).content.decode()


def test_a_draw_that_was_published_before_there_were_links_gets_them_on_the_desk(draw, browser):
    TableLink.objects.all().delete()
    assert browser.get(LINKS).content.decode().count("no link") == 2
    browser.post(LINKS, {"step": "make"})
    says(url_of(draw), 200)


def test_publishing_costs_no_more_queries_for_the_links_of_more_tables(night, actor):
    nights.arrive(night, actor, 20)
    draw = nights.publish_next(night, actor)
    TableLink.objects.all().delete()
    assert nights.queries_in(lambda: make_links(draw=draw, by=actor)) < 12
    assert TableLink.objects.count() == 5
