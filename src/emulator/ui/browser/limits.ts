import { checkbox, fill, h, table } from "./dom.js";
import { time } from "./format.js";
import { number, type Row, rowsOf, text } from "./rows.js";
import type { Surroundings, View } from "./view.js";

const columns = ["Who", "Kind", "Bucket", { name: "Left", as: "number" }, "Window ends"] as const;

/** The rest of every limit, per key and bucket. */
export function createLimits({ control, attempt }: Surroundings): View {
  const body = h("tbody");
  const empty = h("p", { class: "empty", hidden: true }, "Nothing is in use now.");
  let onlyUsed = false;
  let shown = "";

  function lineOf(row: Row): HTMLTableRowElement {
    const limit = number(row, "limit");
    const remaining = number(row, "remaining");
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, text(row, "name")),
      h("td", {}, text(row, "kind")),
      h("td", {}, text(row, "bucket")),
      h("td", { class: "number" }, `${remaining} of ${limit} `, meter(remaining, limit)),
      h("td", {}, time(text(row, "resets_at"))),
    );
  }

  async function refresh(): Promise<void> {
    const all = rowsOf(await control.get("/limits"));
    const rows = onlyUsed ? all.filter((row) => text(row, "resets_at") !== "") : all;
    const state = JSON.stringify(rows);
    if (state === shown) return;
    shown = state;
    fill(body, ...rows.map(lineOf));
    empty.hidden = rows.length > 0;
  }

  const element = h(
    "section",
    { "aria-labelledby": "limits-heading" },
    h("h2", { id: "limits-heading", tabindex: -1 }, "Limits"),
    h(
      "div",
      { class: "tools" },
      checkbox("limits-used", "Only what is in use", (on) => {
        onlyUsed = on;
        void attempt(refresh);
      }),
    ),
    table("What is left of each limit", columns, body),
    empty,
  );
  return { name: "limits", element, live: true, refresh };
}

/** The number stands beside it: to who does not see it, it says nothing new. */
function meter(remaining: number, limit: number): HTMLElement {
  return h("meter", {
    min: 0,
    max: Math.max(1, limit),
    low: limit / 4,
    high: limit / 2,
    optimum: limit,
    value: remaining,
    "aria-hidden": "true",
  });
}
