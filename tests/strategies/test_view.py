"""What a plain strategy is shown: all that its side may see, and nothing else."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
from some_duels import CARDS, PACKED, TABLES, copy_of, decisions

from sim.ancient_duel import play
from sim.ancient_duel.notation import SIDES, option_texts
from sim.ancient_duel.record import ASK_MAY, ATTACK, DUEL_DTYPE, new_options
from sim.ancient_duel.result import result_of
from strategies.ancient_duel.reshuffle import HIDDEN, reshuffled
from strategies.ancient_duel.sight import Sight, public_key
from strategies.ancient_duel.view import CardFacts, View

SIGHT = Sight(CARDS, TABLES)


def everything_in(value: Any) -> list[Any]:
    """All values that can be reached from a view."""
    if dataclasses.is_dataclass(value):
        fields = [getattr(value, field.name) for field in dataclasses.fields(value)]
        return [value, *(inner for each in fields for inner in everything_in(each))]
    if isinstance(value, tuple | list):
        return [inner for each in value for inner in everything_in(each)]
    if isinstance(value, dict):
        return [inner for each in value.values() for inner in everything_in(each)]
    return [value]


def test_a_view_holds_plain_values_alone() -> None:
    allowed = (int, str, bool, type(None))
    for duel, options in decisions(1):
        view, _ = SIGHT.view(duel, options)
        odd = [
            value
            for value in everything_in(view)
            if not isinstance(value, allowed) and not dataclasses.is_dataclass(value)
        ]
        assert not odd


def test_it_agrees_with_the_result_of_a_scenario() -> None:
    """Another way from the record to what is shown (`sim.ancient_duel.result`)."""
    for duel, options in decisions(3):
        view, _ = SIGHT.view(duel, options)
        result = result_of(duel, PACKED, CARDS, (), ())
        viewer = SIDES[int(duel["asked_side"])]
        assert view.me.name == viewer
        assert view.phase == result["phase"]
        for side in (view.me, view.enemy):
            table = result[side.name]
            assert (side.lp, side.energy) == (table["lp"], table["energy"])
            assert (side.hand_size, side.deck_size) == (len(table["hand"]), len(table["deck"]))
            assert [card.id for card in side.graveyard] == table["graveyard"]
            for unit, row in zip(side.units, table["units"], strict=True):
                shown = (unit.card and unit.card.id, unit.position, unit.atk, unit.defence)
                known = (row["card"], row["position"], row["atk"], row["def"])
                hidden = side is view.enemy and row["position"] == "face-down"
                assert shown == ((None, "face-down", None, None) if hidden else known)
            for support, row in zip(side.support, table["support"], strict=True):
                hidden = side is view.enemy and not row["face_up"]
                assert (support.card is None) == hidden
                assert support.card is None or support.card.id == row["card"]
                assert (support.face_up, support.on) == (row["face_up"], row["on"])
        assert view.me.hand is not None and view.enemy.hand is None
        assert [card.id for card in view.me.hand] == result[viewer]["hand"]
        unseen = Counter(card.id for card in view.me.unseen)
        assert unseen == Counter(result[viewer]["deck"])


def test_hidden_things_leave_no_trace() -> None:
    """Dealt anew, whatever the side cannot see gives an equal view, hash and words included."""
    rng = np.random.default_rng(1)
    seen = 0
    for number, (duel, options) in enumerate(decisions(4)):
        if number % 5:
            continue
        view, _ = SIGHT.view(duel, options)
        for part in (HIDDEN[1:], HIDDEN):
            pair = reshuffled(duel, options, TABLES, rng, part)
            if pair is None:
                continue
            twin, _ = SIGHT.view(*pair)
            if part == HIDDEN:
                # a face-down unit may count for the stats of one that is face-up
                stats = [(unit.atk, unit.defence) for unit in view.enemy.units]
                if stats != [(unit.atk, unit.defence) for unit in twin.enemy.units]:
                    continue
                if view != twin:
                    continue
            assert view == twin and repr(view) == repr(twin)
            seen += 1
    assert seen > 100


def test_options_stand_for_places_of_the_buffer() -> None:
    for duel, options in decisions(2):
        view, places = SIGHT.view(duel, options)
        texts = option_texts(duel, options, CARDS)
        assert sorted(places) == list(range(int(options["n"])))
        assert [option.text for option in view.options] == [texts[place] for place in places]
        assert [option.number for option in view.options] == list(range(len(places)))


def test_making_a_view_changes_nothing() -> None:
    for duel, options in decisions(1):
        before, listed = copy_of(duel), options.copy()
        SIGHT.view(duel, options)
        assert before.tobytes() == duel.tobytes()
        assert listed.tobytes() == options.tobytes()


def test_a_duel_that_waits_can_be_asked_again() -> None:
    """What `reshuffled` rests on: to advance a waiting duel lists the same options once more."""
    for duel, options in decisions(4):
        if duel["asked_kind"] == ASK_MAY:
            continue
        twin, again = copy_of(duel), new_options()[0]
        assert play.advance(twin, TABLES, again)
        play.refresh(twin, TABLES)
        assert twin.tobytes() == duel.tobytes()
        n = int(options["n"])
        assert int(again["n"]) == n
        for field in options.dtype.names[1:]:
            assert (again[field][:n] == options[field][:n]).all()


def test_cards_are_dealt_anew_without_loss() -> None:
    rng = np.random.default_rng(2)
    fields = ("hand", "deck", "graveyard")
    for number, (duel, options) in enumerate(decisions(2)):
        pair = reshuffled(duel, options, TABLES, rng) if number % 9 == 0 else None
        if pair is None:
            continue
        for side in range(2):
            counts = []
            for record in (duel, pair[0]):
                cards = [
                    *record["unit_card"][side, record["unit_at"][side, : record["units"][side]]],
                    *record["support_card"][
                        side, record["support_at"][side, : record["supports"][side]]
                    ],
                ]
                for field in fields:
                    cards += list(record[field][side, : record[f"{field}_size"][side]])
                counts.append(Counter(map(int, cards)))
            assert counts[0] == counts[1]
        viewer = int(duel["asked_side"])
        size = int(duel["hand_size"][viewer])
        assert (pair[0]["hand"][viewer, :size] == duel["hand"][viewer, :size]).all()


def test_every_way_to_deal_is_equally_likely() -> None:
    """Where the enemy has face-down cards, its hand still holds as many units as chance has it."""
    rng = np.random.default_rng(3)
    hidden = expected = found = 0.0
    for number, (duel, options) in enumerate(decisions(6, seed=3)):
        enemy = 1 - int(duel["asked_side"])
        size = int(duel["hand_size"][enemy])
        view, _ = SIGHT.view(duel, options)
        set_units = sum(unit.card is None for unit in view.enemy.units)
        set_cards = sum(card.card is None for card in view.enemy.support)
        if number % 3 or not size or not set_units + set_cards:
            continue
        units = sum(card.is_unit for card in view.enemy.unseen) - set_units
        rest = len(view.enemy.unseen) - set_units - set_cards
        for _ in range(40):
            pair = reshuffled(duel, options, TABLES, rng, HIDDEN[:1])
            if pair is not None:
                hand = pair[0]["hand"][enemy, :size]
                found += float((TABLES["kind"][hand] == 1).sum())
                expected += size * units / rest
                hidden += size
    assert hidden > 3000
    assert abs(found - expected) / hidden < 0.02


def test_an_attack_does_what_its_exchange_says() -> None:
    """Where nobody can answer, what is foretold of an attack is what comes of it."""
    compared = 0
    for duel, options in decisions(30, seed=5):
        view, places = SIGHT.view(duel, options)
        if view.kind != "battle" or _may_interfere(view):
            continue
        for option in view.of("attack"):
            exchange = option.attack
            assert exchange is not None
            if exchange.destroys is None:
                continue
            after = copy_of(duel)
            after["energy"] = option.energy  # nothing is left to answer with
            after["energy"][1 - int(duel["asked_side"])] = 0
            play.choose(after, options, places[option.number])
            play.advance(after, TABLES, new_options()[0])
            mine, theirs = int(duel["asked_side"]), 1 - int(duel["asked_side"])
            assert duel["lp"][theirs] - after["lp"][theirs] == exchange.damage
            assert duel["lp"][mine] - after["lp"][mine] == exchange.loss
            if not after["over"]:  # a duel that ends leaves the doomed where they are
                assert after["units"][mine] == duel["units"][mine] - exchange.falls
                assert after["units"][theirs] == duel["units"][theirs] - exchange.destroys
            compared += 1
    assert compared > 20


def _may_interfere(view: View) -> bool:
    """Whether a face-up card has an effect that a battle sets off."""
    cards = [unit.card for unit in (*view.me.units, *view.enemy.units)]
    cards += [card.card for card in (*view.me.support, *view.enemy.support) if card.face_up]
    words = ("destroyed", "destroys", "wins", "damage", "after its attack")
    return any(
        card is not None and any(word in card.text.lower() for word in words) for card in cards
    )


def test_the_attack_in_progress_is_shown() -> None:
    windows = 0
    for duel, options in decisions(12):
        view, _ = SIGHT.view(duel, options)
        assert (view.attack is not None) == bool(duel["attacking"])
        if view.kind == "window" and view.attack is not None and view.attack.attacker is not None:
            assert view.attack.attacker.side == SIDES[int(duel["active"])]
            windows += 1
        for option in view.options:
            assert (option.attack is not None) == (option.verb == "attack")
    assert windows


def test_chance_repeats_with_the_duel() -> None:
    first = [SIGHT.view(*each)[0].random.random() for each in decisions(1)]
    again = [SIGHT.view(*each)[0].random.random() for each in decisions(1)]
    other = [SIGHT.view(*each)[0].random.random() for each in decisions(1, seed=2)]
    assert first == again
    assert not set(first) & set(other)
    assert len(set(first)) == len(first)


def test_keys_of_options_are_unique() -> None:
    from sim.ancient_duel.notation import read_options

    for _, options in decisions(3):
        keys = [public_key(option) for option in read_options(options)]
        assert len(set(keys)) == len(keys)


def test_cards_are_facts() -> None:
    duel, options = next(iter(decisions(1)))
    view, _ = SIGHT.view(duel, options)
    for card in CARDS.cards:
        facts = view.cards[card.id]
        assert isinstance(facts, CardFacts)
        assert (facts.level, facts.atk, facts.defence) == (
            card.level or 0,
            card.atk or 0,
            card.def_ or 0,
        )
    assert view.rules["hand_limit"] == 5
    assert DUEL_DTYPE.names is not None and ATTACK >= 0
