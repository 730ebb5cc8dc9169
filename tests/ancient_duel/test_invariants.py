"""What must hold at every decision of any duel, whatever is chosen."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest
from random_duels import random_deck_numbers, random_rules, rule_set

from cards.ancient_duel.load import card_set
from cards.ancient_duel.pack import pack
from cards.ancient_duel.rules import RuleSet
from cards.ancient_duel.vocabulary import WHEN_ACTIVATE, WHEN_RESPOND
from sim.ancient_duel import play
from sim.ancient_duel.game import Game
from sim.ancient_duel.position import build
from sim.ancient_duel.record import (
    ASK_BATTLE,
    ASK_CHOOSE,
    ASK_MAIN,
    ATTACK,
    DEEPEST,
    DEPLOY,
    E_CARD,
    E_EFFECT,
    E_SIDE,
    LOSSES,
    MAX_OPTIONS,
    OP,
    OP_EFFECT,
    SET,
    new_duels,
    new_options,
)
from sim.compiled import ready

DUELS: Final = 16
KINDS: Final = ("standard", "pure", "allied", "coalition")
#: No side has more turns: each draws a card a turn, and nothing puts cards back into a deck.
MOST_TURNS: Final = 42


class Setting:
    """Decks, rules and a started duel, all from one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng([4, seed])
        self.cards = card_set()
        options = random_rules(self.rng) if seed % 3 else {}
        self.rules: RuleSet = rule_set(options)
        self.packed = pack(self.cards, self.rules)
        self.tables = self.packed.view(np.recarray)[0]
        kinds = self.rng.choice(KINDS, size=2)
        self.decks = [random_deck_numbers(self.rng, self.cards, str(kind)) for kind in kinds]
        self.duel = new_duels(1)[0]
        self.options = new_options()[0]
        for entry in (play.advance, play.choose, play.refresh):
            ready(entry)
        ready(play.start)(
            self.duel, self.tables, self.decks[0], self.decks[1], np.uint64(9), np.uint64(seed), 0
        )

    def advance(self) -> bool:
        """On to the next decision; whether there is one."""
        return bool(play.advance(self.duel, self.tables, self.options))

    def choose_any(self) -> int:
        """Make a random choice; its place."""
        place = int(self.rng.integers(int(self.options["n"])))
        play.choose(self.duel, self.options, place)
        return place


# --- the invariants -------------------------------------------------------------------------------
def cards_of(duel: Any, packed: npt.NDArray[np.void], side: int) -> Counter[int]:
    """All cards of a side: in its zones, or resolving."""
    found: Counter[int] = Counter()
    for zone in ("deck", "hand", "graveyard"):
        found.update(duel[zone][side, : int(duel[f"{zone}_size"][side])].tolist())
    for order, card, count in (
        ("unit_at", "unit_card", "units"),
        ("support_at", "support_card", "supports"),
    ):
        slots = duel[order][side, : int(duel[count][side])]
        assert len(set(slots.tolist())) == len(slots)
        found.update(duel[card][side, slots].tolist())
        assert int((duel[card][side] >= 0).sum()) == len(slots)
    for f in range(int(duel["depth"])):
        frame = duel["frame"][f]
        if frame[OP] == OP_EFFECT and frame[E_SIDE] == side:
            when = int(packed["when"][0, frame[E_EFFECT]])
            if when in (WHEN_ACTIVATE, WHEN_RESPOND):
                found[int(frame[E_CARD])] += 1
    return found


def check_cards(setting: Setting) -> None:
    for side in range(2):
        expected = Counter(setting.decks[side].tolist())
        assert cards_of(setting.duel, setting.packed, side) == expected


def check_numbers(setting: Setting) -> None:
    duel, rules = setting.duel, setting.rules
    play.refresh(duel, setting.tables)
    most_energy = max(rules.energy_cap, rules.energy_start)
    for side in range(2):
        assert int(duel["lp"][side]) > 0
        assert 0 <= int(duel["energy"][side]) <= most_energy
        assert int(duel["turn"][side]) <= MOST_TURNS
        if rules.unit_zones:
            assert int(duel["units"][side]) <= rules.unit_zones
        if rules.support_zones:
            assert int(duel["supports"][side]) <= rules.support_zones
        for k in duel["support_at"][side, : int(duel["supports"][side])].tolist():
            on = int(duel["support_on"][side, k])
            assert on < 0 or int(duel["unit_card"][side, on]) >= 0
    assert int(duel["deployments"]) <= rules.deployments_per_turn
    assert int(duel["direct_attacks"]) <= rules.direct_attacks_per_turn
    assert int(duel["depth"]) < DEEPEST
    assert int(duel["losses"]) < LOSSES
    assert 0 < int(setting.options["n"]) < MAX_OPTIONS


def check_turn(setting: Setting, has_begun: bool) -> None:
    """In a main phase nothing is left over from anything that was going on.

    `has_begun`: this is the first decision of a turn; the side before has discarded.
    """
    duel = setting.duel
    if int(duel["asked_kind"]) != ASK_MAIN:
        return
    assert int(duel["depth"]) == 1
    assert int(duel["attacking"]) == 0
    assert not duel["unit_combat_atk"].any()
    if has_begun:
        assert int(duel["hand_size"][1 - int(duel["active"])]) <= setting.rules.hand_limit


@pytest.mark.parametrize("seed", range(DUELS))
def test_whatever_is_chosen(seed: int) -> None:
    setting = Setting(seed)
    made: Counter[tuple[int, int, int]] = Counter()
    decisions, turn = 0, 1
    while setting.advance():
        decisions += 1
        check_cards(setting)
        check_numbers(setting)
        check_turn(setting, has_begun=turn < int(setting.duel["turn"].sum()))
        turn = int(setting.duel["turn"].sum())
        place = setting.choose_any()
        verb = int(setting.options["verb"][place])
        if verb == ATTACK:
            slot = int(setting.options["slot"][place])
            uid = int(setting.duel["unit_uid"][int(setting.duel["active"]), slot])
            made[turn, verb, uid] += 1
        elif verb in (DEPLOY, SET) and int(setting.packed["level"][0, setting.duel["card"]]) > 0:
            made[turn, DEPLOY, 0] += 1
    assert int(setting.duel["over"]) == 1
    assert decisions < 5000
    check_cards(setting)
    attacks = [count for (_, verb, _), count in made.items() if verb == ATTACK]
    deployments = [count for (_, verb, _), count in made.items() if verb == DEPLOY]
    assert all(count == 1 for count in attacks)
    assert all(count <= setting.rules.deployments_per_turn for count in deployments)


def test_no_chain_of_cards_outgrows_the_stack(tmp_path: Path) -> None:
    """Units that take an enemy unit with them: what is too deep is not set off any more."""
    file = tmp_path / "chain.toml"
    file.write_text(
        """
[faction]
id = "chain"
name_en = "Chain"
name_ru = "Цепь"
opens_after = 0

[[card]]
id = "fuse"
kind = "unit"
name_en = "Fuse"
name_ru = "Запал"
type = "infantry"
level = 1
atk = 1
def = 1
energy = 1
copies = 1
text = "Destroyed: destroy 1 enemy unit."

[[card.effect]]
when = "destroyed"
do = [ { choose = { side = "enemy" } }, { destroy = "target" } ]
""",
        encoding="utf-8",
    )
    cards = card_set((file,))
    tables: dict[str, Any] = {side: {"units": ["fuse"] * 40} for side in ("a", "b")}
    tables["duel"] = {"phase": "battle"}
    game = Game(build(tables, RuleSet(), cards, "chain"), pack(cards, RuleSet()), cards)
    game.take("attack fuse -> fuse")
    while game.kind == ASK_CHOOSE:
        game.choose(0)
    assert game.kind == ASK_BATTLE
    assert 2 * DEEPEST > 80 - int(game.duel["units"].sum()) > DEEPEST // 2


# --- the duel as a value --------------------------------------------------------------------------
def play_on(duel: Any, tables: Any, choices: list[int], seed: int) -> bytes:
    """Play to the end by a list of choices, which is drawn on where it ends; the last record."""
    rng = np.random.default_rng(seed)
    options = new_options()[0]
    place = 0
    while play.advance(duel, tables, options):
        if place == len(choices):
            choices.append(int(rng.integers(int(options["n"]))))
        play.choose(duel, options, choices[place])
        place += 1
    return bytes(duel.tobytes())


@pytest.mark.parametrize("seed", range(4))
def test_a_copy_goes_on_in_the_same_way(seed: int) -> None:
    """Copies taken at random decisions, each with a fresh buffer of options."""
    setting = Setting(seed)
    choices: list[int] = []
    first = setting.duel.copy()
    last = play_on(first.copy(), setting.tables, choices, seed)
    for stop in setting.rng.integers(len(choices), size=3).tolist():
        duel = first.copy()
        options = new_options()[0]
        for place in choices[:stop]:
            assert play.advance(duel, setting.tables, options)
            play.choose(duel, options, place)
        assert play.advance(duel, setting.tables, options)
        resumed = np.frombuffer(duel.tobytes(), dtype=duel.dtype).copy().view(np.recarray)[0]
        assert play_on(resumed, setting.tables, choices[stop:], seed) == last


def test_asking_always_changes_nothing_else() -> None:
    """A driver that is asked every single mandatory choice, too, comes to the same end."""
    for seed in range(3):
        setting = Setting(seed)
        choices: list[int] = []
        first = setting.duel.copy()
        last = np.frombuffer(play_on(first.copy(), setting.tables, choices, seed), first.dtype)[0]
        first["ask_always"] = 1
        rest = iter(choices)
        options = new_options()[0]
        while play.advance(first, setting.tables, options):
            is_forced = int(options["n"]) == 1 and int(first["asked_kind"]) not in (0, 1)
            play.choose(first, options, 0 if is_forced else next(rest))
        assert next(rest, None) is None
        for field in ("lp", "energy", "turn", "winner", "reason", "hand", "deck", "graveyard"):
            assert np.array_equal(first[field], last[field])
