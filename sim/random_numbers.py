"""Random numbers of a duel: Philox4x32-10, counter based.

Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011. A block of four
32-bit words is a pure function of a 128-bit counter and a 64-bit key. Here the key is the run's
seed, and the counter is (number of the draw, stream, pair of duels): what a duel sees depends on
nothing but these, so a result is the same for any number of workers, any sharding and any platform.
"""

from __future__ import annotations

import numpy as np

from sim.compiled import compiled

_M0 = np.uint64(0xD2511F53)
_M1 = np.uint64(0xCD9E8D57)
_W0 = np.uint64(0x9E3779B9)
_W1 = np.uint64(0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)

# Streams: what one part of a duel draws never shifts what another part draws, so that two runs
# that differ in one decision still see the same shuffles (common random numbers).
STREAM_SETUP_A = 0  # side a's opening shuffle
STREAM_SETUP_B = 1
STREAM_SHUFFLE_A = 2  # later shuffles of side a's deck
STREAM_SHUFFLE_B = 3
STREAM_CHOICE_A = 4  # side a's strategy
STREAM_CHOICE_B = 5
STREAM_FIRST = 6  # who begins
STREAMS = 7


@compiled
def philox_word(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    """First two words of the Philox4x32-10 block, as one 64-bit number (word 1 high).

    All arguments are uint64 holding 32-bit values.
    """
    for _ in range(10):
        p0 = _M0 * c0
        p1 = _M1 * c2
        c0 = (p1 >> _SHIFT) ^ c1 ^ k0
        c1 = p1 & _LOW
        c2 = (p0 >> _SHIFT) ^ c3 ^ k1
        c3 = p0 & _LOW
        k0 = (k0 + _W0) & _LOW
        k1 = (k1 + _W1) & _LOW
    return c0 | (c1 << _SHIFT)


@compiled
def random_below(duel, stream, n):  # type: ignore[no-untyped-def]
    """A uniform integer in [0, n) from one of the duel's streams; n from 1 to 2**31.

    Lemire's multiply-and-shift with rejection ("Fast random integer generation in an interval",
    ACM TOMACS 2019), on 32 bits: exactly uniform.
    """
    bound = np.uint64(n)
    while True:
        count = duel.draws[stream]
        duel.draws[stream] = count + np.uint64(1)
        pair = duel.pair[0]
        word = philox_word(
            count & _LOW,
            np.uint64(stream) | ((count >> _SHIFT) << np.uint64(8)),
            pair & _LOW,
            pair >> _SHIFT,
            duel.seed[0] & _LOW,
            duel.seed[0] >> _SHIFT,
        )
        product = (word & _LOW) * bound
        # Below the bound it may be one of the values too many; the costly remainder tells.
        low = product & _LOW
        if low >= bound or low >= ((_LOW + np.uint64(1)) - bound) % bound:
            return np.int64(product >> _SHIFT)
