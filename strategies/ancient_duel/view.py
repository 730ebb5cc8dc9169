"""What a plain Python strategy is given: the duel as its side may see it.

A strategy is a function of a `View` that returns one of `view.options`:

    def choose(view):
        attacks = [o for o in view.options if o.attack and o.attack.destroys]
        return max(attacks, key=lambda o: o.target.atk or 0) if attacks else view.options[-1]

A view is made anew for each decision and holds nothing but what is written here. What the side may
not see is not in it: no cards of the enemy's hand, no names of its face-down cards, no order of
either deck. Changing a view changes nothing in the duel.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

#: `View.kind`: what sort of decision is asked for.
KINDS = ("main", "battle", "window", "may", "discard", "take", "special", "choose")

Position = Literal["attack", "defence", "face-down"]


@dataclass(frozen=True, slots=True, repr=False)
class CardFacts:
    """What is printed on a card.

    Attributes
    ----------
    id, name
        The identifier, and the English name.
    faction
        The faction's identifier.
    kind
        `unit`, `commander`, `doctrine` or `tactic`.
    type, traits
        Such as `infantry` or `terrain`, and such as `mercenary`.
    level, atk, defence, energy
        The printed numbers of a unit; 0 for other cards.
    text
        What the card does, in short.
    """

    id: str
    name: str
    faction: str
    kind: str
    type: str
    traits: tuple[str, ...]
    level: int
    atk: int
    defence: int
    energy: int
    text: str

    @property
    def is_unit(self) -> bool:
        """Whether it is a unit; a commander is one."""
        return self.kind in ("unit", "commander")

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"<{self.id}>"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the field.

    Attributes
    ----------
    side
        "a" or "b", whose it is.
    number
        From 1, in the order in which its side's units came.
    card
        None for a face-down unit of the enemy.
    position
        `attack`, `defence` or `face-down` (in defence, too).
    atk, defence
        The effective stats, outside combat; None where `card` is.
    attacked, came, repositioned, used
        Whether in this turn it has attacked, was deployed or set, was repositioned, has used its
        ability.
    """

    side: str
    number: int
    card: CardFacts | None
    position: Position
    atk: int | None
    defence: int | None
    attacked: bool
    came: bool
    repositioned: bool
    used: bool

    @property
    def in_attack(self) -> bool:
        """Whether it stands in attack position."""
        return self.position == "attack"

    @property
    def stat(self) -> int | None:
        """What an attack on it is compared with: ATK in attack, DEF in defence."""
        return self.atk if self.in_attack else self.defence


@dataclass(frozen=True, slots=True)
class Support:
    """A doctrine or tactic on the field.

    Attributes
    ----------
    side, number
        As of a unit.
    card
        None for a face-down card of the enemy.
    face_up
        Whether it lies face-up.
    on
        The number of the unit that it equips, or None.
    came, used
        Whether it was set, or its ability used, in this turn.
    """

    side: str
    number: int
    card: CardFacts | None
    face_up: bool
    on: int | None
    came: bool
    used: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the table.

    Attributes
    ----------
    name
        "a" or "b".
    lp, energy
        What it has.
    turn
        How many turns of its own it has begun.
    units, support
        In field order.
    graveyard
        The newest last.
    hand
        Its cards; None for the enemy's.
    hand_size, deck_size
        How many cards there are.
    unseen
        The cards of which nobody but the dealer knows where they are, by card number: of the own
        side what is left in the deck, of the enemy all in the deck, in the hand and face-down.
        Both deck lists are known; which card lies where is not.
    """

    name: str
    lp: int
    energy: int
    turn: int
    units: tuple[Unit, ...]
    support: tuple[Support, ...]
    graveyard: tuple[CardFacts, ...]
    hand: tuple[CardFacts, ...] | None
    hand_size: int
    deck_size: int
    unseen: tuple[CardFacts, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the comparison of an attack would come to, if nobody answers.

    Attributes
    ----------
    atk
        The attacker's ATK in combat.
    against
        What it is compared with; None in a direct attack, and for a face-down target.
    destroys, falls
        Whether the target, and the attacker, would be destroyed; None if that cannot be known.
    damage, loss
        LP that the defending and the attacking side would lose; None if that cannot be known.
    """

    atk: int
    against: int | None
    destroys: bool | None
    falls: bool | None
    damage: int | None
    loss: int | None


@dataclass(frozen=True, slots=True)
class Attack:
    """The attack in progress; `target` is None where it is direct."""

    attacker: Unit | None
    target: Unit | None
    exchange: Exchange | None


@dataclass(frozen=True, slots=True)
class Option:
    """One legal choice.

    Attributes
    ----------
    number
        Its place in `view.options`, from 0.
    verb
        `deploy`, `set`, `activate`, `use`, `reposition`, `attack`, `battle`, `main2`, `end`,
        `respond`, `pass`, `discard`, `take`, `special`, `choose`, `yes` or `no`.
    text
        The choice as scenario files write it.
    card
        The card that is played, discarded, taken or used; for `choose` the one whose effect asks.
    zone
        Where it comes from: `hand`, `deck`, `graveyard`, `units`, `support`, or None.
    source
        The unit or support card on the field that acts, or None.
    target
        The unit, support card or card of the graveyard that is chosen or attacked, or None.
    position
        The battle position that is chosen, or None.
    energy
        What it takes from the side's energy at once.
    attack
        For an attack: what its comparison would come to.
    """

    number: int
    verb: str
    text: str
    card: CardFacts | None
    zone: str | None
    source: Unit | Support | None
    target: Unit | Support | CardFacts | None
    position: Position | None
    energy: int
    attack: Exchange | None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class View:
    """The duel as the side that must choose may see it.

    Attributes
    ----------
    me, enemy
        The two sides.
    options
        The legal choices, two or more, in an order that tells nothing about the decks.
    kind
        What is asked for, one of `KINDS`.
    my_turn
        Whether it is the own turn.
    phase
        `draw`, `standby`, `main1`, `battle`, `main2` or `end`.
    window
        Which window for tactics is open (`declared`, `combat`, `targeted`, …), or None.
    asking
        The card whose effect asks, or is answered, or None.
    attack
        The attack in progress, or None.
    deployments, attacks, direct_attacks
        How many there were in this turn.
    rules
        The rule set, such as `view.rules["hand_limit"]`.
    cards
        All cards of the game by identifier.
    decision
        Number of the decision in the duel, from 1.
    seed
        Differs from decision to decision; the same duel has the same ones again. Use `random`.
    """

    me: Side
    enemy: Side
    options: tuple[Option, ...]
    kind: str
    my_turn: bool
    phase: str
    window: str | None
    asking: CardFacts | None
    attack: Attack | None
    deployments: int
    attacks: int
    direct_attacks: int
    rules: Mapping[str, int] = field(compare=False, repr=False)
    cards: Mapping[str, CardFacts] = field(compare=False, repr=False)
    decision: int = 0
    seed: int = 0

    @functools.cached_property
    def random(self) -> random.Random:
        """Random numbers that are the same when the same duel is played again.

        The module `random` has others each time, and a strategy that uses it fails its check.
        """
        return random.Random(self.seed)

    @property
    def battle_ahead(self) -> bool:
        """Whether the side whose turn it is can still attack."""
        first_turn = self.me.turn + self.enemy.turn <= 1
        return self.phase == "battle" or (self.phase == "main1" and not first_turn)

    def of(self, *verbs: str) -> list[Option]:
        """The options with one of these verbs."""
        return [option for option in self.options if option.verb in verbs]

    def first(self, *verbs: str) -> Option | None:
        """The first option with the first of these verbs that is offered, or None."""
        for verb in verbs:
            for option in self.options:
                if option.verb == verb:
                    return option
        return None
