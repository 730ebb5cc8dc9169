"""Text for a terminal that may not have all characters."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

#: For output that cannot hold them: dashes, minus signs, arrows, the ends of names that were cut.
_TO_ASCII = str.maketrans(
    {"\N{EN DASH}": "-", "\N{MINUS SIGN}": "-", "\N{RIGHTWARDS ARROW}": ">", "…": "~"}
)

Make = Callable[..., Text]


def plain_text(encoding: str | None, line: str, style: str = "") -> Text:
    """A line as rich text, in the characters that `encoding` has; None: it has them all.

    What cannot be shown otherwise becomes a question mark.
    """
    if encoding is not None:
        line = line.translate(_TO_ASCII).encode(encoding, "replace").decode(encoding)
    return Text(line, style=style)
