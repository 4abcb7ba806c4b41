"""`manage.py rules`: the shipped rule sets in words. No test here has a database: none is needed."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scoring.engine.core.ruleset import shipped
from scoring.house_rules.in_words import rules_in_words


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
    shown, words = rules("show", slug), rules_in_words(shipped()[slug])
    assert shown.startswith(f"{words['title']}\n{slug}, version {words['version']} of ")
    for row in words["settings"]:
        mark = "Ruling" if row["ruling"] else "Source"
        assert squeezed(f"{row['label']}: {row['value']} {mark}: {row['source']}") in squeezed(shown)
    assert all(sitting in squeezed(shown) for sitting in words["sittings"])
    assert max(len(line) for line in shown.splitlines()) <= 100


def test_an_unknown_rule_set_is_answered_with_the_known_ones():
    with pytest.raises(CommandError, match="three-hand-double-pinochle"):
        rules("show", "bridge")
