"""Reading a user's text and TOML files, and writing files that are whole or not there.

Whatever is wrong with a file is a one-line error. What is read is data, whoever wrote it: it is
looked at and never run, and no file can make reading it take long, whatever its size, its depth, or
its nature (a pipe that nothing comes through).
"""

from __future__ import annotations

import os
import re
import select
import stat
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from cards.errors import InputError, OutputError
from cards.names import as_place

#: Bytes. No card, deck or rule file is near this size; a wrong file (a video, a device) may be.
LARGEST_FILE: Final = 4_000_000
#: Letters. What is parsed is smaller: the largest file of the game's own has 13,000.
LARGEST_TOML: Final = 1_000_000
#: Seconds that a pipe or a device may take to give all that it has.
PATIENCE: Final = 10.0
#: How deep tables and lists may lie in each other; the game's own files need 8.
DEEPEST: Final = 32
#: What a TOML integer can hold.
LEAST_INTEGER: Final = -(2**63)
LARGEST_INTEGER: Final = 2**63 - 1

_KEY: Final = r"""(?>[\w-]+|"[^"\n]*"|'[^'\n]*')"""
#: A key of very many parts; to read it would take time with the square of their number.
_ENDLESS_KEY: Final = re.compile(rf"(?<![\w-]){_KEY}(?:[ \t]*\.[ \t]*{_KEY}){{{DEEPEST}}}")
#: A number of more digits than Python turns into one.
_ENDLESS_NUMBER: Final = re.compile(r"\d[\d_]{4000}")
#: How a file is called until it is whole: a dot before its name, and this behind it.
UNFINISHED: Final = ".unfinished"


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, with or without a byte order mark.

    Raises
    ------
    InputError
        There is no such file, it cannot be read, is too large, or is not UTF-8.
    """
    where = str(path)
    try:
        if path.is_dir():
            raise InputError("is a folder", where=where, right="name a file")
        data = _bytes_of(path)
    except FileNotFoundError:
        raise InputError("there is no such file", where=where) from None
    except TimeoutError:
        raise InputError(
            f"did not come to an end in {PATIENCE:g} seconds",
            where=where,
            right="write it to a file first",
        ) from None
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise InputError(f"cannot be read ({reason})", where=where) from None
    return decode(data, where)


def _bytes_of(path: Path) -> bytes:
    """What a file holds, as far as it is needed to see that it is too large."""
    with open(path, "rb", buffering=0, opener=_opened) as file:
        mode = os.fstat(file.fileno()).st_mode
        waits = stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)
        deadline = time.monotonic() + PATIENCE
        data = bytearray()
        while len(data) <= LARGEST_FILE:
            if waits:
                left = max(0.0, deadline - time.monotonic())
                if not select.select([file], [], [], left)[0]:
                    raise TimeoutError
            part = file.read(LARGEST_FILE + 1 - len(data))
            if not part:
                break
            data += part
        return bytes(data)


def _opened(path: str, flags: int) -> int:
    """Open without waiting for the other end of a pipe (there is no such thing on Windows)."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def decode(data: bytes, where: str) -> str:
    """Bytes as UTF-8 text."""
    if len(data) > LARGEST_FILE:
        raise InputError("is too large", where=where, right=f"at most {LARGEST_FILE} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise InputError(
            f"is not UTF-8 text (byte {fault.start})",
            where=f"{where}, line {line}",
            right="save it as UTF-8",
        ) from None


def lines_of(text: str) -> list[str]:
    """The lines of a text as an editor counts them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Text as a TOML table.

    Raises
    ------
    InputError
        It is not TOML, or it is of a size or depth that no file of a game has.
    """
    if len(text) > LARGEST_TOML:
        raise InputError("is too large", where=where, right=f"at most {LARGEST_TOML} letters")
    endless = _ENDLESS_KEY.search(text)
    if endless is not None:
        raise _too_deep(f"{where}, line {_line(text, endless.start())}")
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise _too_deep(f"{where}, line {_deepest_line(text)}") from None
    except tomllib.TOMLDecodeError as fault:
        raise _no_toml(str(fault), text, where) from None
    except ValueError:  # an integer that Python does not read
        number = _ENDLESS_NUMBER.search(text)
        place = f"{where}, line {_line(text, number.start())}" if number is not None else where
        raise _too_large(place) from None
    _check_values(table, where)
    return table


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a table."""
    return parse_toml(read_text(path), str(path))


def _check_values(table: Mapping[str, Any], where: str) -> None:
    """Raise an `InputError` for what TOML has no room for, or no file of a game has a use for."""
    waiting: list[tuple[Any, tuple[str, ...]]] = [(table, ())]
    while waiting:
        value, keys = waiting.pop()
        if len(keys) > DEEPEST:
            raise _too_deep(_place(where, keys[:4]))
        waiting.extend((inner, (*keys, key)) for key, inner in _inside(value))
        whole = isinstance(value, int) and not isinstance(value, bool)
        if whole and not LEAST_INTEGER <= value <= LARGEST_INTEGER:
            raise _too_large(_place(where, keys))


def _inside(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list):
        for number, inner in enumerate(value, 1):
            yield str(number), inner


def _place(where: str, keys: tuple[str, ...]) -> str:
    return ", ".join([where, *(as_place(key) for key in keys)])


def _no_toml(fault: str, text: str, where: str) -> InputError:
    """An error of the TOML reader, its place where the places of other errors are."""
    what, _, place = fault.rstrip(")").rpartition(" (at ")
    line = re.match(r"line (\d+)", place)
    number = int(line[1]) if line is not None else _line(text.rstrip(), len(text))
    return InputError(f"is not TOML: {what or fault}", where=f"{where}, line {number}")


def _too_deep(where: str) -> InputError:
    return InputError(
        "is nested too deep", where=where, right=f"at most {DEEPEST} tables and lists in each other"
    )


def _too_large(where: str) -> InputError:
    return InputError("is a number too large for TOML", where=where, right="64 bits are its limit")


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _deepest_line(text: str) -> int:
    """The line in which most brackets are open."""
    depth = deepest = place = 0
    for at, letter in enumerate(text):
        if letter in "[{":
            depth += 1
            if depth > deepest:
                deepest, place = depth, at
        elif letter in "]}":
            depth -= 1
    return _line(text, place)


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
