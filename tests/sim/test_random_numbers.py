"""Philox against its published vectors, and `random_below` against uniformity."""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import chisquare

from sim.ancient_duel.record import new_duels
from sim.random_numbers import STREAMS, philox_word, random_below

#: Counter words, key words, first two words of the block: Philox4x32-10 in the file kat_vectors of
#: Random123 1.14 (Salmon, Moraes, Dror, Shaw; SC 2011).
VECTORS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB),
    ),
]


@numba.njit
def _word(counter, key):  # type: ignore[no-untyped-def]
    return philox_word(counter[0], counter[1], counter[2], counter[3], key[0], key[1])


@numba.njit
def _draw(duel, stream, n, out):  # type: ignore[no-untyped-def]
    for i in range(out.shape[0]):
        out[i] = random_below(duel, stream, n)


@pytest.mark.parametrize(("counter", "key", "words"), VECTORS)
def test_published_vectors(
    counter: tuple[int, ...], key: tuple[int, ...], words: tuple[int, int]
) -> None:
    word = int(_word(np.array(counter, np.uint64), np.array(key, np.uint64)))
    assert (word & 0xFFFFFFFF, word >> 32) == words


def _sample(
    n: int, size: int, *, seed: int = 1, pair: int = 0, stream: int = 0
) -> npt.NDArray[np.int64]:
    duel = new_duels(1)[0]
    duel["seed"][0], duel["pair"][0] = seed, pair
    out = np.zeros(size, dtype=np.int64)
    _draw(duel, stream, n, out)
    return out


@pytest.mark.parametrize("n", [1, 2, 3, 7, 40, 1000])
def test_random_below_is_uniform(n: int) -> None:
    drawn = _sample(n, 200_000)
    assert drawn.min() == 0 and drawn.max() == n - 1
    if n > 1:
        assert chisquare(np.bincount(drawn, minlength=n)).pvalue > 1e-4


def test_large_bounds_have_no_bias() -> None:
    # With a bound of 3 * 2**29 a generator without rejection would favour a third of all numbers.
    n = 3 * 2**29
    drawn = _sample(n, 100_000)
    assert chisquare(np.bincount(drawn // 2**29, minlength=3)).pvalue > 1e-4
    assert chisquare(np.bincount(drawn % 3, minlength=3)).pvalue > 1e-4


def test_streams_seeds_and_pairs_are_apart() -> None:
    samples = [_sample(2**30, 50, stream=stream) for stream in range(STREAMS)]
    samples += [_sample(2**30, 50, seed=seed) for seed in (0, 2, 2**32 + 1, 2**63)]
    samples += [_sample(2**30, 50, pair=pair) for pair in (1, 2**32, 2**40)]
    assert len({tuple(sample.tolist()) for sample in samples}) == len(samples)


def test_the_same_place_gives_the_same_numbers() -> None:
    assert (_sample(1000, 50, seed=9) == _sample(1000, 50, seed=9)).all()
