"""The state of a duel: zones, questions about them, effective stats, immunity."""

from __future__ import annotations

import random

from .cards import CARDS

ATTACK, DEFENCE, FACE_DOWN = "attack", "defence", "face-down"

DEFAULT_RULES = {
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


class DuelOver(Exception):
    """Raised in the middle of whatever goes on when the duel has been decided."""


class Unit:
    def __init__(self, card_id: str, side: str, position: str, new: bool):
        self.card = CARDS[card_id]
        self.side = side
        self.position = position
        self.new = new  # came this turn
        self.attacked = False
        self.repositioned = False
        self.used = False  # the once-per-turn ability
        self.withdraw = (
            0  # how many times "after its attack you may put it into defence" was granted this turn
        )
        self.changes = []  # (stat, amount, only in combat), all to the end of the turn
        self.wounds = []  # (stat, amount, side, turn): to the End phase of that side's turn with that number

    @property
    def id(self):
        return self.card.id

    @property
    def face_up(self):
        return self.position != FACE_DOWN

    @property
    def in_defence(self):
        return self.position != ATTACK

    def is_a(self, faction, *types):
        """Of this faction, and of one of these types ("mercenary" is a trait); no types: any."""
        if faction is not None and self.card.faction != faction:
            return False
        return (
            not types or self.card.type in types or ("mercenary" in types and self.card.mercenary)
        )


class Support:
    def __init__(self, card_id: str, side: str, face_up: bool, new: bool, on=None):
        self.card = CARDS[card_id]
        self.side = side
        self.face_up = face_up
        self.new = new  # was set this turn
        self.on = on  # the equipped Unit
        self.used = False

    @property
    def id(self):
        return self.card.id


class Side:
    def __init__(self, name: str):
        self.name = name
        self.lp = 0
        self.energy = 0
        self.hand = []  # card ids
        self.deck = []  # card ids, the first is drawn next
        self.graveyard = []  # card ids, the last is the newest
        self.units = []
        self.support = []
        self.turn = 0  # number of its own turns so far, a running one included
        self.deployments = 0  # this turn, like all below
        self.attacks = 0
        self.directs = 0
        self.lost = 0  # units destroyed


class Battle:
    """One attack, from its declaration to its end."""

    def __init__(self, attacker: Unit, target):
        self.attacker = attacker
        self.target = target  # None: directly
        self.cancelled = False
        self.before_damage_ends = True  # from the declaration to the end of step 5
        self.changes = []  # (unit, stat, amount): "in that combat"

    def fighter(self, side):
        for unit in (self.attacker, self.target):
            if unit is not None and unit.side == side:
                return unit
        return None

    def opposing(self, side):
        for unit in (self.attacker, self.target):
            if unit is not None and unit.side != side:
                return unit
        return None


class Duel:
    def __init__(self, rules: dict, seed: int):
        self.rules = rules
        self.random = random.Random(seed)
        self.sides = {"a": Side("a"), "b": Side("b")}
        self.active = "a"
        self.phase = "main1"
        self.battle = None
        self.resolving = []  # ids of cards that are in no zone just now: (side, id)
        self.winner = None
        self.reason = None
        self.log = []

    # -- sides and zones ---------------------------------------------------------------------------
    def other(self, side: str) -> str:
        return "b" if side == "a" else "a"

    def in_turn_order(self):
        return (self.active, self.other(self.active))

    def units(self, side=None):
        if side is not None:
            return list(self.sides[side].units)
        return [unit for name in ("a", "b") for unit in self.sides[name].units]

    def face_up_units(self, side=None):
        return [unit for unit in self.units(side) if unit.face_up]

    def on_field(self, unit) -> bool:
        return any(unit is other for other in self.sides[unit.side].units)

    def own(self, side, faction, *types):
        """The units of this side that an effect of that faction reaches; face-down ones too."""
        return [unit for unit in self.units(side) if unit.is_a(faction, *types)]

    def controls(self, side, *types, besides=None) -> bool:
        """A condition: units of any faction count, face-down ones too."""
        return any(unit is not besides and unit.is_a(None, *types) for unit in self.units(side))

    def face_up_support(self, side=None):
        names = ("a", "b") if side is None else (side,)
        return [card for name in names for card in self.sides[name].support if card.face_up]

    def shown(self, card_id, side=None) -> bool:
        return any(card.id == card_id for card in self.face_up_support(side))

    def terrain_shown(self) -> bool:
        return any(card.card.type == "terrain" for card in self.face_up_support())

    def unit_zone_free(self, side) -> bool:
        limit = self.rules["unit_zones"]
        return limit <= 0 or len(self.sides[side].units) < limit

    def support_zone_free(self, side) -> bool:
        limit = self.rules["support_zones"]
        return limit <= 0 or len(self.sides[side].support) < limit

    # -- small events ------------------------------------------------------------------------------
    def note(self, text):
        self.log.append(text)

    def lose(self, side, reason):
        self.winner, self.reason = self.other(side), reason
        self.note(f"{side} loses ({reason})")
        raise DuelOver

    def lose_lp(self, side, amount):
        self.sides[side].lp -= amount
        self.note(f"{side} loses {amount} LP: {self.sides[side].lp}")
        if self.sides[side].lp <= 0:
            self.lose(side, "lp")

    def gain_lp(self, side, amount):
        self.sides[side].lp += amount
        self.note(f"{side} gains {amount} LP: {self.sides[side].lp}")

    def remove_unit(self, unit):
        """From the field to the graveyard, then its equips in support order."""
        side = self.sides[unit.side]
        side.units = [other for other in side.units if other is not unit]
        side.graveyard.append(unit.id)
        equips = [card for card in side.support if card.on is unit]
        side.support = [card for card in side.support if card.on is not unit]
        side.graveyard.extend(card.id for card in equips)

    def remove_support(self, card):
        side = self.sides[card.side]
        side.support = [other for other in side.support if other is not card]
        side.graveyard.append(card.id)

    # -- immunity ----------------------------------------------------------------------------------
    def immune(self, unit) -> bool:
        """Immune to enemy tactics, now."""
        if not self.on_field(unit):
            return False
        if (
            unit.face_up
            and unit.id == "wolf_standard_guard"
            and self.controls(unit.side, besides=unit)
        ):
            return True
        if (
            unit.face_up
            and unit.id == "somatophylakes_royal_guard"
            and self.controls(unit.side, "commander", "officer")
        ):
            return True
        if unit.in_defence and unit.card.faction == "sparta":
            return any(
                king.id == "leonidas_king_of_sparta" for king in self.face_up_units(unit.side)
            )
        return False

    def protected_terrain(self, card) -> bool:
        """Against being destroyed by enemy effects: the first Roman terrain of a side with a face-up Trajan, Builder."""
        if not any(
            unit.id == "trajan_builder_of_provinces" for unit in self.face_up_units(card.side)
        ):
            return False
        terrains = [
            other
            for other in self.sides[card.side].support
            if other.card.type == "terrain" and other.card.faction == "rome"
        ]
        return bool(terrains) and terrains[0] is card

    # -- effective stats ---------------------------------------------------------------------------
    def atk(self, unit, combat=False) -> int:
        return self._stat(unit, "atk", combat)

    def dfn(self, unit, combat=False) -> int:
        return self._stat(unit, "def", combat)

    def battle_stat(self, unit, combat=False) -> int:
        return self.dfn(unit, combat) if unit.in_defence else self.atk(unit, combat)

    def _stat(self, unit, stat, combat) -> int:
        total = unit.card.atk if stat == "atk" else unit.card.dfn
        total += sum(
            amount
            for which, amount, only_combat in unit.changes
            if which == stat and (combat or not only_combat)
        )
        total -= sum(amount for which, amount, _, _ in unit.wounds if which == stat)
        total += self._standing(unit, stat)
        if stat == "atk" and self.battle is not None and self.battle.attacker is unit:
            total -= sum(
                card.id in ("engineers_bridges", "oasis_camp")
                for card in self.face_up_support(self.other(unit.side))
            )
        if combat:
            total += sum(
                amount
                for who, which, amount in self.battle.changes
                if who is unit and which == stat
            )
            if stat == "atk":
                total += self._combat_bonus(unit)
        return max(self.rules["stat_min"], min(self.rules["stat_max"], total))

    def _standing(self, unit, stat) -> int:
        """All static effects, terrains, continuous doctrines and equips that bear on this unit."""
        total = self._own_static(unit).get(stat, 0) if unit.face_up else 0
        for source in self.face_up_units(unit.side):
            total += self._unit_aura(source, unit).get(stat, 0)
        for card in self.face_up_support(unit.side):
            total += self._own_support(card, unit).get(stat, 0)
        for card in self.face_up_support(self.other(unit.side)):
            if stat == "def" and card.id == "desert_paths":
                total -= 1
            if stat == "def" and card.id == "encirclement" and unit.in_defence:
                total -= 2
        return total

    def _own_static(self, unit) -> dict:
        side, others = unit.side, [other for other in self.units(unit.side) if other is not unit]
        match unit.id:
            case "libyan_spearmen":
                return {"def": int(self.controls(side, "mercenary"))}
            case "sacred_band_of_carthage" | "hippeis_royal_guard":
                return {"atk": min(2, len(others))}
            case "mountain_spearmen" | "nile_spearmen":
                return {"def": int(self.terrain_shown())}
            case "temple_guard":
                return {
                    "def": int(any(card.card.is_doctrine for card in self.face_up_support(side)))
                }
            case "pezhetairoi_phalanx":
                return {
                    "atk": min(3, sum(other.is_a(None, "infantry", "cavalry") for other in others))
                }
            case "kardakes_spearmen":
                return {"def": int(unit.in_defence)}
            case "legionary_cohort":
                return {"def": int(self.shown("testudo"))}
            case "principes_line":
                return {"atk": int(any(other.id == "hastati_line" for other in others))}
            case "praetorian_guard":
                return {"def": int(bool(others))}
            case "perioikoi_spearmen":
                return {"atk": int(self.controls(side, "commander"))}
            case "spartan_hoplites":
                bonus = 2 if others else 1
                return {"atk": bonus, "def": bonus}
        return {}

    def _unit_aura(self, source, unit) -> dict:
        """What the face-up unit `source` gives to `unit` of the same side (perhaps itself)."""
        if source.card.faction != unit.card.faction:
            return {}
        infantry, cavalry = unit.card.type == "infantry", unit.card.type == "cavalry"
        match source.id:
            case "hannibal_lord_of_manoeuvre" | "decebalus_king_of_dacia":
                return {"atk": int(infantry)}
            case "hannibal_master_of_encirclement":
                return {"atk": int(cavalry or unit.card.type == "war_elephant")}
            case (
                "decebalus_keeper_of_mountain_forts"
                | "ramesses_keeper_of_the_nile"
                | "polemarch_of_sparta"
                | "trajan_builder_of_provinces"
            ):
                return {"def": int(infantry)}
            case "ramesses_lord_of_the_two_lands":
                return {"atk": int(unit.card.type == "chariot")}
            case "alexander_king_of_macedon":
                return {"atk": int(cavalry)}
            case "alexander_lord_of_combined_arms":
                return {"atk": int(infantry or cavalry)}
            case "darius_great_king":
                return {"def": 1}
            case "darius_lord_of_satrapies":
                return {"atk": 1}
            case "trajan_imperial_vanguard":
                return {"atk": 2 * infantry}
            case "leonidas_king_of_sparta":
                return {"atk": int(infantry and not unit.in_defence)}
            case "leonidas_voice_of_defiance":
                return {"def": int(infantry and unit.in_defence)}
        return {}

    def _own_support(self, card, unit) -> dict:
        """What a face-up doctrine gives to a unit of its own side."""
        if card.card.type == "equip":
            if card.on is not unit:
                return {}
            match card.id:
                case "elephant_armour" | "standard_of_the_immortals" | "legion_eagle":
                    return {"atk": 1, "def": 1}
                case "wolf_standard" | "bronze_khopesh" | "royal_wedge":
                    return {"atk": 2}
                case "bronze_shield_of_discipline":
                    return {"def": 2}
            raise AssertionError(card.id)
        if card.card.faction != unit.card.faction:
            return {}
        infantry = unit.card.type == "infantry"
        match card.id:
            case "desert_paths" | "engineers_bridges":
                return {"atk": 1}
            case (
                "forest_trails"
                | "nile_floodplain"
                | "oasis_camp"
                | "fortified_camp"
                | "narrow_pass"
            ):
                return {"def": 1}
            case "mountain_fortress":
                return {"def": int(unit.in_defence)}
            case "falx_drill":
                return {"atk": int(unit.id == "falxmen")}
            case "chariot_drill":
                return {"atk": int(unit.card.type == "chariot")}
            case "sarissa_drill":
                return {"atk": int(infantry)}
            case "decree_of_the_king_of_kings":
                hit = int(unit.card.type in ("infantry", "ranged_infantry"))
                return {"atk": hit, "def": hit}
            case "testudo":
                return {"def": 2 * (infantry and unit.in_defence)}
            case "agoge_training":
                return {"atk": int(infantry and unit.card.level < 5)}
            case "laconian_phalanx":
                return {"def": int(infantry)}
        return {}

    def _combat_bonus(self, unit) -> int:
        """ATK "in that combat" from the cards' own texts; positions as they are now."""
        battle, total = self.battle, 0
        if unit.id == "nubian_archers" and unit.face_up and self.active == unit.side:
            total += 2
        if unit is not battle.attacker:
            return total
        target = battle.target
        against_defence = target is not None and target.in_defence
        match unit.id:
            case "median_cavalry":
                total += 2
            case "sarmatian_allies":
                total += 1
            case "companion_cavalry":
                total += self.controls(unit.side, "infantry")
            case "falxmen" | "thessalian_cavalry" | "skiritai_scouts":
                total += against_defence
            case "consular_cavalry":
                total += 2 * against_defence
        if against_defence:
            if unit.card.faction == "dacia":
                total += sum(card.id == "forest_trails" for card in self.face_up_support(unit.side))
            if target.face_up and target.id in ("punic_spear_guard", "triarii_reserve"):
                total -= 1
        return int(total)
