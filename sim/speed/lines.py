"""Compiled code that knows its source lines, and where it lies in memory.

The machine code is the usual one: nothing is kept from being inlined, and no variable from being
optimised away, as Numba's own debug switch would do. Each instruction only remembers the line that
it comes from, and through which calls it was inlined.

This reaches into Numba, so it is for profiles alone. It must be switched on before anything is
compiled or loaded, and with a cache folder of its own: Numba does not tell such code from other.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

_objects: list[bytes] = []


def keep_lines() -> None:
    """Compile with lines from now on, and remember the machine code that is made or loaded."""
    from numba.core import codegen, cpu, debuginfo, lowering

    finalize = cpu.CPUTargetOptions.finalize
    compile_unit = debuginfo.DIBuilder._di_compile_unit

    def with_lines(self: Any, flags: Any, options: Any) -> None:
        flags.debuginfo = True
        # without this, Numba keeps functions from being inlined
        flags.dbg_directives_only = True
        flags.dbg_extend_lifetimes = False
        flags.boundscheck = False
        finalize(self, flags, options)

    def lines_and_inlining(self: Any) -> Any:
        self.emission_kind = "LineTablesOnly"
        return compile_unit(self)

    cpu.CPUTargetOptions.finalize = with_lines
    debuginfo.DIBuilder._di_compile_unit = lines_and_inlining
    # LLVM does not expect variables beside tables of lines alone
    debuginfo.DIBuilder.mark_variable = lambda *_, **__: None
    # Numba's own stumbles over a body that is a docstring alone
    lowering.get_func_body_first_lineno = lambda function: function.__code__.co_firstlineno + 1
    for hook in ("_object_compiled_hook", "_object_getbuffer_hook"):
        _remember(codegen.CPUCodeLibrary, hook)


def _remember(library: Any, hook: str) -> None:
    """Keep the object code that goes through one of the library's hooks of LLVM's object cache."""
    original = getattr(library, hook).__func__

    def remembering(cls: Any, module: Any, *given: bytes) -> Any:
        found = original(cls, module, *given)
        code = given[0] if given else found
        if code:
            _objects.append(bytes(code))
        return found

    setattr(library, hook, classmethod(remembering))


def write_objects(folder: Path) -> list[dict[str, Any]]:
    """Write all object code, one file each; where each lies: file, section, start, end.

    start, end: addresses in this process' memory.
    """
    from numba.core.registry import cpu_target

    engine = cpu_target.target_context._internal_codegen._engine
    places = []
    for number, code in enumerate(_objects):
        file = folder / f"{number}.o"
        file.write_bytes(code)
        functions = _functions(file)
        # A function that several objects have is known by one address; an entry is in one alone.
        own = next((each for each in functions if each["own"]), None)
        if own is None:
            continue
        base = engine.get_function_address(own["name"]) - own["value"]
        end = max(each["value"] + each["size"] for each in functions)
        places.append(
            {"file": str(file), "section": own["section"], "start": base, "end": base + end}
        )
    return places


def _functions(file: Path) -> list[dict[str, Any]]:
    """The functions of an object file."""
    done = subprocess.run(
        ["objdump", "--syms", str(file)], capture_output=True, text=True, check=True
    )
    found = []
    for line in done.stdout.splitlines():
        # 0000000000000000 g     F .ltext	0000000000000119 _ZN…
        place, tab, rest = line.partition("\t")
        words, names = place.split(), rest.split()
        if tab and "F" in words[1:-1] and words[-1] not in ("*UND*", "*ABS*"):
            found.append(
                {
                    "value": int(words[0], 16),
                    "own": "g" in words[1:-1],
                    "section": words[-1],
                    "size": int(names[0], 16),
                    "name": names[-1],
                }
            )
    return found
