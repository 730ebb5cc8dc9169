"""A finding: one thing that stands out, with its numbers in words and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from reports import wording

#: How sure a finding is.
SURE: Final = "shown"
OPEN: Final = "not shown"
COUNTED: Final = "counted"

_TO: Final = "\N{EN DASH}"
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Finding:
    """One thing that stands out.

    Attributes
    ----------
    title
        It, as a headline.
    text
        The numbers behind it, with intervals and n.
    certainty
        SURE, OPEN, or COUNTED (a plain count that needs no test).
    why
        What makes it sure, or what is missing, in words.
    section
        The page's part with more about it.
    """

    title: str
    text: str
    certainty: str
    why: str
    section: str


def rate_words(row: Row, name: str, decimals: int = 1) -> str:
    """A rate with its interval: 54.2% (53.9 to 54.5), with a dash."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return f"{wording.percent(row[name], decimals)} ({range_words(low, high, decimals)})"


def range_words(low: float, high: float, decimals: int = 1) -> str:
    """Two shares as per cents without the sign, with a dash."""
    return f"{100 * low:.{decimals}f}{_TO}{100 * high:.{decimals}f}"


def points_words(row: Row, name: str) -> str:
    """A difference of shares in points with its interval."""
    keys = (name, f"{name}_low", f"{name}_high")
    value, low, high = (wording.signed(100 * row[key]) for key in keys)
    return f"{value} points ({low} to {high})"
