import { button, fill, h, table } from "./dom.js";
import { counted, short } from "./format.js";
import { type Row, rowOf, rowsOf, text } from "./rows.js";
import type { Surroundings, View } from "./view.js";

const pageSize = 50;

/** How much there is of everything, and what stands in each table. */
export function createResources({ control, attempt }: Surroundings): View {
  const counts = h("tbody");
  const content = h("div", {});
  let shownTables = "";
  let cells = new Map<string, HTMLElement>();

  function lineOf(name: string): HTMLTableRowElement {
    const count = h("td", { class: "number" });
    cells.set(name, count);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("a", { href: `#resources/${encodeURIComponent(name)}` }, name)),
      count,
    );
  }

  async function refresh(): Promise<void> {
    const all = rowOf(rowOf(await control.get("/status"))["counts"]);
    const names = Object.keys(all);
    if (names.join() !== shownTables) {
      shownTables = names.join();
      cells = new Map();
      fill(counts, ...names.map(lineOf));
    }
    for (const [name, cell] of cells) {
      const now = text(all, name);
      if (cell.textContent !== now) fill(cell, now);
    }
  }

  async function look(name: string, offset: number): Promise<void> {
    const query = `limit=${pageSize + 1}&offset=${offset}`;
    const rows = rowsOf(await control.get(`/tables/${encodeURIComponent(name)}?${query}`));
    const shown = rows.slice(0, pageSize);
    const columns = Object.keys(shown[0] ?? {});
    const title = h("h3", { tabindex: -1 }, name);
    const newer = button("Newer", () => attempt(() => look(name, Math.max(0, offset - pageSize))));
    const older = button("Older", () => attempt(() => look(name, offset + pageSize)));
    newer.disabled = offset === 0;
    older.disabled = rows.length <= pageSize;
    fill(
      content,
      title,
      h(
        "div",
        { class: "tools" },
        newer,
        older,
        button("Read again", () => attempt(() => look(name, offset))),
        h(
          "span",
          {},
          shown.length === 0 ? "" : `rows ${offset + 1} to ${offset + shown.length}, newest first`,
        ),
      ),
      shown.length === 0
        ? h("p", { class: "empty" }, "No rows.")
        : table(`Rows of ${name}`, columns, h("tbody", {}, ...shown.map((row) => rowLine(row, columns)))),
    );
    title.focus();
  }

  const element = h(
    "section",
    { "aria-labelledby": "resources-heading" },
    h("h2", { id: "resources-heading", tabindex: -1 }, "Resources"),
    h(
      "div",
      { class: "beside" },
      table("Tables and how many rows they have", ["Table", { name: "Rows", as: "number" }], counts),
      content,
    ),
  );
  return {
    name: "resources",
    element,
    live: true,
    refresh,
    open(detail) {
      if (detail !== "") void attempt(() => look(detail, 0));
      else fill(content, h("p", { class: "empty" }, "Choose a table to look into it."));
    },
    clear: () => fill(content),
  };
}

function rowLine(row: Row, columns: readonly string[]): HTMLTableRowElement {
  return h(
    "tr",
    {},
    ...columns.map((name) => {
      const content = text(row, name);
      const isNumber = typeof row[name] === "number";
      if (content.length <= 60) return h("td", { class: isNumber ? "number" : undefined }, content);
      // Opened by itself, so that one long text does not make every row a page.
      const whole = h("pre", { tabindex: 0, role: "region", "aria-label": name }, content);
      const about = `${short(content, 40)} (${counted(content.length, "character")})`;
      return h("td", {}, h("details", {}, h("summary", {}, about), whole));
    }),
  );
}
