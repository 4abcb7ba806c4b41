"""Deals of the canasta games made from a real pack by other code than the engine's: cards with suits are dealt, melded
at random as the sources allow it, and counted with the figures of the sources, written down here once more.

No turns are played: a side holds some cards of the pack, at least as many as it was dealt, and lays some of them.
"""

from dataclasses import dataclass, field
from random import Random

from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard

SUITS = "SHDC"
RANKS = ["4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
VALUES = (
    {"joker": 50, "2": 20, "A": 20} | dict.fromkeys("456735", 5) | dict.fromkeys(["8", "9", "10", "J", "Q", "K"], 10)
)
BURRACO = (
    {"joker": 30, "2": 20, "A": 15} | dict.fromkeys("34567", 5) | dict.fromkeys(["8", "9", "10", "J", "Q", "K"], 10)
)


@dataclass(frozen=True)
class Game:
    """A game as its sources describe it; points."""

    decks: int = 2
    dealt: int = 22
    values: dict[str, int] = field(default_factory=lambda: VALUES)
    clean: int = 500
    dirty: int = 300
    wild: int = 0  # 0: no melds of wild cards
    most_wilds: int = 3
    closed: bool = False
    pure: str = ""  # ranks that take no wild card
    first: int = 15  # the least first meld, whatever the score
    out: int = 100
    piles_to_go_out: int = 1
    books: tuple[str, ...] = ()
    sequence: int = 0
    pot: int = 0
    black_threes: bool = True  # melded in going out
    alone: bool = False


GAMES = {
    "canasta-modern-american": Game(
        dealt=26, wild=2000, most_wilds=2, closed=True, pure="7", first=125, piles_to_go_out=2, black_threes=False,
        books=("A", "7", "joker", "2"),
    ),
    "canasta-samba": Game(
        decks=3, dealt=30, most_wilds=2, out=200, piles_to_go_out=2, books=("sequence",), sequence=1500
    ),
    "canasta-bolivia": Game(
        decks=3, dealt=30, wild=2500, most_wilds=2, out=200, piles_to_go_out=2, books=("sequence",), sequence=1500
    ),
    "canasta-spanish": Game(wild=2000),
    "burraco": Game(
        values=BURRACO, clean=200, dirty=100, most_wilds=1, first=0, books=("semi-clean",), pot=11, black_threes=False
    ),
    "buraco": Game(
        values=BURRACO | {"joker": 20, "2": 10}, clean=200, dirty=100, most_wilds=1, first=0, pot=11,
        black_threes=False, books=("ace-to-king", "ace-to-ace"),
    ),
}  # fmt: skip


@dataclass
class Table:
    """One side's cards: what is laid, what is held, and the threes beside."""

    held: list[tuple[str, str]]
    red: int = 0
    black: int = 0
    pot: bool = True
    melds: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)  # rank, "wild" or "sequence"; cards


def deal(rng: Random, slug: str) -> tuple[HandAndFootDeal, tuple[int, ...]]:
    """A legal deal as it is on the card, and what each side scores."""
    game = GAMES[slug]
    natural_threes = bool(game.pot)
    ranks = ["2", "3", *RANKS]
    pack = [(rank, suit) for rank in ranks for suit in SUITS] + [("joker", "")] * 2
    pack *= game.decks
    rng.shuffle(pack)
    sides = []
    for _side in range(2):
        took_pot = bool(game.pot) and rng.random() < 0.7
        least = game.dealt + (game.pot if took_pot else 0)
        table = Table([], pot=took_pot)
        count = rng.randint(least, max(least, len(pack) // 2 if not sides else len(pack) - 1))
        while len(table.held) + table.red + table.black < count:
            card = pack.pop()
            if natural_threes or card[0] != "3" or (card[1] in "SC" and slug != "canasta-modern-american"):
                table.held.append(card)
            elif card[1] in "HD":
                table.red += 1
            else:
                table.black += 1
        sides.append(table)
    special = _special(rng, slug)
    out = rng.randrange(2) if special else None
    for place, table in enumerate(sides):
        if not (special and out == place):
            _meld(rng, table, game, natural_threes=natural_threes)
    for place, table in enumerate(sides):
        if out is None and _may_go_out(table, game, slug) and rng.random() < 0.7:
            out = place
            threes = [card for card in table.held if card[0] == "3"]
            if game.black_threes and len(threes) >= 3 and len(table.held) > len(threes):
                table.melds.append(("3", threes))
                table.held = [card for card in table.held if card[0] != "3"]
    both = [_card(rng, table, game, slug=slug, out=out == place) for place, table in enumerate(sides)]
    if special and out is not None:
        both[out] = (SideCard(red_threes=sides[out].red, black_threes=sides[out].black), special[1])
    hand = special[0] if special else None
    return HandAndFootDeal(sides=tuple(card for card, _ in both), out=out, special_hand=hand), tuple(p for _, p in both)


def _special(rng: Random, slug: str) -> tuple[str, int] | None:
    if slug != "canasta-modern-american" or rng.random() > 0.05:
        return None
    return rng.choice([("straight", 3000), ("pairs", 2500), ("wild-pairs", 2000), ("garbage", 3000), ("quads", 3500)])


def _meld(rng: Random, table: Table, game: Game, *, natural_threes: bool) -> None:
    held = list(table.held)
    eager = rng.random()

    def take(cards: list[tuple[str, str]]) -> list[tuple[str, str]]:
        for card in cards:
            held.remove(card)
        return cards

    if game.sequence or game.pot:
        order = ["A", "2", "3", *RANKS] if natural_threes else RANKS
        for suit in SUITS:
            for _again in range(game.decks):
                run: list[tuple[str, str]] = []
                for rank in order:
                    if (rank, suit) in held and len(run) < (7 if game.sequence else 14):
                        run.append((rank, suit))
                    elif len(run) >= 3:
                        break
                    else:
                        run = []
                if run and run[0] == ("A", suit) == run[-1] and held.count(("A", suit)) < 2:
                    run.pop()
                if len(run) >= 3 and rng.random() < 0.3 + eager:
                    table.melds.append(("sequence", take(run)))
    for rank in rng.sample(RANKS + ["3"] * natural_threes, k=len(RANKS) + natural_threes):
        cards = [card for card in held if card[0] == rank]
        wilds = [card for card in held if card[0] in ("2", "joker")]
        if len(cards) < 2 or rng.random() > 0.4 + eager:
            continue
        cards = cards[: 7 if game.closed else len(cards)]
        most = 0 if rank in game.pure else min(game.most_wilds, len(wilds))
        most = min(most, 7 - len(cards)) if game.closed else most
        cards += rng.sample(wilds, k=rng.randint(0, max(0, most)))
        if len(cards) >= 3:
            table.melds.append((rank, take(cards)))
    wilds = [card for card in held if card[0] in ("2", "joker")]
    if game.wild and len(wilds) >= 3 and rng.random() < 0.5:
        if rng.random() < 0.5:
            wilds.sort()
        wilds = wilds[:: rng.choice([1, -1])]
        table.melds.append(("wild", take(wilds[: rng.randint(3, min(7, len(wilds)))])))
    if len(held) >= 2 and _points([c for _, cards in table.melds for c in cards], game) >= game.first:
        table.held = held
    else:
        table.melds = []


def _points(cards: list[tuple[str, str]], game: Game) -> int:
    return sum(game.values[rank] for rank, _suit in cards)


def _kind(rank: str, cards: list[tuple[str, str]], slug: str) -> str:
    """What a meld counts as: a kind of pile, an unfinished one that is fined, or "" for neither."""
    wilds = [name for name, _suit in cards if name in ("2", "joker") and rank != "sequence"]
    if len(cards) < 7:
        fined = slug == "canasta-modern-american" and (rank == "wild" or (rank in ("A", "7") and not wilds))
        return f"unfinished-{rank}" if fined else ""
    if rank == "wild":
        if slug != "canasta-modern-american":
            return "wild"
        return "2" if "joker" not in wilds else "joker" if wilds.count("joker") == 4 else "wild"
    if rank == "sequence":
        long = {13: "ace-to-king", 14: "ace-to-ace"} if slug == "buraco" and cards[0][0] == "A" else {}
        return long.get(len(cards), "sequence" if slug in ("canasta-samba", "canasta-bolivia") else "clean")
    if wilds:
        return "semi-clean" if slug == "burraco" and len(cards) - len(wilds) >= 7 else "dirty"
    return rank if slug == "canasta-modern-american" and rank in ("A", "7") else "clean"


BONUS = {"A": 2500, "7": 2500, "joker": 2500, "2": 3000, "sequence": 1500, "semi-clean": 150} | {
    "ace-to-king": 500,
    "ace-to-ace": 1000,
}
FINES = {"unfinished-A": 2500, "unfinished-7": 2500, "unfinished-wild": 2000}
PILES = ("clean", "dirty", "wild", *BONUS)


def _may_go_out(table: Table, game: Game, slug: str) -> bool:
    kinds = [_kind(rank, cards, slug) for rank, cards in table.melds]
    enough = sum(kind in PILES for kind in kinds) >= game.piles_to_go_out
    if slug == "canasta-bolivia" and "sequence" not in kinds:
        enough = False
    if slug == "buraco" and not {"clean", "ace-to-king", "ace-to-ace"} & set(kinds):
        enough = False
    return enough and not any(kind in FINES for kind in kinds) and (table.pot or not game.pot)


def _card(rng: Random, table: Table, game: Game, *, slug: str, out: bool) -> tuple[SideCard, int]:
    kinds = [_kind(rank, cards, slug) for rank, cards in table.melds]
    melded = _points([card for _, cards in table.melds for card in cards], game)
    left = sum(100 if rank == "3" and slug == "canasta-bolivia" else game.values[rank] for rank, _suit in table.held)
    piles = sum(kind in PILES for kind in kinds)
    modern = slug == "canasta-modern-american"
    score = -left + (-melded if modern and not piles else melded)
    score += kinds.count("clean") * game.clean + kinds.count("dirty") * game.dirty + kinds.count("wild") * game.wild
    score += sum(BONUS.get(kind, 0) - FINES.get(kind, 0) for kind in kinds) + game.out * out
    extras: tuple[int, ...] = ()
    if modern:
        hands = [table.held] if out else [table.held[::2], table.held[1::2]]
        three = sum(sum(rank == fined for rank, _ in hand) >= 3 for hand in hands for fined in ("A", "7"))
        score -= 1500 * three
        extras = (*(kinds.count(name) for name in FINES), three)
        of_threes = [0, 100, 300, 500, 1000]
        score += (of_threes[table.red] + of_threes[table.black]) * ((piles > 0) + (piles > 1) - 1)
    elif slug == "canasta-spanish":
        all_threes = any(rank == "3" and len(cards) == 4 for rank, cards in table.melds)
        first = out and rng.random() < 0.1
        score += 480 * all_threes + 500 * first + 500 * (piles >= 5) + 2000 * (piles >= 7)
        score += (800 if table.red == 4 else 100 * table.red) * (1 if piles else -1)
        extras = (int(all_threes), int(first))
    elif game.sequence:
        score += (1000 if table.red == 6 else 100 * table.red) * (1 if piles >= 2 else -1)
    else:
        score -= 0 if table.pot else 100
        extras = (int(not table.pot),)
    card = SideCard(
        clean=kinds.count("clean"),
        dirty=kinds.count("dirty"),
        wild=kinds.count("wild"),
        special=tuple(kinds.count(book) for book in game.books),
        red_threes=table.red,
        black_threes=table.black,
        extras=extras,
        melded=melded,
        left=left,
    )
    return card, score
