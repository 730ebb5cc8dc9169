"""How the engine's functions are compiled: one decorator, one disk cache.

The same source runs interpreted with ``NUMBA_DISABLE_JIT=1``; the decorators then leave the
functions as they are.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
import platformdirs

from sim.linking import indices_from_zero, link_once

try:
    import fcntl
except ImportError:  # Windows: two first runs at once compile twice, and that is all
    fcntl = None  # type: ignore[assignment]

F = TypeVar("F", bound=Callable[..., Any])

_TOP: Final = Path(__file__).resolve().parent.parent
#: An import of one of the project's rooms, and what it names from a package.
_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+((?:cards|sim|strategies)(?:\.\w+)*)"
    r"(?:[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*))?",
    re.MULTILINE,
)


def _imported(path: Path) -> list[Path]:
    """The project's files that a file imports, at its top or inside a function."""
    found = []
    for module, names in _IMPORT.findall(path.read_text(encoding="utf-8")):
        place = _TOP.joinpath(*module.split("."))
        found.append(place.with_suffix(".py"))
        found.extend(place / f"{name}.py" for name in re.findall(r"\w+", names))
    return [file for file in found if file.is_file()]


@functools.cache
def source_hash(path: Path) -> str:
    """Hash of a file, of all it imports, and of the versions that compiled code depends on.

    Numba's own cache looks only at the file that a function stands in and would keep stale code
    when a function that it calls changes in another file (numba issues 1833 and 9316).
    """
    files: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            waiting.extend(_imported(file))
    digest = hashlib.sha256()
    versions = (sys.version, numba.__version__, np.__version__, os.environ.get("NUMBA_BOUNDSCHECK"))
    digest.update(repr(versions).encode())
    for file in sorted(files):
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@functools.cache
def cache_root() -> Path:
    """Where compiled code is kept: DUEL_SIM_CACHE, or the user's cache folder.

    Where that cannot be written it is a temporary folder, for this process and the workers that it
    starts.
    """
    base = os.environ.get("DUEL_SIM_CACHE")
    root = Path(base) if base else Path(platformdirs.user_cache_dir("duel-sim"))
    if not _writable(root):
        root = Path(tempfile.mkdtemp(prefix="duel-sim-"))
        os.environ["DUEL_SIM_CACHE"] = str(root)
    return root


def _cache_folder(function: Callable[..., Any]) -> Path:
    """The folder of a function's compiled code: a change in what it uses means another one."""
    path = Path(function.__code__.co_filename).resolve()
    folder = cache_root() / f"{path.stem}-{source_hash(path)}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


JIT_DISABLED = bool(numba.config.DISABLE_JIT)
#: A worker of a cluster may play in several threads.
_one_thread_at_a_time = threading.RLock()
if not JIT_DISABLED:
    link_once()


@contextmanager
def _own_cache_folder(function: Callable[..., Any]) -> Iterator[None]:
    """Numba's cache folder is ours while an entry is made: the user's own functions keep theirs."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(_cache_folder(function))
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


@contextmanager
def _one_process_at_a_time() -> Iterator[None]:
    """Processes that fill one cache together can crash (numba issues 4807 and 10128)."""
    if fcntl is None:
        yield
        return
    with (cache_root() / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _options(owns_arrays: bool) -> dict[str, Any]:
    """Numba's options for every function.

    The rules and strategies of the program make no arrays, so nothing in them needs to be counted;
    Numba would count every view of a record's field (`_nrt` is its own switch for that).
    """
    return {"error_model": "numpy", "nogil": True, **({} if owns_arrays else {"_nrt": False})}


def _is_ours(function: Callable[..., Any]) -> bool:
    return Path(function.__code__.co_filename).resolve().is_relative_to(_TOP)


def compiled(function: F) -> F:
    """Compile an inner function: callable from compiled code only.

    It gets no Python wrapper and no place in the disk cache; both belong to the entry above it.
    A function of the program's own must not make or keep arrays (`compiled_with_arrays` may).
    """
    return _compiled(function, owns_arrays=not _is_ours(function))


def compiled_with_arrays(function: F) -> F:
    """The same for a function that makes an array, or is given one that another function made."""
    return _compiled(function, owns_arrays=True)


def _compiled(function: F, owns_arrays: bool) -> F:
    if JIT_DISABLED:
        return function
    return numba.njit(  # type: ignore[no-any-return]
        no_cpython_wrapper=True, no_cfunc_wrapper=True, **_options(owns_arrays)
    )(function)


def compiled_or(
    interpreted: Callable[..., Any],
    compile_with: Callable[[Callable[..., Any]], Callable[..., Any]] = compiled,
) -> Callable[[F], F]:
    """Compile an inner function, or put another one in its place where nothing is compiled.

    For the few lines that must differ: interpreted, a field of a numpy record is an attribute only
    where the array is a record array, which compiled code does not know.
    """
    return lambda function: interpreted if JIT_DISABLED else compile_with(function)  # type: ignore[return-value]


def entry(*signature: Any, cache: bool = True, owns_arrays: bool = False) -> Callable[[F], F]:
    """Compile a function that Python calls, or that travels as a function pointer.

    signature: the function's Numba signature; it is compiled, or read from the cache, when first
    asked for with `ready`, never at import. `cache=False` is for code that users edit.
    `owns_arrays` where it, or what it calls, makes arrays.
    """

    def decorate(function: F) -> F:
        if JIT_DISABLED:
            return function
        if cache:
            with _own_cache_folder(function):
                dispatcher = numba.njit(cache=True, **_options(owns_arrays))(function)
        else:
            dispatcher = numba.njit(**_options(owns_arrays))(function)
        dispatcher.duel_sim_signature = signature[0] if signature else None
        dispatcher.duel_sim_cached = cache
        return dispatcher  # type: ignore[no-any-return]

    return decorate


def _marker(function: Any) -> Path:
    """The file that says that an entry is in the disk cache.

    Numba looks for the function's file where it lay, with the time that it had: a copy in another
    place, or a new checkout, is compiled again.
    """
    python = function.py_func
    file = Path(python.__code__.co_filename)
    place = (function.duel_sim_signature, str(file), file.stat().st_mtime_ns)
    key = zlib.crc32(repr(place).encode())
    return _cache_folder(python) / f"{python.__qualname__}-{key:08x}.ready"


def is_ready(function: Any) -> bool:
    """Whether `ready` takes no compiling: done in this process, or by an earlier one."""
    if JIT_DISABLED or function.signatures:
        return True
    return bool(function.duel_sim_cached) and _marker(function).exists()


def ready(function: Any) -> Any:
    """Compile an entry for its signature, or load it from the disk cache; the entry itself."""
    if JIT_DISABLED or function.signatures:
        return function
    with _one_thread_at_a_time:
        if not function.signatures:  # another thread was first
            _load_or_compile(function)
    return function


def _load_or_compile(function: Any) -> None:
    if is_ready(function):
        function.compile(function.duel_sim_signature)
    else:
        with _one_process_at_a_time():
            try:
                _compile(function)
            except OSError as fault:  # a full disk: it is compiled, and is not kept
                if not function.signatures:
                    raise
                function.duel_sim_not_kept = fault.strerror or str(fault)
    function.disable_compile()


def _compile(function: Any) -> None:
    """Compile an entry, and note that it is on disk; a user's own is never kept."""
    if not function.duel_sim_cached:
        function.compile(function.duel_sim_signature)
        return
    with indices_from_zero():
        function.compile(function.duel_sim_signature)
    _marker(function).touch()
