"""The page in a real browser, as wide as a desktop's and as a phone's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browser
import pytest
from made_up_report import report

from reports.page import page

PROGRAM = browser.find()
pytestmark = [
    pytest.mark.skipif(
        PROGRAM is None, reason="no browser: install chromium (apt-get install chromium)"
    ),
    pytest.mark.skipif(sys.platform == "win32", reason="the browser is spoken to over Unix pipes"),
]
WIDTHS = (1280, 390)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    assert PROGRAM is not None
    with browser.Browser(PROGRAM) as running:
        yield running


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "index.html"
    path.write_text(page(report()), encoding="utf-8")
    return path


@pytest.fixture(params=WIDTHS)
def opened(chromium: Any, file: Path, request: pytest.FixtureRequest) -> Any:
    chromium.open(file, request.param)
    return chromium


def test_nothing_is_wrong_and_nothing_is_fetched(opened: Any, file: Path) -> None:
    opened.ask("new Promise(done => setTimeout(done, 200))")
    events = opened.events
    said = [
        parameters
        for method, parameters in events
        if method in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
    ]
    assert said == []
    asked = [p["request"]["url"] for m, p in events if m == "Network.requestWillBeSent"]
    assert asked[0] == file.as_uri()
    assert all(url.startswith("data:") for url in asked[1:]), asked


def test_nothing_overflows(opened: Any) -> None:
    """Neither the page, nor, outside of what scrolls by itself, any part of it."""
    width, scrolled = opened.ask("[innerWidth, document.scrollingElement.scrollWidth]")
    assert width == opened.width
    assert scrolled <= width
    beyond = opened.ask(
        """[...document.querySelectorAll('body *')].filter(part =>
             !part.closest('.scroll') && !part.closest('svg *') &&
             part.getBoundingClientRect().right > innerWidth + 0.5)
           .map(part => part.tagName + '.' + part.className)"""
    )
    assert beyond == []


def test_faults_would_be_found(chromium: Any, file: Path, tmp_path: Path) -> None:
    """What the tests above look for is seen where it is."""
    faulty = file.read_text(encoding="utf-8").replace("img-src data:", "img-src http:")
    parts = '<img src="http://127.0.0.1:9/none.png"><p style="width: 700px">wide</p></main>'
    script = "<script>throw new Error('fault')</script>"
    path = tmp_path / "faulty.html"
    path.write_text(faulty.replace("</main>", parts + script), encoding="utf-8")
    chromium.open(path, 390)
    assert chromium.ask("document.scrollingElement.scrollWidth") > 390
    methods = [method for method, _ in chromium.events]
    assert "Runtime.exceptionThrown" in methods
    assert methods.count("Network.requestWillBeSent") >= 2


def test_pictures_are_there_and_one_shape_of_each_is_shown(opened: Any) -> None:
    shown, figures, small = opened.ask(
        """(() => {
          const seen = [...document.querySelectorAll('figure svg')].filter(
            each => each.getBoundingClientRect().height > 0);
          const figures = document.querySelectorAll('figure').length;
          const letters = seen.map(each =>
            each.getBoundingClientRect().width / each.viewBox.baseVal.width);
          return [seen.length, figures, Math.min(...letters)];
        })()"""
    )
    assert shown == figures == 11
    # a point of the drawing is drawn at least 0.9 CSS pixels wide: 7.5 points stay readable
    assert small >= 0.9
    broken = opened.ask(
        "[...document.images].filter(each => !each.complete || !each.naturalWidth).length"
    )
    assert broken == 0


def test_what_pictures_refer_to_is_in_the_page_once(opened: Any) -> None:
    missing, twice = opened.ask(
        """(() => {
          const ids = [...document.querySelectorAll('[id]')].map(each => each.id);
          const used = [...document.querySelectorAll('use')].map(
            each => each.getAttribute('xlink:href').slice(1));
          const clips = [...document.querySelectorAll('[clip-path]')].map(
            each => each.getAttribute('clip-path').slice(5, -1));
          const there = new Set(ids);
          return [[...used, ...clips].filter(each => !there.has(each)),
                  ids.filter((each, place) => ids.indexOf(each) !== place)];
        })()"""
    )
    assert missing == []
    assert twice == []


def test_every_table_sorts_by_every_column(opened: Any) -> None:
    """Down and up again: the values are in order each time, and no row is lost."""
    wrong = opened.ask(
        """(() => {
          const wrong = [];
          for (const table of document.querySelectorAll('table')) {
            const before = table.tBodies[0].rows.length;
            [...table.tHead.rows[0].cells].forEach((head, column) => {
              for (let click = 0; click < 2; click++) {
                head.querySelector('button').click();
                const down = head.getAttribute('aria-sort') === 'descending';
                const values = [...table.tBodies[0].rows].map(
                  row => row.cells[column].dataset.value);
                const numbers = values.map(Number);
                const key = numbers.some(Number.isNaN) ? values : numbers;
                for (let i = 1; i < key.length; i++) {
                  const order = typeof key[i] === 'number' ? key[i - 1] - key[i]
                    : key[i - 1].localeCompare(key[i]);
                  if (down ? order < 0 : order > 0) wrong.push([head.innerText, click, i]);
                }
              }
            });
            if (table.tBodies[0].rows.length !== before) wrong.push('lost rows');
          }
          return wrong;
        })()"""
    )
    assert wrong == []


def test_rows_can_be_picked_by_a_word(opened: Any) -> None:
    count = """[...document.querySelectorAll('#table-cards tbody tr')].filter(
        row => row.getBoundingClientRect().height > 0).length"""
    everything = opened.ask(count)
    opened.ask(
        """(() => {
          const field = document.querySelector('input[data-table=cards]');
          field.value = 'Dacia';
          field.dispatchEvent(new Event('input'));
        })()"""
    )
    assert everything == 140
    assert opened.ask(count) == 20


@pytest.mark.parametrize("dark", [False, True])
def test_words_can_be_read_in_light_and_dark(chromium: Any, file: Path, dark: bool) -> None:
    """Contrast of text with its ground, as WCAG 2.2 asks of it: 4.5 to 1."""
    chromium.open(file, 1280, dark=dark)
    worst = chromium.ask(
        """(() => {
          const light = text => {
            const [r, g, b] = text.match(/[0-9.]+/g).map(Number).map(each => each / 255)
              .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const ground = part => {
            for (; part; part = part.parentElement) {
              const colour = getComputedStyle(part).backgroundColor;
              if (colour !== 'rgba(0, 0, 0, 0)') return colour;
            }
          };
          let worst = [99, ''];
          const words = 'p, h1, h2, td, th, a, small, dd, summary';
          for (const part of document.querySelectorAll(words)) {
            const [a, b] = [light(getComputedStyle(part).color), light(ground(part))];
            const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (contrast < worst[0]) worst = [contrast, part.outerHTML.slice(0, 120)];
          }
          return worst;
        })()"""
    )
    assert worst[0] >= 4.5, worst
