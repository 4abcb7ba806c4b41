"""Forms of an event and of its stages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.models import model_to_dict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone, localtime
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from clubsite.accounts.models import Club
from clubsite.names import name_sort_key
from scoring.engine.core.ruleset import Shape
from scoring.form_parts import NumberField, YesNoField
from scoring.templatetags.rule_texts import translated
from scoring.wording import offer_heading
from tournaments.engine.formats import FORMATS, TRAITS, option_fields
from tournaments.engine.ranking import REACHED, STRENGTH
from tournaments.events.actions import EventFacts, available_games, event_facts, returning_entries
from tournaments.events.stages import GAMES_IN_A_SET, count_incoming, fits, groups_warning, one_group_shape
from tournaments.events.state import was_ever_drawn
from tournaments.events.words import BY_RESULT, CHOICES, LABELS, TIE_BREAKS, VARIANTS
from tournaments.models import Entry, Event, Season, Stage

LINKS = ("points", "games-won", "net", "fewest-sets", "head-to-head", "last-game", "best-game")
TIES = 4  # links that one may choose; a play-off and lots come after them where a place must be decided

MOST_GAMES = 12  # in a set
MOST_RESULT = 100  # points for a result
LONGEST_MARGIN = 5  # digits
CUT_RULES = [(rule.value, rule.label) for rule in Stage.CutRule if rule != Stage.CutRule.NONE]
WITHOUT_A_SEAT = _("A round without a seat is worth")
MISSED = _("A round that somebody missed is worth")
LONG_AGO = timedelta(days=365)  # a day before is a slip, or old cards are keyed
YEARS = range(2000, 2101)  # what is outside is a slip: "26" typed for 2026 is sent as the year 26

# Fields of a new event that a link may fill
PRESET = ("rounds", "legs", "consolation", "third", "places", "games", "round_minutes", "groups", "advance", "losses")
LONGEST_PRESET = 3  # characters


def validate_year(value: date) -> None:
    """Raises ValidationError for a year that can only be a slip."""
    if value.year not in YEARS:
        raise ValidationError(_("Write the year with four figures, for example 2027."))


class DayField(forms.DateField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.DateInput(attrs={"type": "date"}), validators=[validate_year], **kwargs)


class MomentInput(forms.DateTimeInput):
    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MomentField(forms.DateTimeField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=MomentInput, validators=[validate_year], **kwargs)

    def to_python(self, value: Any) -> datetime | None:
        """Raises ValidationError, in plain words, for a time that the clocks skip or show twice."""
        try:
            return super().to_python(value)
        except ValidationError as error:
            if error.code != "ambiguous_timezone":
                raise
            local = (error.params or {})["datetime"]
            aware = local.replace(tzinfo=get_current_timezone())
            words = _("The clocks go forward that night: %(time)s doesn't come. Write another time.")
            if aware.astimezone(UTC).astimezone(aware.tzinfo) == aware:
                words = _("The clocks go back that night: %(time)s comes twice. Write another time.")
            raise ValidationError(words, params={"time": date_format(local, "TIME_FORMAT")}) from None


class ChainForm(forms.Form):
    """A form with the fields of `tie_break_fields`, which become "tie_breaks"."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        chain: list[str] = [slug for n in range(1, TIES + 1) if (slug := cleaned.get(f"tie_{n}"))]
        if len(set(chain)) < len(chain):
            raise ValidationError(_("Use each tie-break only once. Choose another, or “nothing more”."))
        cleaned["tie_breaks"] = chain
        return cleaned


class LongAgoForm(forms.Form):
    """Asks whether a `starts_at` more than a year ago is right, unless it is unchanged."""

    long_ago = forms.BooleanField(label=_("Yes, it was on that day"), required=False)
    ask_long_ago = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        starts_at, sure = cleaned.get("starts_at"), cleaned.pop("long_ago", False)
        if starts_at and "starts_at" in self.changed_data and not sure and starts_at < timezone.now() - LONG_AGO:
            self.ask_long_ago = True
            words = _("%(day)s is more than a year ago. Is that right?")
            self.add_error("starts_at", ValidationError(words, params={"day": date_format(localtime(starts_at))}))
        return cleaned


class WalkoverPointsField(NumberField):
    def __init__(self) -> None:
        super().__init__(
            label=_("Points for a walkover"),
            min_value=0,
            max_value=100_000,
            required=False,
            help_text=_(
                "For a side whose opponents aren't there. Leave empty for the average of that round's winners; 0 for "
                "no points. The match is won in any case. The side that isn't there gets no points; where the lowest "
                "total wins, it gets the average of that round's losers."
            ),
        )


def _result_number(**kwargs: Any) -> NumberField:
    return NumberField(min_value=-MOST_RESULT, max_value=MOST_RESULT, required=False, **kwargs)


class ResultPointsForm(forms.Form):
    """Asks what results are worth: "result_points", {} if points scored count."""

    win_points = _result_number(
        label=_("Points for a win"),
        help_text=_(
            "Leave empty to add up the points scored at the tables. Otherwise each match gives points for its result."
        ),
    )
    draw_points = _result_number(label=_("Points for a draw"))
    loss_points = _result_number(label=_("Points for a loss"))
    wide_wins = forms.CharField(
        label=_("Points for a big win"),
        max_length=80,
        required=False,
        help_text=_(
            "The difference needed, and its points. In cribbage, 31: 3 for a skunk, 61: 4 for a double skunk. Leave "
            "empty if every win is worth the same."
        ),
    )

    def clean_wide_wins(self) -> list[list[int]]:
        """Pairs of difference and points, rising."""
        parts = self.cleaned_data["wide_wins"].replace(",", " ").replace(";", " ").replace(":", " ").split()
        numbers = [int(part) for part in parts if part.isascii() and part.isdecimal() and len(part) <= LONGEST_MARGIN]
        wide = [[least, points] for least, points in zip(numbers[::2], numbers[1::2], strict=False)]
        if len(numbers) < len(parts) or len(parts) % 2 or wide != sorted(wide) or any(not least for least, _p in wide):
            raise ValidationError(_("Write rising differences, each with its points, for example 31: 3, 61: 4."))
        return wide

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "win_points" in self.fields:
            win, draw, loss, wide = (cleaned.pop(name, None) for name in RESULT_FIELDS)
            if win is None and (draw is not None or loss is not None or wide) and "win_points" not in self.errors:
                self.add_error("win_points", _("Say what a win is worth."))
            typed = {"win": win, "draw": draw or 0, "loss": loss or 0, "wide": wide or []}
            cleaned["result_points"] = {} if win is None else typed
        return cleaned


RESULT_FIELDS = ("win_points", "draw_points", "loss_points", "wide_wins")


def variant_initial(variant: str) -> dict[str, Any]:
    values = VARIANTS[variant][1]
    typed = {name: value for name, value in values.items() if name != "result_points"}
    return typed | result_points_initial(values.get("result_points", {}))


def result_points_initial(worth: Mapping[str, Any]) -> dict[str, Any]:
    if not worth:
        return {}
    wide = ", ".join(f"{least}: {points}" for least, points in worth["wide"])
    return {f"{name}_points": worth[name] for name in ("win", "draw", "loss")} | {"wide_wins": wide}


class EventForm(LongAgoForm, ChainForm, ResultPointsForm):
    """An event of one format; its times are in the club's zone."""

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("For example: Spring contest 2027."))
    game = forms.ChoiceField(label=_("Game"), help_text=_("The club's own rules come first."))
    starts_at = MomentField(label=_("Starts"))
    place = forms.CharField(
        label=pgettext_lazy("hall", "Where"), max_length=80, required=False, help_text=_("For example: Parish hall.")
    )
    map_link = forms.URLField(
        label=_("Map"),
        max_length=300,
        required=False,
        assume_scheme="https",
        help_text=_("The address of the place on a map's site: open it there, choose “Share”, and copy the link."),
    )
    details = forms.CharField(
        label=_("What people should know"),
        max_length=600,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Who to ask, how to get in, what to bring. Everybody can read it."),
    )
    sign_up = forms.ChoiceField(
        label=_("Signing up"),
        choices=Event.SignUps.choices,
        required=False,
        help_text=_("People can say on the event's page that they are coming, without logging in."),
    )
    sign_up_names = YesNoField(
        label=_("Who is coming"),
        choices=[("yes", _("everybody sees the names")), ("no", _("everybody sees only how many"))],
        initial=True,
        required=False,
        empty_value=True,
    )
    places = NumberField(
        label=_("How many can play"),
        min_value=2,
        max_value=500,
        initial=54,
        help_text=_("54 makes nine tables of six. The stages are planned from this number."),
    )
    games = NumberField(
        label=_("Games in a set, at most"),
        min_value=1,
        max_value=MOST_GAMES,
        initial=GAMES_IN_A_SET,
        help_text=_("How many games each group plays in a stage. The director can end a set earlier."),
    )
    cut_rule = forms.ChoiceField(
        label=_("Who goes on"),
        required=False,
        choices=[("", _("what is usual for the game and the number")), *CUT_RULES],
        help_text=_("You can change this for each stage later."),
    )
    sit_out_rule = forms.ChoiceField(
        label=WITHOUT_A_SEAT, choices=Event.SitOutRule.choices, initial=Event.SitOutRule.OWN_AVERAGE
    )
    missing_rule = forms.TypedChoiceField(
        label=MISSED,
        choices=Event.SitOutRule.choices,
        required=False,
        empty_value=Event.SitOutRule.ZERO,
        coerce=str,
        initial=Event.SitOutRule.ZERO,
        help_text=_("For people who come late or leave early."),
    )
    walkover_points = WalkoverPointsField()
    round_minutes = NumberField(
        label=_("Minutes a round"),
        min_value=0,
        max_value=600,
        initial=30,
        required=False,
        help_text=_("For the round's clock, which you start on the desk. 0: rounds go by deals, without a clock."),
    )
    at_bell = forms.TypedChoiceField(
        label=_("At the bell"),
        choices=Event.AtBell.choices,
        required=False,
        coerce=str,
        initial=Event.AtBell.FINISH_DEAL,
    )
    season = forms.ModelChoiceField(
        label=_("Season"), queryset=Season.objects.none(), required=False, empty_label=pgettext_lazy("season", "none")
    )

    again = forms.ModelMultipleChoiceField(
        label=_("Who plays again"),
        queryset=Entry.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(
        self,
        *args: Any,
        club: Club,
        format: str,
        event: Event | None = None,
        like: Event | None = None,
        **kwargs: Any,
    ) -> None:
        """The form changes `event`, or makes one, perhaps `like` another."""
        super().__init__(*args, **kwargs)
        self.club, self.event, self.like = club, event, like
        self.offered = available_games(club, current=event.rules if event else None)
        self.fields["game"].choices = self._game_choices(format)  # type: ignore[attr-defined]  # it has choices
        self.fields["season"].queryset = Season.objects.filter(club=club)  # type: ignore[attr-defined]  # it has choices
        # Once an event has begun, what decides its order is changed on pages of its own.
        self.begun = event is not None and was_ever_drawn(event)
        if not self.begun:
            chain = BY_RESULT if self.initial.get("win_points") else TRAITS[format].chain
            self.fields |= tie_break_fields(format, chain, bids=self._has_bids())
        contest = TRAITS[format].has_cut
        self.options = [option.name for option in self._add_option_fields(format)]
        for name in ("sit_out_rule", "missing_rule") if contest else ("games", "cut_rule"):
            del self.fields[name]
        if not contest:
            places = self.fields["places"]
            places.required, places.initial = False, None
            places.help_text = _("How many can come. Later sign-ups go on a waiting list. Leave empty for no limit.")
        else:
            del self.fields["season"]
        if contest or TRAITS[format].chain[0] == "rung":  # stages go by games; a round of such a ladder is a week
            self.fields["round_minutes"].initial = 0
        if TRAITS[format].outs or (self.begun and not contest):
            del self.fields["sit_out_rule"], self.fields["missing_rule"]
        if self.begun or not TRAITS[format].fixed_sides:
            del self.fields["walkover_points"]
        if self.begun or not TRAITS[format].gives_result_points():
            for name in RESULT_FIELDS:
                del self.fields[name]
        if like:
            again = self.fields["again"]
            again.queryset = again.initial = returning_entries(like)  # type: ignore[attr-defined]  # it has choices
            again.choices = sorted(again.choices, key=lambda choice: name_sort_key(str(choice[1])))  # type: ignore[attr-defined]
        if event or like:
            for name in ("games", "cut_rule"):
                self.fields.pop(name, None)
        if event is not None:
            self.initial = {**event_initial(event), **self.initial}

    def _has_bids(self) -> bool | None:
        """Whether the chosen game has bids; None if none is chosen. For a game without bids, drops tie-breaks by bids
        from the sent data."""
        chosen = str((self.data if self.is_bound else self.initial).get("game", "")).partition(":")[0]
        if not chosen and self.event:
            return self.event.rules.rule_set.has_bids
        bids = next((game.rule_set.has_bids for game in self.offered if game.slug == chosen), None)
        if self.is_bound and bids is False:
            ties = {f"tie_{n}" for n in range(1, TIES + 1)}
            self.data = {k: "" if k in ties and v == "fewest-sets" else v for k, v in self.data.items()}
        return bids

    def _add_option_fields(self, format: str) -> list[Any]:
        options = option_fields(FORMATS[format]) if format in FORMATS else ()
        offered = [option for option in options if option.name in LABELS]
        for option in offered:
            label, choices = str(LABELS[option.name]), option.metadata["choices"]
            if choices:
                words = [(choice, CHOICES[option.name][choice]) for choice in choices]
                self.fields[option.name] = forms.ChoiceField(
                    label=label, choices=words, initial=option.default, required=False
                )
            elif isinstance(option.default, bool):
                self.fields[option.name] = YesNoField(
                    label=label, choices=[("yes", _("yes")), ("no", _("no"))], initial=option.default
                )
            else:
                self.fields[option.name] = NumberField(
                    label=label, min_value=1, max_value=option.metadata["most"], initial=option.default
                )
        return offered

    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.options]

    def _game_choices(self, format: str) -> list[Any]:
        groups: dict[str, list[tuple[str, str]]] = {}
        for game in self.offered:
            shapes = [s for s in game.rule_set.shapes if fits(format, s)]
            kind = offer_heading(game.rule_set, of_club=game.house_rules is not None)
            groups.setdefault(kind, []).extend(
                (f"{game.slug}:{s.sides}x{s.per_side}", f"{translated(game.rule_set.title)}: {describe_shape(s)}")
                for s in shapes
            )
        return [("", _("choose the game")), *((kind, games) for kind, games in groups.items() if games)]

    def facts(self) -> EventFacts:
        """The valid form. What it doesn't ask stays as it is, also if the page was opened before the form asked it."""
        slug, _colon, shape = self.cleaned_data["game"].partition(":")
        sides, _x, per_side = shape.partition("x")
        facts = {
            name: value
            for name, value in self.cleaned_data.items()
            if not name.startswith("tie_") and name not in self.options
        }
        facts |= {"like": self.like, "again": tuple(entry.pk for entry in facts["again"])}
        for name in ("round_minutes", "at_bell"):
            if facts[name] in (None, ""):
                del facts[name]
        facts["game"] = next(g for g in self.offered if g.slug == slug)
        facts["shape"] = Shape(int(sides), int(per_side))
        facts["options"] = {name: self.cleaned_data[name] for name in self.options if self.cleaned_data[name] != ""}
        if not self.begun:
            facts["tie_breaks"] = (*self.cleaned_data["tie_breaks"], "play-off", "lots")
        return replace(event_facts(self.event), **facts) if self.event else EventFacts(**facts)


def event_initial(event: Event) -> dict[str, Any]:
    """The initial values with which an event's form leaves it unchanged."""
    links = offered_tie_breaks(event.format, bids=event.rules.rule_set.has_bids)
    ties = {f"tie_{n}": slug for n, slug in enumerate([s for s in event.tie_breaks if s in links], start=1)}
    return {
        **model_to_dict(event),
        **result_points_initial(event.result_points),
        "game": f"{event.rules.slug}:{event.sides}x{event.per_side}",
        **event.options,
        **({f"tie_{n}": "" for n in range(1, TIES + 1)} | ties if ties else {}),
    }


class StageForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=40)
    games = NumberField(label=_("Games in a set, at most"), min_value=1, max_value=MOST_GAMES)
    cut_rule = forms.ChoiceField(label=_("Who goes on"), choices=CUT_RULES)
    advance = NumberField(label=_("How many go on"), min_value=1, max_value=500)
    wild_cards = NumberField(
        label=_("Wild cards among them"),
        min_value=0,
        max_value=499,
        help_text=_("How many more go on by their score, after the best of each group or table."),
    )
    seeded = YesNoField(
        label=_("How the seats are drawn"),
        choices=[("no", _("by lot only")), ("yes", _("seeded: the best of the stage before are spread"))],
        help_text=_("With seeds, each group gets one of the best, one of the next best, and so on, by lot."),
    )

    together = YesNoField(
        label=_("How it is played"),
        choices=[("no", _("in groups, each by itself")), ("yes", _("all at one table, in one game"))],
        required=False,
        empty_value=False,
    )

    def __init__(self, *args: Any, stage: Stage, last: bool, **kwargs: Any) -> None:
        kwargs["prefix"] = f"stage-{stage.number}"
        kwargs["initial"] = model_to_dict(stage)
        super().__init__(*args, **kwargs)
        self.stage = stage
        if last:
            del self.fields["cut_rule"], self.fields["advance"], self.fields["wild_cards"]
        if stage.number == 1:
            del self.fields["seeded"]
        entries = count_incoming(stage) if last else 0
        self.apart = groups_warning(stage, entries) if last else ""
        if not (last and one_group_shape(stage.event, entries)):
            del self.fields["together"]


def offered_tie_breaks(format: str, *, bids: bool | None) -> list[str]:
    """The tie-breaks that a director may choose in a format. `bids`: whether the game has bids; None: not known yet."""
    traits = TRAITS[format]
    links = (*(traits.chain[:1] if traits.chain[0] in REACHED else ()), *LINKS, *(STRENGTH if traits.by_score else ()))
    return [link for link in links if bids is not False or link != "fewest-sets"]


def tie_break_fields(format: str, chain: Sequence[str], *, bids: bool | None) -> dict[str, forms.Field]:
    """A field for each link of the chain of tie-breaks. `bids` as in `offered_tie_breaks`."""
    offered = offered_tie_breaks(format, bids=bids)
    words = TIE_BREAKS | ({"fewest-sets": _("fewest failed bids, in a game with bids")} if bids is None else {})
    links = [("", _("nothing more"))] + [(slug, words[slug]) for slug in offered]
    usual = [slug for slug in chain if slug in offered]
    return {
        f"tie_{n + 1}": forms.ChoiceField(
            label=_("Places are decided by") if not n else _("then, when level, by"),
            choices=links[1:] if not n else links,
            required=not n,
            initial=usual[n] if n < len(usual) else "",
        )
        for n in range(TIES)
    }


def describe_shape(shape: Shape) -> str:
    words = {
        (2, 1): _("two players"),
        (2, 2): _("four players, partners against partners"),
        (2, 3): _("six players, two teams of three"),
        (3, 2): _("six players, three partnerships"),
    }
    if name := words.get((shape.sides, shape.per_side)):
        return str(name)
    if shape.per_side == 1:
        return str(_("%(n)d players, each for themselves")) % {"n": shape.sides}
    return str(_("%(n)d sides of %(each)d")) % {"n": shape.sides, "each": shape.per_side}


def preset_values(query: Mapping[str, str]) -> dict[str, Any]:
    """The values that a link to a new event's form fills in.

    >>> preset_values({"format": "swiss", "rounds": "5", "name": "Spring"})
    {'rounds': '5'}
    """
    return {name: value for name in PRESET if (value := query.get(name, "")) and len(value) <= LONGEST_PRESET}
