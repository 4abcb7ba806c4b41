"""Planning and changing the stages of a competition, and whether entries fit its tables."""

from dataclasses import MISSING, dataclass, fields
from math import ceil
from typing import Any

from django.utils.translation import gettext as _, ngettext

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from scoring.engine.core.ruleset import RuleSet, Shape
from scoring.models import HouseRules
from tournaments.engine.draws.contest import DoesNotFit, Sizes, table_sizes
from tournaments.engine.formats import FORMATS, TRAITS, option_fields
from tournaments.errors import StepRefused
from tournaments.events.state import event_locked, refuse_published_cut, stage_draw, was_ever_drawn
from tournaments.events.words import chosen_tie_breaks, refuse_misfits
from tournaments.models import Event, Group, Stage


def fits(format: str, shape: Shape) -> bool:
    return TRAITS[format].fits(shape.sides, shape.per_side)


def default_options(format: str) -> dict[str, Any]:
    if format not in FORMATS:
        return {}
    return {option.name: option.default for option in option_fields(FORMATS[format]) if option.default is not MISSING}


def refuse_lowest(rules: HouseRules) -> None:
    if rules.lowest_wins:
        raise StepRefused(
            _("In this game the lowest total wins. Handicaps are for games where the highest total wins.")
        )


def event_sizes(event: Event) -> Sizes:
    return contest_sizes(event.rules.rule_set, event.shape)


def contest_sizes(rule_set: RuleSet, shape: Shape) -> Sizes:
    """The sizes of a competition's tables and groups in this game, for the engine."""
    others = [size for size in group_shapes(rule_set, shape) if size != shape.players]
    return Sizes(table_size(shape), shape.players, others)


def find_misfit(sizes: Sizes, entries: int) -> DoesNotFit | None:
    """Why entries don't fit groups of these sizes; None if they do."""
    try:
        table_sizes(entries, sizes)
    except DoesNotFit as no:
        return no
    return None


def one_group_shape(event: Event, entries: int) -> Shape | None:
    """The shape in which all play in one group larger than usual; None if the game doesn't allow it."""
    return group_shapes(event.rules.rule_set, event.shape).get(entries) if entries > event.shape.players else None


def stage_sizes(stage: Stage, entries: int) -> Sizes:
    """The sizes of a stage's tables and groups: its event's, or one group of all."""
    together = stage.together and one_group_shape(stage.event, entries)
    return Sizes(entries, entries) if together else event_sizes(stage.event)


def groups_warning(stage: Stage, entries: int) -> str:
    """A warning that a final is played in several groups, with the alternatives; "" for one group, or if the number
    doesn't fit."""
    event, sizes = stage.event, stage_sizes(stage, entries)
    groups = 0 if find_misfit(sizes, entries) else sum(map(len, table_sizes(entries, sizes)))
    if groups < 2:
        return ""
    words = [
        _("%(stage)s: %(entries)d play in %(groups)d groups, so its order compares people who don't meet.")
        % {"entries": entries, "stage": stage, "groups": groups}
    ]
    if one_group_shape(event, entries):
        words.append(_("All %(n)d can play at one table instead.") % {"n": entries})
    words.append(_("Or let %(n)d go on: they meet at one table.") % {"n": event.shape.players})
    return " ".join(words)


def misfit_message(event: Event, entries: int) -> str:
    """What to do if that many entries don't fit the event's groups; "" if they do."""
    no = find_misfit(event_sizes(event), entries)
    if no is None:
        return ""
    ways = []
    if no.add:
        ways.append(ngettext("add %(n)d name or a stand-in", "add %(n)d names or stand-ins", no.add) % {"n": no.add})
    if no.remove:
        ways.append(ngettext("make %(n)d entry a reserve", "make %(n)d entries reserves", no.remove) % {"n": no.remove})
    return _("%(entries)s don't fit groups of %(sizes)s: %(ways)s.") % {
        "entries": ngettext("%(n)d entry", "%(n)d entries", entries) % {"n": entries},
        "sizes": _(" or ").join(map(str, sorted(group_shapes(event.rules.rule_set, event.shape)))),
        "ways": _(", or ").join(ways) or _("change the number of entries"),
    }


def group_shapes(rule_set: RuleSet, usual: Shape) -> dict[int, Shape]:
    """The shape of each size of group that may be drawn: the `usual` one and others that the rules allow."""
    others = [
        shape
        for shape in rule_set.shapes
        if 2 < shape.players <= table_size(usual)
        and (
            shape.per_side == usual.per_side == 1
            or (usual.per_side > 1 and shape.sides == usual.sides and shape.per_side > 1)
        )
    ]
    return {shape.players: shape for shape in (*others, usual)}


GAMES_IN_A_SET = 4  # at most: US 2006/0267282 A1, "first maximum four game set"


def replan_stages(event: Event, *, games: int = GAMES_IN_A_SET, cut_rule: str = "") -> list[Stage]:
    """Plan the event's stages again from its places; call it in the transaction that changes the event. Raises
    StepRefused: a draw of the event is published."""
    if was_ever_drawn(event):
        raise StepRefused(_("A draw of this event is published. Take it back before you plan the stages again."))
    event.stages.all().delete()
    stages = Stage.objects.bulk_create(
        Stage(event=event, number=n, name=plan.name, games=games, cut_rule=plan.cut_rule, advance=plan.advance)
        for n, plan in enumerate(plan_stages(event.places or 0, event.shape, cut_rule=cut_rule), start=1)
    )
    return list(stages)


@dataclass(frozen=True, slots=True)
class StageFacts:
    """How a stage is played, and who goes on from it. `advance` includes the `wild_cards`."""

    name: str
    games: int  # of a set, at most
    cut_rule: str = ""  # the last stage has none
    advance: int = 0
    wild_cards: int = 0
    seeded: bool = False
    together: bool = False  # the last stage is played by all in one group


def change_stage(*, stage: Stage, by: Actor, facts: StageFacts) -> Stage:
    """Change a stage: the games in a set until its draw is published, the cut until that is. Raises StepRefused: it is
    too late, or the figures make no cut."""
    with event_locked(stage.event) as event:
        stage = event.stages.get(pk=stage.pk)
        old = _log_data(stage)
        name, cut_rule, advance, wild_cards = facts.name, facts.cut_rule, facts.advance, facts.wild_cards
        last = not event.stages.filter(number__gt=stage.number).exists()
        if facts.games != stage.games and stage_draw(stage):
            raise StepRefused(_("The draw of %(stage)s is published, so its number of games stays.") % {"stage": stage})
        if facts.together != stage.together and stage_draw(stage):
            raise StepRefused(_("The draw of %(stage)s is published, so its groups stay.") % {"stage": stage})
        entries = count_incoming(stage)
        if facts.together and not (last and (entries <= event.shape.players or one_group_shape(event, entries))):
            raise StepRefused(_("That is too many for one table in this game. Choose two groups, or fewer finalists."))
        if last:
            cut_rule, advance, wild_cards = Stage.CutRule.NONE, 0, 0
        elif not cut_rule or advance < 1:
            raise StepRefused(_("Say who goes on from %(stage)s, and how many.") % {"stage": stage})
        elif wild_cards and (cut_rule == Stage.CutRule.OVERALL or wild_cards >= advance):
            raise StepRefused(
                _("%(stage)s: choose fewer wild cards than go on, and none with “the best overall”.") % {"stage": stage}
            )
        elif advance > (incoming := count_incoming(stage)) and (advance != stage.advance or not stage_draw(stage)):
            words = _("%(stage)s: %(incoming)d come in, so %(advance)d can't go on. Choose %(incoming)d or fewer.")
            raise StepRefused(words % {"stage": name, "incoming": incoming, "advance": advance})
        else:
            refuse_rule_misfit(name, cut_rule, places=advance - wild_cards, sections=_count_sections(stage, cut_rule))
        if (cut_rule, advance, wild_cards) != (stage.cut_rule, stage.advance, stage.wild_cards):
            refuse_published_cut(stage)
        stage.name, stage.games, stage.cut_rule, stage.advance = name, facts.games, cut_rule, advance
        stage.wild_cards, stage.seeded = wild_cards, facts.seeded and stage.number > 1
        stage.together = facts.together
        if _log_data(stage) != old:
            stage.save()
            refuse_misfits(event, chosen_tie_breaks(event.tie_breaks))
            log(club=event.club, by=by, verb="stage.change", subject=event.about(stage), old=old, new=_log_data(stage))
    return stage


def refuse_rule_misfit(stage: str, cut_rule: str, *, places: int, sections: int) -> None:
    """Raises StepRefused if there are more groups or tables than places, so that not each could send somebody on.
    `places` are without wild cards."""
    if cut_rule in (Stage.CutRule.GROUP, Stage.CutRule.TABLE) and places < sections:
        words = _(
            "Each of %(sections)d groups or tables would send somebody on, but only %(advance)d go on. Change the "
            "plan of %(stage)s: more go on, fewer wild cards, or the best overall."
        )
        raise StepRefused(words % {"sections": sections, "advance": places, "stage": stage})


def _count_sections(stage: Stage, cut_rule: str) -> int:
    """The number of groups or tables in a stage, as drawn or planned; 0 if the number of entries doesn't fit."""
    if draw := stage_draw(stage):
        tables = Group.objects.filter(table__draw=draw).values_list("table", flat=True)
        return len(tables) if cut_rule == Stage.CutRule.GROUP else len(set(tables))
    try:
        planned = table_sizes(count_incoming(stage), event_sizes(stage.event))
    except DoesNotFit:
        return 0
    return sum(map(len, planned)) if cut_rule == Stage.CutRule.GROUP else len(planned)


def count_incoming(stage: Stage) -> int:
    """The number of entries in a stage: those seated in its published draw, without stand-ins; before that, as
    planned."""
    if draw := stage_draw(stage):
        return draw.seats.filter(entry__stands_in=None).count()
    before = stage.event.stages.filter(number=stage.number - 1).first()
    return before.advance if before else stage.event.places or 0


def _log_data(stage: Stage) -> dict[str, Any]:
    return {fact.name: getattr(stage, fact.name) for fact in fields(StageFacts)}


@dataclass(frozen=True, slots=True)
class StagePlan:
    name: str
    entries: int
    tables: int
    cut_rule: str
    advance: int


def table_size(shape: Shape) -> int:
    """People at one table: two groups of two or three people, else one group."""
    return {2: 4, 3: 6}.get(shape.players, shape.players)


def plan_stages(places: int, shape: Shape, *, cut_rule: str = "") -> list[StagePlan]:
    """Stages from this number of places down to one final table.

    A third goes on from each stage, rounded up to full tables, and never fewer than one table: 54 - 18 - 6,
    36 - 12 - 6, 72 - 24 - 12 - 6. Who goes on: the best of each group where groups of three give just that number,
    else the best of each table, else the best of each with wild cards. Two of a table with a single group of three
    would be better off than two of six: a number that leaves one goes by groups.

    >>> [(s.entries, s.tables, str(s.cut_rule), s.advance) for s in plan_stages(54, Shape(3))]
    [(54, 9, 'group', 18), (18, 3, 'group', 6), (6, 1, '', 0)]
    >>> [(s.entries, str(s.cut_rule), s.advance) for s in plan_stages(54, Shape(2, 3))]
    [(54, 'table', 18), (18, 'table', 6), (6, '', 0)]
    >>> [(s.entries, str(s.cut_rule), s.advance) for s in plan_stages(51, Shape(3))]
    [(51, 'group', 18), (18, 'group', 6), (6, '', 0)]
    """
    size = table_size(shape)
    sizes = [places]
    while sizes[-1] > size:
        people = sizes[-1]
        sizes.append(size if people <= 3 * size else size * ceil(people / 3 / size))
    plans = []
    for number, people in enumerate(sizes):
        advance = sizes[number + 1] if number + 1 < len(sizes) else 0
        tables, groups = ceil(people / size), ceil(people / shape.players)
        rule: str = Stage.CutRule.NONE
        if advance:
            rule = cut_rule or _usual_cut_rule(shape, advance, tables=tables, groups=groups)
        plans.append(StagePlan(_stage_name(number, len(sizes)), people, tables, rule, advance))
    return plans


def _usual_cut_rule(shape: Shape, advance: int, *, tables: int, groups: int) -> str:
    if shape.players == 3 and groups != tables and advance % groups == 0:
        return Stage.CutRule.GROUP
    if advance % tables == 0 and (shape.players != 3 or groups == 2 * tables):
        return Stage.CutRule.TABLE
    if shape.players == 3 and advance >= groups:
        return Stage.CutRule.GROUP
    return Stage.CutRule.TABLE if advance >= tables else Stage.CutRule.OVERALL


def _stage_name(number: int, count: int) -> str:
    names = {1: _("Final"), 2: _("Semi-final"), 3: _("Quarter-final")}
    if number == 0 and count > 1:
        return _("Qualifying")
    return names.get(count - number) or _("Stage %(n)d") % {"n": number + 1}
