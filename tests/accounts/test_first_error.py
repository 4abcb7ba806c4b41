"""A form that isn't accepted opens at what is missing or wrong, whichever form of the site it is."""

import re

import pytest
from django import forms

START = "2054-12-06T14:00"


@pytest.mark.parametrize(
    ("path", "sent", "asked"),
    [
        ("/password/", {"old_password": "another"}, "old_password"),
        ("/st-hilary/people/", {"username": "ann", "full_name": "", "kind": "director"}, "full_name"),
        (
            "/st-hilary/people/",
            {"username": "ann", "full_name": "Ann", "kind": "director", "password": "a"},
            "password",
        ),
        ("/st-hilary/people/invite/", {"name": "Ann", "kind": "member"}, "member"),
        ("/st-hilary/settings/", {"name": "St. Hilary", "language": "tlh"}, "language"),
        ("/st-hilary/members/", {"name": ""}, "name"),
        ("/st-hilary/desk/new/?format=contest", {"name": "", "starts_at": START}, "name"),
        ("/st-hilary/desk/new/?format=contest", {"name": "Autumn", "starts_at": "soon"}, "game"),
    ],
)
def test_what_is_missing_or_wrong_is_looked_at_first(director, client_of, path, sent, asked):
    assert _focus_of(client_of(director), path, sent) == [asked]


def test_a_log_in_without_a_password_asks_for_that(client, director):
    assert _focus_of(client, "/login/", {"username": "dora", "password": ""}) == ["password"]
    assert _focus_of(client, "/login/", {"username": "dora", "password": "wrong"}) == ["username"]


class Choices(forms.Form):
    """Two choices, both wanted."""

    game = forms.ChoiceField(choices=[("a", "A"), ("b", "B"), ("c", "C")], widget=forms.RadioSelect)
    days = forms.MultipleChoiceField(
        choices=[("Week", [("1", "Monday"), ("2", "Tuesday")]), ("End", [("6", "Saturday")])],
        widget=forms.CheckboxSelectMultiple,
    )


@pytest.mark.parametrize(("sent", "asked"), [({}, "game"), ({"game": "b"}, "days")])
def test_of_the_buttons_of_a_choice_only_the_first_takes_the_focus(sent, asked):
    form = Choices(sent)
    whole, one_by_one = str(form), "".join(str(button.tag()) for field in form for button in field)
    for html in (whole, one_by_one):
        (focused,) = re.findall(r"<input[^>]* autofocus[^>]*>", html)
        assert f'id="id_{asked}_0' in focused


def _focus_of(client, path, sent):
    inputs = re.findall(r"<(?:input|select|textarea)[^>]* autofocus[^>]*>", client.post(path, sent).content.decode())
    return [name for one in inputs for name in re.findall(r' name="(\w+)"', one)]
