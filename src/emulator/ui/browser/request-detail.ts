import type { Control } from "./control.js";
import { h } from "./dom.js";
import { body, sentence, time } from "./format.js";
import { type Row, rowsOf, text } from "./rows.js";
import { kindOf, type Rulebook } from "./rulebook.js";

/** Makes what is shown of one request when it is opened: when and by whom, its rule's text, both bodies. */
export function createRequestDetail(
  control: Control,
  rulebook: Rulebook,
): (row: Row) => Promise<HTMLElement> {
  const names = new Map<string, string>();

  async function keyName(id: string): Promise<string> {
    // Keys are made while the page is open.
    if (!names.has(id)) {
      for (const key of rowsOf(await control.get("/keys"))) {
        names.set(text(key, "id"), `${text(key, "name")} (${text(key, "kind")})`);
      }
    }
    return names.get(id) ?? id;
  }

  return async (row) => {
    const rule = text(row, "rule");
    const [key, found] = await Promise.all([
      text(row, "key_id") === "" ? "none" : keyName(text(row, "key_id")),
      rule === "" ? undefined : rulebook.find(rule),
    ]);
    const facts: [string, Node | string][] = [
      ["Time", time(text(row, "at")) ?? ""],
      ["Path", text(row, "path")],
      ["Key", key],
      ...(text(row, "code") === "" ? [] : [["Code", text(row, "code")] satisfies [string, string]]),
    ];
    return h(
      "div",
      {},
      h("dl", {}, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      rule === ""
        ? null
        : h(
            "p",
            { class: "rule" },
            h("strong", {}, rule),
            ...(found ? [` (${kindOf(found)}): `, ...sentence(text(found, "text"))] : []),
          ),
      bodyOf("Request body", text(row, "request_body")),
      bodyOf("Response body", text(row, "response_body")),
    );
  };
}

function bodyOf(title: string, content: string): HTMLElement {
  if (content === "") return h("p", { class: "empty" }, `${title}: none`);
  return h(
    "div",
    {},
    h("h3", {}, title),
    // Reached by the keyboard, since it scrolls.
    h("pre", { tabindex: 0, role: "region", "aria-label": title }, body(content)),
  );
}
