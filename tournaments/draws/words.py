"""Draws in words: how good one is, its wishes, who meets again, how lots are checked, why there is none."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now, gettext_lazy as _, ngettext

from tournaments.engine.rounds import DrawRefused, DrawWish, Layout, grouped
from tournaments.engine.verify import RoleMeetings, Statement, WishOutcome
from tournaments.models import Stage

REFUSALS: dict[str, Promise] = {
    "draw.too-few": _("A draw needs at least %(least)s people; the number here is %(people)s."),
    "draw.too-many": _("A draw can hold at most %(most)s people; the number here is %(people)s."),
    "draw.named-twice": _("%(person)s is in the list of people twice."),
    "draw.no-rounds": _("Draw at least one round."),
    "draw.no-steps": _("Give the search at least one step."),
    "draw.no-such-table": _("Sides of %(side)s don't make up a table of %(table)s. Tables have 3 to 6 people."),
    "draw.wishes-collide": _("These wishes can't all be met; take one of them back: %(wishes)s"),
    "draw.wish-unclear": _("Wish %(wish)s isn't clear. Say what is wanted, and for whom."),
}

METHODS: dict[str, Promise] = {
    "movement": _("North stays, South goes down one table each round, East up one, West up two."),
    "construction": _("A pattern without rematches."),
    "whist": _("A whist tournament: everybody partners everybody once."),
    "stored": _("Found beforehand by a long search."),
    "search": _("Found by a search."),
    "extended": _("A pattern, with the last rounds found by a search."),
}

ODD: dict[str, Promise] = {
    "sit-out": _("They take turns to sit out"),
    "three": _("A table of three, each for themselves"),
    "four": _("A table of four, two against two"),
    "five": _("A table of five, each for themselves"),
    "six": _("A table of six, three against three"),
}

LEFT_OVER = _("People who don't fit at tables of four")
Name = Callable[[int], str]

FAIR: dict[str, Promise] = {  # by Stage.CutRule: what a smaller group or table means for who goes on
    "": _("The points count as they are, whatever the size of the group."),
    "group": _("Who goes on is decided within each group, among those who played the same games."),
    "table": _("The same number go on from each table, whatever its size."),
    "overall": _("The points count as they are, whatever the size of the group."),
}


def method_sentence(statement: Mapping[str, Any]) -> str:
    """How a draw was found, by its stored statement; "" where it doesn't say."""
    return str(METHODS.get(statement.get("how", {}).get("method", ""), ""))


def compass_name(seat: int) -> str:
    """The name of a seat at a table of four by its number from 1, as the engine counts: side after side.

    >>> compass_name(2)
    'South'
    """
    return (_now("North"), _now("South"), _now("East"), _now("West"))[seat - 1]


def describe_layout(tables: Layout) -> str:
    """Such as "Everybody plays: 1 table of 4, 1 table of 3." """
    seats = ", ".join(
        ngettext("%(n)d table of %(size)d", "%(n)d tables of %(size)d", count) % {"n": count, "size": size}
        for size, count in Counter(sum(shape) for shape in tables.shapes).items()
    )
    if not tables.sit_outs:
        return _now("Everybody plays: %(tables)s.") % {"tables": seats}
    words = ngettext(
        "%(n)d sits out of each round: %(tables)s.", "%(n)d sit out of each round: %(tables)s.", tables.sit_outs
    )
    return words % {"n": tables.sit_outs, "tables": seats}


def odd_options(offers: Mapping[str, Layout]) -> list[tuple[str, str]]:
    return [(odd, f"{ODD[odd]}. {describe_layout(tables)}") for odd, tables in offers.items()]


def refusal_message(
    refused: DrawRefused, wishes: Sequence[DrawWish] = (), *, name: Name = str, seat: Name = str
) -> str:
    args = dict(refused.arguments)
    if refused.code == "draw.wishes-collide":
        numbers = [int(number) for number in str(args["wishes"]).split(", ")]
        args["wishes"] = "; ".join(describe_wish(wishes[number - 1], name=name, seat=seat) for number in numbers) + "."
    if "person" in args:
        args["person"] = name(int(str(args["person"])))
    return str(REFUSALS[refused.code]) % args


def describe_wish(wish: DrawWish, *, name: Name = str, seat: Name = str) -> str:
    args: Mapping[str, object] = {
        "names": _now(" and ").join(name(person) for person in wish.people),
        "table": wish.table,
        "seat": seat(wish.seat) if wish.seat else "",
    }
    if wish.kind == "stay":
        if wish.table is None:
            return _now("%(names)s stays at one table") % args
        if wish.seat is None:
            return _now("%(names)s stays at table %(table)s") % args
        return _now("%(names)s stays at table %(table)s, seat %(seat)s") % args
    words = {
        "always": _now("%(names)s are always partners"),
        "never": _now("%(names)s are never partners"),
        "once": _now("%(names)s are partners once"),
        "apart": _now("%(names)s are never at one table"),
        "host": _now("%(names)s is the host of table %(table)s"),
    }
    return words[wish.kind] % args


def warnings(wishes: Iterable[DrawWish], name: Name = str) -> list[str]:
    """What wishes bring about that may not be meant: people who stay at one and the same table meet in every round."""
    keepers = grouped((wish.table, wish.people[0]) for wish in wishes if wish.table is not None)
    return [
        _now("%(names)s stay at table %(table)s: they meet in every round.")
        % {"names": ", ".join(name(person) for person in dict.fromkeys(people)), "table": table}
        for table, people in sorted(keepers.items())
        if len(set(people)) > 1
    ]


def meets_again_message(names: Sequence[str], role: str, *, times: int) -> str:
    args = {"a": names[0], "b": names[1], "times": times}
    if role == "partner":
        return _now("%(a)s and %(b)s are partners again, %(times)d times in all.") % args
    if role == "opponent":
        return _now("%(a)s and %(b)s are opponents again, %(times)d times in all.") % args
    return _now("%(a)s and %(b)s shared a table in an earlier stage.") % args


def rematch_sentences(statement: Mapping[str, Any]) -> list[str]:
    """Who meets or rests again in a round of a Swiss (`by_format.rematch_report`); nothing for other draws."""
    if "meet_again" not in statement:
        return []
    sentences = [
        _now("%(one)s and %(other)s meet again, %(n)d times in all.") % {"one": side, "other": other, "n": times}
        for side, other, times in statement["meet_again"]
    ]
    sentences += [
        _now("%(side)s sit out again, %(n)d times in all.") % {"side": side, "n": n}
        for side, n in statement["rest_again"]
    ]
    if not sentences:
        sentences.append(_now("Nobody meets anybody twice."))
    return sentences


def outlook_sentence(statement: Mapping[str, Any]) -> str:
    """Whether the rounds still planned can be played without a rematch; nothing where none is planned."""
    left = statement.get("rounds_left", {"planned": 0, "without_rematch": 0})
    if not left["planned"]:
        return ""
    if left["without_rematch"] == left["planned"]:
        return _now("Rounds still planned: %(planned)d, without rematches if the same people stay.") % {
            "planned": left["planned"]
        }
    return _now(
        "Rounds still planned: %(planned)d. With the people here, %(found)d of them can avoid rematches. The event's "
        "settings decide about the others."
    ) % {"planned": left["planned"], "found": left["without_rematch"]}


def describe_outcome(outcome: WishOutcome, *, name: Name = str, seat: Name = str) -> str:
    states = {True: _now("met"), False: _now("not met"), None: _now("applies to nobody")}
    return f"{describe_wish(outcome.wish, name=name, seat=seat)}: {states[outcome.met]}."


def statement_sentences(
    report: Statement, outcomes: Iterable[WishOutcome] = (), *, name: Name = str, seat: Name = str
) -> list[str]:
    lines = [
        _role_words(_now("Met again as partners"), report.partner),
        _role_words(_now("Met again as opponents"), report.opponent),
        _role_words(_now("Met again at one table"), report.table_mate),
        ngettext("%(n)d pair never meets.", "%(n)d pairs never meet.", report.never_met) % {"n": report.never_met},
    ]
    out = report.sit_outs
    if out.total:
        lines.append(
            _now("Sit-outs: %(fewest)d to %(most)d each; %(running)d times two rounds running.")
            % {"fewest": out.fewest, "most": out.most, "running": out.back_to_back}
        )
    lines += [
        _now("Tables of %(size)d: each is there %(fewest)d to %(most)d times.")
        % {"size": visits.size, "fewest": visits.fewest, "most": visits.most}
        for visits in report.visits
    ]
    return lines + [describe_outcome(outcome, name=name, seat=seat) for outcome in outcomes]


def _role_words(what: str, role: RoleMeetings) -> str:
    args = {"what": what, "n": role.repeats, "least": role.least_repeats, "most": role.most}
    if not role.repeats:
        return _now("%(what)s: none.") % args
    return _now("%(what)s: %(n)d (fewest possible: at least %(least)d); one pair up to %(most)d times.") % args


def draw_summary(statement: Mapping[str, Any]) -> str:
    counts = [
        ngettext("%(n)d entry", "%(n)d entries", statement.get("entries", 0)) % {"n": statement.get("entries", 0)},
        ngettext("%(n)d table", "%(n)d tables", statement.get("tables", 0)) % {"n": statement.get("tables", 0)},
        ngettext("%(n)d group", "%(n)d groups", statement.get("groups", 0)) % {"n": statement.get("groups", 0)},
    ]
    words = ", ".join(counts) + "."
    if statement.get("had_met"):
        met = statement.get("met_again", 0)
        words += " " + (
            ngettext(
                "%(n)d pair that shared a table before shares one again; no better draw was found.",
                "%(n)d pairs that shared a table before share one again; no better draw was found.",
                met,
            )
            % {"n": met}
            if met
            else _now("Nobody shares a table with the same person as in an earlier stage.")
        )
    if statement.get("seeded"):
        words += " " + _now("The best of the stage before are spread over the groups.")
    return words


def fairness_note(stage: Stage, statement: Mapping[str, Any]) -> str:
    """What is done to be fair where the number of entries doesn't divide; "" where all groups and tables are full.

    `statement` is the draw's, with `usual`, `short`, `stand_ins`, `tables` and `groups`."""
    sentences = []
    short, usual = statement.get("short", []), statement.get("usual", 0)
    groups = statement.get("groups", 0)
    several = groups - statement.get("tables", 0)  # groups that share a table with another
    single = max(0, groups - 2 * several) if several else 0
    if stand_ins := statement.get("stand_ins", 0):
        words = ngettext(
            "%(n)d stand-in fills the groups, can't go on, and is listed last.",
            "%(n)d stand-ins fill the groups, can't go on, and are listed last.",
            stand_ins,
        )
        sentences.append(words % {"n": stand_ins})
    if short:
        words = ngettext(
            "%(n)d group has %(sizes)s people instead of %(usual)d.",
            "%(n)d groups have %(sizes)s people instead of %(usual)d.",
            len(short),
        )
        sizes = _now(" or ").join(str(size) for size in sorted(set(short)))
        sentences.append(words % {"n": len(short), "sizes": sizes, "usual": usual})
    if single:
        sentences.append(
            ngettext("%(n)d table has one group instead of two.", "%(n)d tables have one group instead of two.", single)
            % {"n": single}
        )
    if short or single:
        sentences.append(_now("All groups play the same number of games.") + " " + str(FAIR[stage.cut_rule]))
        sections = {"group": groups, "table": statement.get("tables", 0)}.get(stage.cut_rule, 0)
        if sections and (stage.wild_cards or stage.advance % sections):
            left = _now("Places left over go to the best of the others, by their points.")
            sentences.append(left)
    return " ".join(sentences)
