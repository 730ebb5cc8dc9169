"""The errors that a user of the program is meant to read, each one line."""

from __future__ import annotations


class InputError(Exception):
    """Something that the user wrote (a file, a name, an option) cannot be used.

    Its text is one line: where it was found, what is wrong, and what would be right.

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
        line = f"{where}: {what}" if where else what
        if right:
            line = f"{line}; {right}"
        super().__init__(" ".join(line.split()))

    def inside(self, where: str) -> InputError:
        """The same error, with the outer place (a file) put before the inner one."""
        place = f"{where}: {self.where}" if self.where else where
        return InputError(self.what, where=place, right=self.right)


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
