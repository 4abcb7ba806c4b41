"""The pages of house rules: read, compared, copied, printed; and the command that shows them."""

import re
from io import BytesIO, StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from pypdf import PdfReader

from clubsite.accounts.models import LogEntry
from clubsite.pdf.documents import PAPERS, Pages
from scoring.cards.deals import start_game
from scoring.engine.core.ruleset import shipped, shipped_in_family, shipped_versions
from scoring.engine.families import FAMILIES
from scoring.engine.settings import Form, setting_kinds
from scoring.house_rules.actions import adopt, copy_rules, latest_version
from scoring.house_rules.in_words import describe_rules, describe_value, game_offers
from scoring.house_rules.views import card_pages, rules_pages
from scoring.models import HouseRules
from scoring.wording import CHOICES, OTHER, section_key
from tests.examples import WHOLE, in_turn
from tests.scoring.conftest import HAND_AND_FOOT, PINOCHLE, PINOCHLE_SIDES
from tests.tournaments.documents.sheets import pdf_of


def test_the_list_is_public_and_only_the_clubs_own(client_of, rules_for, other_club):
    rules = rules_for("st-hilary-v3")
    page = client_of(None).get(reverse("rules", args=["st-hilary"])).content.decode()
    assert rules.get_absolute_url() in page
    elsewhere = client_of(None).get(reverse("rules", args=["harbour"])).content.decode()
    assert "chosen a game yet" in elsewhere
    assert reverse("house_rules", args=["harbour", rules.slug, rules.version]) not in elsewhere


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_every_setting_is_printed_with_its_source(client_of, rules_for, slug):
    rules = rules_for(slug)
    answer = client_of(None).get(rules.get_absolute_url())
    rows = answer.context["words"]["settings"]
    assert [row["label"] for row in rows] == [setting.label for setting in rules.rule_set.settings]
    assert all(row["value"] and row["source"] for row in rows)
    assert answer.content.decode().count("Ruling:") == sum(setting.ruling for setting in rules.rule_set.settings)


def test_an_earlier_version_says_how_it_is_played_by_again(client_of, director, scorekeeper, publish):
    publish(target=200)
    publish(target=250)
    page, words = "/st-hilary/rules/st-hilary-v3/4/", "Play by version 4 again"
    found = re.search(rf'href="([^"]+)">\s*{words}', client_of(director).get(page).content.decode())
    assert "you publish them as version 6" in " ".join(client_of(director).get(found[1]).content.decode().split())
    assert words not in client_of(scorekeeper).get(page).content.decode()
    assert words not in client_of(director).get("/st-hilary/rules/st-hilary-v3/5/").content.decode()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "yes"),
        ("", "none"),
        (4550, "4,550"),
        (-100, "−100"),
        ([15, 150], "15 · 150"),
        ({"A": 1, "10": 1, "Q": 0}, "A, 10: 1 · Q: 0"),
        ([["joker", 50], ["2", 20]], "joker: 50 · 2: 20"),
        ([[0, 50], [1500, 90]], "from 0: 50 · from 1,500: 90"),
        (["A", "10"], "A · 10"),
        ("other-side", "the other side"),
        ("half-the-bid", "half the bid"),
    ],
)
def test_values_in_words(value, words):
    assert describe_value(value) == words


def test_every_choice_of_a_setting_has_its_words():
    kinds = [kind for family in FAMILIES for kind in setting_kinds(family).values()]
    choices = {choice for kind in kinds if kind.form is Form.CHOICE for choice in kind.choices}
    names = {name for kind in kinds if kind.form is Form.TABLE for name in kind.choices if "-" in name}
    assert choices | names <= CHOICES.keys() <= {choice for kind in kinds for choice in kind.choices}


def test_every_setting_stands_under_a_heading_of_its_own_kind():
    names = {setting.name for rule_set in shipped().values() for setting in rule_set.settings}
    assert {name for name in names if section_key(name) == OTHER} == set()


def test_a_club_that_plays_a_version_as_it_was_shipped_hears_of_the_next_and_can_take_it_over(
    client_of, director, club, actor, publish
):
    now, before = shipped_versions()["hand-and-foot-003"]
    rules = adopt(club=club, rule_set=before, by=actor)
    page = client_of(None).get(rules.get_absolute_url())
    assert page.context["newer"] == now
    assert "from=shipped" not in page.content.decode()
    assert "from=shipped" in client_of(director).get(rules.get_absolute_url()).content.decode()
    compared = client_of(None).get(
        reverse("rules_compare", args=[club.slug, rules.slug]), {"old": "1", "new": "shipped"}
    )
    assert {change["anchor"] for change in compared.context["changes"]} == {"players", "setting-red_three_missed"}
    change = f"{reverse('rules_change', args=[club.slug, rules.slug])}?from=shipped"
    form = client_of(director).get(change).context["form"]
    sent = {field.html_name: "" if field.value() is None else field.value() for field in form}
    taken = client_of(director).post(change, sent | {"step": "publish"}, follow=True)
    assert (taken.context["rules"].version, "newer" in taken.context) == (3, False)
    assert taken.context["rules"].rule_set.values == now.values


def test_rules_that_a_club_changed_are_its_own(client_of, publish):
    assert "newer" not in client_of(None).get(publish(target=200).get_absolute_url()).context


def test_versions_are_compared_with_old_and_new(desk, publish):
    publish(target=200)
    publish(meld_savers="both")
    url = reverse("rules_compare", args=["st-hilary", PINOCHLE])
    last_two = desk.get(url)
    assert [(row["old"], row["new"]) for row in last_two.context["changes"]] == [("the other side", "both sides")]
    from_shipped = desk.get(url, {"old": "shipped", "new": "5"})
    assert [row["new"] for row in from_shipped.context["changes"]] == ["200", "both sides"]
    assert "2 rules are different." in from_shipped.content.decode()
    assert "No rule is different." in desk.get(url, {"old": "4", "new": "4"}).content.decode()
    assert desk.get(url, {"old": "4", "new": "6"}).status_code == 404


def test_any_rules_of_the_family_can_be_compared(desk, publish):
    publish(target=200)
    other = publish("double-deck-partnership-pinochle", target=900)
    publish(HAND_AND_FOOT, target=9000)
    url = reverse("rules_compare", args=["st-hilary", PINOCHLE])
    offered = {one.key: one.heading for one in desk.get(url).context["offered"]}
    key = f"{other.slug}:{other.version}"
    others = [f"{r.slug}:shipped" for r in shipped_in_family("partnership-pinochle") if r.slug != PINOCHLE]
    assert list(offered)[:3] == ["shipped", "4", key]
    assert set(offered) == {"shipped", "4", key, *others}
    assert list(offered.values())[:3] == ["These rules", "These rules", "The club's house rules"]
    assert set(list(offered.values())[3:]) == {"As shipped"}
    page = desk.get(url, {"old": "4", "new": key})
    rows = {row["anchor"]: (row["old"], row["new"]) for row in page.context["changes"]}
    assert rows["setting-target"] == ("200", "900")
    assert f'{other.get_absolute_url()}#setting-target"' in page.content.decode()
    assert desk.get(url, {"old": "4", "new": f"{other.slug}:shipped"}).status_code == 200
    assert desk.get(url, {"old": "4", "new": f"{HAND_AND_FOOT}:shipped"}).status_code == 404


def test_rules_that_are_only_shipped_are_compared_too(desk, club):
    for_two, for_three = "canasta-two-hand", "canasta-three-hand"
    url = reverse("rules_compare", args=[club.slug, for_two])
    assert url in desk.get(reverse("shipped_rules", args=[club.slug, for_two])).content.decode()
    page = desk.get(url, {"new": f"{for_three}:shipped"})
    assert "setting-hand" in {row["anchor"] for row in page.context["changes"]}
    assert reverse("shipped_rules", args=[club.slug, for_three]) in page.content.decode()


def test_every_setting_has_a_place_that_can_be_pointed_to(desk, publish):
    rules = publish(target=200)
    page = desk.get(rules.get_absolute_url()).content.decode()
    assert all(page.count(f'id="setting-{setting.name}"') == 1 for setting in rules.rule_set.settings)


def test_the_list_shows_the_newest_version_and_the_earlier_ones(client_of, publish):
    first, second = publish(target=200), publish(target=250)
    page = client_of(None).get(reverse("rules", args=["st-hilary"]))
    assert page.context["published"] == [[second, first]]
    assert "Change these rules" not in page.content.decode()


def test_another_club_has_nothing_of_it(client_of, publish, other_club, stranger):
    rules = publish(target=200)
    browser = client_of(stranger)
    assert browser.get(reverse("house_rules", args=["harbour", PINOCHLE, rules.version])).status_code == 404
    compared = browser.get(reverse("rules_compare", args=["harbour", PINOCHLE]))
    assert {offered.key.rpartition(":")[2] for offered in compared.context["offered"]} == {"shipped"}


def test_a_copy_has_its_own_name_and_versions(publish, desk, club, actor, client_of):
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
    assert latest_version(club, HAND_AND_FOOT) == ours
    offered = {
        (offer.rule_set.title, offer.rule_set.values["wild_pile"]) for offer in game_offers(club) if offer.version
    }
    assert offered == {("Hand and Foot", 1500), ("Wednesday Hand and Foot", 1000)}
    for page in ("rules_compare", "rules_change"):
        assert desk.get(reverse(page, args=[club.slug, copy.slug])).status_code == 200
    game = start_game(club=club, rules=second, title="Window", sides=PINOCHLE_SIDES)
    assert desk.get(reverse("other_rules", args=[club.slug, game.pk])).status_code == 200


@pytest.mark.parametrize("title", ["", "Our rules", "CANASTA", "x" * 121])
def test_a_copy_needs_a_name_that_is_free(publish, desk, title):
    ours = publish(target=200)
    answer = desk.post(reverse("rules_copy", args=["st-hilary", PINOCHLE]), {"title": title}, follow=True)
    said = answer.content.decode()
    assert "Give the copy a name" in said or "Choose another name" in said
    assert list(HouseRules.objects.all()) == [ours]


def test_names_that_make_the_same_address_get_numbers(publish, club, actor):
    ours = publish(target=200)
    made = [copy_rules(club=club, base=ours.rule_set, title=title, by=actor) for title in ("Ça", "Ca!", "Суббота", "…")]
    assert [rules.slug for rules in made] == ["ca", "ca-2", "rules", "rules-2"]


@pytest.fixture
def var_dir(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.mark.daily(1)
@WHOLE
@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_table_card_of_every_rule_set_is_one_page(rules_for, var_dir, paper, whole):
    turn = sorted(PAPERS).index(paper)
    slugs = [slug for slug in shipped() if whole or in_turn(slug, turn)]
    cards = [card_pages(rules_for(slug), paper).documents for slug in slugs]
    pages = PdfReader(pdf_of(Pages(tuple(html for (html,) in cards)))).pages
    assert len(pages) == len(slugs)
    assert {round(float(page.mediabox.height) * 25.4 / 72) for page in pages} == {round(PAPERS[paper].height)}


def test_the_rules_are_printed_in_words_with_their_sources(publish, var_dir):
    rules = publish(target=275, meld_savers="both")
    text = " ".join(page.extract_text() for page in PdfReader(pdf_of(rules_pages(rules, "A4"))).pages)
    for words in ("House rules, version 4", "Our rules", "275", "both sides", "Ruling: House rules, version 4 of"):
        assert words in re.sub(r"\s+", " ", text)


def test_the_documents_are_for_everybody(client_of, publish, var_dir):
    rules = publish(target=200)
    for document, status in (("card", 200), ("rules", 200), ("poster", 404)):
        answer = client_of(None).get(reverse("rules_print", args=["st-hilary", PINOCHLE, rules.version, document]))
        assert answer.status_code == status
        if status == 200:
            assert answer["Content-Type"] == "application/pdf"


def test_rules_as_shipped_are_printed_for_a_club_that_has_not_adopted_them(client_of, club, var_dir):
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


def rules(*args):
    out = StringIO()
    call_command("rules", *args, stdout=out)
    return out.getvalue()


def squeezed(text):
    return " ".join(text.split())


def test_the_list_has_every_rule_set_on_a_line():
    lines = rules("list").splitlines()
    assert [line.split()[0] for line in lines] == sorted(shipped())
    assert all(shipped()[line.split()[0]].title in line for line in lines)


def test_the_list_says_how_many_can_play():
    (line,) = [line for line in rules("list").splitlines() if line.startswith("st-hilary-v3 ")]
    assert line.endswith("St. Hilary partnership pinochle, version 3 (version 3; players: 4)")


@pytest.mark.parametrize("slug", sorted(shipped()))
def test_a_rule_set_is_shown_with_every_label_value_source_and_ruling(slug):
    shown, words = rules("show", slug), describe_rules(shipped()[slug])
    assert shown.startswith(f"{words['title']}\n{slug}, version {words['version']} of ")
    for row in words["settings"]:
        mark = "Ruling" if row["ruling"] else "Source"
        assert squeezed(f"{row['label']}: {row['value']} {mark}: {row['source']}") in squeezed(shown)
    assert all(sitting in squeezed(shown) for sitting in words["sittings"])
    assert max(len(line) for line in shown.splitlines()) <= 100


def test_an_unknown_rule_set_is_answered_with_the_known_ones():
    with pytest.raises(CommandError, match="three-hand-double-pinochle"):
        rules("show", "bridge")
