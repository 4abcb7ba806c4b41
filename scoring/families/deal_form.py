"""What the entry forms of all game families share: parts of a form, and where a problem belongs."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext as _, gettext_lazy

from clubsite.backends import LookedAt
from scoring.engine.core.ledger import Problem
from scoring.form_parts import FigureField, Hints
from scoring.models import LONGEST_REASON, DealVersion, Game

UNKNOWN = 0  # of a deal whose number comes with the form


@dataclass(frozen=True, slots=True)
class EnteredDeal:
    """What is entered for a deal: what is on the card, and the answers to its problems."""

    facts: Any  # of the game's family
    written: Sequence[int | None] = ()  # the running totals that the scorer wrote, by side; () where there are none
    written_sets: Sequence[int] | None = None  # the sides that the scorer marked as set; None: not looked at
    sure: bool = False  # yes to unlikely figures
    ruling: str = ""  # the director's reason for accepting the card in spite of its problems


def player_names(sides: Sequence[Sequence[str]], per_side: int) -> tuple[str, ...]:
    """The players' names, those of the first side, then those of the next; "Player 3" for one who isn't named.

    >>> player_names([["Ann", "Bob"], ["Cal"]], 2)
    ('Ann', 'Bob', 'Cal', 'Player 4')
    """
    return tuple(
        names[seat] if seat < len(names) else unnamed_player(side * per_side + seat + 1)
        for side, names in enumerate(sides)
        for seat in range(per_side)
    )


def unnamed_player(place: int) -> str:
    """Who sits at a place, counted from 1, and isn't named."""
    return _("Player %(number)d") % {"number": place}


NOBODY = "nobody"  # no side is marked as set, which isn't the same as no answer


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the form: a side's figures, a question with big buttons, or plain figures.

    `kind`: "choice" (one field, radio buttons), "figures" (fields in a row, `title` above them), "counts" (many
    small figures likewise), "plain" (fields one below the other); for counting "melds" (a table of `rows` under
    `heads`), "pictures" (a row for each meld) and "laid" (what can be laid, beside a field for each place).
    """

    kind: str
    title: str
    fields: tuple[forms.BoundField, ...]
    rows: Sequence[Any] = ()
    heads: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class PaperLine:
    """The names of one deal's fields in the order of a printed card's boxes: those of no side, and each side's."""

    first: tuple[str, ...]  # before the sides' figures
    sides: tuple[tuple[str, ...], ...]  # each ends with the running total that the scorer wrote
    last: tuple[str, ...]  # after them


class DealForm(forms.Form):
    """What is on the card for one deal of one game.

    Subclasses say which fields there are (`add_fields`), where they are (`blocks`, `rare`), what facts
    they make (`facts`), and which fields show given facts (`values_of`). A field of a side is called
    `NAME_SIDE`, e.g. `meld_1`; NAME is the facts' own field, so problems find their place by themselves.
    """

    bound_field_class = forms.BoundField  # figures that are wrong are listed above all: the pad goes to none of them

    counting_summary = gettext_lazy("Count the melds for me")
    counting_help = gettext_lazy(
        "Write how many of each meld each player laid down. Leave the meld above empty and it is added up for you. "
        "For a side you don't count here, write its meld above: 0 if there was none."
    )

    typed_keys: Mapping[
        str, Mapping[str, str]
    ] = {}  # by field, the answers by their keys where they have keys of their own
    figure_heads: Mapping[str, Promise] = {}  # of columns of figures that have the sides' names as labels, by NAME

    has_set_marks = False  # whether the card on paper has a column for sides that are set

    submission = forms.UUIDField(widget=forms.HiddenInput)
    number = forms.IntegerField(min_value=1, max_value=1000, widget=forms.HiddenInput)
    as_number = forms.IntegerField(required=False, min_value=1, max_value=1000)
    sure = forms.BooleanField(required=False, label=gettext_lazy("Yes, the card says so"))
    ruling = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        label=gettext_lazy("Director's ruling"),
        help_text=gettext_lazy("Why you accept this card in spite of the problems. The reason is saved with the deal."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    @property
    def adds(self) -> str:
        """Where deals add up as they are typed: JSON of what ends a game by points, for a phone without network."""
        return ""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        game: Game,
        number: int = UNKNOWN,
        now: EnteredDeal | None = None,
        seen: int | None = None,
    ) -> None:
        """A form for a deal of a game, recorded or the next; one that was sent has the deal's number. `now` fills it
        with what is on the card now; `seen` is then the number of the version shown, and the form asks for the reason
        of the correction.
        """
        self.game, self.rules = game, game.engine_rules
        self.sides = tuple(side.name for side in game.sides.all())
        self.problems: tuple[Problem, ...] = ()
        initial: dict[str, Any] = {"submission": uuid4(), "number": number}
        if now is not None:
            initial |= self.values_of(now.facts)
            initial |= {f"written_{side}": total for side, total in enumerate(now.written)}
            if now.written_sets is not None:
                initial["written_sets"] = [str(side) for side in now.written_sets] or [NOBODY]
        super().__init__(data, initial=initial)
        self.add_fields()
        for side, name in enumerate(self.sides):
            self.fields[f"written_{side}"] = FigureField(signed=True, required=False, label=name)
        if self.has_set_marks and game.rules.rule_set.has_bids:
            self.fields["written_sets"] = forms.MultipleChoiceField(
                required=False,
                label=_("Which side did the scorer mark with a failed bid?"),
                help_text=_("Press nothing if the card has no marks like this."),
                choices=[*((str(side), name) for side, name in self.side_choices()), (NOBODY, _("Nobody"))],
                widget=forms.CheckboxSelectMultiple(attrs={"class": "btn-check"}),
            )
        if seen is not None:
            self.fields["seen"] = forms.IntegerField(min_value=1, initial=seen, widget=forms.HiddenInput)
            self.fields["reason"] = forms.CharField(
                max_length=LONGEST_REASON,
                label=_("Reason for the correction"),
                help_text=_("For example: the two cards were compared, meld was misread."),
                error_messages={"required": _("Say why the deal is corrected.")},
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )
            # below the figures: once these are right it has to come into sight
            self.fields["reason"].bound_field_class = LookedAt

    # For each family

    def add_fields(self) -> None:
        """Add the family's fields."""
        raise NotImplementedError

    def blocks(self) -> Iterator[Block]:
        """The form's parts, in the order of the card."""
        raise NotImplementedError

    def rare(self) -> Iterator[Block]:
        """Parts that are folded away until needed."""
        return iter(())

    def counting(self) -> Iterator[Block]:
        """Parts in which totals of the card can be counted out, folded away until used."""
        return iter(())

    def facts(self) -> Any:
        """The facts of a valid form."""
        raise NotImplementedError

    def values_of(self, facts: Any) -> dict[str, Any]:
        """Name of a field of this form to its value, for facts that are recorded."""
        raise NotImplementedError

    shared_last = False  # whether fields of no side come after the sides' figures on the printed card

    # Shared

    def paper_line(self) -> PaperLine:
        """The fields in the order of the printed card's boxes.

        A question that may stay unanswered, such as who won the last trick, has no box there.
        """
        shared: list[str] = []
        sides: list[list[str]] = [[] for _side in self.sides]
        for block in self.blocks():
            for field in block.fields:
                if block.kind == "choice" and not field.field.required:
                    continue
                side = field.name.rpartition("_")[2]
                (sides[int(side)] if side.isdecimal() else shared).append(field.name)
        for side_number, names in enumerate(sides):
            names.append(f"written_{side_number}")
        first, last = ((), tuple(shared)) if self.shared_last else (tuple(shared), ())
        return PaperLine(first, tuple(map(tuple, sides)), last)

    def figure(self, name: str, label: str, *, hints: Hints) -> None:
        """Add a figure for each side: fields `NAME_0`, `NAME_1`, ..."""
        for side in range(len(self.sides)):
            self.fields[f"{name}_{side}"] = FigureField(label=label, required=False, hints=hints)

    def pick(
        self,
        name: str,
        label: str,
        *,
        choices: Sequence[tuple[Any, str]] = (),
        none: str = "",
        help_text: str = "",
        kind: Callable[[str], Any] = int,
    ) -> None:
        """Add a question that is answered with one of a few big buttons, one for each side if no `choices` are named.
        The value is of the `kind`, or empty: one more button says `none`, where the question may stay open.
        """
        self.fields[name] = forms.TypedChoiceField(
            label=label,
            choices=[*(choices or self.side_choices()), *([("", none)] if none else [])],
            required=not none,
            coerce=kind,
            empty_value=None,
            help_text=help_text,
            widget=forms.RadioSelect(attrs={"class": "btn-check"}),
            error_messages={"required": gettext_lazy("Press one of these.")},
        )

    @cached_property
    def players(self) -> tuple[str, ...]:
        return player_names([side.names for side in self.game.sides.all()], self.game.per_side)

    def side_choices(self) -> list[tuple[Any, str]]:
        return list(enumerate(self.sides))

    def per_side(self, name: str) -> tuple[Any, ...]:
        return tuple(self.cleaned_data[f"{name}_{side}"] for side in range(len(self.sides)))

    def column(self, name: str, nothing: Any = 0) -> tuple[Any, ...]:
        """A figure that every side may have, in order of sides; empty where none has it, or the rules don't use it."""
        values = [self.cleaned_data.get(f"{name}_{side}") or nothing for side in range(len(self.sides))]
        return tuple(values) if any(value != nothing for value in values) else ()

    def require_each(self, name: str) -> None:
        for side in range(len(self.sides)):
            self.require(f"{name}_{side}")

    def require(self, field: str) -> None:
        """Ask for a field that is still empty, unless something else is wrong with it; for use in `clean`."""
        if self.cleaned_data.get(field) is None and field not in self.errors:
            words = self.fields[field].error_messages["required"]
            self.add_error(field, forms.ValidationError(words, code="required"))

    def written(self) -> list[int | None]:
        """The running totals that the scorer wrote, None where there is none; empty when there are none at all."""
        totals = [self.cleaned_data.get(f"written_{side}") for side in range(len(self.sides))]
        return totals if any(total is not None for total in totals) else []

    def clean_written_sets(self) -> tuple[int, ...] | None:
        """The sides that the scorer marked as set; None when nobody looked."""
        marked: list[str] = self.cleaned_data["written_sets"]
        if NOBODY in marked and len(marked) > 1:
            raise forms.ValidationError(_("Press the sides that are marked, or nobody."), code="nobody-and-sides")
        return tuple(int(side) for side in marked if side != NOBODY) if marked else None

    def entered(self, *, ruled: bool = False) -> EnteredDeal:
        """What a valid form says; a ruling in it counts only where the sender may rule (`ruled`)."""
        cleaned = self.cleaned_data
        ruling = cleaned["ruling"] if ruled else ""
        return EnteredDeal(self.facts(), self.written(), cleaned.get("written_sets"), cleaned["sure"], ruling)

    def written_blocks(self) -> Iterator[Block]:
        fields = tuple(self[f"written_{side}"] for side in range(len(self.sides)))
        yield Block("figures", _("Running totals as the scorer wrote them"), fields)
        if "written_sets" in self.fields:
            yield Block("choice", "", (self["written_sets"],))

    def rare_has_something(self) -> bool:
        """Whether something folded away is filled in or wrong, so that the fold is open."""
        fields = [field for block in (*self.rare(), *self.written_blocks()) for field in block.fields]
        return any(field.errors or _is_filled(field.value()) for field in fields)

    @cached_property
    def not_counting(self) -> str:
        """A cache key for the counting parts while they are empty and folded away: the rules in full. Else ""."""
        fields = (field for block in self.counting() for field in block.fields)
        return "" if any(field.errors or _is_filled(field.value()) for field in fields) else str(self.rules)

    def deal_number(self) -> int:
        chosen: int = self.cleaned_data["as_number"] or self.cleaned_data["number"]
        return chosen

    def place_in_game(self) -> int:
        """A valid form's place among the deals that count, from 1; the deal after a void one takes its place."""
        number = self.deal_number()
        return number - sum(other < number for other in self.void)

    @cached_property
    def void(self) -> Collection[int]:
        """The numbers of the game's void deals, which few families use: set it where they are known, else a query reads
        them."""
        versions = DealVersion.objects.filter(deal__game=self.game, current=True, state=DealVersion.State.VOID)
        return set(versions.values_list("deal__number", flat=True))

    def renew(self) -> None:
        """Give what was typed a new submission id; what was recorded under the old one isn't touched."""
        self.data = {**{name: self.data[name] for name in self.data}, "submission": str(uuid4())}

    def fields_of(self, problem: Problem) -> list[str]:
        """The names of the fields that a problem is about; none when it is about the whole card."""
        if problem.side is not None and f"{problem.field}_{problem.side}" in self.fields:
            return [f"{problem.field}_{problem.side}"]
        if problem.field in self.fields:
            return [problem.field]
        return [name for side in range(len(self.sides)) if (name := f"{problem.field}_{side}") in self.fields]

    def wrong_fields(self) -> list[tuple[str, str]]:
        """Id and name of each field in sight that has an error, in the order of the errors."""
        names = [name for name in self.errors if name in self.fields and not self[name].is_hidden]
        return [(self[name].id_for_label or str(self[name].auto_id), self.name_of(name)) for name in names]

    def name_of(self, name: str) -> str:
        """A field's label, with the side's name where there is one: "Meld, Ann & Bob"."""
        label = str(self.fields[name].label or name)
        side = name.rpartition("_")[2]
        if side.isdecimal() and label != self.sides[int(side)]:
            return f"{label}, {self.sides[int(side)]}"
        return label


def _is_filled(value: Any) -> bool:
    """Whether an input was used: an empty tick box (False) and the usual ending ("played") weren't, 0 was."""
    return value is not False and value not in (None, "", [], "played")
