"""What is said of each format stands in one list for all of them: none can be offered that lacks a part."""

from tournaments.engine.formats import FORMATS, TRAITS, options_of
from tournaments.events.forms import EventForm
from tournaments.events.words import ABOUT, LABELS
from tournaments.models import Event


def test_every_format_has_its_traits_and_its_words():
    assert set(TRAITS) == set(Event.Format.values) == set(ABOUT)
    assert all(traits.slug == slug for slug, traits in TRAITS.items())


def test_every_option_that_a_director_may_choose_has_a_label():
    unsaid = {one.name for kind in FORMATS.values() for one in options_of(kind)} - set(LABELS)
    assert unsaid == {"per_side"}, "the number of a side's people comes from the game"


def test_a_night_planned_as_its_form_stands_gives_a_sit_out_the_players_own_average(club):
    planned = EventForm(club=club, format=Event.Format.ROTATION)
    assert planned["sit_out_rule"].value() == Event.SitOutRule.OWN_AVERAGE == Event().sit_out_rule
    assert planned["missing_rule"].value() == Event.SitOutRule.ZERO == Event().missing_rule
