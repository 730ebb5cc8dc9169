"""The packed form of a card set and a rule set: one numpy record that the engine indexes.

Sizes are fixed capacities, not counts: the record's layout is part of the type that the compiler
sees, so a card set with a few cards more must not mean a new compilation. They are no
powers of two: then the same row of all columns would fall into one set of the processor's cache.
"""

from __future__ import annotations

from typing import Final

import numpy as np

MAX_CARDS: Final = 272
MAX_EFFECTS: Final = 544
MAX_STEPS: Final = 1008
MAX_STATICS: Final = 544
MAX_CONDITIONS: Final = 1008
MAX_FILTERS: Final = 1008

_I = np.int32

TABLES_DTYPE: Final = np.dtype(
    [
        # the rule set (numbers of the rulebook; booleans as 0 or 1)
        ("starting_lp", _I),
        ("opening_hand", _I),
        ("hand_limit", _I),
        ("energy_start", _I),
        ("energy_growth_turn", _I),
        ("energy_cap", _I),
        ("activation_cost", _I),
        ("stat_min", _I),
        ("stat_max", _I),
        ("deployments_per_turn", _I),
        ("direct_attacks_per_turn", _I),
        ("free_level", _I),
        ("unit_zones", _I),
        ("support_zones", _I),
        ("reposition", _I),
        ("set_cards_wait", _I),
        ("effect_draw_loses", _I),
        ("first_player", _I),  # 0 side a, 1 side b, 2 at random
        # cards, by card number
        ("cards", _I),  # how many there are
        ("kind", _I, (MAX_CARDS,)),  # IS_UNIT, IS_DOCTRINE or IS_TACTIC
        ("tags", _I, (MAX_CARDS,)),  # bit mask of type and traits
        ("faction", _I, (MAX_CARDS,)),
        ("level", _I, (MAX_CARDS,)),
        ("atk", _I, (MAX_CARDS,)),
        ("def_", _I, (MAX_CARDS,)),
        ("energy", _I, (MAX_CARDS,)),
        ("effect_from", _I, (MAX_CARDS + 1,)),  # effects of card c: effect_from[c] .. [c + 1]
        ("static_from", _I, (MAX_CARDS + 1,)),
        ("grants", _I, (MAX_CARDS,)),  # bit 1 << GRANT_… for every static of the card
        ("changes_stats", _I, (MAX_CARDS,)),  # 1: a static of the card changes stats or immunity
        ("fights", _I, (MAX_CARDS,)),  # 1: the card has an in-combat static
        ("depends", _I, (MAX_CARDS,)),  # mask of ON_…: on what the changes of its statics depend
        ("effect_whens", _I, (MAX_CARDS,)),  # bit 1 << WHEN_… for every effect of the card
        ("windows", _I, (MAX_CARDS,)),  # bit 1 << WINDOW_… for every response of the card
        ("equip_filter", _I, (MAX_CARDS,)),  # whom an equip may be put on, or -1
        # effects
        ("when", _I, (MAX_EFFECTS,)),
        ("window", _I, (MAX_EFFECTS,)),  # WINDOW_… of a tactic, else -1
        ("may", _I, (MAX_EFFECTS,)),
        ("once", _I, (MAX_EFFECTS,)),  # a trigger that answers once a turn for each copy
        ("cost", _I, (MAX_EFFECTS,)),  # cards to discard first
        ("target_zone", _I, (MAX_EFFECTS,)),  # ZONE_NONE where nothing is targeted
        ("target_filter", _I, (MAX_EFFECTS,)),
        ("effect_if_from", _I, (MAX_EFFECTS + 1,)),
        ("step_from", _I, (MAX_EFFECTS + 1,)),
        # steps
        ("do", _I, (MAX_STEPS,)),
        ("who", _I, (MAX_STEPS,)),
        ("step_filter", _I, (MAX_STEPS,)),  # or -1
        ("amount", _I, (MAX_STEPS,)),  # cards, LP
        ("step_atk", _I, (MAX_STEPS,)),
        ("step_def", _I, (MAX_STEPS,)),
        ("until", _I, (MAX_STEPS,)),
        ("per_filter", _I, (MAX_STEPS,)),  # amount for each unit like this, or -1
        ("at_most", _I, (MAX_STEPS,)),
        ("from_zones", _I, (MAX_STEPS,)),  # bit 1 << ZONE_…
        ("to", _I, (MAX_STEPS,)),  # MOVE_…
        ("if_moved", _I, (MAX_STEPS,)),
        ("step_if_from", _I, (MAX_STEPS + 1,)),
        # statics
        ("grant", _I, (MAX_STATICS,)),
        ("reach", _I, (MAX_STATICS,)),
        ("static_filter", _I, (MAX_STATICS,)),
        ("static_atk", _I, (MAX_STATICS,)),
        ("static_def", _I, (MAX_STATICS,)),
        ("during", _I, (MAX_STATICS,)),
        ("role", _I, (MAX_STATICS,)),
        ("static_per_filter", _I, (MAX_STATICS,)),
        ("static_at_most", _I, (MAX_STATICS,)),
        ("static_if_from", _I, (MAX_STATICS + 1,)),
        # conditions
        ("condition", _I, (MAX_CONDITIONS,)),
        ("condition_filter", _I, (MAX_CONDITIONS,)),
        ("condition_kinds", _I, (MAX_CONDITIONS,)),  # `answers`: mask of BY_…
        # filters
        ("filter_side", _I, (MAX_FILTERS,)),
        ("filter_kinds", _I, (MAX_FILTERS,)),  # mask of IS_…
        ("filter_tags", _I, (MAX_FILTERS,)),  # any of these; 0: all
        ("filter_card", _I, (MAX_FILTERS,)),  # or -1
        ("filter_faction", _I, (MAX_FILTERS,)),  # or -1
        ("filter_level_below", _I, (MAX_FILTERS,)),
        ("filter_atk_below", _I, (MAX_FILTERS,)),
        ("filter_positions", _I, (MAX_FILTERS,)),
        ("filter_flags", _I, (MAX_FILTERS,)),
        # whether a card passes a filter by what is printed on it (all but ATK): worked out once,
        # because the engine asks for it more often than for anything else
        ("fits", np.int8, (MAX_FILTERS, MAX_CARDS)),
    ]
)
