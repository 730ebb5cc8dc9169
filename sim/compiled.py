"""How the engine's functions are compiled: one decorator, one disk cache.

The same source runs interpreted with ``NUMBA_DISABLE_JIT=1``; the decorators then leave the
functions as they are.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
import platformdirs

from sim.linking import link_once

try:
    import fcntl
except ImportError:  # Windows: two first runs at once compile twice, and that is all
    fcntl = None  # type: ignore[assignment]

F = TypeVar("F", bound=Callable[..., Any])

#: Rooms whose sources decide what the compiled code is.
_COMPILED_ROOMS: Final = ("cards", "sim", "strategies")
#: Their parts that only Python runs: a change here need not cost a compilation.
_NEVER_COMPILED: Final = (
    "sim/__init__.py",
    "sim/__main__.py",
    "sim/api.py",
    "sim/bench.py",
    "sim/cli.py",
    "sim/commands/",
    "sim/first_run.py",
    "sim/output.py",
    "sim/run.py",
    "sim/run_folder.py",
    "sim/scenario_command.py",
    "sim/shards.py",
    "sim/tally.py",
    "sim/workers.py",
)


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
            name = path.relative_to(top).as_posix()
            if not name.startswith(_NEVER_COMPILED):
                digest.update(name.encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """The folder of this version's compiled code, made if need be.

    Where the user's cache cannot be written it is a temporary one, for this process and the workers
    that it starts.
    """
    base = os.environ.get("DUEL_SIM_CACHE")
    root = Path(base) if base else Path(platformdirs.user_cache_dir("duel-sim"))
    folder = root / f"compiled-{source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        os.environ["DUEL_SIM_CACHE"] = tempfile.mkdtemp(prefix="duel-sim-")
        return _cache_folder()


JIT_DISABLED = bool(numba.config.DISABLE_JIT)
CACHE_FOLDER = Path() if JIT_DISABLED else _cache_folder()
if not JIT_DISABLED:
    link_once()


@contextmanager
def _own_cache_folder() -> Iterator[None]:
    """Numba's cache folder is ours while an entry is made: the user's own functions keep theirs."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
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
    with (CACHE_FOLDER / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


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
        with _own_cache_folder():
            dispatcher = numba.njit(error_model="numpy", nogil=True, cache=cache)(function)
        dispatcher.duel_sim_signature = signature[0] if signature else None
        dispatcher.duel_sim_cached = cache
        return dispatcher  # type: ignore[no-any-return]

    return decorate


def _marker(function: Any) -> Path:
    """The file that says that an entry is in the disk cache."""
    signature = zlib.crc32(repr(function.duel_sim_signature).encode())
    python = function.py_func
    return CACHE_FOLDER / f"{python.__module__}.{python.__qualname__}-{signature:08x}.ready"


def is_ready(function: Any) -> bool:
    """Whether `ready` takes no compiling: done in this process, or by an earlier one."""
    if JIT_DISABLED or function.signatures:
        return True
    return bool(function.duel_sim_cached) and _marker(function).exists()


def ready(function: Any) -> Any:
    """Compile an entry for its signature, or load it from the disk cache; the entry itself."""
    if JIT_DISABLED or function.signatures:
        return function
    if is_ready(function):
        function.compile(function.duel_sim_signature)
    else:
        with _one_process_at_a_time():
            function.compile(function.duel_sim_signature)
            if function.duel_sim_cached:
                _marker(function).touch()
    function.disable_compile()
    return function
