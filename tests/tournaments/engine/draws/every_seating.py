"""Whether hard wishes can hold, by trying every seating there is: slow, and with nothing in common with the engine."""

from itertools import combinations
from random import Random

from tournaments.engine.rounds import DrawWish


def can_hold(people, rounds, wishes):
    """Whether there are rounds at tables of four, as few as can be sitting out, in which all these wishes hold."""
    once = [frozenset(wish.people) for wish in wishes if wish.kind == "once"]
    others = [wish for wish in wishes if wish.kind != "once"]
    turns = {
        frozenset(pair for pair in once if pair in {frozenset(side) for table in seating for side in table})
        for seating in seatings(people)
        if all(holds(wish, seating) for wish in others)
    }
    had = {frozenset[frozenset[int]]()} if turns else set()
    for _round in range(rounds):
        had = {before | turn for before in had for turn in turns}
    return frozenset(once) in had


def holds(wish, seating):
    sides = {person: (table, side) for table, sides in enumerate(seating, 1) for side in sides for person in side}
    if len(wish.people) == 1:
        (person,) = wish.people
        return wish.kind == "stay" if person not in sides else sides[person][0] == wish.table
    one, other = (sides.get(person) for person in wish.people)
    if wish.kind == "always":
        return one == other
    if one is None or other is None:
        return True
    return one != other if wish.kind == "never" else one[0] != other[0]


def seatings(people):
    tables = len(people) // 4
    for seated in combinations(people, 4 * tables):
        yield from _tables(seated, tables)


def _tables(seated, tables):
    if not tables:
        yield ()
        return
    for four in combinations(seated, 4):
        rest = [person for person in seated if person not in four]
        a, b, c, d = four
        for table in (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))):
            for others in _tables(rest, tables - 1):
                yield (table, *others)


def tight(seed):
    """A small event with wishes that hardly hold, or don't: people, rounds, wishes."""
    rng = Random(f"tight/{seed}")
    people = list(range(1, rng.randint(4, 9) + 1))
    rounds = rng.randint(1, 5)
    pairs = list(combinations(rng.sample(people, rng.randint(3, min(6, len(people)))), 2))
    wishes = [DrawWish("once", pair) for pair in rng.sample(pairs, rng.randint(1, len(pairs)))]
    for kind in rng.sample(["never", "apart", "always", "stay", "host"], rng.choice((0, 0, 1, 2))):
        if kind in ("stay", "host"):
            wishes.append(DrawWish(kind, (rng.choice(people),), table=rng.randint(1, len(people) // 4)))
        else:
            a, b = rng.sample(people, 2)
            wishes.append(DrawWish(kind, (a, b)))
    return people, rounds, wishes
