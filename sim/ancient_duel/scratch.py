"""Scratch records that compiled code makes for itself, to try things on copies of a duel."""

from __future__ import annotations

import numpy as np

from sim.ancient_duel.record import DUEL_DTYPE, OPTIONS_DTYPE, new_duels, new_options
from sim.compiled import compiled_or, compiled_with_arrays


@compiled_or(lambda: new_duels(1), compiled_with_arrays)
def scratch_duel():  # type: ignore[no-untyped-def]
    """An array of one duel record, not initialised."""
    return np.empty(1, DUEL_DTYPE)


@compiled_or(new_options, compiled_with_arrays)
def scratch_options():  # type: ignore[no-untyped-def]
    """An array of one buffer of options, not initialised."""
    return np.empty(1, OPTIONS_DTYPE)
