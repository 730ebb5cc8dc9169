"""Places that a run will write to, tried before it begins.

An hour of duels must not end in an error that could have been seen at once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cards.errors import InputError

#: Kinds of picture that charts are written as; `reports.charts` takes as long to load as a run.
PICTURES: Final = (".png", ".svg")


def check_file(path: Path, suffixes: Sequence[str]) -> Path:
    """The path, if a file of one of these kinds can be written there.

    Raises
    ------
    InputError
        It cannot.
    """
    if path.suffix.lower() not in suffixes:
        raise InputError(
            f"{path.suffix or 'no suffix'!r} is no kind of picture",
            where=str(path),
            right=f"name a file that ends in {' or '.join(suffixes)}",
        )
    if path.is_dir():
        raise InputError("is a folder", where=str(path), right="name a file")
    try:
        if path.exists():
            with path.open("r+b"):
                pass
        _try_folder(path.parent)  # the file is written beside its place first
    except OSError as fault:
        raise _unwritable(path, fault) from None
    return path


def make_folder(path: Path) -> Path:
    """The folder, made if need be, if files can be written there.

    Raises
    ------
    InputError
        They cannot.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        _try_folder(path)
    except FileExistsError:
        raise InputError("is a file", where=str(path), right="name a folder") from None
    except OSError as fault:
        raise _unwritable(path, fault) from None
    return path


def _try_folder(folder: Path) -> None:
    # Rights alone do not tell: a file system may be read-only, or be none that takes files.
    with tempfile.TemporaryFile(dir=folder):
        pass


def _unwritable(path: Path, fault: OSError) -> InputError:
    return InputError(f"cannot be written ({fault.strerror or fault})", where=str(path))
