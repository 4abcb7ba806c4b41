"""What an event can be of: games that are easy to find among many, formats that lack no part."""

from django.urls import reverse

from tournaments.engine.formats import FORMATS, TRAITS, option_fields
from tournaments.events.forms import EventForm
from tournaments.events.words import ABOUT, LABELS
from tournaments.models import Event

OTHERS = "Games by points"
KINDS = [
    "The club's own rules",
    "Pinochle",
    "Hand and Foot, canasta",
    "Five hundred, euchre and whist by tricks",
    "Spades and Oh Hell",
    "Hearts",
    "Cribbage by deal",
    OTHERS,
]


def offered(client, club, format):
    form = client.get(reverse("event_new", args=[club.slug]) + f"?format={format}").context["form"]
    return {str(kind): games for kind, games in form.fields["game"].choices if isinstance(games, list)}


def test_games_stand_by_kind_with_the_clubs_own_first(club, client_of, director, rules_for):
    rules_for("hand-and-foot-003")
    night = offered(client_of(director), club, "rotation")
    assert list(night) == [kind for kind in KINDS if kind != "Hearts"]  # nobody has a partner in it
    assert night[KINDS[0]] == [
        ("hand-and-foot-003:2x2", "Hand and Foot, wild pile 150: four players, partners against partners")
    ]
    assert ("whist-drive:2x2", "Whist drive: four players, partners against partners") in night[OTHERS]
    values = [value for games in night.values() for value, _words in games]
    assert len(set(values)) == len(values)
    assert all(value.endswith(":2x2") for value in values)


def test_a_competition_may_be_of_more_shapes(club, client_of, director):
    contest = offered(client_of(director), club, "contest")
    assert list(contest) == KINDS[1:]
    assert "hand-and-foot-simpson:6x1" in {value for value, _words in contest["Hand and Foot, canasta"]}


def test_every_format_has_its_traits_and_its_words():
    assert set(TRAITS) == set(Event.Format.values) == set(ABOUT)
    assert all(traits.slug == slug for slug, traits in TRAITS.items())


def test_every_option_that_a_director_may_choose_has_a_label():
    unsaid = {one.name for kind in FORMATS.values() for one in option_fields(kind)} - set(LABELS)
    assert unsaid == {"per_side"}, "the number of a side's people comes from the game"


def test_a_night_planned_as_its_form_stands_gives_a_sit_out_the_players_own_average(club):
    planned = EventForm(club=club, format=Event.Format.ROTATION)
    assert planned["sit_out_rule"].value() == Event.SitOutRule.OWN_AVERAGE == Event().sit_out_rule
    assert planned["missing_rule"].value() == Event.SitOutRule.ZERO == Event().missing_rule
