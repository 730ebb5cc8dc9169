"""Two things that Numba does not do by itself: link and optimise once, and index from 0 only.

Numba links every compiled function with all that it calls, and optimises the whole again, at every
level of the call graph. The engine is some 15 levels deep, so most of the compiling is the same
code over and over. Here a function that only compiled code calls is left as it was lowered; one
that Python calls (it has a wrapper) is linked with everything below it and optimised, once. That
takes a third of the time.

And an index below 0 counts from the end in Numba as in Python, so every access to an array first
asks for the sign of every index. The rules have no such index, and a sixth of all their machine
instructions were such questions.

Both reach into Numba. Where the installed one does not look as expected nothing is changed, and
compiling, or playing, just takes longer.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from numba.core import codegen, types
from numba.core.compiler_lock import global_compiler_lock
from numba.np import arrayobj

_NEEDED: Final = (
    "_ensure_finalized",
    "_get_module_for_linking",
    "_raise_if_finalized",
    "finalize",
)

#: How the symbols of functions with a Python or C wrapper begin.
_WRAPPERS: Final = ("_ZN7cpython", "cfunc.", "_ZN5cfunc")


def _has_wrapper(library: Any) -> bool:
    return any(
        function.name.startswith(_WRAPPERS) and not function.is_declaration
        for function in library._final_module.functions
    )


def _all_below(library: Any) -> list[Any]:
    """Every library that this one needs, directly or not, callers before what they call.

    The order matters: LLVM drops a function that nothing refers to yet.
    """
    done: list[Any] = []
    seen: set[int] = set()

    def visit(above: Any) -> None:
        for below in above._linking_libraries:
            if id(below) not in seen:
                seen.add(id(below))
                visit(below)
        done.append(above)

    visit(library)
    return done[-2::-1]  # reversed, without the library itself


def link_once() -> bool:
    """Switch the linking of this process; whether it could be done."""
    library_class = getattr(codegen, "CPUCodeLibrary", None)
    if library_class is None or not all(hasattr(library_class, name) for name in _NEEDED):
        return False
    if getattr(library_class, "_links_once", False):
        return True
    finalize = library_class.finalize

    def finalize_once(self: Any) -> None:
        if not hasattr(self, "_linking_libraries"):
            finalize(self)
        elif _has_wrapper(self):
            self._linking_libraries = _all_below(self)
            finalize(self)
        else:
            self._raise_if_finalized()
            self._finalized = True

    set_env = codegen.JITCPUCodegen.set_env

    def set_env_where_compiled(self: Any, env_name: str, env: Any) -> None:
        # an inner function has no machine code of its own to hold its environment yet
        if self._engine.is_symbol_defined(env_name):
            set_env(self, env_name, env)

    library_class.finalize = finalize_once
    codegen.JITCPUCodegen.set_env = set_env_where_compiled
    library_class._links_once = True
    return True


_FIX_INDEX: Final = getattr(arrayobj, "fix_integer_index", None)
_CAN_FIX: Final = _FIX_INDEX is not None and list(inspect.signature(_FIX_INDEX).parameters) == [
    "context",
    "builder",
    "idxty",
    "idx",
    "size",
]


def _index_from_zero(context: Any, builder: Any, idxty: Any, idx: Any, size: Any) -> Any:
    """An index as it is, widened to a pointer's size (in place of Numba's `fix_integer_index`)."""
    return context.cast(builder, idx, idxty, types.intp if idxty.signed else types.uintp)


@contextmanager
def indices_from_zero() -> Iterator[None]:
    """What is compiled meanwhile must not index from the end; it is not checked whether it does.

    (It is where Numba checks bounds: then an index below 0 is an error.)
    """
    if not _CAN_FIX:
        yield
        return
    with global_compiler_lock:  # nobody else compiles meanwhile
        arrayobj.fix_integer_index = _index_from_zero
        try:
            yield
        finally:
            arrayobj.fix_integer_index = _FIX_INDEX
