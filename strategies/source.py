"""A user's own strategy: from `my_rush.py:name` to the function in the file.

The file is read and run again whenever its content has changed, and what it compiles is kept in
memory alone: after an edit the old code must not answer.
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from numba.core.errors import NumbaError

from cards.errors import InputError
from cards.files import read_text
from cards.names import quote, suggestion
from sim.ancient_duel.strategy import is_compiled_strategy
from sim.compiled import ready

#: The function that a file's name alone means.
FUNCTION: Final = "choose"
_FILE: Final = re.compile(r"(?P<file>.+?\.py)(?::(?P<rest>.*))?", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Asked:
    """A strategy as it was asked for.

    Attributes
    ----------
    file
        A Python file, or None for a registered name.
    name
        The registered name, or the function in the file.
    parameters
        Texts such as `caution=1.5`.
    """

    file: Path | None
    name: str
    parameters: tuple[str, ...]

    @property
    def label(self) -> str:
        """What errors call it."""
        return self.name if self.file is None else str(self.file)


def split_name(text: str) -> Asked:
    """Take `NAME:parameters` or `FILE.py:function:parameters` apart."""
    found = _FILE.fullmatch(text.strip())
    if found is None:
        name, _, rest = text.strip().partition(":")
        return Asked(None, name.strip(), _listed(rest))
    name, _, rest = (found["rest"] or "").partition(":")
    if "=" in name:
        name, rest = "", found["rest"]
    file = Path(found["file"])
    with suppress(RuntimeError):  # nobody is called so: the file will not be found either
        file = file.expanduser()
    return Asked(file, name.strip() or FUNCTION, _listed(rest))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in text.split(","))))


def load_function(file: Path, name: str, text: str | None = None) -> tuple[Callable[..., Any], str]:
    """The strategy function of a file, ready to be called, and the hash of the file's content.

    `text` is the content, where it came from another machine; None: it is read.

    Raises
    ------
    InputError
        The file cannot be read or run, has no such function, or it cannot be compiled.
    """
    text = read_text(file) if text is None else text
    digest = text_digest(text)
    module = _run(file.resolve(), text, digest)
    function = getattr(module, name, None)
    if function is None:
        own = [key for key, value in vars(module).items() if _is_own(value, module)]
        right = suggestion(name, own) if own else "write def choose(view): …"
        raise InputError(f"there is no function {quote(name)}", where=str(file), right=right)
    if not callable(function):
        raise InputError(f"{quote(name)} is no function", where=str(file))
    if is_compiled_strategy(function):
        _compile(function, str(file))
    return function, digest


def text_digest(text: str) -> str:
    """Hash of what is in a user's file."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def source_digest(function: Callable[..., Any]) -> str:
    """Hash of the file that an installed strategy stands in."""
    python = getattr(function, "py_func", function)
    try:
        data = Path(python.__code__.co_filename).read_bytes()
    except (AttributeError, OSError):  # a callable object, or a package in an archive
        data = repr(function).encode()
    return hashlib.sha256(data).hexdigest()[:16]


def _is_own(value: Any, module: ModuleType) -> bool:
    return callable(value) and getattr(value, "__module__", None) == module.__name__


@functools.lru_cache(maxsize=32)
def _run(file: Path, text: str, digest: str) -> ModuleType:
    """The module of a file's content."""
    module = ModuleType(f"{file.stem}_{digest}")
    module.__file__ = str(file)
    folder = str(file.parent)
    if folder not in sys.path:  # it may import what lies beside it, as a script may
        sys.path.append(folder)
    sys.modules[module.__name__] = module  # dataclasses and others look their module up
    try:
        exec(compile(text, str(file), "exec"), module.__dict__)
    except SyntaxError as fault:
        line = fault.lineno or text.count("\n", 0, text.find("\0")) + 1
        raise InputError(f"is not Python: {fault.msg}", where=f"{file}, line {line}") from None
    except (Exception, SystemExit) as fault:
        raise InputError(f"cannot be run: {told(fault, file)}", where=str(file)) from None
    return module


def told(fault: BaseException, file: Path | str | None = None) -> str:
    """An exception in one line: its type, its text, and the last line of `file` that it came by."""
    words = " ".join(str(fault).split())
    line = f"{type(fault).__name__}: {words}" if words else type(fault).__name__
    for frame in reversed(traceback.extract_tb(fault.__traceback__)):
        if file is None or frame.filename == str(file):
            return f"{line} (line {frame.lineno})"
    return line


def _compile(function: Any, where: str) -> None:
    """Compile a strategy, or say why it cannot be in one line."""
    try:
        ready(function)
    except Exception as fault:  # Numba's own errors, and whatever else goes wrong in it
        lines = [line.strip() for line in str(fault).splitlines()]
        # The first lines say at which stage Numba failed; the reason follows.
        reason = next((line for line in lines if line and not line.startswith("Failed in")), "")
        if not isinstance(fault, NumbaError):
            reason = f"{type(fault).__name__}: {reason}"
        place = re.search(r'File "[^"]*", line (\d+)', str(fault))
        line = f", line {place[1]}" if place else ""
        raise InputError(
            f"{function.py_func.__name__!r} cannot be compiled: {reason}",
            where=f"{where}{line}",
            right="use only what Numba compiles, or leave @strategy out and take a view",
        ) from None
