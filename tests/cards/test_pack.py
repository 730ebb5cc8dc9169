"""The packed record, read back into words, says what the TOML files say."""

from __future__ import annotations

import importlib.resources
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards.ancient_duel import tables as layout
from cards.ancient_duel import vocabulary as v
from cards.ancient_duel.load import FACTION_ORDER, CardSet, card_set
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from cards.errors import InputError

CARDS = card_set()
PACKED = pack(CARDS, RuleSet())
TABLES = PACKED[0]


def written() -> list[dict[str, Any]]:
    """All cards as their files have them, read without the loader, each with its faction."""
    folder = importlib.resources.files("cards.ancient_duel")
    found = []
    for faction in FACTION_ORDER:
        table = tomllib.loads((folder / f"{faction}.toml").read_text(encoding="utf-8"))
        found += [{"faction": faction} | card for card in table["card"]]
    return found


WRITTEN = written()

# --- from numbers back to words -------------------------------------------------------------------


def word(words: dict[str, int], number: int) -> str:
    return next(key for key, value in words.items() if value == number)


def words_in(words: dict[str, int], mask: int) -> set[str]:
    return {key for key, bit in words.items() if mask & bit}


def explain_filter(tables: Any, number: int) -> dict[str, Any] | None:
    if number < 0:
        return None
    row = {key: int(tables[f"filter_{key}"][number]) for key in (
        "side", "kinds", "tags", "card", "faction", "level_below", "atk_below", "positions", "flags"
    )}  # fmt: skip
    return {
        "side": word(v.SIDES, row["side"]),
        "kind": words_in({"unit": 1, "doctrine": 2, "tactic": 4}, row["kinds"]),
        "type": words_in(v.TAGS, row["tags"]),
        "card": None if row["card"] < 0 else CARDS.cards[row["card"]].id,
        "faction": "any" if row["faction"] < 0 else CARDS.factions[row["faction"]].id,
        "level_below": row["level_below"],
        "atk_below": row["atk_below"],
        "position": word(v.POSITIONS, row["positions"]),
        "flags": words_in(v.SELECT_FLAGS, row["flags"]),
    }


def explain_conditions(tables: Any, column: str, owner: int) -> list[dict[str, Any]]:
    first, last = int(tables[column][owner]), int(tables[column][owner + 1])
    return [
        {
            "word": word(v.CONDITIONS, tables["condition"][row]),
            "filter": explain_filter(tables, tables["condition_filter"][row]),
            "answers": words_in(v.ANSWERS, tables["condition_kinds"][row]),
        }
        for row in range(first, last)
    ]


def explain_step(tables: Any, row: int) -> dict[str, Any]:
    return {
        "do": word(v.STEPS, tables["do"][row]),
        "who": word(v.WHOS, tables["who"][row]),
        "filter": explain_filter(tables, tables["step_filter"][row]),
        "amount": int(tables["amount"][row]),
        "atk": int(tables["step_atk"][row]),
        "def": int(tables["step_def"][row]),
        "until": word(v.UNTILS, tables["until"][row]),
        "per": explain_filter(tables, tables["per_filter"][row]),
        "at_most": int(tables["at_most"][row]),
        "from": {key for key, zone in v.ZONES.items() if tables["from_zones"][row] & 1 << zone},
        "to": word(v.MOVES, tables["to"][row]),
        "if_moved": bool(tables["if_moved"][row]),
        "if": explain_conditions(tables, "step_if_from", row),
    }


def explain_effect(tables: Any, row: int) -> dict[str, Any]:
    zone = int(tables["target_zone"][row])
    window = int(tables["window"][row])
    steps = range(int(tables["step_from"][row]), int(tables["step_from"][row + 1]))
    return {
        "when": word(v.WHENS, tables["when"][row]),
        "window": None if window < 0 else word(v.WINDOWS, window),
        "may": bool(tables["may"][row]),
        "once_per_turn": bool(tables["once"][row]),
        "discard": int(tables["cost"][row]),
        "zone": None if zone == v.ZONE_NONE else word(v.ZONES, zone),
        "target": explain_filter(tables, tables["target_filter"][row]),
        "if": explain_conditions(tables, "effect_if_from", row),
        "do": [explain_step(tables, step) for step in steps],
    }


def explain_static(tables: Any, row: int) -> dict[str, Any]:
    return {
        "grants": word(v.GRANTS, tables["grant"][row]),
        "reach": word(v.REACHES, tables["reach"][row]),
        "to": explain_filter(tables, tables["static_filter"][row]),
        "atk": int(tables["static_atk"][row]),
        "def": int(tables["static_def"][row]),
        "during": word(v.DURINGS, tables["during"][row]),
        "role": word(v.ROLES, tables["role"][row]),
        "per": explain_filter(tables, tables["static_per_filter"][row]),
        "at_most": int(tables["static_at_most"][row]),
        "if": explain_conditions(tables, "static_if_from", row),
    }


def explain(tables: Any, card: int) -> dict[str, Any]:
    """Everything that the record says about a card, in the words of the files."""
    effects = range(int(tables["effect_from"][card]), int(tables["effect_from"][card + 1]))
    statics = range(int(tables["static_from"][card]), int(tables["static_from"][card + 1]))
    return {
        "kind": word({"unit": 1, "doctrine": 2, "tactic": 4}, tables["kind"][card]),
        "tags": words_in(v.TAGS, tables["tags"][card]),
        "faction": CARDS.factions[tables["faction"][card]].id,
        "level": int(tables["level"][card]),
        "atk": int(tables["atk"][card]),
        "def": int(tables["def_"][card]),
        "energy": int(tables["energy"][card]),
        "equips": explain_filter(tables, tables["equip_filter"][card]),
        "effect": [explain_effect(tables, row) for row in effects],
        "static": [explain_static(tables, row) for row in statics],
    }


# --- from the file to the same words, defaults written out ----------------------------------------


def full_filter(
    faction: str,
    table: dict[str, Any] | None,
    kinds: set[str],
    side: str = "own",
    any_faction: bool = False,
    position: str = "any",
) -> dict[str, Any] | None:
    if table is None:
        return None
    side = table.get("side", side)
    of = table.get("faction", "any" if any_faction or side in ("enemy", "any") else "own")
    return {
        "side": side,
        "kind": set(table.get("kind", kinds)),
        "type": set(table.get("type", [])),
        "card": table.get("card"),
        "faction": faction if of == "own" else of,
        "level_below": table.get("level_below", 99),
        "atk_below": table.get("atk_below", 99),
        "position": table.get("position", position),
        "flags": {key for key in v.SELECT_FLAGS if table.get(key)},
    }


def full_conditions(faction: str, conditions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for condition in conditions:
        (key, value), = condition.items()  # fmt: skip
        support = key == "face_up"
        answers = set(value) if key == "answers" else set()
        found.append(
            {
                "word": key,
                "filter": None
                if key == "answers"
                else full_filter(
                    faction,
                    value,
                    {"doctrine", "tactic"} if support else {"unit"},
                    side="any" if support else "own",
                    any_faction=key in ("controls", "face_up"),
                ),
                "answers": answers,
            }
        )
    return found


VERBS_WITH_WHO = {"change", "destroy", "move", "sacrifice", "may_defend_after_attack"}
VERBS_WITH_AMOUNT = {"draw", "discard", "gain_lp", "damage"}
ALL_KINDS = {"unit", "doctrine", "tactic"}


def full_step(faction: str, step: dict[str, Any], chosen: int) -> dict[str, Any]:
    (verb,) = set(step) & set(v.STEPS)
    value = step[verb]
    table = value if isinstance(value, dict) else None
    who = value if verb in VERBS_WITH_WHO else "target"
    zones = (table or {}).get("from", [])
    return {
        "do": verb,
        "who": "second" if verb == "choose" and chosen else who,
        "filter": full_filter(faction, table, ALL_KINDS if verb == "add" else {"unit"}),
        "amount": value if verb in VERBS_WITH_AMOUNT else 0,
        "atk": step.get("atk", 0),
        "def": step.get("def", 0),
        "until": step.get("until", "turn"),
        "per": full_filter(faction, step.get("per"), {"unit"}, any_faction=True),
        "at_most": step.get("at_most", 99),
        "from": {zones} if isinstance(zones, str) else set(zones),
        "to": step.get("to", "attack"),
        "if_moved": step.get("if_moved", False),
        "if": full_conditions(faction, step.get("if", [])),
    }


def full_effect(faction: str, effect: dict[str, Any]) -> dict[str, Any]:
    target = effect.get("target")
    zone = None if target is None else target.get("zone", "units")
    kinds = {"units": {"unit"}, "support": {"doctrine", "tactic"}}.get(zone or "", ALL_KINDS)
    chosen = int(target is not None)
    steps = []
    for step in effect["do"]:
        steps.append(full_step(faction, step, chosen))
        chosen += "choose" in step
    return {
        "when": effect["when"],
        "window": effect.get("window"),
        "may": effect.get("may", False),
        "once_per_turn": effect.get("once_per_turn", False),
        "discard": effect.get("discard", 0),
        "zone": zone,
        "target": full_filter(faction, target, kinds),
        "if": full_conditions(faction, effect.get("if", [])),
        "do": steps,
    }


def full_static(faction: str, static: dict[str, Any]) -> dict[str, Any]:
    to = static.get("to", "self")
    table = to if isinstance(to, dict) else None
    return {
        "grants": static.get("grants", "stats"),
        "reach": "units" if table is not None else to,
        "to": full_filter(faction, table, {"unit"}),
        "atk": static.get("atk", 0),
        "def": static.get("def", 0),
        "during": static.get("during", "always"),
        "role": static.get("role", "any"),
        "per": full_filter(faction, static.get("per"), {"unit"}, any_faction=True),
        "at_most": static.get("at_most", 99),
        "if": full_conditions(faction, static.get("if", [])),
    }


def equipping(equips: dict[str, Any] | None) -> list[dict[str, Any]]:
    """What activating an equip does: it targets the unit to be equipped, and nothing else."""
    if equips is None:
        return []
    return [full_effect("", {"when": "activate", "do": []}) | {"zone": "units", "target": equips}]


def full_card(card: dict[str, Any]) -> dict[str, Any]:
    faction = card["faction"]
    equips = full_filter(faction, card.get("equips"), {"unit"}, position="face-up")
    return {
        "kind": "unit" if card["kind"] == "commander" else card["kind"],
        "tags": {card["type"], *card.get("traits", [])},
        "faction": faction,
        "level": card.get("level", 0),
        "atk": card.get("atk", 0),
        "def": card.get("def", 0),
        "energy": card.get("energy", 0),
        "equips": equips,
        "effect": [full_effect(faction, effect) for effect in card.get("effect", [])]
        + equipping(equips),
        "static": [full_static(faction, static) for static in card.get("static", [])],
    }


@pytest.mark.parametrize("number", range(len(WRITTEN)), ids=[card["id"] for card in WRITTEN])
def test_round_trip(number: int) -> None:
    assert CARDS.cards[number].id == WRITTEN[number]["id"]
    assert explain(TABLES, number) == full_card(WRITTEN[number])


@pytest.mark.parametrize("number", range(len(WRITTEN)), ids=[card["id"] for card in WRITTEN])
def test_the_masks_of_a_card(number: int) -> None:
    said = explain(TABLES, number)
    whens = {effect["when"] for effect in said["effect"]}
    grants = {static["grants"] for static in said["static"]}
    mask = int(TABLES["effect_whens"][number])
    assert {key for key, bit in v.WHENS.items() if mask >> bit & 1} == whens
    in_combat = any(static["during"] == "combat" for static in said["static"])
    assert bool(TABLES["fights"][number]) == in_combat
    mask = int(TABLES["grants"][number])
    assert {key for key, bit in v.GRANTS.items() if mask >> bit & 1} == grants


# --- what the packed words come to, written out by hand for the subtle cards ----------------------


def effect_of(card: str, place: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = explain(TABLES, CARDS.number(card))["effect"][place]
    return found


def static_of(card: str, place: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = explain(TABLES, CARDS.number(card))["static"][place]
    return found


def test_conditions_count_any_faction_and_triggers_only_their_own() -> None:
    order = effect_of("viziers_order")["if"]
    assert [condition["word"] for condition in order] == ["controls", "answers"]
    assert order[0]["filter"]["faction"] == "any"
    assert order[1]["answers"] == {"doctrine"}
    assert effect_of("iron_will")["if"][0]["filter"]["faction"] == "sparta"
    assert effect_of("kings_signal")["if"][0]["filter"]["faction"] == "macedon"
    assert effect_of("hold_the_line")["if"][0]["filter"]["faction"] == "sparta"
    assert effect_of("open_order")["if"][0]["filter"]["faction"] == "any"
    assert effect_of("granary_stores")["do"][0]["per"]["faction"] == "any"
    assert static_of("sacred_band_of_carthage")["per"]["faction"] == "any"


def test_what_lies_face_up_may_lie_on_either_side() -> None:
    gorge = effect_of("hidden_gorge")["if"][0]
    assert (gorge["filter"]["side"], gorge["filter"]["card"]) == ("any", "forest_trails")
    assert gorge["filter"]["faction"] == "any"
    assert static_of("temple_guard")["if"][0]["filter"]["side"] == "own"
    assert static_of("temple_guard")["if"][0]["filter"]["kind"] == {"doctrine"}


def test_effects_on_the_own_side_reach_the_own_faction() -> None:
    assert static_of("falx_drill")["to"]["faction"] == "dacia"
    assert effect_of("funerary_rites")["do"][0]["filter"]["faction"] == "egypt"
    assert effect_of("funerary_rites")["do"][0]["filter"]["kind"] == ALL_KINDS
    assert effect_of("darius_great_king")["target"]["faction"] == "persia"
    assert effect_of("satrap_warlord")["target"]["faction"] == "any"
    eagle = explain(TABLES, CARDS.number("legion_eagle"))["equips"]
    assert (eagle["faction"], eagle["position"], eagle["side"]) == ("rome", "face-up", "own")


def test_a_unit_that_changes_only_itself_in_a_position() -> None:
    kardakes = static_of("kardakes_spearmen")
    assert kardakes["reach"] == "units"
    assert kardakes["to"]["flags"] == {"itself"}
    assert kardakes["to"]["position"] == "defence"


def test_the_second_choice_is_the_second() -> None:
    steps = effect_of("heroic_sacrifice")["do"]
    assert [step["who"] for step in steps] == ["target", "second", "target", "second"]


def test_a_target_in_the_graveyard() -> None:
    lord = effect_of("darius_lord_of_satrapies", 1)
    assert lord["zone"] == "graveyard"
    assert lord["target"]["kind"] == {"unit"}
    assert lord["target"]["faction"] == "persia"
    assert effect_of("desert_scouts")["target"]["kind"] == {"doctrine", "tactic"}
    assert effect_of("desert_scouts")["target"]["position"] == "face-down"


# --- the record itself ----------------------------------------------------------------------------


def test_shape_and_ends() -> None:
    assert PACKED.shape == (1,)
    assert PACKED.dtype == layout.TABLES_DTYPE
    assert int(TABLES["cards"]) == 141
    for column in (
        "effect_from",
        "static_from",
        "step_from",
        "effect_if_from",
        "step_if_from",
        "static_if_from",
    ):
        starts = TABLES[column]
        assert (np.diff(starts) >= 0).all(), column
    assert TABLES["effect_if_from"][0] == 0
    assert TABLES["step_if_from"][0] == TABLES["effect_if_from"][-1]
    assert TABLES["static_if_from"][0] == TABLES["step_if_from"][-1]


def test_the_same_set_packs_to_the_same_bytes() -> None:
    assert pack(CARDS, RuleSet()).tobytes() == PACKED.tobytes()


def test_equal_filters_share_a_row() -> None:
    used = int((TABLES["filter_positions"] != 0).sum())
    assert used < 120


CROWD = """
[[card]]
id = "card_{number}"
kind = "unit"
name_en = "Card {number}"
name_ru = "Карта {number}"
type = "infantry"
level = 1
atk = 1
def = 1
energy = 1
copies = 1
text = "."
"""
EFFECT = '[[card.effect]]\nwhen = "deploy"\ndo = [ { draw = 1 } ]\n'
STEPS = f'[[card.effect]]\nwhen = "deploy"\ndo = [ {", ".join(["{ draw = 1 }"] * 20)} ]\n'
STATIC = "[[card.static]]\natk = 1\n"
CONDITIONS = f"[[card.static]]\natk = 1\nif = [ {', '.join(['{ controls = {} }'] * 20)} ]\n"


def crowd(tmp_path: Path, number: int, more: str) -> CardSet:
    path = tmp_path / "crowd.toml"
    text = '[faction]\nid = "gaul"\nname_en = "Gaul"\nname_ru = "Галлия"\nopens_after = 0\n'
    for place in range(number):
        text += (CROWD + more).replace("{number}", str(place))
    path.write_text(text, encoding="utf-8")
    return card_set((path,))


@pytest.mark.parametrize(
    ("number", "more", "told"),
    [
        (layout.MAX_CARDS + 1, "", "273 cards; there is room for 272"),
        (182, EFFECT * 3, "546 effects; there is room for 544"),
        (52, STEPS, "1020 steps; there is room for 1008"),
        (182, STATIC * 3, "546 statics; there is room for 544"),
        (52, CONDITIONS, "1020 conditions; there is room for 1008"),
    ],
)
def test_too_much_for_the_record(tmp_path: Path, number: int, more: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        pack(crowd(tmp_path, number, more), RuleSet())


def test_a_full_record_still_packs(tmp_path: Path) -> None:
    packed = pack(crowd(tmp_path, layout.MAX_CARDS, EFFECT * 2 + STATIC * 2), RuleSet())[0]
    assert packed["cards"] == layout.MAX_CARDS
    assert packed["effect_from"][-1] == layout.MAX_EFFECTS
    assert packed["static_from"][-1] == layout.MAX_STATICS


def test_a_word_said_twice_counts_once(tmp_path: Path) -> None:
    rows = []
    for words in ('"ability"', '"ability", "ability"'):
        tactic = (
            '[[card]]\nid = "ruse"\nkind = "tactic"\nname_en = "Ruse"\nname_ru = "Уловка"\n'
            'type = "tactic"\ncopies = 3\ntext = ""\n[[card.effect]]\nwhen = "respond"\n'
            f'window = "targeted"\nif = [ {{ answers = [ {words} ] }} ]\n'
            "do = [ { cancel_effect = true } ]\n"
        )
        packed = pack(crowd(tmp_path, 1, tactic), RuleSet())[0]
        rows.append(int(packed["condition_kinds"][0]))
    assert rows == [v.ANSWERS["ability"]] * 2
