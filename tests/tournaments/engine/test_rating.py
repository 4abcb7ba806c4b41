"""The club rating against the library alone: 40 invented nights with partners, teams of one, guests and level games."""

from random import Random

from openskill.models import PlackettLuce

from tournaments.engine.rating import NEEDED, TREND, rate_members


def invented(nights=40, people=24, seed=1):
    """Nights on which the members with the higher numbers win more often; a guest in every ninth seat or so."""
    random = Random(seed)
    for night in range(nights):
        here = random.sample(range(1, people + 1), 16 if night % 3 else 13)
        games = []
        for _round in range(3):
            random.shuffle(here)
            for n in range(0, len(here) - 3, 4):
                seats = [None if random.random() < 0.1 else one for one in here[n : n + 4]]
                sides = [seats[:2], seats[2:]] if night % 4 else [[one] for one in seats]
                luck = [sum(one or 12 for one in side) / len(side) + random.gauss(0, 6) for side in sides]
                if random.random() < 0.1:
                    luck[1] = luck[0]
                games.append(
                    [(side, 1 + sum(other > own for other in luck)) for side, own in zip(sides, luck, strict=True)]
                )
        yield games


def library_alone(nights):
    model, ratings = PlackettLuce(), {}
    for night in nights:
        for game in night:
            guests = {}
            teams = [
                [ratings.setdefault(p, model.rating()) if p else guests.setdefault((n, i), model.rating())
                 for i, p in enumerate(side)]
                for n, (side, _rank) in enumerate(game)
            ]  # fmt: skip
            for (side, _rank), new in zip(game, model.rate(teams, ranks=[r for _side, r in game]), strict=True):
                ratings.update({p: rating for p, rating in zip(side, new, strict=True) if p})
    return {p: rating.mu - 3 * rating.sigma for p, rating in ratings.items()}


def test_forty_nights_are_rated_as_by_the_library_alone():
    nights = list(invented())
    expected = library_alone(nights)
    rated = rate_members(nights)
    assert {one.member: one.worth for one in rated} == expected
    assert [one.member for one in rated] == sorted(expected, key=expected.get, reverse=True)
    assert [one.place for one in rated] == list(range(1, 25))
    best = [one.member for one in rated[:6]]
    assert sum(best) / 6 > 16  # it finds who was made to be strong
    before = {one.member: one.place for one in rate_members(nights[:-TREND])}
    assert {one.member: one.climbed for one in rated} == {one.member: before[one.member] - one.place for one in rated}


def test_a_place_takes_some_nights_and_is_among_those_who_are_asked_for():
    nights = [[[((1, 2), 1), ((3, 4), 2)]]] * NEEDED + [[[((5, 1), 1), ((3, 4), 2)]]]
    rated = {one.member: one for one in rate_members(nights, among={2, 3, 5})}
    assert {one: line.place for one, line in rated.items()} == {2: 1, 3: 2, 5: None}
    assert rated[2].places == (None,) * (NEEDED - 1) + (1, 1)
    assert {line.climbed for line in rated.values()} == {None}
    alone = {one.member: one.worth for one in rate_members(nights)}
    assert all(line.worth == alone[one] for one, line in rated.items())


def test_nobody_is_rated_without_a_game():
    assert rate_members([]) == rate_members([[]]) == []
