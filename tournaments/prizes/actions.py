"""Prizes: planning, winners and lots, publishing, taking back; and in words."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from clubsite.currency import format_money
from clubsite.names import SEPARATOR
from clubsite.previews import fingerprint
from scoring.models import LONGEST_REASON
from tournaments.engine.prizes import Award, Contender, Prize, Rule, Seeds, award
from tournaments.errors import StepRefused
from tournaments.events.state import event_locked
from tournaments.events.words import LOTS, describe_lots
from tournaments.models import (
    Event,
    PrizePlan,
    PublishedPrizes,
    PublishedStandings,
    has_sides,
    next_number,
    rows_by_person,
    seed_or_new,
)
from tournaments.standings.results import valid_result
from tournaments.standings.standings import RankedPerson


@dataclass(frozen=True, slots=True)
class WonPrize:
    """A prize, or several shared together, and its winners. See `tournaments.engine.prizes.Award`."""

    prizes: tuple[Prize, ...]
    winners: tuple[RankedPerson, ...]
    each: int
    left: int  # stays with the club; only in old versions: now the first winners get it
    drawn_among: tuple[RankedPerson, ...]
    seed: int | None  # the seed of the lots that decided it
    passed_on: tuple[RankedPerson, ...]
    lots_needed: bool = False
    more: int = 0  # how many winners, from the first, get one more of the smallest unit, so that nothing is left

    @property
    def shares(self) -> tuple[tuple[RankedPerson, int], ...]:
        return tuple((winner, self.each + (n < self.more)) for n, winner in enumerate(self.winners))

    def to_data(self) -> dict[str, Any]:
        """JSON data, as published, with people by their entries: the result has their names."""
        return {
            "prizes": [prize.to_data() for prize in self.prizes],
            "winners": [person.entry for person in self.winners],
            "each": self.each,
            "left": self.left,
            "drawn_among": [person.entry for person in self.drawn_among],
            "seed": self.seed,
            "passed_on": [person.entry for person in self.passed_on],
        } | ({"more": self.more} if self.more else {})


@dataclass(frozen=True, slots=True)
class PrizeProposal:
    standings: PublishedStandings
    lines: tuple[WonPrize, ...]
    passed: tuple[RankedPerson, ...]  # those who take no prize

    @property
    def lots_needed(self) -> bool:
        return any(line.lots_needed for line in self.lines)

    @property
    def data(self) -> list[dict[str, Any]]:
        return [line.to_data() for line in self.lines]

    @property
    def fingerprint(self) -> str:
        """Changes with anything shown, so that only what was seen is published."""
        return fingerprint((self.standings.pk, self.data))


def planned_prizes(plan: PrizePlan | None) -> tuple[Prize, ...]:
    return tuple(Prize(**data) for data in plan.prizes) if plan else ()


def prize_plan(event: Event) -> PrizePlan | None:
    return PrizePlan.objects.filter(event=event).first()


def propose_prizes(event: Event, plan: PrizePlan | None) -> PrizeProposal | None:
    """Who wins the planned prizes by the event's result; None without a result or a prize. Two queries, one more for a
    competition, one more for classes."""
    if plan is None or not plan.prizes or (standings := valid_result(event)) is None:
        return None
    planned, rows = planned_prizes(plan), ranked_rows(standings)
    people, seeds = people_by_entry(rows), valid_seeds(plan)
    awards = award(
        contenders(event, rows, classes=entry_classes(event, plan, result=standings.pk)),
        planned,
        rule=Rule(ties=plan.ties, one_each=plan.one_each),  # type: ignore[arg-type]  # the model's choices
        seeds=seeds,
        passed=plan.passed,
    )
    return PrizeProposal(
        standings,
        tuple(_won_prize(award, planned, people=people, seeds=seeds) for award in awards),
        _people_named(plan.passed, people),
    )


def entry_classes(event: Event, plan: PrizePlan, *, result: int) -> dict[int, str]:
    """The classes of entries, if a prize is for a class: those of their members now, or when prizes were published by
    this result. One query at most."""
    if not any(prize.group for prize in planned_prizes(plan)):
        return {}
    if plan.classes.get("result") == result:
        return {int(entry): classes for entry, classes in plan.classes["entries"].items()}
    return dict(event.entries.filter(member__classes__gt="").values_list("pk", "member__classes"))


def split_classes(text: str) -> list[str]:
    """Comma-separated classes, each once.

    >>> split_classes("Ladies, Juniors,ladies ")
    ['Ladies', 'Juniors']
    """
    classes: dict[str, str] = {}
    for part in text.split(","):
        if name := " ".join(part.split()):
            classes.setdefault(name.casefold(), name)
    return list(classes.values())


def contenders(event: Event, rows: Collection[Mapping[str, Any]], *, classes: Mapping[int, str]) -> list[Contender]:
    """Everybody of a result who can win a prize: not the disqualified, not stand-ins. Those of a side share its place.

    One query for a result of sides that an older version of the program published by person."""
    by_people = event.makes_sides and not has_sides(rows)
    entries = event.entries.values_list("pk", "team") if by_people else ()
    teams = {entry: team for entry, team in entries if team is not None}
    return [
        Contender(
            *(row["entry"], row["number"], row["side"], row["place"], row["sets"]),
            frozenset(map(str.casefold, split_classes(classes.get(row["entry"], "")))),
            row.get("lone_hands", 0),
        )
        for row in rows_by_person(rows, teams)
        if not row.get("disqualified") and not row.get("stand_in")
    ]


def valid_seeds(plan: PrizePlan) -> Seeds:
    """The seeds of the lots drawn last that weren't set aside."""
    standing = [drawn for drawn in plan.lots if "undone" not in drawn]
    return Seeds(standing[-1]["door"], standing[-1]["level"]) if standing else Seeds()


def ranked_rows(standings: PublishedStandings) -> list[dict[str, Any]]:
    """Everybody who played, best first: the rows of a result, then those who went out at earlier stages, the latest
    first. Failed bids and lone hands are those of all stages. One query for a competition."""
    rows: list[dict[str, Any]] = list(standings.rows)
    if standings.stage.number == 1:
        return rows
    earlier = PublishedStandings.objects.filter(event=standings.event_id, stage__number__lt=standings.stage.number)
    newest = {published.stage_id: published.rows for published in earlier.order_by("-stage__number", "number")}
    figures = {name: Counter({row["entry"]: row.get(name, 0) for row in rows}) for name in ("sets", "lone_hands")}
    for stage in newest.values():
        listed = set(figures["sets"])
        out = [row for row in stage if row["entry"] not in listed]
        rows += [{**row, "place": len(listed) + 1 + sum(other["place"] < row["place"] for other in out)} for row in out]
        for name, counted in figures.items():
            counted.update({row["entry"]: row.get(name, 0) for row in stage})
    return [{**row, **{name: counted[row["entry"]] for name, counted in figures.items()}} for row in rows]


def people_by_entry(rows: Iterable[Mapping[str, Any]]) -> dict[int, RankedPerson]:
    return {
        row["entry"]: RankedPerson(row["entry"], row["number"], row["name"], row.get("member"))
        for row in rows_by_person(rows)
    }


def published_lines(published: PublishedPrizes) -> tuple[WonPrize, ...]:
    """The lines of a version, which must have `standings` and its stage loaded. One query for a competition."""
    people = people_by_entry(ranked_rows(published.standings))
    return tuple(
        WonPrize(
            prizes=tuple(Prize(**prize) for prize in data["prizes"]),
            winners=_people_named(data["winners"], people),
            each=data["each"],
            left=data["left"],
            drawn_among=_people_named(data["drawn_among"], people),
            seed=data["seed"],
            passed_on=_people_named(data["passed_on"], people),
            more=data.get("more", 0),
        )
        for data in published.lines
    )


def published_prizes(event: Event) -> PublishedPrizes | None:
    return (
        PublishedPrizes.objects.filter(event=event, state=PublishedPrizes.State.PUBLISHED)
        .select_related("standings__stage")
        .first()
    )


def is_out_of_date(published: PublishedPrizes, now: PrizeProposal | None) -> bool:
    """Whether the published prizes differ from what the result and the plan give now. No query."""
    if now is None or now.standings.pk != published.standings_id:
        return True
    return list(map(_comparable, now.data)) != list(map(_comparable, published.lines))


def _comparable(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line without its remainder, which follows from the rest and used to stay with the club."""
    return {name: value for name, value in line.items() if name not in ("left", "more")}


def outdated_prizes(event: Event) -> PublishedPrizes | None:
    """The published prizes if they are out of date. One query if there are none, else five at most."""
    published = published_prizes(event)
    return published if published and is_out_of_date(published, propose_prizes(event, prize_plan(event))) else None


def _won_prize(award: Award, planned: Sequence[Prize], *, people: Mapping[int, RankedPerson], seeds: Seeds) -> WonPrize:
    prizes = tuple(planned[number] for number in award.prizes)
    seed = seeds.door if prizes[0].kind == "door" else seeds.level
    return WonPrize(
        prizes=prizes,
        winners=_people_named(award.winners, people),
        each=award.each,
        left=0,
        drawn_among=_people_named(award.drawn_among, people),
        seed=seed if award.drawn_among and not award.lots_needed else None,
        passed_on=_people_named(award.passed_on, people),
        lots_needed=award.lots_needed,
        more=award.left,
    )


def _people_named(entries: Iterable[int], people: Mapping[int, RankedPerson]) -> tuple[RankedPerson, ...]:
    return tuple(people[entry] for entry in entries if entry in people)


KINDS: dict[str, Promise] = {
    "place:1": gettext_lazy("High"),
    "place:2": gettext_lazy("Second"),
    "place:3": gettext_lazy("Third"),
    "place:4": gettext_lazy("Fourth"),
    "place:5": gettext_lazy("Fifth"),
    "place:6": gettext_lazy("Sixth"),
    "low": gettext_lazy("Low"),
    "most-sets": gettext_lazy("Most failed bids"),
    "fewest-sets": gettext_lazy("Fewest failed bids"),
    "most-lone-hands": gettext_lazy("Most lone hands"),
    "door": gettext_lazy("Door prize"),
}
"""Every kind of prize, by its key in forms and data."""

LONG_KINDS: dict[str, Promise] = {
    "low": gettext_lazy("Low: the last of all who played"),
    "most-lone-hands": gettext_lazy("Most lone hands: all the tricks without a partner"),
    "door": gettext_lazy("Door prize, by lot"),
}
"""Longer names for the form, for kinds that need explaining."""


def prize_key(prize: Prize) -> str:
    return f"place:{prize.place}" if prize.kind == "place" else prize.kind


def describe_prize(prize: Prize, currency: str) -> str:
    what = ", ".join(
        part for part in (format_money(prize.amount, currency) if prize.amount else "", prize.what) if part
    )
    return f"{_prize_title(prize)} {what}".strip()


def _prize_title(prize: Prize) -> str:
    return SEPARATOR.join(filter(None, (str(KINDS[prize_key(prize)]), prize.group)))


def prize_rows(lines: Iterable[WonPrize], currency: str) -> list[dict[str, Any]]:
    """For each line its title ("High and Second"), the winners, what each gets ("$15.00 each, a hat"), and notes."""
    return [
        {
            "title": _line_title(line),
            "names": [person.name for person in line.winners],
            "gets": _winnings(line, currency),
            "notes": list(_line_notes(line, currency)),
            "winners": line.winners,
            "lots_needed": line.lots_needed,
        }
        for line in lines
    ]


def lot_sentences(lines: Iterable[WonPrize], settled: Sequence[Mapping[str, Any]]) -> list[str]:
    """How to check the lots: each drawing that decided something, those set aside, and the method."""
    sentences = []
    for line in lines:
        if line.seed is not None:
            numbers = {person.name: person.number for person in line.drawn_among}
            sentences.append(
                _("%(prize)s: %(lots)s") % {"prize": _line_title(line), "lots": describe_lots(line.seed, numbers)}
            )
    for drawn in settled:
        if "undone" in drawn:
            words = _("Set aside by the director (%(reason)s): the lots of the numbers %(door)d and %(level)d.")
            sentences.append(words % {"reason": drawn["undone"], "door": drawn["door"], "level": drawn["level"]})
    return [*sentences, str(LOTS)] if sentences else []


def _line_title(line: WonPrize) -> str:
    return _(" and ").join(map(_prize_title, line.prizes))


def _winnings(line: WonPrize, currency: str) -> str:
    parts = []
    if line.each and len(line.winners) > 1:
        parts.append(_("%(money)s each") % {"money": format_money(line.each, currency)})
    elif line.each:
        parts.append(format_money(line.each, currency))
    elif not line.winners and (planned := sum(prize.amount for prize in line.prizes)):
        parts.append(format_money(planned, currency))
    parts += [prize.what for prize in line.prizes if prize.what]
    return ", ".join(parts)


def _line_notes(line: WonPrize, currency: str) -> Iterable[str]:
    if len(line.winners) > 1:
        shared = _("They share it.") if line.each else _("They are level for it.")
        yield shared if len(line.prizes) == 1 else _("They share these prizes.")
    if line.seed is not None and line.prizes[0].kind != "door":
        yield _("Level with others; lots were drawn.")
    if line.passed_on:
        yield ngettext("%(names)s already has a prize.", "%(names)s already have a prize.", len(line.passed_on)) % {
            "names": ", ".join(person.name for person in line.passed_on)
        }
    if line.more:
        first = [winner.name for winner, _amount in line.shares[: line.more]]
        words = ngettext(
            "%(names)s gets %(money)s, so that nothing is left over.",
            "%(names)s get %(money)s each, so that nothing is left over.",
            line.more,
        )
        yield words % {"names": ", ".join(first), "money": format_money(line.each + 1, currency)}
    if line.left:
        yield _("%(money)s can't be shared out and stays with the club.") % {"money": format_money(line.left, currency)}


def prizes_view(event: Event, result: PublishedStandings | None) -> dict[str, Any] | None:
    """The published prizes beside the `result` shown; None without either. One query."""
    if result is None or (published := published_prizes(event)) is None:
        return None
    lines = published_lines(published)
    return {
        "published": published,
        "lines": prize_rows(lines, published.currency),
        "lots": lot_sentences(lines, published.settled),
        "other_result": published.standings_id != result.pk,  # a newer version of the result has been published
    }


MOST_PRIZES = 20


def plan_prizes(*, event: Event, by: Actor, prizes: Sequence[Prize], ties: str, one_each: bool) -> PrizePlan:
    """Set the list of prizes, in the order in which they are given, and the rule.

    Published prizes stay as they are; the desk says if they no longer match the plan.

    Raises StepRefused: there are too many prizes, or a place has two."""
    if len(prizes) > MOST_PRIZES:
        raise StepRefused(_("A list holds %(n)d prizes at most.") % {"n": MOST_PRIZES})
    places = [(prize.place, prize.group.casefold()) for prize in prizes if prize.kind == "place"]
    if len(set(places)) < len(places):
        raise StepRefused(_("The same place is in the list twice. Give each place one prize."))
    with event_locked(event) as event:
        plan, _made = PrizePlan.objects.get_or_create(event=event)
        old, before = _plan_in_log(plan, event.club.money), (plan.prizes, plan.ties, plan.one_each)
        plan.prizes, plan.ties, plan.one_each = [prize.to_data() for prize in prizes], ties, one_each
        if (plan.prizes, plan.ties, plan.one_each) != before:
            plan.classes = {}
            plan.save()
            if any(prize.amount for prize in prizes):
                event.club.fix_currency()
            new = _plan_in_log(plan, event.club.money)
            log(club=event.club, by=by, verb="prizes.plan", subject=event, old=old, new=new)
    return plan


def draw_prize_lots(*, event: Event, by: Actor, seen: int) -> PrizePlan:
    """Draw the lots for door prizes and for those who are level, and store their seeds.

    `seen`: how many drawings the page showed, so that a double tap draws once.

    Raises StepRefused: no lots are needed, or the result isn't published."""
    with _locked_plan(event) as (event, plan):
        if len(plan.lots) > seen:
            return plan
        now = propose_prizes(event, plan)
        if now is None or not now.lots_needed:
            raise StepRefused(_("No lots are needed. Check the prizes again."))
        drawn = {"door": seed_or_new(None), "level": seed_or_new(None), "at": timezone.now().isoformat()}
        plan.lots = [*plan.lots, drawn]
        plan.save()
        log(club=event.club, by=by, verb="prizes.lots", subject=event, new=drawn)
    return plan


def set_lots_aside(*, event: Event, by: Actor, reason: str, seen: int) -> PrizePlan:
    """Set the drawn lots aside, so that new ones can be drawn. They stay visible, with the reason. Raises StepRefused:
    there is no reason, or there are no lots."""
    if not reason.strip():
        raise StepRefused(
            _("Lots have been drawn. To set them aside, write the reason: it is printed with the prizes.")
        )
    with _locked_plan(event) as (event, plan):
        if not plan.lots or len(plan.lots) != seen or "undone" in plan.lots[-1]:
            raise StepRefused(_("These lots no longer exist. Check the prizes again."))
        old = plan.lots[-1]
        plan.lots = [*plan.lots[:-1], {**old, "undone": reason.strip()[:LONGEST_REASON]}]
        plan.save()
        log(club=event.club, by=by, verb="prizes.lots-aside", subject=event, old=old, new={"reason": reason.strip()})
    return plan


def set_passing(*, event: Event, by: Actor, entry: int, passes: bool) -> PrizePlan:
    """Note that somebody takes no prize because they left or don't want one; without `passes`, that they may win again.
    Raises StepRefused: the entry isn't one of the event's."""
    with _locked_plan(event) as (event, plan):
        player = event.entries.filter(pk=entry).first()
        if player is None:
            raise StepRefused(_("Nobody with that number plays in this event. Check the prizes again."))
        if (entry in plan.passed) != passes:
            plan.passed = sorted({*plan.passed, entry}) if passes else [pk for pk in plan.passed if pk != entry]
            plan.save()
            log(club=event.club, by=by, verb="prizes.pass", subject=event.about(player), new={"passes": passes})
    return plan


def publish_prizes(*, event: Event, by: Actor, fingerprint: str, reason: str = "") -> PublishedPrizes:
    """Publish who won what as the next version, or return the published one if it is the same.

    `fingerprint`: that of the proposal that the page showed.

    Raises StepRefused: the result isn't published, lots aren't drawn, or anything has changed since the page was
    opened."""
    with _locked_plan(event) as (event, plan):
        now = propose_prizes(event, plan)
        if now is None:
            raise StepRefused(_("Publish the result first: the prizes depend on it."))
        if now.lots_needed:
            raise StepRefused(_("Draw the lots first."))
        if now.fingerprint != fingerprint:
            raise StepRefused(_("The result or the prizes have changed since you opened this page. Check them again."))
        standing = published_prizes(event)
        if standing and not is_out_of_date(standing, now):
            return standing
        if standing:
            standing.state = PublishedPrizes.State.REPLACED
            standing.save()
        version = PublishedPrizes.objects.create(
            event=event,
            number=next_number(event.published_prizes),
            standings=now.standings,
            lines=now.data,
            currency=event.club.money,
            settled=plan.lots,
            reason=reason.strip()[:LONGEST_REASON],
            by=by.user,
        )
        plan.classes = {
            "result": version.standings_id,
            "entries": entry_classes(event, plan, result=version.standings_id),
        }
        plan.save()
        new: dict[str, Any] = {"version": version.number, "result": now.standings.number, "reason": version.reason}
        log(club=event.club, by=by, verb="prizes.publish", subject=event, new=new)
    return version


def take_back_prizes(*, event: Event, by: Actor, reason: str) -> None:
    """Take the published prizes back; their version stays visible. Raises StepRefused: there is no reason."""
    if not reason.strip():
        raise StepRefused(_("Write why you take this back."))
    with event_locked(event) as event:
        standing = published_prizes(event)
        if standing is None:
            return
        standing.state = PublishedPrizes.State.WITHDRAWN
        standing.save()
        PrizePlan.objects.filter(event=event).update(classes={})
        new = {"version": standing.number, "reason": reason.strip()}
        log(club=event.club, by=by, verb="prizes.withdraw", subject=event, new=new)


def _plan_in_log(plan: PrizePlan, currency: str) -> dict[str, Any]:
    return {
        "prizes": [describe_prize(prize, currency) for prize in planned_prizes(plan)],
        "those who are level": str(plan.get_ties_display()),
        "one prize a person": plan.one_each,
    }


@contextmanager
def _locked_plan(event: Event) -> Iterator[tuple[Event, PrizePlan]]:
    """A transaction on the locked event, with its plan of prizes. Raises StepRefused: there is no plan."""
    with event_locked(event) as event:
        plan = prize_plan(event)
        if plan is None:
            raise StepRefused(_("There are no prizes yet. List them first."))
        yield event, plan
