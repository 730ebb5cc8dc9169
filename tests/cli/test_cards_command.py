"""`duel-sim cards`: the list, its filters, one card, and the JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

KEYS = {
    *("id", "faction", "kind", "name_en", "name_ru", "type", "traits", "copies"),
    *("level", "atk", "def", "energy", "text"),
}


def _json(outcome: Any) -> list[dict[str, Any]]:
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    assert isinstance(found, list)
    return found


def test_json_lists_every_card(duel_sim: Callable[..., Any]) -> None:
    cards = _json(duel_sim("cards", "--json"))
    assert len(cards) == 141
    assert sum(card["copies"] for card in cards) == 7 * 40
    for card in cards:
        assert set(card) == KEYS
        has_stats = card["kind"] in ("unit", "commander")
        for stat in ("level", "atk", "def", "energy"):
            assert isinstance(card[stat], int) if has_stats else card[stat] is None
    by_id = {card["id"]: card for card in cards}
    hastati = by_id["hastati_line"]
    assert (hastati["faction"], hastati["name_en"], hastati["name_ru"]) == (
        "rome",
        "Hastati Line",
        "Линия гастатов",
    )
    assert [hastati[stat] for stat in ("level", "atk", "def", "energy")] == [2, 3, 1, 2]


def test_filters(duel_sim: Callable[..., Any]) -> None:
    roman = _json(duel_sim("cards", "--faction", "РИМ", "--json"))
    assert len(roman) == 20
    assert {card["faction"] for card in roman} == {"rome"}
    terrain = _json(duel_sim("cards", "--type", "Terrain", "--json"))
    assert {card["type"] for card in terrain} == {"terrain"}
    assert len(_json(duel_sim("cards", "--type", "tactic", "--json"))) == 34
    both = _json(duel_sim("cards", "--type", "terrain", "--faction", "rome", "--json"))
    assert [card["id"] for card in both] == ["fortified_camp"]
    assert {"mercenary"} == {
        trait
        for card in _json(duel_sim("cards", "--type", "mercenary", "--json"))
        for trait in card["traits"]
    }


def test_table(duel_sim: Callable[..., Any]) -> None:
    shown = duel_sim("cards")
    assert shown.code == 0
    assert "Dacia · Дакия" in shown.out
    assert "141 cards, 280 with all copies" in shown.out
    (line,) = [line for line in shown.out.splitlines() if line.startswith("Hastati Line")]
    assert line.split() == ["Hastati", "Line", "Линия", "гастатов", "infantry", *"23122"]


@pytest.mark.parametrize("name", ["Hastati Line", "hastati_line", "ЛИНИЯ гастатов"])
def test_one_card(duel_sim: Callable[..., Any], name: str) -> None:
    shown = duel_sim("cards", name)
    assert shown.code == 0
    assert "Hastati Line · Линия гастатов" in shown.out
    assert "level 2, ATK 3, DEF 1, energy 2" in shown.out
    assert "+1 ATK" in shown.out
    assert [card["id"] for card in _json(duel_sim("cards", name, "--json"))] == ["hastati_line"]


def test_a_card_without_stats(duel_sim: Callable[..., Any]) -> None:
    shown = duel_sim("cards", "testudo")
    assert shown.code == 0
    assert "level" not in shown.out
