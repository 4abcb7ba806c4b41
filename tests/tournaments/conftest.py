import pytest

from tests.tournaments.nights import arrive, make_night, seated


@pytest.fixture
def event(club, rules):
    """A club night, nobody there yet."""
    return make_night(club, rules)


@pytest.fixture
def night(event, actor):
    """A club night with eight people who are here."""
    arrive(event, actor, 8)
    return event


@pytest.fixture
def keyer(scorekeeper, client_of):
    """The browser of a scorekeeper."""
    return client_of(scorekeeper)


@pytest.fixture
def draw(event, actor):
    """The club night's first round, published: nine people, two tables, one sits out."""
    return seated(event, actor, 9)
