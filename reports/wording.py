"""Findings in words, and numbers as they are shown.

The table, the chart and the JSON of a result all take their sentences from here, so that no two of
them can say different things, and none says more than its interval.
"""

from __future__ import annotations

from reports.intervals import Rate

# Spelled out, since it is easily taken for a minus sign.
_TO = "\N{EN DASH}"
# Beyond four decimals of a per cent no run is long enough to tell the difference.
_MOST_DECIMALS = 4


def number(value: int) -> str:
    """A whole number with its thousands parted: 100,000."""
    return f"{value:,}"


def percent(share: float, decimals: int = 1) -> str:
    """A share in [0, 1] as a per cent, 54.2%; exactly none and exactly all are 0% and 100%."""
    return f"{100 * share:.{0 if share in (0, 1) else decimals}f}%"


def signed(value: float, decimals: int = 1) -> str:
    """A number with its sign, which what is shown as 0 has not."""
    text = f"{value:+.{decimals}f}"
    return text[1:] if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")


def percent_range(rate: Rate, decimals: int = 1) -> str:
    """The interval of a rate as per cents, 53.9 to 54.5% (with a dash)."""
    low, high = rate.interval
    return f"{percent(low, decimals)[:-1]}{_TO}{percent(high, decimals)}"


def decimals(rate: Rate) -> int:
    """How many decimals of a per cent show a rate and its interval without a false impression.

    One, or more where the interval is narrower than a tenth of a point, or where rounding would
    make a number look like exactly 0, 50 or 100 % that is not (an interval that ends at 50.02 %
    lies above 50 % and must look so).
    """
    shown = (rate.estimate, *rate.interval)
    low, high = rate.interval
    for places in range(1, _MOST_DECIMALS):
        step = 0.01 * 10.0**-places
        misleading = any(
            share != mark and abs(share - mark) < step / 2
            for share in shown
            for mark in (0, 0.5, 1)
        )
        if high - low >= step and not misleading:
            return places
    return _MOST_DECIMALS


def shorten(name: str, width: int) -> str:
    """A name on one line of at most `width` characters, its end cut off with an ellipsis."""
    line = " ".join(name.split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def side_names(a: str, b: str, width: int) -> tuple[str, str]:
    """Names for two decks, of at most `width` (8 or more) characters each, that can be told apart.

    Versions of one deck often differ at the end of a long name: names that are alike when their
    ends are cut lose their middles instead. Names that are alike even so get (A) and (B).
    """
    for cut in (shorten, _shorten_middle):
        short_a, short_b = cut(a, width), cut(b, width)
        if short_a.casefold() != short_b.casefold():
            return short_a, short_b
    room = width - len(" (A)")
    return shorten(a, room) + " (A)", shorten(b, room) + " (B)"


def span(low: int, high: int) -> str:
    """A range of whole numbers, 8 to 23 (with a dash)."""
    return f"{low}{_TO}{high}"


def favoured(rate_a: Rate) -> str | None:
    """Which side the interval shows to be favoured: "a", "b", or None if it contains 50 %."""
    if rate_a.interval.low > 0.5:
        return "a"
    if rate_a.interval.high < 0.5:
        return "b"
    return None


def headline(a: str, b: str, rate_a: Rate) -> str:
    """The finding as a title: "Rome won 54.7% of duels against Sparta"."""
    side = favoured(rate_a)
    if side is None:
        return f"{a} against {b}: no side shown to be favoured"
    winner, loser, rate = (a, b, rate_a) if side == "a" else (b, a, rate_a.mirrored())
    return f"{winner} won {percent(rate.estimate, decimals(rate))} of duels against {loser}"


def sample(rate: Rate) -> str:
    """What an interval rests on: "100,000 duels in 50,000 pairs"."""
    duels = f"{number(rate.duels)} {_plural('duel', rate.duels)}"
    if not rate.pairs:
        return duels
    pairs = f"{number(rate.pairs)} {_plural('pair', rate.pairs)}"
    lone = rate.duels - 2 * rate.pairs
    return f"{duels} in {pairs}" + (f" and {number(lone)} unpaired" if lone else "")


def play(a: str, b: str, strategy_a: str, strategy_b: str, always_first: str | None = None) -> str:
    """How both sides played: "greedy on both sides", "greedy for Rome and random for Sparta".

    `always_first` names the deck that began every duel, if one did.
    """
    words = f"{strategy_a} for {a} and {strategy_b} for {b}"
    if strategy_a == strategy_b:
        words = f"{strategy_a} on both sides"
    return words if always_first is None else f"{words}, {always_first} always first"


def finding(a: str, b: str, play: str, rate_a: Rate) -> str:
    """One sentence: which side is favoured, under which play, and how sure that is.

    `a` and `b` are names that can be told apart (`side_names`), `play` is how both sides played,
    `rate_a` the win rate of deck A.
    """
    side = favoured(rate_a)
    rate = rate_a.mirrored() if side == "b" else rate_a
    places = decimals(rate)
    won = f"{percent(rate.estimate, places)} of {sample(rate)}"
    interval = f"{100 * rate.level:g}% interval {percent_range(rate, places)}"
    # No verb agrees with a deck's name: it may be Rome or Germanic tribes.
    if side is None:
        return (
            f"With {play}, neither side is shown to be favoured: {a} won {won} against {b}, "
            f"and the {interval} contains 50% ({rate.method})."
        )
    winner, loser = (a, b) if side == "a" else (b, a)
    return (
        f"With {play}, the result favours {winner} over {loser}: {winner} won {won}, {interval} "
        f"({rate.method})."
    )


def _shorten_middle(name: str, width: int) -> str:
    line = " ".join(name.split())
    if len(line) <= width:
        return line
    tail = width // 2
    return line[: width - tail - 1].rstrip() + "…" + line[-tail:].lstrip()


def _plural(word: str, count: int) -> str:
    return word if count == 1 else word + "s"
