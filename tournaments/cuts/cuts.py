"""The cut of a stage: its candidates with results, the proposal, publishing it, play-offs and lots; and in words."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import timedelta
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.previews import fingerprint as fingerprint_of
from scoring.models import LONGEST_REASON
from tournaments.engine import ranking as standings_cut
from tournaments.engine.ranking import Chain, DrawnLots, OpenTie, PlayOff, Settlement, build_chain, rank
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events import stages
from tournaments.events.state import (
    count_open_groups,
    following_bracket,
    is_drawn,
    lock_event,
    published_cut,
    refuse_published_cut,
    refuse_published_draw,
    stage_draw,
)
from tournaments.events.words import LOTS, TIE_BREAKS, describe_lots, format_games_won, tie_break_chain
from tournaments.models import (
    Cut,
    CutLine,
    Draw,
    Entry,
    Event,
    Group,
    Seat,
    Stage,
    group_letter,
    next_number,
    seed_or_new,
)
from tournaments.rounds.disputes import disputes_of_stage, refuse_disputed
from tournaments.standings.results import Window, publish_standings
from tournaments.standings.standings import adjustments_in, game_rows, results_of
from tournaments.table_links.links import end_links, resume_links


class CutField:
    """Everybody with a seat in a stage, as candidates for its cut: four queries.

    With `as_in`, the tie-breaks are those of that cut, and out are those who were out when it was made."""

    def __init__(self, stage: Stage, as_in: Cut | None = None) -> None:
        event: Event = stage.event
        seats = list(
            Seat.objects.filter(draw__round__stage=stage, draw__state=Draw.State.PUBLISHED)
            .select_related("entry", "group__table")
            .order_by("entry_id")
        )
        self.entries = {seat.entry_id: seat.entry for seat in seats}
        self.lowest = event.rules.lowest_wins
        self.chain: Chain = tie_breaks_for(event, as_in)
        adjusted = {entry: sum(points for points, _why in lines) for entry, lines in adjustments_in(stage).items()}
        rows = game_rows(stage)
        self.results = {
            entry: replace(result, points=result.points + adjusted.get(entry, 0))
            for entry, result in results_of(rows, self.entries).items()
        }
        self._games = grouped((row.entry, row.game) for row in rows if row.deals)
        left = {} if as_in is None else {line.entry_id: line.reason for line in as_in.lines.all()}
        self.labels = {seat.entry_id: seat.group.label_in(event) for seat in seats}
        self.candidates = [
            standings_cut.Candidate(
                result=self.results[seat.entry_id],
                table=seat.group.table.number,
                group=seat.group.number,
                withdrawn=(
                    left.get(seat.entry_id) == "cut.withdrawn" if as_in else seat.entry.state == Entry.State.WITHDRAWN
                ),
                ineligible=(
                    (seat.entry.note or _("not eligible"))
                    if (left.get(seat.entry_id) == "cut.ineligible" if as_in else not seat.entry.eligible)
                    else ""
                ),
                disqualified=(
                    seat.entry.disqualified if not as_in or left.get(seat.entry_id) == "cut.disqualified" else ""
                ),
            )
            for seat in seats
        ]

    def cut(self, rule: standings_cut.CutRule, settled: Sequence[Mapping[str, Any]]) -> standings_cut.CutOutcome:
        return standings_cut.propose_cut(
            self.candidates, rule=rule, chain=self.chain, settled=self.settlements(settled)
        )

    def lots(self, entries: Sequence[int], seed: int | None) -> dict[str, Any]:
        return {
            "lots": sorted(entries),
            "seed": seed_or_new(seed),
            "numbers": {str(entry): self.entries[entry].number for entry in sorted(entries)},
            "figures": self._figures(entries),
        }

    def play_off(self, points: Mapping[int, int]) -> dict[str, Any]:
        return {
            "play_off": {str(entry): value for entry, value in sorted(points.items())},
            "figures": self._figures(points),
        }

    def _figures(self, entries: Iterable[int]) -> dict[str, list[Any]]:
        """Each entry's points, games won and games: a play-off or lots held among them count for these figures only."""
        return {
            str(entry): [self.results[entry].points, str(self.results[entry].games_won), sorted(self._games[entry])]
            for entry in sorted(entries)
        }

    def _still(self, data: Mapping[str, Any]) -> list[int]:
        """The entries of a play-off or drawing of lots whose figures are still those that it was held for."""
        entries = [int(entry) for entry in data["play_off"]] if "play_off" in data else list(data["lots"])
        present = [entry for entry in entries if entry in self.entries]
        if "figures" not in data:  # stored by a version that didn't store figures
            return present
        return [entry for entry in present if self._figures([entry])[str(entry)] == data["figures"][str(entry)]]

    def with_what_counts(self, settled: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Play-offs and lots as stored, each with whether two of its entries still have the figures it was for. Rulings
        belong to the version they were made on."""
        return [{**data, "counts": len(self._still(data)) > 1} for data in settled if "ruling" not in data]

    def settlements(self, settled: Sequence[Mapping[str, Any]]) -> tuple[Settlement, ...]:
        """The play-offs and lots not set aside, each for those of its entries whose figures haven't changed since."""
        return tuple(
            self._settlement(data, self._still(data)) for data in settled if not {"undone", "ruling"} & data.keys()
        )

    def _settlement(self, data: Mapping[str, Any], entries: Sequence[int]) -> Settlement:
        if "play_off" in data:
            return PlayOff({entry: data["play_off"][str(entry)] for entry in entries}, self.lowest)
        numbers = {int(entry): number for entry, number in data.get("numbers", {}).items()}
        return DrawnLots(tuple(entries), data["seed"], numbers)

    def lines(self, cut: standings_cut.CutOutcome) -> tuple[CutLine, ...]:
        """All names of a cut, not saved yet: those who go on, then the others, both in the order of the whole field."""
        overall = {p.entry: n for n, p in enumerate(rank([c.result for c in cut.candidates], cut.chain))}
        sections = grouped((standings_cut.candidate_section(c, cut.rule.per), c) for c in cut.candidates)
        places = {p.entry: p.place for group in sections.values() for p in rank([c.result for c in group], cut.chain)}
        ordered = sorted(cut.decisions, key=lambda d: (not d.advances, overall[d.entry]))
        return tuple(
            CutLine(
                entry=self.entries[d.entry],
                order=n,
                place=places[d.entry],
                advances=d.advances,
                reason=d.code,
                args=stored_args(d),
                where=self.labels[d.entry],
                points=self.results[d.entry].points,
                games_won=format_games_won(self.results[d.entry].games_won),
            )
            for n, d in enumerate(ordered, start=1)
        )


def tie_breaks_for(event: Event, cut: Cut | None = None) -> Chain:
    """A cut's own tie-breaks, which later changes of the event's leave alone; else the event's."""
    slugs = cut.tie_breaks if cut and cut.tie_breaks else tie_break_chain(event)
    return build_chain(slugs, lowest_wins=event.rules.lowest_wins)


def stored_args(decision: standings_cut.Decision) -> dict[str, Any]:
    """The arguments of a decision as a cut's line keeps them: with the section whose line the entry passed."""
    section = {"section": list(astuple(decision.section))} if decision.section else {}
    return dict(decision.args) | section


def counts_still(data: Mapping[str, Any]) -> bool:
    return "undone" not in data and bool(data.get("counts", True))


def published_cuts(event: Event) -> list[Cut]:
    return list(
        Cut.objects.filter(stage__event=event, state=Cut.State.PUBLISHED)
        .select_related("stage")
        .prefetch_related("lines__entry")
        .order_by("stage__number")
    )


def window_of_cut(cut: Cut, club: Club) -> Window | None:
    """Until when corrections to a cut are taken, counted from the publication of this version; None for a version that
    isn't the published one."""
    if cut.state != Cut.State.PUBLISHED or cut.published_at is None:
        return None
    until = cut.published_at + timedelta(minutes=club.correction_minutes)
    return Window(until, timezone.now(), late=False)


LEFT_AFTER = ("cut.replaced", "cut.struck")  # was through, and has left since


@dataclass(frozen=True, slots=True)
class CutProposal:
    stage: Stage
    cut: standings_cut.CutOutcome
    lines: tuple[CutLine, ...]  # not saved yet
    version: int  # newest version kept (0: none), whose play-offs and lots are in it
    settled: list[dict[str, Any]]
    open_sets: int

    @property
    def fingerprint(self) -> str:
        """Changes with any decision, so that only what was seen can be published."""
        return fingerprint_of(self.cut.decisions)

    @property
    def through(self) -> list[CutLine]:
        return [line for line in self.lines if line.advances]

    @property
    def out(self) -> list[CutLine]:
        return [line for line in self.lines if not line.advances]


def propose(stage: Stage) -> CutProposal:
    """A stage's cut by its results, play-offs and lots so far; nothing is saved. Raises
    StepRefused: the stage isn't drawn, or its figures make no cut."""
    draw = stage_draw(stage)
    if draw is None:
        raise StepRefused(_("%(stage)s isn't drawn yet, so there is nothing to cut.") % {"stage": stage})
    newest = stage.cuts.order_by("-number").first()
    field = CutField(stage)
    settled = field.with_what_counts(newest.settled if newest else [])
    cut = field.cut(rule_of(stage, draw), settled)
    return CutProposal(
        stage=stage,
        cut=cut,
        lines=field.lines(cut),
        version=newest.number if newest else 0,
        settled=settled,
        open_sets=count_open_groups(stage),
    )


def record_play_off(*, stage: Stage, by: Actor, points: Mapping[int, int], seen: int) -> Cut:
    """Enter the points of a play-off among those level at a line.

    `seen` is the newest version that the page showed; when there is a newer one it is returned unchanged, so that a
    double tap counts once.

    Raises StepRefused: the cut is published, or these aren't the entries of a tie that is open."""
    return _add_settlement(
        stage, by, entries=points, seen=seen, verb="cut.play-off", data_of=lambda field: field.play_off(points)
    )


def draw_lots(*, stage: Stage, by: Actor, entries: Sequence[int], seen: int, seed: int | None = None) -> Cut:
    """Draw lots among those level at a line, with a seed that is kept. `seen` as for `record_play_off`. Raises
    StepRefused: as for `record_play_off`."""
    return _add_settlement(
        stage, by, entries=entries, seen=seen, verb="cut.lots", data_of=lambda field: field.lots(entries, seed)
    )


def undo_settlement(*, stage: Stage, by: Actor, seen: int, reason: str = "") -> Cut:
    """Set the last play-off or drawing of lots that counts aside: it stays to be read, with the reason.

    Lots that have been drawn are drawn again only by a ruling: they need a reason, which is printed with the cut.

    Raises StepRefused: the cut is published, there is nothing to set aside, or lots are without a reason."""
    with transaction.atomic():
        stage = locked_stage(stage)
        now = propose(stage)
        if now.version > seen:
            return stage.cuts.get(number=now.version)
        refuse_published_cut(stage)
        last = max((n for n, data in enumerate(now.settled) if counts_still(data)), default=None)
        if last is None:
            raise StepRefused(_("There is no play-off or lot to take back."))
        if "lots" in now.settled[last] and not reason.strip():
            raise StepRefused(
                _("Lots have been drawn. To set them aside, write the reason: it is printed with the cut.")
            )
        undone = {**now.settled[last], "undone": reason.strip()[:LONGEST_REASON]}
        settled = [*now.settled[:last], undone, *now.settled[last + 1 :]]
        version = _save_version(stage, by, lines=now.lines, settled=settled)
        old, new = now.settled[last], {"reason": reason.strip()}
        log(club=stage.event.club, by=by, verb="cut.undo", subject=stage.event.about(version), old=old, new=new)
    return version


def publish_cut(*, stage: Stage, by: Actor, fingerprint: str, sure: bool = False, despite: Collection[int] = ()) -> Cut:
    """Publish the cut as it was seen: its version stands, with the reason for every name, and the stage's standings.

    Publishing what is published already changes nothing.

    Raises StepRefused: a tie is open, results have changed since the page was opened, sets are unfinished (`sure`
    publishes all the same), or a deal is disputed (`despite`: those that it is published in spite of)."""
    with transaction.atomic():
        stage = locked_stage(stage)
        if published := published_cut(stage):
            return published
        now = propose(stage)
        if not now.cut.complete:
            raise StepRefused(_("Entries are still level at the line. Hold a play-off or draw lots first."))
        if now.fingerprint != fingerprint:
            raise StepRefused(_("Results have changed since you opened this page. Check the cut again."))
        if now.open_sets and not sure:
            raise StepRefused(
                ngettext(
                    "%(n)d set isn't finished. End it, or confirm the cut as it is.",
                    "%(n)d sets aren't finished. End them, or confirm the cut as it is.",
                    now.open_sets,
                )
                % {"n": now.open_sets}
            )
        refuse_disputed(disputes_of_stage(stage), despite=despite)
        if not now.cut.finalists:
            raise StepRefused(_("Nobody would go on. Enter the deals of this stage first."))
        publish_standings(stage=stage, by=by)
        version = _save_version(stage, by, lines=now.lines, settled=now.settled, state=Cut.State.PUBLISHED)
        end_links(Group.objects.filter(table__draw__round__stage=stage), stage.event.club)
        through = [line.entry.name for line in now.through]
        new = {"through": through, "open_sets": now.open_sets, "despite": sorted(despite)}
        log(club=stage.event.club, by=by, verb="cut.publish", subject=stage.event.about(version), new=new)
    return version


def take_back_cut(*, cut: Cut, by: Actor, reason: str = "") -> Cut:
    """Take the published cut of a stage back. It stays to be read as a version. Raises StepRefused: the next stage's
    draw is published, or that of the knock-out that it leads into."""
    with transaction.atomic():
        stage = locked_stage(cut.stage)
        cut = stage.cuts.get(pk=cut.pk)
        if cut.state != Cut.State.PUBLISHED:
            return cut
        following = stage.event.stages.filter(number=stage.number + 1).first()
        if following:
            refuse_published_draw(following)
        if (bracket := following_bracket(stage.event)) and bracket.from_stage == stage and is_drawn(bracket):
            raise StepRefused(_("%(bracket)s has begun. Take its draw back first.") % {"bracket": bracket})
        cut.state = Cut.State.WITHDRAWN
        cut.save()
        resume_links(Group.objects.filter(table__draw__round__stage=stage, ended=""))
        log(club=stage.event.club, by=by, verb="cut.withdraw", subject=stage.event.about(cut), new={"reason": reason})
    return cut


@dataclass(frozen=True, slots=True)
class CutDifference:
    would_go_on: tuple[Entry, ...] = ()
    would_not: tuple[Entry, ...] = ()
    tied: tuple[Entry, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.would_go_on or self.would_not or self.tied)

    @property
    def data(self) -> list[list[int]]:
        """The same as JSON: what a ruling that leaves the cut as it is was made about."""
        return [sorted(entry.pk for entry in entries) for entries in (self.would_go_on, self.would_not, self.tied)]

    @property
    def sentences(self) -> list[str]:
        sentences = [
            words % {"names": ", ".join(entry.name for entry in entries)}
            for words, entries in (
                (_("With the points as they are now, %(names)s would go on."), self.would_go_on),
                (_("%(names)s would not."), self.would_not),
                (_("%(names)s would be level at the line."), self.tied),
            )
            if entries
        ]
        what = _("The published cut doesn't change until you take it back or make a ruling.")
        return [*sentences, what] if sentences else []


def difference(cut: Cut) -> CutDifference:
    """How a published cut differs from today's results; nothing where a ruling has left it as it is."""
    differs = difference_despite_rulings(cut)
    return CutDifference() if any(data.get("despite") == differs.data for data in cut.settled) else differs


def difference_despite_rulings(cut: Cut) -> CutDifference:
    """Hold a published cut against the results as they are now, by the tie-breaks it was made with, whatever was ruled.

    Withdrawals and disqualifications since then are no difference."""
    field = CutField(cut.stage, as_in=cut)
    now = _outcome_now(cut, field)
    if now is None:
        return CutDifference()
    lines = list(cut.lines.all())
    through = {
        line.entry_id
        for line in lines
        if (line.advances or line.reason in LEFT_AFTER) and not line.args.get("after_cut")
    }
    level = {entry for tie in now.open_ties for entry in tie.entries}
    entries = [field.entries[line.entry_id] for line in lines if line.entry_id in field.entries]
    fresh = set(now.finalists)
    return CutDifference(
        would_go_on=tuple(entry for entry in entries if entry.pk in fresh - through),
        would_not=tuple(entry for entry in entries if entry.pk in through - fresh - level),
        tied=tuple(entry for entry in entries if entry.pk in level),
    )


def qualifiers_now(cut: Cut) -> frozenset[int] | None:
    """The ids of the entries that would go on by the results as they stand now and a published cut's tie-breaks; None
    where its stage's draw was taken back."""
    now = _outcome_now(cut, CutField(cut.stage, as_in=cut))
    return None if now is None else frozenset(now.finalists)


def qualified_so_far(stage: Stage) -> frozenset[int]:
    """The entries that go on by the published cut, else those that would by the points as they stand.

    Nothing that only the director knows is in it: play-offs and lots that are held count with the cut's publication,
    and so does who may not go on. Those who are level at the line aren't in. Empty where nobody goes on from the stage.
    """
    if cut := published_cut(stage):
        return frozenset(cut.lines.filter(advances=True).values_list("entry_id", flat=True))
    draw = stage_draw(stage)
    if draw is None or not stage.cut_rule:
        return frozenset()
    try:
        rule = rule_of(stage, draw)
    except StepRefused:
        return frozenset()
    field = CutField(stage)
    candidates = [replace(candidate, ineligible="") for candidate in field.candidates]
    cut_now = standings_cut.propose_cut(candidates, rule=rule, chain=field.chain)
    return frozenset(d.entry for d in cut_now.decisions if d.advances)


def _outcome_now(cut: Cut, field: CutField) -> standings_cut.CutOutcome | None:
    """What a published cut would be by the results as they stand now; None where its stage's draw was taken back."""
    draw = stage_draw(cut.stage)
    return field.cut(rule_of(cut.stage, draw), cut.settled) if draw else None


def rule_of(stage: Stage, draw: Draw) -> standings_cut.CutRule:
    """The engine's rule from the stage's choice and the tables as drawn. Raises StepRefused: nobody is to go on, or
    there are more groups or tables than places."""
    if not stage.cut_rule or not stage.advance:
        raise StepRefused(_("Nobody goes on from %(stage)s: its order is the result.") % {"stage": stage})
    if stage.cut_rule == Stage.CutRule.OVERALL:
        return standings_cut.CutRule("overall", stage.advance)
    per: standings_cut.Per = "group" if stage.cut_rule == Stage.CutRule.GROUP else "table"
    sections = Seat.objects.filter(draw=draw).values("group" if per == "group" else "group__table").distinct().count()
    stages.refuse_rule_misfit(stage.name, stage.cut_rule, places=stage.advance - stage.wild_cards, sections=sections)
    return standings_cut.make_cut_rule(per, stage.advance, sections=sections, wild_cards=stage.wild_cards)


def _add_settlement(
    stage: Stage,
    by: Actor,
    *,
    entries: Iterable[int],
    seen: int,
    verb: str,
    data_of: Callable[[CutField], dict[str, Any]],
) -> Cut:
    with transaction.atomic():
        stage = locked_stage(stage)
        now = propose(stage)
        if now.version > seen:
            return stage.cuts.get(number=now.version)
        refuse_published_cut(stage)
        if set(entries) not in [set(tie.entries) for tie in now.cut.open_ties]:
            raise StepRefused(_("These entries are no longer level at the line. Check the cut again."))
        field = CutField(stage)
        data = data_of(field)
        settled = [*now.settled, data]
        cut = field.cut(now.cut.rule, settled)
        version = _save_version(stage, by, lines=field.lines(cut), settled=settled)
        log(club=stage.event.club, by=by, verb=verb, subject=stage.event.about(version), new=data)
    return version


def _save_version(
    stage: Stage,
    by: Actor,
    *,
    lines: Sequence[CutLine],
    settled: list[dict[str, Any]],
    state: str = Cut.State.DRAFT,
) -> Cut:
    version = new_version(stage, by, settled=settled, state=state, tie_breaks=tie_break_chain(stage.event))
    for line in lines:
        line.cut = version
    CutLine.objects.bulk_create(lines)
    return version


def new_version(
    stage: Stage, by: Actor, *, settled: list[dict[str, Any]], state: str, tie_breaks: Sequence[str]
) -> Cut:
    return Cut.objects.create(
        stage=stage,
        number=next_number(stage.cuts),
        state=state,
        settled=settled,
        tie_breaks=list(tie_breaks),
        made_by=by.user,
        published_at=timezone.now() if state == Cut.State.PUBLISHED else None,
    )


def locked_stage(stage: Stage) -> Stage:
    event = lock_event(stage.event)
    locked = Stage.objects.get(pk=stage.pk)
    locked.event = event
    return locked


CUT: dict[str, Promise] = {
    "cut.group-winner": gettext_lazy("Won group %(where)s"),
    "cut.group-top": gettext_lazy("Place %(place)s in group %(where)s"),
    "cut.table-top": gettext_lazy("Place %(place)s at table %(table)s"),
    "cut.overall": gettext_lazy("Place %(place)s of the whole field"),
    "cut.wild-card": gettext_lazy("Wild card %(number)s: the best of the others"),
    "cut.called-up": gettext_lazy("Called up instead of %(instead_of)s"),
    "cut.ruled-in": gettext_lazy("Goes on instead of %(instead_of)s by a ruling: %(reason)s"),
    "cut.ruled-out": gettext_lazy("Replaced by %(by)s by a ruling: %(reason)s"),
    "cut.won-play-off": gettext_lazy("Won the play-off with %(points)s points"),
    "cut.drawn-by-lot": gettext_lazy("Drawn by lot (lot number %(seed)s)"),
    "cut.below-line": gettext_lazy("Below the line"),
    "cut.lost-play-off": gettext_lazy("Out after the play-off, with %(points)s points"),
    "cut.not-drawn": gettext_lazy("Out by drawing of lots (lot number %(seed)s)"),
    "cut.tie-at-line": gettext_lazy("Level at the line"),
    "cut.waits": gettext_lazy("Waits until a tie at the line is settled"),
    "cut.withdrawn": gettext_lazy("Has withdrawn"),
    "cut.ineligible": gettext_lazy("May not go on: %(reason)s"),
    "cut.disqualified": gettext_lazy("Disqualified: %(reason)s"),
    "cut.replaced": gettext_lazy("Withdrew after the cut; %(by)s was called up"),
    "cut.struck": gettext_lazy("Disqualified after the cut (%(reason)s); %(by)s was called up"),
}


def describe_cut(cut: Cut) -> list[dict[str, Any]]:
    """The lines of a kept cut in words, in order. Reads `cut.lines` with their entries."""
    lines = list(cut.lines.all())
    names = {line.entry_id: line.entry.name for line in lines}
    return [
        {
            "name": line.entry.name,
            "advances": line.advances,
            "reason": describe_reason(line, names),
            "last_in": line.advances and (n + 1 == len(lines) or not lines[n + 1].advances),  # a line is drawn under it
        }
        for n, line in enumerate(lines)
    ]


def describe_reason(line: CutLine, names: Mapping[int, str]) -> str:
    code, args = line.reason, dict(line.args)
    if code == "cut.called-up" and not args.get("instead_of"):
        sentence = _("Called up for a free place")
    elif code == "cut.replaced" and not args.get("by"):
        sentence = _("Withdrew after the cut; nobody was left to call up")
    elif code == "cut.struck" and not args.get("by"):
        sentence = _("Disqualified after the cut (%(reason)s); nobody was left to call up") % args
    elif code == "cut.tie-at-line":
        level, places = int(args["level"]), int(args["places"])
        sentence = ngettext(
            "Level with %(level)d other for %(places)s: a play-off or lots decide",
            "Level with %(level)d others for %(places)s: a play-off or lots decide",
            level,
        ) % {"level": level, "places": _places(places)}
    else:
        for which in ("instead_of", "by"):
            if args.get(which) in names and (which != "by" or code in (*LEFT_AFTER, "cut.ruled-out")):
                args[which] = names[args[which]]
        where = f"{args.get('table', '')}{group_letter(int(args.get('group') or 0))}"
        sentence = str(CUT[code]) % {**args, "where": where}
    return sentence + _deciding_tie_break(code, args)


def _deciding_tie_break(code: str, args: Mapping[str, Any]) -> str:
    """The end of the sentence: the tie-break that put somebody above or below the line; "" where none decided."""
    on = str(args.get("on") or "")
    if not on:
        return ""
    words = TIE_BREAKS[on]
    if code != "cut.below-line":
        return _(", ahead by %(tie_break)s") % {"tie_break": words}
    if on in ("points", "net", "games-won", "fewest-sets", "last-game", "best-game"):
        return _(", by %(by)s in %(tie_break)s") % {"by": _figure(args["by"]), "tie_break": words}
    return _(", by %(tie_break)s") % {"tie_break": words}


def _figure(value: object) -> str:
    """A number as people write it: 1,250; a half as ½."""
    text = str(value)
    if "/" in text:
        return format_games_won(Fraction(text))
    return number_format(int(text), force_grouping=True)


def _places(places: int) -> str:
    return ngettext("%(n)d place", "%(n)d places", places) % {"n": places}


def describe_tie(tie: OpenTie) -> str:
    section = tie.section
    where = {
        "group": _("group %(where)s") % {"where": f"{section.table}{group_letter(section.group)}"},
        "table": _("table %(n)d") % {"n": section.table},
        "overall": _("the whole field"),
    }[section.per]
    return _("%(n)d are level in %(where)s for %(places)s") % {
        "n": len(tie.entries),
        "where": where,
        "places": _places(tie.places),
    }


def describe_settlements(settled: Sequence[Mapping[str, Any]], names: Mapping[int, str]) -> list[str]:
    """Play-offs and drawings of lots that count or were set aside, and rulings, in order, with what it takes to check
    the lots."""
    sentences = []
    for data in settled:
        if "ruling" in data:
            sentences.append(_("The director kept the cut after a correction: %(reason)s") % {"reason": data["ruling"]})
            continue
        if not counts_still(data) and "undone" not in data:
            continue
        if "play_off" in data:
            points = ", ".join(f"{names.get(int(entry), '?')} {value}" for entry, value in data["play_off"].items())
            words = _("Play-off: %(points)s") % {"points": points}
        else:
            words = _describe_lots(data, names)
        if "undone" in data:
            reason = data["undone"]
            words = (
                _("Set aside by the director (%(reason)s): %(what)s") % {"reason": reason, "what": words}
                if reason
                else _("Set aside by the director: %(what)s") % {"what": words}
            )
        sentences.append(words)
    if any("numbers" in data and (counts_still(data) or "undone" in data) for data in settled):
        sentences.append(str(LOTS))
    return sentences


def _describe_lots(data: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """A drawing of lots in words: each lot, the first to go on first. Of one made before lots went by numbers, only who
    took part, and the seed."""
    seed, numbers = data["seed"], {int(entry): number for entry, number in data.get("numbers", {}).items()}
    if not numbers:  # drawn before lots went by numbers
        drawn = ", ".join(names.get(entry, "?") for entry in data["lots"])
        return _("Lots drawn among %(names)s with the lot number %(seed)06d") % {"names": drawn, "seed": seed}
    return describe_lots(seed, {names.get(entry, "?"): number for entry, number in numbers.items()})
