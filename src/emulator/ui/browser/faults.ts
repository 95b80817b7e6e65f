import { faultKinds } from "../../../contract/control/choices.js";
import { button, fill, h, labelled, table } from "./dom.js";
import { counted, time } from "./format.js";
import { type Row, rowsOf, text } from "./rows.js";
import type { Surroundings, View } from "./view.js";

const columns = [
  "Kind",
  "Strikes",
  "How often",
  { name: "Struck", as: "number" },
  "Until",
  { name: "Remove", as: "hidden" },
] as const;

/** The planned faults, and a form for more of them. */
export function createFaults({ control, tell, attempt }: Surroundings): View {
  const body = h("tbody");
  const empty = h("p", { class: "empty" }, "No faults: nothing goes wrong on purpose.");
  const clearAll = button("Remove all", () =>
    attempt(async () => {
      await control.send("DELETE", "/faults");
      await refresh();
      tell("All faults are removed.");
      heading.focus();
    }),
  );
  const heading = h("h2", { id: "faults-heading", tabindex: -1 }, "Faults");
  const form = createForm();
  const struck = new Map<string, HTMLElement>();

  function lineOf(row: Row): HTMLTableRowElement {
    const id = text(row, "id");
    const count = h("td", { class: "number" });
    struck.set(id, count);
    const remove = button(
      "Remove",
      () =>
        attempt(async () => {
          await control.send("DELETE", `/faults/${encodeURIComponent(id)}`);
          await refresh();
          tell(`The fault ${text(row, "kind")} is removed.`);
          heading.focus();
        }),
      { "aria-label": `Remove the fault ${text(row, "kind")} on ${targetOf(row)}` },
    );
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, text(row, "kind")),
      h("td", {}, targetOf(row)),
      h("td", {}, oftenOf(row)),
      count,
      h("td", {}, time(text(row, "expires_at"))),
      h("td", {}, remove),
    );
  }

  let shownIds = "";
  async function refresh(): Promise<void> {
    const rows = rowsOf(await control.get("/faults"));
    const ids = rows.map((row) => text(row, "id")).join();
    // Buttons that a person is about to press stay where they are.
    if (ids !== shownIds) {
      shownIds = ids;
      struck.clear();
      fill(body, ...rows.map(lineOf));
      empty.hidden = rows.length > 0;
      clearAll.disabled = rows.length === 0;
    }
    for (const row of rows) {
      const count = struck.get(text(row, "id"));
      const now = text(row, "struck");
      if (count && count.textContent !== now) fill(count, now);
    }
  }

  form.element.addEventListener("submit", (event) => {
    event.preventDefault();
    void attempt(async () => {
      const fault = form.read();
      await control.send("POST", "/faults", fault);
      form.element.reset();
      await refresh();
      tell(`The fault ${text(fault, "kind")} is set.`);
    });
  });

  const element = h(
    "section",
    { "aria-labelledby": "faults-heading" },
    heading,
    h("div", { class: "tools" }, clearAll),
    table("Faults that are set", columns, body),
    empty,
    h("h3", { id: "faults-add" }, "Add a fault"),
    form.element,
  );
  clearAll.disabled = true;
  return {
    name: "faults",
    element,
    live: true,
    refresh,
    open: () => void attempt(() => form.prepare(control)),
  };
}

function targetOf(row: Row): string {
  const parts = ["operation", "method", "path"].map((name) => text(row, name)).filter((part) => part !== "");
  const key = text(row, "key_id");
  if (key !== "") parts.push(`of the key ${key}`);
  return parts.length > 0 ? parts.join(" ") : "every request";
}

function oftenOf(row: Row): string {
  const parts = [
    row["times"] === null ? "every time" : counted(Number(row["times"]), "time"),
    row["probability"] === null ? "" : `with a chance of ${text(row, "probability")}`,
    row["skip"] === 0 ? "" : `after ${text(row, "skip")}`,
    row["delay_ms"] === null ? "" : `by ${text(row, "delay_ms")} ms`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function createForm() {
  const kind = h(
    "select",
    { id: "fault-kind" },
    ...faultKinds.map((name) => h("option", { value: name }, name)),
  );
  const operations = h("datalist", { id: "fault-operations" });
  const field = (name: string, attributes: Record<string, string | number>) =>
    h("input", { id: `fault-${name}`, autocomplete: "off", spellcheck: "false", ...attributes });
  const operation = field("operation", { list: operations.id });
  const path = field("path", {});
  const key = h("select", { id: "fault-key" });
  const numbers = {
    probability: field("probability", { type: "number", min: 0, max: 1, step: "any" }),
    times: field("times", { type: "number", min: 1 }),
    skip: field("skip", { type: "number", min: 0 }),
    delay_ms: field("delay", { type: "number", min: 0 }),
    expires_in_seconds: field("expires", { type: "number", min: 0 }),
  };
  const delay = labelled("Delay in ms", numbers.delay_ms);
  const showDelay = () => {
    delay.hidden = kind.value !== "delay";
    numbers.delay_ms.required = !delay.hidden;
  };
  kind.addEventListener("change", showDelay);
  showDelay();

  const element = h(
    "form",
    { "aria-labelledby": "faults-add", class: "form" },
    labelled("Kind", kind),
    delay,
    labelled("Operation", operation, "like contacts.create; empty for all"),
    labelled("Path", path, "* stays within a segment, ** crosses them"),
    labelled("Key", key),
    labelled("Chance", numbers.probability, "0 to 1; empty for always"),
    labelled("Times", numbers.times, "empty for every time"),
    labelled("Let pass first", numbers.skip),
    labelled("Ends after seconds", numbers.expires_in_seconds),
    operations,
    h("div", { class: "field" }, h("button", { type: "submit" }, "Add")),
  );
  // A form's reset comes before its fields have their former values.
  element.addEventListener("reset", () => setTimeout(showDelay));

  return {
    element,
    /** The choices: the service's operations and this world's keys. */
    async prepare(control: Surroundings["control"]): Promise<void> {
      const [names, keys] = (await Promise.all([control.get("/operations"), control.get("/keys")])).map(
        rowsOf,
      );
      fill(operations, ...(names ?? []).map((row) => h("option", { value: text(row, "name") })));
      fill(
        key,
        h("option", { value: "" }, "every key"),
        ...(keys ?? []).map((row) =>
          h("option", { value: text(row, "id") }, `${text(row, "name")} (${text(row, "kind")})`),
        ),
      );
    },
    read(): Row {
      const texts = {
        kind: kind.value,
        operation: operation.value.trim(),
        path: path.value.trim(),
        key_id: key.value,
      };
      const given = Object.entries(texts).filter(([, value]) => value !== "");
      const counts = Object.entries(numbers)
        .filter(([name, { value }]) => value !== "" && (name !== "delay_ms" || !delay.hidden))
        .map(([name, { valueAsNumber }]) => [name, valueAsNumber] as const);
      return Object.fromEntries([...given, ...counts]);
    },
  };
}
