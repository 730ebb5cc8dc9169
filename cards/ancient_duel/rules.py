"""The rule set: the numbers of the rulebook as options, with the rulebook's own as defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, ValidationError

from cards.ancient_duel.faults import as_input_error
from cards.errors import InputError
from cards.files import read_toml
from cards.names import quote, suggestion

#: A side has 40 cards: no larger number of cards, zones or deployments means anything.
CARDS: Final = 40
FIRST_PLAYERS: Final = {"a": 0, "b": 1, "random": 2}

Number = Annotated[StrictInt, Field(ge=0, le=99)]
Cards = Annotated[StrictInt, Field(ge=0, le=CARDS)]


class RuleSet(BaseModel):
    """The options of a duel; energy, LP and stats are in points, the rest are counts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    starting_lp: Annotated[StrictInt, Field(ge=1, le=9999)] = 20
    opening_hand: Cards = 5
    hand_limit: Cards = 5
    energy_start: Number = 6
    energy_growth_turn: Annotated[StrictInt, Field(ge=1, le=9999)] = 3
    energy_cap: Number = 12
    activation_cost: Number = 1
    stat_min: Annotated[StrictInt, Field(ge=0, le=98)] = 1
    stat_max: Annotated[StrictInt, Field(ge=1, le=98)] = 12
    deployments_per_turn: Cards = 1
    direct_attacks_per_turn: Cards = 1
    free_level: Annotated[StrictInt, Field(ge=0, le=6)] = 4
    unit_zones: Cards = 0
    support_zones: Cards = 0
    reposition: StrictBool = True
    set_cards_wait: StrictBool = False
    effect_draw_loses: StrictBool = True
    first_player: Literal["random", "a", "b"] = "random"

    @classmethod
    def from_table(cls, table: Mapping[str, Any], where: str = "") -> RuleSet:
        """A rule set from a table of options, such as the `rules` of a scenario file.

        Raises
        ------
        InputError
            An option is unknown, has a value of the wrong sort, or is out of range.
        """
        for key in table:
            _known(key, where)
        try:
            rules = cls.model_validate(dict(table))
        except ValidationError as error:
            raise as_input_error(error, where) from None
        rules._check_pairs(where)
        return rules

    def _check_pairs(self, where: str) -> None:
        pairs = (("stat_min", "stat_max"), ("energy_start", "energy_cap"))
        for low, high in pairs:
            smallest, largest = getattr(self, low), getattr(self, high)
            if smallest > largest:
                raise InputError(
                    f"{low} = {smallest} is above {high} = {largest}",
                    where=where,
                    right=f"{low} is at most {high}",
                )


def rule_set(file: Path | None = None, overrides: Sequence[str] = ()) -> RuleSet:
    """The rule set of a file (or the rulebook's), with single options changed.

    Parameters
    ----------
    file
        A TOML file of options; None for the defaults.
    overrides
        `key=value` each; of two for one key the last counts.

    Raises
    ------
    InputError
        As `RuleSet.from_table`, or a file that cannot be read, or an override without `=`.
    """
    table: dict[str, Any] = {}
    if file is not None:
        table = read_toml(file)
        RuleSet.from_table(table, str(file))
    for override in overrides:
        key, equals, text = override.partition("=")
        if not equals:
            raise InputError(
                f"{quote(override)} has no value",
                where="rule option",
                right="write key=value, e.g. hand_limit=6",
            )
        key = key.strip()
        _known(key, "rule option")
        table[key] = _value(text.strip())
    return RuleSet.from_table(table, "rule option" if overrides else str(file or ""))


def _known(key: str, where: str) -> None:
    if key not in RuleSet.model_fields:
        raise InputError(
            f"there is no rule option {quote(key)}",
            where=where,
            right=suggestion(str(key), RuleSet.model_fields),
        )


def _value(text: str) -> bool | int | str:
    """The value of an override; whether it suits its option is checked with the rest."""
    if text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    try:
        return int(text)
    except ValueError:
        return text
