"""The command line, `duel-sim`: its commands, and what becomes of errors.

Results go to stdout; progress, notes and errors to stderr. Whatever is wrong with what the user
wrote is one line and exit code 2.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

import typer

from cards.errors import InputError
from sim.commands import (
    bench,
    card_list,
    compare,
    deck,
    matchup,
    matrix,
    odds,
    report,
    rulings,
    scenario,
    sensitivity,
    strategy,
    tournament,
    version,
    watch,
)
from sim.commands.progress import Failed, Stopped

BAD_INPUT: Final = 2
FAILED: Final = 1
ENDED: Final = 128  # and the signal's number, as a shell says it of a program that one ended
INTERRUPTED: Final = ENDED + signal.SIGINT

app = typer.Typer(
    name="duel-sim",
    help="How balanced the card game Ancient Duel is, by playing many duels.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.command("matchup")(matchup.command)
app.command("matrix")(matrix.command)
app.command("report")(report.command)
app.command("sensitivity")(sensitivity.command)
app.command("rulings")(rulings.command)
app.command("compare")(compare.command)
app.command("cards")(card_list.command)
app.command("watch")(watch.command)
app.add_typer(deck.app, name="deck")
app.add_typer(scenario.app, name="scenario")
app.add_typer(strategy.app, name="strategy")
app.command("tournament")(tournament.command)
app.command("odds")(odds.command)
app.command("bench")(bench.command)
app.command("version")(version.command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The name of a file may be no text: it is told as far as it can be.
        sys.stdout.reconfigure(errors="backslashreplace")
    # Charts: a letter that no font has is drawn as a box, as anywhere.
    warnings.filterwarnings("ignore", message=r"Glyph \d+ .*missing from", category=UserWarning)
    code = 0
    try:
        with _ended_by_signals() as ended:
            code = _run(arguments)
        # What is printed is written here at the latest.
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        return FAILED
    except OSError as fault:
        _discard_output()
        return code or _fail(_one_line(fault), FAILED)
    return ENDED + ended[0] if ended and code == INTERRUPTED else code


def _run(arguments: Sequence[str] | None) -> int:
    """Run a command, with its errors as lines; the exit code."""
    try:
        # Not in typer's standalone mode: its errors would be boxes, ours are lines.
        code = app(args=arguments, prog_name="duel-sim", standalone_mode=False)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        raise
    except InputError as error:
        return _fail(str(error), BAD_INPUT)
    except Stopped as stop:
        return _fail(str(stop), INTERRUPTED)
    except Failed as fault:
        return _fail(str(fault), FAILED)
    except Exception as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            print(str(error))
            return 0
        if not _is_expected(error):
            raise
        return _fail(_one_line(error), getattr(error, "exit_code", FAILED))
    if code == INTERRUPTED:
        return _fail("stopped", INTERRUPTED)
    return int(code or 0)


@contextmanager
def _ended_by_signals() -> Iterator[list[int]]:
    """Let the signals that end a program end a run as Ctrl-C does; those that came, in a list.

    A signal that is ignored (`nohup`) stays so.
    """
    came: list[int] = []
    before: dict[int, Any] = {}

    def end(number: int, _: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, end)
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _discard_output() -> None:
    """Let what is still to be flushed at exit go nowhere, without another error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(line: str, code: int) -> int:
    print(f"duel-sim: error: {line}", file=sys.stderr)
    return code


def _is_expected(error: Exception) -> bool:
    """Whether an error is told by its own text: wrong usage, lost workers, no room for a file."""
    from sim.workers import PlayersLost

    # Typer has click's classes of its own, or click's, depending on its version.
    return hasattr(error, "format_message") or isinstance(
        error, PlayersLost | OSError | MemoryError
    )


def _one_line(error: Exception) -> str:
    text = error.format_message() if hasattr(error, "format_message") else str(error)
    if isinstance(error, OSError) and error.strerror and not error.filename:
        text = f"the results cannot be written ({error.strerror})"
    text = text or "out of memory"
    line = " ".join(text.split()).rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{line}; see {context.command_path} --help" if context is not None else line
