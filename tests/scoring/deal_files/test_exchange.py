"""A club's games out to a file and in again: nothing is lost, nothing counts twice, a bad file changes nothing."""

import json
from random import Random
from uuid import UUID, uuid4

import pytest
from django.conf import settings as django_settings
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator, ValidationError

from clubsite.accounts.models import LogEntry
from lab.simulation.deals import true_deal
from lab.tools.deal_files import club_deals_schema, example_games, to_text
from scoring.cards.deals import correct_deal, end_game, mark_deal, scores_before, start_game
from scoring.cards.queries import card_of, what_if
from scoring.cards.submit import live_check, show_problems
from scoring.deal_files.formats import FileLimits, read_games
from scoring.deal_files.importer import BY_COMMAND, BadFile, UnreadableFile, known_rules, read_file
from scoring.deal_files.scored import GameReport, score_game
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES
from scoring.engine.pinochle.melds import Meld, MeldKind, PlayerMelds
from scoring.engine.pinochle.partnership import PartnershipDeal
from scoring.families import PAGES
from scoring.families.deal_form import EnteredDeal
from scoring.house_rules.in_words import family_rules
from scoring.models import Deal, DealVersion, Game, HouseRules
from scoring.spreadsheets import escape_formula, unescape_formula
from tests.scoring.conftest import IMPOSSIBLE, PINOCHLE_SIDES, a_deal
from tests.scoring.deal_files.exchanging import count, empty, out, state_of, table, take

SCHEMA = Draft202012Validator(club_deals_schema())


@pytest.fixture
def ids():
    return (UUID(int=n) for n in range(1, 10**6))


@pytest.fixture
def history(club, actor, game, record, ids):
    """Two games: one with every kind of version and state, ended by the director, and one that is open."""
    first = record(game, 1, written=[25, None], written_sets=[1], submission=next(ids)).deal
    again = EnteredDeal(a_deal(bid=21), written=[26, 3], written_sets=[])
    correct_deal(deal=first, entered=again, by=actor, submission=next(ids), seen=1, reason="=SUM(A1)")
    mark_deal(deal=first, state="agreed", by=actor, submission=next(ids), seen=2)
    record(game, 2, IMPOSSIBLE, ruling="A card too many, “really”", submission=next(ids))
    third = record(game, 3, a_deal(bid_side=1), submission=next(ids)).deal
    mark_deal(deal=third, state="void", by=actor, submission=next(ids), seen=1, reason="Misdeal")
    record(game, 4, a_deal(take=(3, 22)), submission=next(ids))
    end_game(game=game, by=actor, reason="The hall closed")
    other = start_game(club=club, rules=game.rules, title='@home; "2"', sides=PINOCHLE_SIDES, start=[12, 0])
    record(other, 1, submission=next(ids))
    return club


# --- there and back ------------------------------------------------------------------------------------


def test_all_versions_come_back_word_for_word(history, actor):
    before, stood = out(history), state_of(history)
    empty(history)
    plan = take(history, before, actor)
    assert (plan.new_games, plan.new_deals, plan.unchanged) == (2, 5, 0)
    assert out(history) == before
    assert state_of(history) == stood


def test_the_schema_in_the_docs_is_the_one_that_exports_keep_to(history):
    kept = json.loads((django_settings.BASE_DIR / "docs" / "club-deals.schema.json").read_text())
    assert kept == SCHEMA.schema, "Run `./dev lab deal_files` and commit what it writes in docs/"
    SCHEMA.check_schema(SCHEMA.schema)
    SCHEMA.validate(json.loads(out(history)))


@pytest.mark.parametrize("rules", ["st-hilary-v3", "our-own"])
def test_the_schema_refuses_what_the_program_would(history, rules):
    text = out(history).replace('"st-hilary-v3"', f'"{rules}"')
    SCHEMA.validate(json.loads(text))
    for part, wrong in [
        ((), {"version": 2}),
        (("games", 0), {"colour": 1}),
        (("games", 0), {"sides": None}),
        (("games", 0, "deals", 0), {"number": 0}),
        (("games", 0, "deals", 0), {"versions": []}),
        (("games", 0, "deals", 0, "versions", 0), {"state": "perhaps"}),
        (("games", 0, "deals", 0, "versions", 0), {"ruling": "x" * 201}),
        (("games", 0, "deals", 0, "versions", 0, "facts"), {"bid": "20"}),
        (("games", 0, "deals", 0, "versions", 0, "facts"), {"tricks": 3}),
        (("rules", 0), {"family": "rummy"}),
    ]:
        data = json.loads(text)
        place = data
        for key in part:
            place = place[key]
        place |= wrong
        with pytest.raises(ValidationError):
            SCHEMA.validate(data)
        with pytest.raises(UnreadableFile):
            read_file(json.dumps(data).encode(), known_rules(history))


@pytest.mark.daily(7)
@pytest.mark.parametrize("slug", sorted(shipped()))
def test_true_deals_of_every_rule_set_come_back(club, actor, game_of, record, ids, slug):
    rule_set = shipped()[slug]
    rng = Random(slug)
    for shape in rule_set.shapes:
        game = game_of(slug, shape, title="")
        for number in (1, 2):
            before = scores_before(game, number)
            facts = true_deal(game.rules.family, rng, game.engine_rules, deals_before=number - 1, before=before)
            record(game, number, facts, submission=next(ids))
            game.refresh_from_db()
            if game.state != Game.State.OPEN:
                break
    whole, rows, stood = out(club), table(club), state_of(club)
    SCHEMA.validate(json.loads(whole))
    empty(club)
    take(club, whole, actor)
    assert state_of(club) == stood
    assert table(club) == rows
    assert out(club) == whole


@given(st.text(max_size=6) | st.sampled_from(["=1", "'=1", "''a", "-5", "+a", "'t", "@", "'"]))
def test_no_cell_is_taken_for_a_formula_and_none_is_lost(text):
    assert unescape_formula(escape_formula(text)) == text
    assert escape_formula(text)[:1] not in ("=", "+", "@", "\t", "\r")
    assert not escape_formula(text).startswith("-") or escape_formula(text)[1:].isdecimal()


def test_a_table_has_no_formula(history):
    text = table(history)
    assert "'@home" in text
    assert ",@home" not in text
    assert ",=" not in text


# --- never twice ---------------------------------------------------------------------------------------


def test_the_same_file_again_changes_nothing(history, actor):
    text, before = out(history), count()
    plan = take(history, text, actor)
    assert (plan.new_games, plan.new_deals, plan.unchanged) == (0, 0, 5)
    assert count() == before


def test_a_newer_file_adds_only_what_is_new(history, actor, record, ids):
    old = out(history)
    game = Game.objects.get(title='@home; "2"')
    first = DealVersion.objects.get(deal__game=game)
    mark_deal(deal=first.deal, state="disputed", by=actor, submission=next(ids), seen=1)
    record(game, 2, a_deal(bid=22), submission=next(ids))
    new, stood = out(history), state_of(history)
    empty(history)
    take(history, old, actor)
    plan = take(history, new, actor)
    assert (plan.new_games, plan.new_deals, plan.unchanged) == (0, 2, 4)
    assert (out(history), state_of(history)) == (new, stood)
    assert take(history, old, actor).new_deals == 0
    assert out(history) == new


def test_another_club_of_the_site_gets_identities_of_its_own_once(history, other_club, actor):
    text, stood = out(history), state_of(history)
    assert take(other_club, text, actor).new_deals == 5
    assert state_of(other_club) == stood
    assert state_of(history) == stood
    before = count()
    assert take(other_club, text, actor).unchanged == 5
    assert take(other_club, out(other_club), actor).unchanged == 5
    assert count() == before


def test_rows_without_identity_are_known_again(club, actor):
    text = to_text([game for slug in ("st-hilary-v3", "points-only") for game in example_games(shipped()[slug])])
    plan = take(club, text, actor)
    deals = Deal.objects.count()
    assert plan.new_deals == deals > 0
    again = take(club, text, actor)
    assert (again.new_deals, again.unchanged, Deal.objects.count()) == (0, deals, deals)


def test_other_figures_under_the_same_identity_are_named(history, actor):
    data = json.loads(out(history))
    data["games"][0]["deals"][0]["versions"][0]["facts"]["bid"] = 19
    with pytest.raises(BadFile) as no:
        take(history, json.dumps(data), actor)
    assert [(bad.path, "other figures" in bad.words) for bad in no.value.bad] == [
        ("games.0.deals.0.versions.0.facts", True)
    ]


def test_a_deal_that_was_corrected_here_since_is_not_overwritten(history, actor, ids):
    text = out(history)
    empty(history)
    take(history, text, actor)
    first = DealVersion.objects.get(deal__game__title="Table 3", deal__number=4)
    mark_deal(deal=first.deal, state="agreed", by=actor, submission=next(ids), seen=1)
    data = json.loads(text)
    versions = data["games"][0]["deals"][3]["versions"]
    versions.append({**versions[0], "id": str(next(ids)), "state": "disputed"})
    with pytest.raises(BadFile) as no:
        take(history, json.dumps(data), actor)
    assert len(no.value.bad) == 1


# --- a bad file ----------------------------------------------------------------------------------------


def test_every_deal_that_the_rules_refuse_is_named_and_a_ruling_lets_them_stand(club, actor):
    good = {"facts": {"bid_side": 0, "bid": 20, "meld": [10, 4], "take": [15, 10]}}
    bad = {"facts": {**good["facts"], "take": [16, 10]}}
    game = {
        "rules": "st-hilary-v3",
        "shape": {"sides": 2, "per_side": 2},
        "title": "Old card",
        "sides": PINOCHLE_SIDES,
        "deals": [good, bad, bad],
    }
    text = json.dumps({"format": "nine-tables/deals", "version": 1, "games": [game]}, indent=1)
    before = count()
    with pytest.raises(BadFile) as no:
        take(club, text, actor)
    lines = text.splitlines()
    assert [bad.path for bad in no.value.bad] == ["games.0.deals.1.facts.take", "games.0.deals.2.facts.take"]
    assert all('"facts"' in lines[bad.line - 1] or "{" in lines[bad.line - 1] for bad in no.value.bad)
    assert all("comes to 26" in bad.words for bad in no.value.bad)
    assert count() == before
    take(club, text, actor, ruling="As the old book has it")
    kept = DealVersion.objects.exclude(ruling="")
    assert [(v.deal.number, v.ruling, v.overruled) for v in kept] == [
        (number, "As the old book has it", ["pinochle.take-total"]) for number in (2, 3)
    ]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"id": "7"}, "id"),
        ({"at": "yesterday"}, "at"),
        ({"state": "lost"}, "state"),
        ({"ruling": "x" * 201}, "ruling"),
        ({"by": "a\nb"}, "by"),
        ({"written": [1]}, "written"),
        ({"written_sets": [2]}, "written_sets.0"),
        ({"colour": 1}, "colour"),
    ],
)
def test_what_a_version_cannot_say_is_named(history, actor, change, path):
    data = json.loads(out(history))
    data["games"][1]["deals"][0]["versions"][0] |= change
    with pytest.raises(UnreadableFile) as no:
        take(history, json.dumps(data), actor)
    assert [bad.path for bad in no.value.bad] == [f"games.1.deals.0.versions.0.{path}"]


@pytest.mark.parametrize(
    "change",
    [
        {"version": 7, "family": "bridge"},
        {"version": 7, "settings": {}},
        {"version": 7, "settings": []},
        {"version": 7, "shapes": []},
        {"version": 7, "shapes": [{"sides": 10**6, "per_side": 2}]},
        {"version": 7, "published": "soon"},
        {"version": 0},
        {"version": 7, "title": 3},
        {"version": 7, "slug": "A b"},
    ],
)
def test_rules_that_make_no_game_are_refused(history, actor, change):
    data = json.loads(out(history))
    data["rules"][0] |= change
    for game in data["games"]:
        game["rules"], game["rules_version"] = data["rules"][0]["slug"], data["rules"][0]["version"]
    empty(history)
    before = count()
    with pytest.raises(BadFile):
        take(history, json.dumps(data), actor)
    assert count() == before


def test_rules_of_the_clubs_own_come_with_the_file(history, actor):
    data = json.loads(out(history))
    data["rules"][0]["settings"]["target"]["value"] = 300
    with pytest.raises(BadFile) as no:
        take(history, json.dumps(data), actor)
    assert {bad.path for bad in no.value.bad} == {"games.0.rules_version"}
    data["rules"][0]["version"] = 9
    for game in data["games"]:
        game["rules_version"] = 9
    Game.objects.all().delete()
    take(history, json.dumps(data), actor)
    made = HouseRules.objects.get(slug="st-hilary-v3", version=9)
    assert made.rule_set.by_name["target"].value == 300
    assert {game.rules_id for game in Game.objects.all()} == {made.pk}


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({"slug": 3}, [("slug", "a text in quotation marks belongs here.")]),
        ({"family": "bridge"}, [("family", f"this must be one of: {', '.join(FAMILIES)}.")]),
        ({"shapes": []}, [("shapes", "this field is missing.")]),
        ({"shapes": [{"sides": "2"}]}, [("shapes.0.sides", "a whole number belongs here.")]),
        ({"settings": []}, [("settings", "an object in braces belongs here.")]),
        (
            {"settings": {"target": {"value": 9, "label": 9}, "deals": 4}, "version": True},
            [
                ("version", "a whole number belongs here."),
                ("settings.target.label", "a text in quotation marks belongs here."),
                ("settings.target.source", "this field is missing."),
                ("settings.deals", "an object in braces belongs here."),
            ],
        ),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, dict) else "",
)
def test_what_is_wrong_with_rules_of_a_file_is_named(history, change, faults):
    data = json.loads(out(history))
    data["rules"][0] |= {**change, "noted": "what else stands there is let be"}
    with pytest.raises(UnreadableFile) as no:
        read_file(json.dumps(data).encode(), known_rules(history))
    assert sorted((bad.path, bad.words) for bad in no.value.bad) == sorted(
        (f"rules.0.{path}", words) for path, words in faults
    )


# --- what spreadsheets do ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"PK\x03\x04", "a file of games in JSON"),
        (b"", "a file of games in JSON"),
        (b"game,deal\n1,1", "a file of games in JSON"),
        (b"x" * (BY_COMMAND.size + 1), "more than"),
        (b'{"format": "nine-tables/club-deals", "version": 2}', "one of: 1"),
    ],
)
def test_what_is_no_file_of_deals_is_said(club, raw, words):
    with pytest.raises(UnreadableFile) as no:
        read_file(raw, known_rules(club))
    assert any(words in bad.words for bad in no.value.bad)


def test_more_deals_than_are_taken_in_at_once(history):
    raw = out(history).encode()
    assert read_file(raw, known_rules(history), limits=FileLimits(deals=5)).games
    with pytest.raises(UnreadableFile, match="at most 4 deals"):
        read_file(raw, known_rules(history), limits=FileLimits(deals=4))


# --- costs and the log ---------------------------------------------------------------------------------


def test_a_larger_club_costs_no_more_queries(history, record, ids, django_assert_num_queries):
    with django_assert_num_queries(4):
        out(history)
    for game in Game.objects.filter(state="open"):
        number = game.deals.count() + 1
        record(game, number, submission=next(ids))
    with django_assert_num_queries(4):
        out(history)


def test_taking_in_is_logged_once(history, actor):
    text = out(history)
    Game.objects.all().delete()
    take(history, text, actor)
    entry = LogEntry.objects.get(verb="deals.import")
    assert (entry.new["games"], entry.new["deals"]) == (2, 5)


def test_names_pasted_with_other_spaces_are_known_again(club, actor, record, game_of):
    sides = [["Anna\u00a0Maria", "Jo\u200bse"], ["Soft\u00adhy", "Ma\u2028x"]]
    record(game_of("st-hilary-v3", title="Table\u00a03", sides=sides))
    plan = take(club, out(club), actor)
    assert (plan.games, plan.unchanged) == ((), 1)


def test_an_emoji_of_several_parts_comes_back_whole(club, actor, record, game_of):
    family, rainbow = "Ann \U0001f469\u200d\U0001f467", "Bob \U0001f3f3\ufe0f\u200d\U0001f308"
    sides = [[family, rainbow], ["Ca\u200dl", "Dee \U0001f469\u200d"]]
    record(game_of("st-hilary-v3", title=family, sides=sides))
    text = out(club)
    assert take(club, text, actor).unchanged == 1
    empty(club)
    take(club, text, actor)
    game = Game.objects.get()
    assert (game.title, [side.names for side in game.sides.all()]) == (
        family,
        [[family, rainbow], ["Ca l", "Dee \U0001f469"]],
    )


TOLD = "Cal has a marriage without its suit."
NOBODY = PlayerMelds()
CARD = PartnershipDeal(
    bid_side=0, bid=15, take=(15, 10), counted=(NOBODY, NOBODY, PlayerMelds((Meld(MeldKind.MARRIAGE),)), NOBODY)
)


@pytest.fixture
def deal_file():
    melds = [{}, {}, {"melds": [{"kind": "marriage"}]}, {}]
    facts = {"bid_side": 0, "bid": 15, "take": [15, 10], "counted": melds}
    shape = {"sides": 2, "per_side": 2}
    game = {"rules": "st-hilary-v3", "shape": shape, "title": "T", "sides": PINOCHLE_SIDES, "deals": [{"facts": facts}]}
    return json.dumps({"format": "nine-tables/deals", "version": 1, "games": [game]})


def test_in_a_file_and_in_the_import(deal_file, club, actor):
    (game,) = read_games(deal_file)
    assert f"Cal & Dee: {TOLD}" in "\n".join(GameReport(score_game(game), 1).text())
    with pytest.raises(BadFile) as refused:
        take(club, deal_file, actor)
    assert [f"Cal & Dee: {TOLD}" in bad.words for bad in refused.value.bad] == [True]


def test_on_the_card_and_under_other_rules(game, record):
    record(game, 1, CARD, ruling="Nobody remembers which.")
    card = card_of(game)
    assert any(TOLD in words for words in card.deals[0].overruled)
    other = next(rules for rules in family_rules(game.club, game.rules.family.slug) if "st-hilary" in rules.key)
    assert any(TOLD in words for deal in what_if(card, other)["deals"] for words in deal["refused"])


def test_in_the_form(game):
    typed = {"number": "1", "bid_side": "0", "bid": "15", "take_0": "15", "take_1": "10", "last_trick": "0"}
    typed |= {"trump": "hearts", "counted_2_aces": "3", "meld_0": "0", "submission": str(uuid4())}
    form = PAGES["partnership-pinochle"].form(typed, game=game, number=1)
    rows = live_check(form)["problems"]
    assert all(row["words"].startswith("Cal & Dee: ") and "Cal" in row["words"].partition(": ")[2] for row in rows[:1])
    form.full_clean()
    show_problems(form, game.rules.family.check(form.facts(), game.engine_rules))
    said = " ".join(str(words) for errors in form.errors.values() for words in errors)
    assert "Cal can't have 3 of one meld" in said
    assert "Player" not in said
