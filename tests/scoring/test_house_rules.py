"""House rules of a club's own: copied, changed, looked at, published once, compared, printed, tried on old cards."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from clubsite.accounts.models import Actor, Club, LogEntry, User
from clubsite.paper.pdf import Pages, pdf_of
from clubsite.paper.sizes import PAPERS
from scoring.deals import end_game, start_game
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot_card import HandAndFootDeal, SideCard
from scoring.engine.ruleset import shipped
from scoring.house_rules import NewerVersion, NothingChanged, Unsound, adopt, copy_rules, newest, publish_rules
from scoring.models import DealVersion, Game, HouseRules
from scoring.rules_in_words import changes_in_words, offers_of
from scoring.rules_on_paper import card_pages, rules_pages
from tests.scoring.conftest import PINOCHLE_SIDES, a_deal

PINOCHLE, HAND_AND_FOOT = "st-hilary-v3", "hand-and-foot"
Publish = Callable[..., HouseRules]


@pytest.fixture
def publish(club: Club, actor: Actor) -> Publish:
    """Publish the club's next version of a rule set with settings changed."""

    def make(slug: str = PINOCHLE, *, seen: int | None = None, title: str = "Our rules", **values: Any) -> HouseRules:
        last = newest(club, slug)
        return publish_rules(
            club=club,
            base=last.rule_set if last else shipped()[slug],
            values=values,
            title=title,
            about="As we play.",
            seen=seen if seen is not None else last.version if last else 0,
            by=actor,
        )

    return make


@pytest.fixture
def desk(client_of: Callable[[User | None], Client], director: User) -> Client:
    """The director's browser."""
    return client_of(director)


def address(slug: str = PINOCHLE, **query: str) -> str:
    """The form that changes the club's rules."""
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    return f"{reverse('rules_change', args=['st-hilary', slug])}?{asked}"


def typed(page: Any, **changes: Any) -> dict[str, Any]:
    """What the form on a page sends, with changes by field."""
    form = page.context["form"]
    return {field.html_name: "" if field.value() is None else field.value() for field in form} | changes


# --- publishing -------------------------------------------------------------------------------------------


def test_a_changed_setting_is_the_clubs_ruling_of_that_version(publish: Publish) -> None:
    rules = publish(target=200)
    setting = rules.rule_set.setting("target")
    assert (rules.version, setting.value, setting.ruling) == (4, 200, True)
    assert re.fullmatch(r"House rules, version 4 of \d+ \w+ \d{4}", setting.source)
    assert rules.rule_set.setting("opening_bid") == shipped()[PINOCHLE].setting("opening_bid")


def test_the_next_version_is_a_copy_of_the_last_with_changes(publish: Publish) -> None:
    publish(target=200)
    second = publish(opening_bid=16)
    assert (second.version, second.rule_set.values["target"], second.rule_set.values["opening_bid"]) == (5, 200, 16)
    assert "version 4" in second.rule_set.setting("target").source
    assert "version 5" in second.rule_set.setting("opening_bid").source


def test_a_setting_changed_back_has_its_first_source_again(publish: Publish) -> None:
    publish(target=200)
    assert publish(target=150).rule_set.setting("target") == shipped()[PINOCHLE].setting("target")


def test_published_versions_and_their_games_stay_as_they_were(publish: Publish, club: Club) -> None:
    first = publish(target=200)
    game = start_game(club=club, rules=first, title="Window", sides=PINOCHLE_SIDES)
    before = HouseRules.objects.filter(pk=first.pk).values().get()
    publish(target=100)
    assert HouseRules.objects.filter(pk=first.pk).values().get() == before
    assert Game.objects.get(pk=game.pk).engine_rules.target == 200


def test_a_new_game_is_offered_by_the_newest_version(publish: Publish, club: Club) -> None:
    publish(target=200)
    publish(target=250)
    own = [offer for offer in offers_of(club) if offer.rule_set.slug == PINOCHLE]
    assert [(offer.version, offer.rule_set.values["target"]) for offer in own] == [(5, 250)]


def test_the_same_publish_twice_is_one_version(publish: Publish, club: Club) -> None:
    assert publish(target=200, seen=0) == publish(target=200, seen=0)
    assert HouseRules.objects.filter(club=club).count() == 1


def test_the_second_of_two_directors_is_told(publish: Publish) -> None:
    first = publish(target=200, seen=0)
    with pytest.raises(NewerVersion) as late:
        publish(target=250, seen=0)
    assert late.value.rules == first


def test_rules_adopted_meanwhile_as_shipped_are_no_obstacle(publish: Publish, club: Club, actor: Actor) -> None:
    adopt(club=club, rule_set=shipped()[PINOCHLE], by=actor)
    assert publish(target=200, seen=0).version == 4


def test_what_changes_nothing_is_no_version(publish: Publish, club: Club, actor: Actor) -> None:
    publish(target=200)
    with pytest.raises(NothingChanged):
        publish(target=200)
    assert HouseRules.objects.count() == 1


def test_nonsense_is_not_published(publish: Publish) -> None:
    with pytest.raises(Unsound) as refused:
        publish(target=0, run=[15], hand_size=-1)
    assert {(p.setting, p.code) for p in refused.value.problems} == {
        ("target", "setting.low"),
        ("hand_size", "setting.low"),
    }
    assert not HouseRules.objects.exists()


def test_publishing_is_in_the_log_with_old_and_new(publish: Publish) -> None:
    publish(target=200, meld_savers="both")
    entry = LogEntry.objects.latest("pk")
    assert (entry.verb, entry.subject) == ("rules.publish", "st-hilary-v3 v4")
    assert entry.old == {"target": 150, "meld_savers": "other-side"}
    assert entry.new == {"target": 200, "meld_savers": "both"}


def test_a_version_from_before_a_setting_came_is_copied_as_it_was_played(club: Club, publish: Publish) -> None:
    data = shipped()["five-hundred"].to_data()
    del data["settings"]["lose_at"]
    HouseRules.objects.create(club=club, slug="five-hundred", version=1, title="Old", data=data)
    made = publish("five-hundred", target=600)
    assert made.rule_set.values["lose_at"] is None
    assert [row.label for row in changes_in_words(HouseRules.objects.get(version=1).rule_set, made.rule_set)] == [
        shipped()["five-hundred"].setting("target").label
    ]


def test_settings_and_their_tables_are_kept_in_order_whatever_the_database(club: Club, actor: Actor) -> None:
    """A side's books follow the order of `special_books`; a column of JSON alone may forget it."""
    knee = shipped()["hand-knee-and-foot"]
    adopt(club=club, rule_set=knee, by=actor)
    assert HouseRules.objects.get().rule_set == knee
    assert [rank for rank, _ in rules_of(HouseRules.objects.get().rule_set).special_books] == ["7", "5"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM scoring_houserules")
        assert json.loads(json.loads(cursor.fetchone()[0])) == knee.to_data()


def test_rules_kept_as_plain_data_are_read_too(club: Club) -> None:
    data = shipped()["hand-knee-and-foot"].to_data()
    made = HouseRules.objects.create(club=club, slug="knee", version=1, title="Knee", data=data)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE scoring_houserules SET data = %s", [json.dumps(data)])
    assert HouseRules.objects.get(pk=made.pk).data == data


@pytest.mark.django_db(transaction=True)
def test_two_who_publish_in_the_same_moment_make_one_version_each_told_apart(club: Club, actor: Actor) -> None:
    together, came_of = Barrier(2), []

    def send(target: int) -> None:
        try:
            together.wait()
            publish_rules(
                club=club,
                base=shipped()[PINOCHLE],
                values={"target": target},
                title="Ours",
                about="",
                seen=0,
                by=actor,
            )
            came_of.append("published")
        except NewerVersion:
            came_of.append("told")
        finally:
            connection.close()

    threads = [Thread(target=send, args=(target,)) for target in (200, 250)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(came_of) == ["published", "told"]
    assert HouseRules.objects.count() == 1


# --- the form ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_every_shipped_rule_set_goes_through_the_form_unchanged(desk: Client, club: Club, slug: str) -> None:
    page = desk.get(address(slug))
    assert page.status_code == 200
    sent = typed(page)
    looked = desk.post(address(slug), sent | {"step": "look"})
    assert looked.status_code == 200
    assert looked.context["changes"] == ()
    unchanged = desk.post(address(slug), sent | {"step": "publish"})
    assert (unchanged.status_code, HouseRules.objects.count()) == (422, 0)


def test_a_director_changes_looks_and_publishes(desk: Client, club: Club) -> None:
    sent = typed(desk.get(address()), s_target="200", s_run="20, 200", title="Parish rules")
    looked = desk.post(address(), sent | {"step": "look"}).content.decode()
    assert not HouseRules.objects.exists()
    assert "<del>150</del>" in looked
    assert "<ins>20 · 200</ins>" in looked
    answer = desk.post(address(), sent | {"step": "publish"}, follow=True)
    assert "Parish rules, version 4, is published." in answer.content.decode()
    assert rules_of(HouseRules.objects.get().rule_set).run == (20, 200)


def test_every_form_of_setting_is_read(desk: Client, club: Club) -> None:
    page = desk.get(address(HAND_AND_FOOT))
    names = page.context["form"].names
    ace = next(f for f in names["card_values"] if page.context["form"].fields[f].label == "A")
    sent = typed(page, s_target="5 000", s_first_meld="60 90 · 120", s_wild_melds="no", s_out_wild="0", **{ace: "25"})
    sent["s_target"] = "5,000"
    desk.post(address(HAND_AND_FOOT), sent | {"step": "publish"})
    values = HouseRules.objects.get().rule_set.values
    assert (values["target"], values["first_meld"], values["wild_melds"]) == (5000, [60, 90, 120], False)
    assert (values["card_values"]["A"], list(values["card_values"])) == (25, list(_card_values()))


def _card_values() -> dict[str, int]:
    values: dict[str, int] = shipped()[HAND_AND_FOOT].values["card_values"]
    return values


@pytest.mark.parametrize(
    ("slug", "field", "value", "words"),
    [
        (PINOCHLE, "s_target", "0", "0 is too low: it is at least 1."),
        (PINOCHLE, "s_hand_size", "-3", "below nought"),
        (PINOCHLE, "s_hand_size", "11", "44 of the 48 cards"),
        (PINOCHLE, "s_hand_size", "13", "52 cards; the pack has 48"),
        (PINOCHLE, "s_hand_size", "", "Fill this in"),
        (PINOCHLE, "s_run", "15", "Write 2 figures"),
        (PINOCHLE, "s_run", "15,150", "Write figures with a space"),
        (PINOCHLE, "s_run", "150 15", "15 comes after 150"),
        (PINOCHLE, "s_ranks", "A K 10 Q J 9", "from high to low"),
        (PINOCHLE, "s_dropped_bid", "20", "Lowest opening bid"),
        (PINOCHLE, "s_meld_savers", "everybody", "not one of the available choices"),
        (PINOCHLE, "s_bid_side_first", "perhaps", "not one of the available choices"),
        (PINOCHLE, "s_lose_at", "5", "too high"),
        (PINOCHLE, "title", "", "Give the rules a name."),
        (PINOCHLE, "s_copies", "9", "at most 4"),
        (HAND_AND_FOOT, "s_card_values_3", "", "Write a value for K"),
        (HAND_AND_FOOT, "s_card_values_3", "ten", "whole number in figures"),
        (HAND_AND_FOOT, "s_hand", "60", "the pack has 270"),
        (HAND_AND_FOOT, "s_meld_least", "8", "Cards in a pile"),
        (HAND_AND_FOOT, "s_wild_melds", "no", "Nobody could go out"),
        ("whist-drive", "s_lowest", "14", "Highest points"),
        ("whist-drive", "s_whole", "99", "No deal can be played"),
        ("whist-drive", "s_step", "0", "at least 1"),
    ],
)
def test_nonsense_is_refused_at_its_field_and_what_was_typed_is_kept(
    desk: Client, club: Club, slug: str, field: str, value: str, words: str
) -> None:
    sent = typed(desk.get(address(slug)), s_deals="7") | {field: value}
    for step in ("look", "publish"):
        answer = desk.post(address(slug), sent | {"step": step})
        assert answer.status_code == 422
        form = answer.context["form"]
        said = " ".join([*form.errors.get(field, []), *(error for errors in form.errors.values() for error in errors)])
        assert words in said
        assert form["s_deals"].value() == "7"
        assert form[field].value() == value
        assert words in answer.content.decode().replace("&#x27;", "'")
    assert not HouseRules.objects.exists()


def test_a_newer_version_is_shown_and_what_was_typed_is_kept(desk: Client, club: Club, publish: Publish) -> None:
    sent = typed(desk.get(address()), s_target="250", title="Mine") | {"step": "publish"}
    publish(opening_bid=16, dropped_bid=16)
    answer = desk.post(address(), sent)
    assert answer.status_code == 409
    assert "Version 4 was published at" in answer.content.decode()
    assert [row.new for row in answer.context["changes"]] == ["250", "15", "15"]
    assert HouseRules.objects.count() == 1
    again = desk.post(address(), typed(answer) | {"step": "publish"})
    assert (again.status_code, newest(club, PINOCHLE).title) == (302, "Mine")  # type: ignore[union-attr]


def test_sent_twice_is_published_once(desk: Client, club: Club) -> None:
    sent = typed(desk.get(address()), s_target="200") | {"step": "publish"}
    assert [desk.post(address(), sent).status_code for _ in range(2)] == [302, 302]
    assert HouseRules.objects.count() == 1


def test_an_older_version_can_be_copied(desk: Client, club: Club, publish: Publish) -> None:
    publish(target=200)
    publish(target=250)
    assert desk.get(address(**{"from": "4"})).context["form"]["s_target"].value() == 200
    assert desk.get(address(**{"from": "shipped"})).context["form"]["s_target"].value() == 150
    assert desk.get(address(**{"from": "9"})).status_code == 404


def test_going_back_keeps_what_was_typed(desk: Client, club: Club) -> None:
    sent = typed(desk.get(address()), s_target="200")
    back = desk.post(address(), sent | {"step": "back"})
    assert (back.status_code, back.context["form"]["s_target"].value()) == (200, "200")


@pytest.mark.parametrize("who", ["scorekeeper", "stranger"])
def test_only_a_director_of_the_club_publishes(
    request: pytest.FixtureRequest, client_of: Callable[[User | None], Client], club: Club, who: str
) -> None:
    browser = client_of(request.getfixturevalue(who))
    answers = [browser.get(address()), browser.post(address(), {"step": "publish", "s_target": "200"})]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert not HouseRules.objects.exists()


# --- reading and comparing -----------------------------------------------------------------------------------


def test_versions_are_compared_with_old_and_new(desk: Client, publish: Publish) -> None:
    publish(target=200)
    publish(meld_savers="both")
    url = reverse("rules_compare", args=["st-hilary", PINOCHLE])
    last_two = desk.get(url)
    assert [(row.old, row.new) for row in last_two.context["changes"]] == [("the other side", "both sides")]
    from_shipped = desk.get(url, {"old": "shipped", "new": "5"})
    assert [row.new for row in from_shipped.context["changes"]] == ["200", "both sides"]
    assert "2 rules are different." in from_shipped.content.decode()
    assert "No rule is different." in desk.get(url, {"old": "4", "new": "4"}).content.decode()
    assert desk.get(url, {"old": "4", "new": "6"}).status_code == 404


def test_every_setting_has_a_place_that_can_be_pointed_to(desk: Client, publish: Publish) -> None:
    rules = publish(target=200)
    page = desk.get(rules.get_absolute_url()).content.decode()
    assert all(page.count(f'id="setting-{setting.name}"') == 1 for setting in rules.rule_set.settings)


def test_the_list_shows_the_newest_version_and_the_earlier_ones(
    client_of: Callable[[User | None], Client], publish: Publish
) -> None:
    first, second = publish(target=200), publish(target=250)
    page = client_of(None).get(reverse("rules", args=["st-hilary"]))
    assert page.context["published"] == [[second, first]]
    assert "Change these rules" not in page.content.decode()


def test_another_club_has_nothing_of_it(
    client_of: Callable[[User | None], Client], publish: Publish, other_club: Club, stranger: User
) -> None:
    rules = publish(target=200)
    browser = client_of(stranger)
    assert browser.get(reverse("house_rules", args=["harbour", PINOCHLE, rules.version])).status_code == 404
    assert browser.get(reverse("rules_print", args=["harbour", PINOCHLE, rules.version, "card"])).status_code == 404
    compared = browser.get(reverse("rules_compare", args=["harbour", PINOCHLE]))
    assert [key for key, _words in compared.context["versions"]] == ["shipped"]


# --- two ways to play one game -------------------------------------------------------------------------------


def test_a_copy_has_its_own_name_and_versions(
    publish: Publish, desk: Client, club: Club, actor: Actor, client_of: Any
) -> None:
    ours = publish(HAND_AND_FOOT, title="Hand and Foot", out_bonus=200)
    url = f"{reverse('rules_copy', args=[club.slug, HAND_AND_FOOT])}?from={ours.version}"
    assert url in desk.get(ours.get_absolute_url()).content.decode()
    assert url not in client_of(None).get(ours.get_absolute_url()).content.decode()
    for _tap in range(2):
        answer = desk.post(url, {"title": " Wednesday  Hand and Foot "})
        assert answer["Location"] == reverse("house_rules", args=[club.slug, "wednesday-hand-and-foot", 1])
    copy = HouseRules.objects.get(slug="wednesday-hand-and-foot")
    assert (copy.title, copy.version, copy.rule_set.values["out_bonus"]) == ("Wednesday Hand and Foot", 1, 200)
    entry = LogEntry.objects.get(verb="rules.copy")
    assert (entry.subject, entry.old) == ("wednesday-hand-and-foot v1", f"{HAND_AND_FOOT} v{ours.version}")

    second = publish(copy.slug, title=copy.title, wild_pile=1000)
    assert (second.version, second.rule_set.values["wild_pile"]) == (2, 1000)
    assert newest(club, HAND_AND_FOOT) == ours
    offered = {(offer.rule_set.title, offer.rule_set.values["wild_pile"]) for offer in offers_of(club) if offer.version}
    assert offered == {("Hand and Foot", 1500), ("Wednesday Hand and Foot", 1000)}
    for page in ("rules_compare", "rules_change"):
        assert desk.get(reverse(page, args=[club.slug, copy.slug])).status_code == 200
    game = start_game(club=club, rules=second, title="Window", sides=PINOCHLE_SIDES)
    assert desk.get(reverse("other_rules", args=[club.slug, game.pk])).status_code == 200


def test_a_pasted_name_is_one_line_that_a_file_can_have(desk: Client) -> None:
    page = desk.get(address())
    desk.post(address(), typed(page, title="Our\u00a0 rules\u200b\x07", s_target="200", step="publish"))
    assert HouseRules.objects.get().title == "Our rules"


@pytest.mark.parametrize("title", ["", "Our rules", "CANASTA", "x" * 121])
def test_a_copy_needs_a_name_that_is_free(publish: Publish, desk: Client, title: str) -> None:
    ours = publish(target=200)
    answer = desk.post(reverse("rules_copy", args=["st-hilary", PINOCHLE]), {"title": title}, follow=True)
    said = answer.content.decode()
    assert "Give the copy a name" in said or "Choose another name" in said
    assert list(HouseRules.objects.all()) == [ours]


def test_names_that_make_the_same_address_get_numbers(publish: Publish, club: Club, actor: Actor) -> None:
    ours = publish(target=200)
    made = [copy_rules(club=club, base=ours.rule_set, title=title, by=actor) for title in ("Ça", "Ca!", "Суббота", "…")]
    assert [rules.slug for rules in made] == ["ca", "ca-2", "rules", "rules-2"]


def test_only_a_director_of_the_club_copies(
    client_of: Callable[[User | None], Client], publish: Publish, scorekeeper: User, stranger: User
) -> None:
    publish(target=200)
    for user in (scorekeeper, stranger):
        answer = client_of(user).post(reverse("rules_copy", args=["st-hilary", PINOCHLE]), {"title": "Mine"})
        assert answer.status_code == 404
    assert HouseRules.objects.count() == 1


# --- on paper --------------------------------------------------------------------------------------------------


@pytest.fixture
def var_dir(settings: Any, tmp_path: Path) -> Path:
    """Where PDFs are kept in this test."""
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_table_card_of_every_rule_set_is_one_page(
    rules_for: Callable[[str], HouseRules], var_dir: Path, paper: str
) -> None:
    cards = [card_pages(rules_for(slug), paper).documents for slug in shipped()]
    pages = PdfReader(pdf_of(Pages(tuple(html for (html,) in cards)))).pages
    assert len(pages) == len(shipped())
    assert {round(float(page.mediabox.height) * 25.4 / 72) for page in pages} == {round(PAPERS[paper].height)}


def test_the_rules_are_printed_in_words_with_their_sources(publish: Publish, var_dir: Path) -> None:
    rules = publish(target=275, meld_savers="both")
    text = " ".join(page.extract_text() for page in PdfReader(pdf_of(rules_pages(rules, "A4"))).pages)
    for words in ("House rules, version 4", "Our rules", "275", "both sides", "Ruling: House rules, version 4 of"):
        assert words in re.sub(r"\s+", " ", text)


def test_the_documents_are_for_everybody(
    client_of: Callable[[User | None], Client], publish: Publish, var_dir: Path
) -> None:
    rules = publish(target=200)
    for document, status in (("card", 200), ("rules", 200), ("poster", 404)):
        answer = client_of(None).get(reverse("rules_print", args=["st-hilary", PINOCHLE, rules.version, document]))
        assert answer.status_code == status
        if status == 200:
            assert answer["Content-Type"] == "application/pdf"


def test_rules_as_shipped_are_printed_for_a_club_that_has_not_adopted_them(
    client_of: Callable[[User | None], Client], club: Club, var_dir: Path
) -> None:
    page = client_of(None).get(reverse("shipped_rules", args=[club.slug, "canasta"])).content.decode()
    for document, title in (("card", "Table card · rules as shipped, version 1"), ("rules", "Rules as shipped")):
        url = reverse("shipped_rules_print", args=[club.slug, "canasta", document])
        assert url in page
        answer = client_of(None).get(url)
        pdf = PdfReader(BytesIO(b"".join(answer)))
        assert title in re.sub(r"\s+", " ", pdf.pages[0].extract_text())
    assert not HouseRules.objects.filter(slug="canasta").exists()
    for slug, document in (("canasta", "poster"), ("nothing", "card")):
        assert client_of(None).get(reverse("shipped_rules_print", args=[club.slug, slug, document])).status_code == 404


# --- a card under other rules ------------------------------------------------------------------------------------


def rows_of_everything() -> list[Any]:
    """What the database holds of games, deals, rules and the log."""
    return [list(model.objects.order_by("pk").values()) for model in (Game, DealVersion, HouseRules, LogEntry)]


def test_a_card_is_counted_under_other_rules_and_nothing_is_written(
    desk: Client, finished: Game, publish: Publish
) -> None:
    publish(target=100)
    before = rows_of_everything()
    url = reverse("other_rules", args=["st-hilary", finished.pk])
    shown = desk.get(url, {"rules": "st-hilary-v3:4"}).context["chosen"]
    assert [deal.now for deal in shown.deals] == [(25, 16)] * 6
    assert [deal.after_end for deal in shown.deals] == [False] * 4 + [True] * 2
    assert shown.totals == ((150, 100), (96, 64))
    assert shown.state_then == "Over: Ann & Bob won"
    assert rows_of_everything() == before


def test_points_deal_by_deal_under_other_rules(
    desk: Client, game: Game, record: Callable[..., DealVersion], publish: Publish
) -> None:
    record(game, 1, a_deal(bid=20, meld=(4, 6), take=(9, 16)))
    record(game, 2)
    publish(meld_savers="both", counters_to_save_meld=20)
    url = reverse("other_rules", args=["st-hilary", game.pk])
    shown = desk.get(url, {"rules": "st-hilary-v3:4"}).context["chosen"]
    assert [deal.now for deal in shown.deals] == [(-20, 22), (25, 16)]
    assert [deal.then for deal in shown.deals] == [(-20, 16), (-20, 10)]


def test_cards_that_other_rules_refuse_are_named(
    desk: Client, game: Game, record: Callable[..., DealVersion], publish: Publish
) -> None:
    record(game, 1)
    publish(opening_bid=25, dropped_bid=25)
    shown = desk.get(reverse("other_rules", args=["st-hilary", game.pk]), {"rules": "st-hilary-v3:4"})
    assert not shown.context["chosen"].complete
    assert "Cards that those rules would refuse" in shown.content.decode()


def test_other_rules_go_by_the_score_that_they_would_have_given(
    desk: Client, rules_for: Callable[[str], HouseRules], record: Callable[..., DealVersion], publish: Publish
) -> None:
    rules = rules_for("canasta")
    game = start_game(club=rules.club, rules=rules, title="Window", sides=PINOCHLE_SIDES)
    record(game, 1, HandAndFootDeal(sides=(SideCard(clean=1, melded=400, left=50), SideCard(melded=0, left=300))))
    record(game, 2, HandAndFootDeal(sides=(SideCard(melded=70, left=300), SideCard(melded=0, left=300))))
    publish("canasta", clean_pile=1200)  # 1,550 before the second deal: it needs 90
    shown = desk.get(reverse("other_rules", args=["st-hilary", game.pk]), {"rules": "canasta:2"}).context["chosen"]
    assert [len(deal.refused) for deal in shown.deals] == [0, 1]
    assert "needs 90 points" in shown.deals[1].refused[0]


def test_only_rules_of_the_same_game_and_players_are_offered(desk: Client, game: Game, publish: Publish) -> None:
    publish(target=200)
    publish(HAND_AND_FOOT, target=9000)
    url = reverse("other_rules", args=["st-hilary", game.pk])
    offered = {other.key for other in desk.get(url).context["offered"]}
    assert {"st-hilary-v3:4", "st-hilary-v3:shipped"} <= offered
    assert not any(key.startswith(HAND_AND_FOOT) for key in offered)
    assert desk.get(url, {"rules": "hand-and-foot:2"}).status_code == 404


def test_a_game_ended_by_the_director_is_counted_as_far_as_it_went(
    desk: Client, game: Game, record: Callable[..., DealVersion], publish: Publish, actor: Actor
) -> None:
    record(game, 1)
    end_game(game=game, by=actor, reason="Late")
    publish(target=200)
    shown = desk.get(reverse("other_rules", args=["st-hilary", game.pk]), {"rules": "st-hilary-v3:4"})
    assert shown.context["chosen"].state_then == "Not over yet"
