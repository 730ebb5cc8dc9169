"""What a card file may say, as frozen models.

The field names are the keys of the file; a key whose name is a word of Python (`if`, `def`, `from`)
has an underscore here. Every word is checked against `vocabulary`; what the words of one card must
have to do with each other is checked in `consistency`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    model_validator,
)
from pydantic import Tag as PydanticTag
from pydantic_core import PydanticCustomError

from cards.ancient_duel import vocabulary
from cards.names import LONGEST_NAME, normalise, quote, suggestion, unprintable


def fault(what: str, right: str = "") -> PydanticCustomError:
    """An error in the making; `faults.as_input_error` adds the file, the card and the key."""
    return PydanticCustomError("card_fault", "{what}", {"what": what, "right": right})


def word_of(words: Iterable[str], what: str) -> AfterValidator:
    """A validator that accepts only these words and suggests the nearest one."""
    known = tuple(words)

    def check(word: str) -> str:
        if word not in known:
            raise fault(f"{quote(word)} is no {what}", suggestion(word, known))
        return word

    return AfterValidator(check)


class Table(BaseModel):
    """A table of a card file: frozen, and with an error that names the nearest key."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, table: Any) -> Any:
        if not isinstance(table, dict):
            raise fault(f"{quote(table)} is no table", "write { key = value }")
        known = [field.alias or name for name, field in cls.model_fields.items()]
        for key in table:
            if key not in known:
                raise fault(f"there is no key {quote(key)} here", suggestion(str(key), known))
        return table


def _only_true(value: bool) -> bool:
    if not value:
        raise fault("is false", "only true is possible; otherwise leave the key out")
    return value


def _printable(text: str) -> str:
    bad = unprintable(text.replace("\n", ""))
    if bad is not None:
        raise fault(f"has the character {bad}", "leave it out")
    return text


def _name_to_find(name: str) -> str:
    """A name is one line, and has something in it by which it is found."""
    bad = unprintable(name)
    if bad is not None:
        raise fault(f"has the character {bad}", "leave it out")
    if not normalise(name):
        raise fault(f"is {quote(name)}", "a name has a letter or a digit")
    return name


#: A word that stands there or does not. (`Literal[True]` would take the number 1 as well.)
OnlyTrue = Annotated[StrictBool, AfterValidator(_only_true)]
Name = Annotated[
    StrictStr, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_name_to_find)
]
Identifier = Annotated[StrictStr, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]
Count = Annotated[StrictInt, Field(ge=1, le=40)]
Stat = Annotated[StrictInt, Field(ge=0, le=12)]
Change = Annotated[StrictInt, Field(ge=-12, le=12)]
Limit = Annotated[StrictInt, Field(ge=1, le=vocabulary.NO_LIMIT)]
#: Effects, statics, steps of an effect, conditions: more than a card has room for.
MOST_ROWS: Final = 20

Kind = Annotated[StrictStr, word_of(vocabulary.KINDS, "kind of card")]
FilterKind = Annotated[StrictStr, word_of(("unit", "doctrine", "tactic"), "kind of card")]
Tag = Annotated[StrictStr, word_of(vocabulary.TAGS, "type or trait")]
Trait = Annotated[StrictStr, word_of(vocabulary.TRAITS, "trait")]
Side = Annotated[StrictStr, word_of(vocabulary.SIDES, "side")]
Position = Annotated[StrictStr, word_of(vocabulary.POSITIONS, "position")]
When = Annotated[StrictStr, word_of(vocabulary.WHENS, "moment (when)")]
Window = Annotated[StrictStr, word_of(vocabulary.WINDOWS, "window")]
Answered = Annotated[StrictStr, word_of(vocabulary.ANSWERS, "kind of effect to answer")]
Who = Annotated[StrictStr, word_of(vocabulary.WHOS, "unit to act on")]
Until = Annotated[StrictStr, word_of(vocabulary.UNTILS, "duration")]
Move = Annotated[StrictStr, word_of(vocabulary.MOVES, "way to move")]
GrantWord = Annotated[
    StrictStr, word_of([word for word in vocabulary.GRANTS if word != "stats"], "grant")
]
During = Annotated[StrictStr, word_of(vocabulary.DURINGS, "time (during)")]
Role = Annotated[StrictStr, word_of(vocabulary.ROLES, "role")]
ReachWord = Annotated[StrictStr, word_of(("self", "equipped", "opponent"), "reach")]
TargetZone = Annotated[StrictStr, word_of(("units", "support", "graveyard"), "zone of a target")]
AddZone = Annotated[StrictStr, word_of(("deck", "graveyard"), "zone to add from")]
DeployZone = Annotated[
    StrictStr, word_of(("deck", "hand", "graveyard"), "zone to special-deploy from")
]


class Filter(Table):
    """Which cards or units; what is left out does not matter, but for the defaults of `pack`."""

    side: Side | None = None
    kind: Annotated[tuple[FilterKind, ...], Field(min_length=1)] | None = None
    type: Annotated[tuple[Tag, ...], Field(min_length=1)] | None = None
    card: StrictStr | None = None
    level_below: Limit | None = None
    atk_below: Limit | None = None
    position: Position | None = None
    other: OnlyTrue | None = None
    itself: OnlyTrue | None = None
    weaker_than_source: OnlyTrue | None = None
    has_weaker_enemy: OnlyTrue | None = None
    weaker_than_chosen: OnlyTrue | None = None
    faction: StrictStr | None = None

    def flags(self) -> int:
        """The bits of `vocabulary.SELECT_FLAGS` that the filter asks for."""
        return sum(bit for word, bit in vocabulary.SELECT_FLAGS.items() if getattr(self, word))


class TargetFilter(Filter):
    """What an effect targets."""

    zone: TargetZone = "units"


class AddFilter(Filter):
    """Which card goes to the hand, and where from."""

    from_: Annotated[AddZone, Field(alias="from")]


class DeployFilter(Filter):
    """Which unit is special-deployed, and where from."""

    from_: Annotated[tuple[DeployZone, ...], Field(alias="from", min_length=1)]


class Condition(Table):
    """One condition: one word with its filter, or `answers` with kinds of effects."""

    controls: Filter | None = None
    face_up: Filter | None = None
    attacked: Filter | None = None
    attacking: Filter | None = None
    battles: Filter | None = None
    lost: Filter | None = None
    lost_in_battle: Filter | None = None
    destroyed_enemy: Filter | None = None
    survived: Filter | None = None
    target_is: Filter | None = None
    answers: Annotated[tuple[Answered, ...], Field(min_length=1)] | None = None
    doomed: Filter | None = None
    deployed: Filter | None = None
    special_deployed: Filter | None = None

    @model_validator(mode="after")
    def _one_word(self) -> Condition:
        if len(self.model_fields_set) != 1:
            raise fault(
                f"a condition is one word, not {len(self.model_fields_set)}",
                "write one table for each",
            )
        return self

    @property
    def word(self) -> str:
        """The condition's word in `vocabulary.CONDITIONS`."""
        return next(iter(self.model_fields_set))

    @property
    def filter(self) -> Filter | None:
        """Its filter; None for `answers`."""
        found = getattr(self, self.word)
        return found if isinstance(found, Filter) else None


Conditions = Annotated[tuple[Condition, ...], Field(alias="if", max_length=MOST_ROWS)]

#: The parameters that each verb of a step may have (besides `if` and `if_moved`).
PARAMETERS: Final[dict[str, frozenset[str]]] = {verb: frozenset() for verb in vocabulary.STEPS} | {
    "gain_lp": frozenset({"per", "at_most"}),
    "change": frozenset({"atk", "def_", "until"}),
    "change_all": frozenset({"atk", "def_", "until"}),
    "move": frozenset({"to"}),
}


class Step(Table):
    """One step of an effect: one verb and its parameters."""

    draw: Count | None = None
    discard: Count | None = None
    gain_lp: Count | None = None
    damage: Count | None = None
    add: AddFilter | None = None
    special_deploy: DeployFilter | None = None
    choose: Filter | None = None
    choose_position: OnlyTrue | None = None
    change: Who | None = None
    change_all: Filter | None = None
    destroy: Who | None = None
    destroy_support: Literal["target"] | None = None
    move: Who | None = None
    cancel_attack: OnlyTrue | None = None
    cancel_effect: OnlyTrue | None = None
    save: OnlyTrue | None = None
    sacrifice: Who | None = None
    may_defend_after_attack: Who | None = None
    recover: Literal["target"] | None = None

    per: Filter | None = None
    at_most: Count | None = None
    atk: Change = 0
    def_: Annotated[Change, Field(alias="def")] = 0
    until: Until | None = None
    to: Move | None = None
    if_: Conditions = ()
    if_moved: OnlyTrue | None = None

    @model_validator(mode="after")
    def _one_verb(self) -> Step:
        verbs = [word for word in vocabulary.STEPS if word in self.model_fields_set]
        if len(verbs) != 1:
            found = " and ".join(verbs) or "none"
            raise fault(f"a step has one verb, not {found}", "write one table for each step")
        verb = verbs[0]
        allowed = PARAMETERS[verb] | {verb, "if_", "if_moved"}
        for key in self.model_fields_set - allowed:
            shown = key.rstrip("_")
            may = ", ".join(sorted(word.rstrip("_") for word in PARAMETERS[verb])) or "none"
            raise fault(f"{verb!r} has no parameter {shown!r}", f"its parameters: {may}")
        self._whole(verb)
        return self

    def _whole(self, verb: str) -> None:
        """Every verb has the parameters without which it says nothing."""
        if verb in ("change", "change_all"):
            if not (self.atk or self.def_):
                raise fault(f"{verb!r} changes nothing", "give it atk or def")
            if self.until is None:
                raise fault(f"{verb!r} needs the key 'until'", f"one of {_list(vocabulary.UNTILS)}")
        if verb == "move" and self.to is None:
            raise fault("'move' needs the key 'to'", f"one of {_list(vocabulary.MOVES)}")
        if self.at_most is not None and self.per is None:
            raise fault("'at_most' limits 'per', which is missing")

    @property
    def verb(self) -> str:
        """The step's word in `vocabulary.STEPS`."""
        return next(word for word in vocabulary.STEPS if word in self.model_fields_set)

    @property
    def value(self) -> Any:
        """What stands behind the verb: a number, a filter, a WHO or True."""
        return getattr(self, self.verb)

    @property
    def who(self) -> str | None:
        """Whom the step acts on, where its verb says so."""
        verbs = ("change", "destroy", "move", "sacrifice", "may_defend_after_attack")
        return str(self.value) if self.verb in verbs else None


class Effect(Table):
    """Something that happens at a moment: conditions, target, cost, steps."""

    when: When
    window: Window | None = None
    if_: Conditions = ()
    target: TargetFilter | None = None
    discard: Count | None = None
    may: StrictBool = False
    once_per_turn: StrictBool = False
    do: Annotated[tuple[Step, ...], Field(min_length=1, max_length=MOST_ROWS)]


def _word_or_filter(value: Any) -> str:
    """Read `to` as what it is, so that an error speaks of a word or of a filter, not of both."""
    return "word" if isinstance(value, str) else "filter"


class Static(Table):
    """Something that holds while the card lies face-up."""

    to: Annotated[
        Annotated[ReachWord, PydanticTag("word")] | Annotated[Filter, PydanticTag("filter")],
        Discriminator(_word_or_filter),
    ] = "self"
    atk: Change = 0
    def_: Annotated[Change, Field(alias="def")] = 0
    grants: GrantWord | None = None
    during: During = "always"
    role: Role = "any"
    per: Filter | None = None
    at_most: Count | None = None
    if_: Conditions = ()


class Card(Table):
    """One card of the set."""

    id: Identifier
    faction: Identifier  # put in by `load`: the file's own faction
    kind: Kind
    name_en: Name
    name_ru: Name
    type: Annotated[StrictStr, word_of([*vocabulary.TAGS], "type")]
    traits: tuple[Trait, ...] = ()
    level: Annotated[StrictInt, Field(ge=1, le=6)] | None = None
    atk: Stat | None = None
    def_: Annotated[Stat | None, Field(alias="def")] = None
    energy: Stat | None = None
    copies: Annotated[StrictInt, Field(ge=0, le=3)]
    text: Annotated[StrictStr, Field(max_length=400), AfterValidator(_printable)]
    equips: Filter | None = None
    effect: Annotated[tuple[Effect, ...], Field(max_length=MOST_ROWS)] = ()
    static: Annotated[tuple[Static, ...], Field(max_length=MOST_ROWS)] = ()

    @property
    def is_unit(self) -> bool:
        """A commander is a unit."""
        return self.kind in ("unit", "commander")

    @property
    def tags(self) -> int:
        """The bit mask of type and traits."""
        mask = vocabulary.TAGS[self.type]
        for trait in self.traits:
            mask |= vocabulary.TAGS[trait]
        return mask


class Faction(Table):
    """The head of a faction's file."""

    id: Identifier
    name_en: Name
    name_ru: Name
    opens_after: Annotated[StrictInt, Field(ge=0, le=1000)]


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)
