"""From a scenario's tables to a Duel, and from a Duel to the result dictionary."""

from __future__ import annotations

from .cards import CARDS
from .duel import ATTACK, DEFAULT_RULES, DEFENCE, FACE_DOWN, Duel, Support, Unit

SCENARIO_KEYS = {"game", "about", "do", "duel", "a", "b", "expect"}
DUEL_KEYS = {"active", "phase", "turn", "seed", "rules"}
SIDE_KEYS = {"lp", "energy", "hand", "deck", "graveyard", "units", "support"}
DEFAULT_ENERGY = 6


class ScenarioError(ValueError):
    pass


def need(condition, message):
    if not condition:
        raise ScenarioError(message)


def _card(card_id):
    need(card_id in CARDS, f"unknown card: {card_id}")
    return CARDS[card_id]


def _integer(value, what, least=None):
    need(
        isinstance(value, int) and not isinstance(value, bool), f"{what}: a whole number is needed"
    )
    need(least is None or value >= least, f"{what}: at least {least}")
    return value


def build(scenario: dict) -> Duel:
    need(isinstance(scenario, dict), "a scenario is a table")
    unknown = set(scenario) - SCENARIO_KEYS
    need(not unknown, f"unknown keys: {sorted(unknown)}")
    need(
        scenario.get("game", "ancient-duel") == "ancient-duel",
        f"another game: {scenario.get('game')}",
    )
    head = scenario.get("duel", {})
    need(not set(head) - DUEL_KEYS, f"unknown keys in [duel]: {sorted(set(head) - DUEL_KEYS)}")
    rules = dict(DEFAULT_RULES)
    for key, value in head.get("rules", {}).items():
        need(key in rules, f"unknown rule: {key}")
        need(type(value) is type(rules[key]), f"rule {key}: wrong kind of value")
        rules[key] = value
    duel = Duel(rules, _integer(head.get("seed", 0), "seed"))
    duel.active = head.get("active", "a")
    need(duel.active in ("a", "b"), f"active: {duel.active}")
    duel.phase = head.get("phase", "main1")
    need(duel.phase in ("main1", "battle", "main2"), f"phase: {duel.phase}")
    turn = _integer(head.get("turn", 3), "turn", 1)
    duel.sides[duel.active].turn = turn
    duel.sides[duel.other(duel.active)].turn = turn - 1
    for name in ("a", "b"):
        _fill_side(duel, duel.sides[name], scenario.get(name, {}))
    return duel


def _fill_side(duel, side, table):
    need(
        not set(table) - SIDE_KEYS,
        f"unknown keys in [{side.name}]: {sorted(set(table) - SIDE_KEYS)}",
    )
    side.lp = _integer(table.get("lp", duel.rules["starting_lp"]), "lp")
    side.energy = _integer(table.get("energy", DEFAULT_ENERGY), "energy", 0)
    for zone in ("hand", "deck", "graveyard"):
        cards = list(table.get(zone, []))
        for card_id in cards:
            _card(card_id)
        setattr(side, zone, cards)
    for text in table.get("units", []):
        card_id, _, position = text.strip().partition(" ")
        position = position.strip() or ATTACK
        need(_card(card_id).is_unit, f"no unit: {card_id}")
        need(position in (ATTACK, DEFENCE, FACE_DOWN), f"no position: {text}")
        side.units.append(Unit(card_id, side.name, position, new=False))
    for text in table.get("support", []):
        side.support.append(_support(side, text))


def _support(side, text) -> Support:
    card_id, _, rest = text.strip().partition(" ")
    card, rest = _card(card_id), rest.split()
    need(not card.is_unit, f"no doctrine or tactic: {card_id}")
    if rest == ["face-down"]:
        return Support(card_id, side.name, face_up=False, new=False)
    on = None
    if rest and rest != ["face-up"]:
        need(len(rest) == 2 and rest[0] == "on" and rest[1].isdigit(), f"not understood: {text}")
        number = int(rest[1])
        need(card.type == "equip", f"no equip: {text}")
        need(1 <= number <= len(side.units), f"there is no such unit: {text}")
        on = side.units[number - 1]
    need(card.type in ("continuous", "terrain", "equip"), f"cannot lie face-up: {text}")
    need(card.type != "equip" or on is not None, f"an equip on nothing: {text}")
    return Support(card_id, side.name, face_up=True, new=False, on=on)


# -- the result ------------------------------------------------------------------------------------
def result(duel: Duel, pending) -> dict:
    over = duel.winner is not None
    return {
        "over": over,
        "winner": duel.winner,
        "reason": duel.reason,
        "active": duel.active,
        "phase": duel.phase,
        "turn": duel.sides[duel.active].turn,
        "pending": None
        if over or pending is None
        else {"side": pending[0], "options": list(pending[1])},
        "a": _side_result(duel, duel.sides["a"]),
        "b": _side_result(duel, duel.sides["b"]),
        "log": list(duel.log),
    }


def _side_result(duel, side) -> dict:
    def on(card):
        return next((n for n, unit in enumerate(side.units, 1) if unit is card.on), None)

    return {
        "lp": side.lp,
        "energy": side.energy,
        "hand": list(side.hand),
        "deck": list(side.deck),
        "graveyard": list(side.graveyard),
        "units": [
            {
                "card": unit.id,
                "position": unit.position,
                "atk": duel.atk(unit),
                "def": duel.dfn(unit),
                "attacked": unit.attacked,
            }
            for unit in side.units
        ],
        "support": [
            {"card": card.id, "face_up": card.face_up, "on": on(card)} for card in side.support
        ],
    }
