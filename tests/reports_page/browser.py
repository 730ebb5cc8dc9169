"""A real browser for tests: chromium without a window, spoken to over a pipe.

The protocol is Chrome's DevTools protocol: JSON messages, each ended by a NUL, over the file
descriptors 3 and 4 of the browser. Nothing but the standard library is needed.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Self

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--remote-debugging-pipe",
)
_PATIENCE: Final = 60.0  # seconds for an answer, on a busy machine


def find() -> str | None:
    """The path of an installed browser."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A running browser with one page; to be used in a `with`."""

    def __init__(self, program: str) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        (theirs_in, self._to), (self._from, theirs_out) = os.pipe(), os.pipe()
        # high numbers first, so that neither is in the way of the other's place
        given = [fcntl.fcntl(each, fcntl.F_DUPFD, 20) for each in (theirs_in, theirs_out)]

        def lay_pipes() -> None:
            os.dup2(given[0], 3)
            os.dup2(given[1], 4)

        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"],
            preexec_fn=lay_pipes,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for each in (theirs_in, theirs_out, *given):
            os.close(each)
        self._number = 0
        self._unread = b""
        #: Everything that the page has told since it was opened: (method, parameters).
        self.events: list[tuple[str, dict[str, Any]]] = []
        self._session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the browser."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._profile.cleanup()

    def call(self, method: str, **parameters: Any) -> Any:
        """Send a command and wait for what it returns."""
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        answer = self._read_until(lambda got: got.get("id") == number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, page: Path, width: int, height: int = 900, *, dark: bool = False) -> None:
        """Open a file at a width in CSS pixels, and wait until it is loaded."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)
        # not "mobile": a phone's window grows with what overflows it, and hides that it does
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.width = width
        self.call("Emulation.setDeviceMetricsOverride", **size)
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri())
        if not any(method == "Page.loadEventFired" for method, _ in self.events):
            self._read_until(lambda got: got.get("method") == "Page.loadEventFired")

    def ask(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(str(found["exceptionDetails"]))
        return found["result"].get("value")

    def picture(self, path: Path, *, whole: bool = False) -> Path:
        """Write what the page looks like as PNG; `whole`: what is below the window, too."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))
        return path

    def _read_until(self, found: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read messages, and keep the page's events, until one is what is looked for; that one."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            while b"\0" in self._unread:
                text, self._unread = self._unread.split(b"\0", 1)
                message: dict[str, Any] = json.loads(text)
                if "method" in message:
                    self.events.append((message["method"], message.get("params", {})))
                if found(message):
                    return message
            ready, _, _ = select.select([self._from], [], [], deadline - time.monotonic())
            if not ready:
                raise TimeoutError("the browser does not answer")
            got = os.read(self._from, 1 << 20)
            if not got:
                raise RuntimeError("the browser has gone")
            self._unread += got
