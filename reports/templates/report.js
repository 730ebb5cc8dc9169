"use strict";
function valueOf(row, column) {
  const text = row.cells[column].dataset.value;
  const number = Number(text);
  return text !== "" && !Number.isNaN(number) ? number : text;
}
function sortBy(head) {
  const table = head.closest("table"), body = table.tBodies[0], column = head.cellIndex;
  const before = head.getAttribute("aria-sort");
  // Numbers begin with the largest, words with the first of the alphabet.
  const down = before ? before === "ascending" : head.classList.contains("number");
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...body.rows].map((row, place) => [valueOf(row, column), place, row]);
  rows.sort(([a, i], [b, j]) => {
    const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    return (down ? -order : order) || i - j;
  });
  body.append(...rows.map(([, , row]) => row));
}
for (const button of document.querySelectorAll("th button"))
  button.addEventListener("click", () => sortBy(button.parentElement));
for (const input of document.querySelectorAll("input[data-table]"))
  input.addEventListener("input", () => {
    const word = input.value.trim().toLowerCase();
    for (const row of document.querySelectorAll(`#table-${input.dataset.table} tbody tr`))
      row.hidden = !row.textContent.toLowerCase().includes(word);
  });
// A printed page has everything.
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details")) part.open = true;
});
