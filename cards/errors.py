"""The errors that a user of the program is meant to read, each one line."""

from __future__ import annotations

from typing import Final

#: Letters of what is wrong, and of what would be right: a backstop for what a file says at length.
_LONGEST: Final = 1_500
#: Letters of a place: the longest path that there can be, and the keys behind it.
_LONGEST_PLACE: Final = 5_000


class InputError(Exception):
    """Something that the user wrote (a file, a name, an option) cannot be used.

    Its text is one line: where it was found, what is wrong, and what would be right. What cannot
    be printed is spelt out, so that no file can send the terminal a control sequence by it.

    Parameters
    ----------
    what
        What is wrong.
    where
        File, card and key, as far as they are known; may be empty.
    right
        What would have been right (a nearest name, a range); may be empty.
    """

    def __init__(self, what: str, *, where: str = "", right: str = "") -> None:
        self.what = what
        self.where = where
        self.right = right
        line = _one_line(what, _LONGEST)
        if where:
            line = f"{_one_line(where, _LONGEST_PLACE)}: {line}"
        if right:
            line = f"{line}; {_one_line(right, _LONGEST)}"
        super().__init__(line)

    def inside(self, where: str) -> InputError:
        """The same error, with the outer place (a file) put before the inner one."""
        place = f"{where}: {self.where}" if self.where else where
        return InputError(self.what, where=place, right=self.right)


def _one_line(text: str, longest: int) -> str:
    """A text with nothing in it but what can be printed, and not endless."""
    line = " ".join(text.split())
    if len(line) > longest:
        line = line[: longest - 1] + "…"
    if line.isprintable():
        return line
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in line
    )


class OutputError(OSError):
    """A file could not be written: a full disk, a folder that went away.

    What was asked for was right, so that this is no `InputError`. Nothing stands under the file's
    name but what stood there before.

    Parameters
    ----------
    where
        The file.
    fault
        What the system says.
    """

    def __init__(self, where: object, fault: OSError) -> None:
        self.reason = fault.strerror or str(fault)
        super().__init__(f"{where}: cannot be written ({self.reason})")
