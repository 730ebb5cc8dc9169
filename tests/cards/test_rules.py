"""Rule options: defaults, files, overrides, ranges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cards.ancient_duel.load import card_set
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet, rule_set
from cards.errors import InputError

DEFAULTS: dict[str, Any] = {
    "starting_lp": 20,
    "opening_hand": 5,
    "hand_limit": 5,
    "energy_start": 6,
    "energy_growth_turn": 3,
    "energy_cap": 12,
    "activation_cost": 1,
    "stat_min": 1,
    "stat_max": 12,
    "deployments_per_turn": 1,
    "direct_attacks_per_turn": 1,
    "free_level": 4,
    "unit_zones": 0,
    "support_zones": 0,
    "reposition": True,
    "set_cards_wait": False,
    "effect_draw_loses": True,
    "first_player": "random",
}


def test_the_rulebook() -> None:
    assert rule_set().model_dump() == DEFAULTS
    assert rule_set(None, []) == RuleSet() == RuleSet.from_table({})


@pytest.mark.parametrize(
    ("override", "key", "value"),
    [
        ("starting_lp=30", "starting_lp", 30),
        (" hand_limit = 6 ", "hand_limit", 6),
        ("reposition=false", "reposition", False),
        ("set_cards_wait=True", "set_cards_wait", True),
        ("first_player=b", "first_player", "b"),
        ("first_player=random", "first_player", "random"),
    ],
)
def test_an_override(override: str, key: str, value: object) -> None:
    assert rule_set(None, [override]).model_dump() == DEFAULTS | {key: value}


def test_a_file_then_overrides_and_the_last_counts(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text("starting_lp = 25\nhand_limit = 7\n")
    assert rule_set(path).starting_lp == 25
    rules = rule_set(path, ["hand_limit=8", "hand_limit=9"])
    assert (rules.starting_lp, rules.hand_limit) == (25, 9)


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("startng_lp=30", "no rule option 'startng_lp'; did you mean 'starting_lp'?"),
        ("starting_lp", "write key=value"),
        ("starting_lp=many", "rule option, starting_lp: is 'many', not a whole number"),
        ("starting_lp=true", "starting_lp: is 'True', not a whole number"),
        ("starting_lp=0", "starting_lp: is '0'; at least 1"),
        ("starting_lp=", "starting_lp: is '', not a whole number"),
        ("hand_limit=41", "hand_limit: is '41'; at most 40"),
        ("reposition=1", "reposition: is '1', not true or false"),
        ("first_player=c", "first_player: is 'c'; only 'random', 'a' or 'b' is possible"),
        ("stat_min=13", "stat_min = 13 is above stat_max = 12"),
        ("energy_cap=5", "energy_start = 6 is above energy_cap = 5"),
        ("=3", "no rule option ''"),
    ],
)
def test_a_wrong_override(override: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        rule_set(None, [override])
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("starting_pl = 3", "no rule option 'starting_pl'; did you mean 'starting_lp'?"),
        ("starting_lp = 'x'", "starting_lp: is 'x', not a whole number"),
        ("starting_lp = 2.5", "not a whole number"),
        ("starting_lp =", "is not TOML"),
    ],
)
def test_a_wrong_file(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "house.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        rule_set(path, ["hand_limit=5"])
    assert told in str(caught.value)
    assert "house.toml" in str(caught.value)


def test_a_table_of_a_scenario_says_where_it_is() -> None:
    with pytest.raises(InputError, match=r"boss\.toml, rules: there is no rule option 'reposit"):
        RuleSet.from_table({"repositon": True}, "boss.toml, rules")


def test_the_packed_record_has_every_option() -> None:
    changed = DEFAULTS | {"starting_lp": 33, "reposition": False, "first_player": "b"}
    packed = pack(card_set(), RuleSet.from_table(changed))[0]
    for key, value in changed.items():
        expected = {"a": 0, "b": 1, "random": 2}.get(value, value)
        assert packed[key] == expected, key
    assert pack(card_set(), RuleSet())[0]["first_player"] == 2
