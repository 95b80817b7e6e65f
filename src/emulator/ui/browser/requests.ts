import { button, checkbox, fill, h, labelled, table } from "./dom.js";
import { counted, moment, short, time } from "./format.js";
import { createRequestDetail } from "./request-detail.js";
import { number, type Row, rowsOf, text } from "./rows.js";
import type { Rulebook } from "./rulebook.js";
import type { Surroundings, View } from "./view.js";

/** More are in the log; a page that grows without end is of no use. */
const shownAtMost = 500;
const quietMilliseconds = 3_000;
const columns = ["Time", "Status", "Method", "Path", "Rule", { name: "Duration", as: "number" }] as const;

interface Shown {
  row: Row;
  line: HTMLTableRowElement;
  detail: HTMLTableRowElement | undefined;
}

/** Requests as they come, newest first. */
export function createRequests({ control, tell, attempt }: Surroundings, rulebook: Rulebook): View {
  const body = h("tbody");
  const empty = h("p", { class: "empty" });
  const filter = h("input", {
    type: "search",
    id: "requests-filter",
    autocomplete: "off",
    spellcheck: "false",
  });
  const detailOf = createRequestDetail(control, rulebook);
  let shown: Shown[] = [];
  let last = 0;
  let onlyErrors = false;
  let paused = false;
  let isFirst = true;

  const matches = (row: Row) =>
    (!onlyErrors || number(row, "status") >= 400) &&
    ["method", "path", "status", "code", "rule"].some((name) =>
      text(row, name).toLowerCase().includes(filter.value.trim().toLowerCase()),
    );

  function applyFilter(): void {
    for (const { row, line, detail } of shown) {
      line.hidden = !matches(row);
      if (detail) detail.hidden = line.hidden;
    }
    const visible = shown.filter(({ line }) => !line.hidden).length;
    empty.hidden = visible > 0;
    fill(empty, shown.length === 0 ? "No requests yet. Ask the service something." : "None of these.");
  }

  function lineOf(row: Row): Shown {
    const status = number(row, "status");
    const path = text(row, "path");
    const toggle = button(short(path, 120), () => attempt(() => toggleDetail(entry, toggle)), {
      class: "link",
      "aria-expanded": "false",
    });
    const rule = text(row, "rule");
    const line = h(
      "tr",
      {},
      h("td", {}, time(text(row, "at"), moment(text(row, "at")).slice(11))),
      h("td", {}, h("span", { class: `status s${Math.floor(status / 100)}` }, status)),
      h("td", {}, text(row, "method")),
      h("td", { class: "path" }, toggle),
      h("td", {}, rule === "" ? null : h("a", { href: `#rules/${encodeURIComponent(rule)}` }, rule)),
      h("td", { class: "number" }, `${number(row, "duration_ms").toFixed(1)} ms`),
    );
    const entry: Shown = { row, line, detail: undefined };
    return entry;
  }

  async function toggleDetail(entry: Shown, toggle: HTMLButtonElement): Promise<void> {
    if (entry.detail) {
      entry.detail.remove();
      entry.detail = undefined;
      toggle.setAttribute("aria-expanded", "false");
      return;
    }
    const cell = h("td", { colspan: columns.length });
    const detail = h("tr", { class: "detail" }, cell);
    entry.detail = detail;
    entry.line.after(detail);
    toggle.setAttribute("aria-expanded", "true");
    fill(cell, await detailOf(entry.row));
  }

  function forget(entries: readonly Shown[]): void {
    for (const { line, detail } of entries) {
      line.remove();
      detail?.remove();
    }
  }

  let reading: Promise<void> | undefined;
  function refresh(): Promise<void> {
    // Asked for twice at once it would show the same requests twice.
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  /** At most every few seconds: who listens must be able to do something else, too. */
  let unheard = 0;
  let isQuiet = false;
  function announce(): void {
    const newest = shown[0]?.row;
    if (isQuiet || unheard === 0 || !newest) return;
    const what = `${text(newest, "method")} ${short(text(newest, "path"), 60)}, ${text(newest, "status")}`;
    tell(unheard === 1 ? `A request: ${what}` : `${counted(unheard, "request")}, the last: ${what}`);
    unheard = 0;
    isQuiet = true;
    setTimeout(() => {
      isQuiet = false;
      announce();
    }, quietMilliseconds);
  }

  async function read(): Promise<void> {
    if (paused) return;
    const rows = rowsOf(await control.get(`/requests?limit=${isFirst ? 100 : shownAtMost}&after=${last}`));
    const newest = rows[0];
    if (newest) {
      const entries = rows.map(lineOf);
      body.prepend(...entries.map(({ line }) => line));
      shown = [...entries, ...shown];
      forget(shown.splice(shownAtMost));
      last = number(newest, "id");
      if (!isFirst) {
        unheard += rows.length;
        announce();
      }
    }
    isFirst = false;
    applyFilter();
  }

  function empties(): void {
    forget(shown.splice(0));
    applyFilter();
  }

  filter.addEventListener("input", applyFilter);
  const element = h(
    "section",
    { "aria-labelledby": "requests-heading" },
    h("h2", { id: "requests-heading", tabindex: -1 }, "Requests"),
    h(
      "div",
      { class: "tools" },
      labelled("Filter", filter),
      checkbox("requests-errors", "Errors only", (on) => {
        onlyErrors = on;
        applyFilter();
      }),
      checkbox("requests-paused", "Paused", (on) => {
        paused = on;
      }),
      button("Clear this list", empties),
    ),
    table("Requests, newest first", columns, body),
    empty,
  );
  return {
    name: "requests",
    element,
    live: true,
    refresh,
    clear() {
      last = 0;
      isFirst = true;
      empties();
    },
  };
}
