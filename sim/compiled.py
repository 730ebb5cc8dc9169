"""How the engine's functions are compiled: one decorator, one disk cache.

The same source runs interpreted with ``NUMBA_DISABLE_JIT=1``; the decorators then leave the
functions as they are.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs

from sim.linking import link_once

F = TypeVar("F", bound=Callable[..., Any])

#: Rooms whose sources decide what the compiled code is.
_COMPILED_ROOMS = ("cards", "sim", "strategies")


def source_hash() -> str:
    """Hash of every source that may end up in compiled code, and of the versions it depends on.

    Numba's own cache looks only at the file that a function stands in and would keep stale code
    when a function that it calls changes in another file (numba issues 1833 and 9316).
    """
    digest = hashlib.sha256()
    versions = (sys.version, numba.__version__, np.__version__, os.environ.get("NUMBA_BOUNDSCHECK"))
    digest.update(repr(versions).encode())
    top = Path(__file__).resolve().parent.parent
    for room in _COMPILED_ROOMS:
        for path in sorted((top / room).rglob("*.py")):
            digest.update(path.relative_to(top).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    base = os.environ.get("DUEL_SIM_CACHE")
    root = Path(base) if base else Path(platformdirs.user_cache_dir("duel-sim"))
    return root / f"compiled-{source_hash()}"


CACHE_FOLDER = _cache_folder()
JIT_DISABLED = bool(numba.config.DISABLE_JIT)
numba.config.CACHE_DIR = str(CACHE_FOLDER)
if not JIT_DISABLED:
    link_once()


def is_warm() -> bool:
    """Whether an earlier process has filled the disk cache."""
    return JIT_DISABLED or (CACHE_FOLDER / "complete").exists()


def mark_warm() -> None:
    """Note that every entry point is in the disk cache now."""
    if not JIT_DISABLED and CACHE_FOLDER.is_dir():
        (CACHE_FOLDER / "complete").touch()


def compiled(function: F) -> F:
    """Compile an inner function: callable from compiled code only.

    It gets no Python wrapper and no place in the disk cache; both belong to the entry above it.
    """
    if JIT_DISABLED:
        return function
    return numba.njit(  # type: ignore[no-any-return]
        error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, nogil=True
    )(function)


def entry(*signature: Any, cache: bool = True) -> Callable[[F], F]:
    """Compile a function that Python calls, or that travels as a function pointer.

    signature: the function's Numba signature; it is compiled, or read from the cache, when first
    asked for with `ready`, never at import. `cache=False` is for code that users edit.
    """

    def decorate(function: F) -> F:
        if JIT_DISABLED:
            return function
        dispatcher = numba.njit(error_model="numpy", nogil=True, cache=cache)(function)
        dispatcher.duel_sim_signature = signature[0] if signature else None
        return dispatcher  # type: ignore[no-any-return]

    return decorate


def ready(function: Any) -> Any:
    """Compile an entry for its signature, or load it from the disk cache; the entry itself."""
    if not JIT_DISABLED and not function.signatures:
        function.compile(function.duel_sim_signature)
        function.disable_compile()
    return function
