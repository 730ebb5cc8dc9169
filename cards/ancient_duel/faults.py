"""From the errors of pydantic to one line that a game designer can act on."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from cards.errors import InputError
from cards.names import quote

#: Parts of a pydantic location that are no keys of the file: the branches of `to`.
NO_KEYS: Final = ("word", "filter")
#: Lists whose entries are counted in an error: `effect 2`, `do 1`.
COUNTED: Final = ("effect", "static", "do", "if", "card")

WHAT: Final = {
    "missing": "is missing",
    "int_type": "is {input}, not a whole number",
    "int_from_float": "is {input}, not a whole number",
    "string_type": "is {input}, not a text in quotes",
    "bool_type": "is {input}, not true or false",
    "tuple_type": "is {input}, not a list",
    "literal_error": "is {input}",
    "greater_than_equal": "is {input}",
    "less_than_equal": "is {input}",
    "too_short": "is empty",
    "too_long": "is too long",
    "string_too_short": "is empty",
    "string_too_long": "is too long",
    "string_pattern_mismatch": "is {input}",
}
RIGHT: Final = {
    "literal_error": "only {expected} is possible",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "string_too_long": "at most {max_length} letters",
    "too_long": "at most {max_length} of them",
    "string_pattern_mismatch": "use small Latin letters, digits and _, such as 'hastati_line'",
}


def as_input_error(error: ValidationError, where: str = "") -> InputError:
    """The first fault of a validation as an `InputError`; `where` is the file and the card."""
    detail = error.errors()[0]
    parts = [part for part in (where, location(detail["loc"])) if part]
    return InputError(_what(detail), where=", ".join(parts), right=_right(detail))


def location(loc: tuple[int | str, ...]) -> str:
    """A pydantic location as words: `effect 2, do 1, change`."""
    words: list[str] = []
    for part in loc:
        if isinstance(part, int):
            if words and words[-1] in COUNTED:
                words[-1] = f"{words[-1]} {part + 1}"
        elif part not in NO_KEYS:
            words.append(part)
    return ", ".join(words)


def _what(detail: ErrorDetails) -> str:
    if detail["type"] == "card_fault":
        return str(detail["ctx"]["what"])
    pattern = WHAT.get(detail["type"])
    if pattern is None:
        return detail["msg"]
    return pattern.format(input=quote(detail["input"]))


def _right(detail: ErrorDetails) -> str:
    context = detail.get("ctx", {})
    if detail["type"] == "card_fault":
        return str(context["right"])
    return RIGHT.get(detail["type"], "").format(**context)
