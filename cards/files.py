"""Reading a user's text and TOML files, and writing files that are whole or not there.

Whatever is wrong with a file is a one-line error.
"""

from __future__ import annotations

import os
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from cards.errors import InputError, OutputError

#: No card, deck or rule file is near this size; a wrong file (a video, a device) may be.
LARGEST_FILE: Final = 4_000_000
#: How a file is called until it is whole: a dot before its name, and this behind it.
UNFINISHED: Final = ".unfinished"


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, with or without a byte order mark."""
    where = str(path)
    try:
        if path.is_dir():
            raise InputError("is a folder", where=where, right="name a file")
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise InputError("there is no such file", where=where) from None
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise InputError(f"cannot be read ({reason})", where=where) from None
    return decode(data, where)


def decode(data: bytes, where: str) -> str:
    """Bytes as UTF-8 text."""
    if len(data) > LARGEST_FILE:
        raise InputError("is too large", where=where, right=f"at most {LARGEST_FILE} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError(
            f"is not UTF-8 text (byte {fault.start})", where=where, right="save it as UTF-8"
        ) from None


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Text as a TOML table."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError("is not TOML that can be read: nested too deep", where=where) from None
    except ValueError as fault:  # TOMLDecodeError, and the odd integer that int() rejects
        raise InputError(f"is not TOML: {fault}", where=where) from None


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a table."""
    return parse_toml(read_text(path), str(path))


def write_whole(path: Path, data: bytes | str) -> Path:
    """Write a file (text: as UTF-8) so that under its name it is whole, or is not there; the path.

    What stood there before stays until then. A power cut after the return loses nothing.

    Raises
    ------
    OutputError
        It cannot be written.
    """
    path = Path(os.path.realpath(path))  # a link stays one
    unfinished = path.with_name(f".{path.name}{UNFINISHED}")
    try:
        try:
            with unfinished.open("wb") as file:
                file.write(data.encode("utf-8") if isinstance(data, str) else data)
                file.flush()
                # Before it has its name: a name may reach the disk before the data do.
                os.fsync(file.fileno())
            os.replace(unfinished, path)
        except BaseException:
            with suppress(OSError):
                unfinished.unlink()
            raise
        _keep_name(path.parent)
    except OSError as fault:
        raise OutputError(path, fault) from None
    return path


def _keep_name(folder: Path) -> None:
    """Have the names in a folder on disk, where the system can do that."""
    if os.name == "nt":
        return
    place = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network file systems do not know how
            os.fsync(place)
    finally:
        os.close(place)
