import { fill, h, labelled } from "./dom.js";
import { counted, sentence } from "./format.js";
import { text } from "./rows.js";
import { kindOf, type Rulebook } from "./rulebook.js";
import type { Surroundings, View } from "./view.js";

const shownAtMost = 60;

/** The text of each rule, found by its id or by a word in it. */
export function createRules({ attempt }: Surroundings, rulebook: Rulebook): View {
  const search = h("input", { type: "search", id: "rules-search", autocomplete: "off", spellcheck: "false" });
  const found = h("p", { role: "status" });
  const list = h("dl", { class: "rules" });

  async function refresh(): Promise<void> {
    const rules = await rulebook.all();
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = rules.filter((rule) => {
      const content = `${text(rule, "id")} ${text(rule, "text")}`.toLowerCase();
      return words.every((word) => content.includes(word));
    });
    // A typed id shows that rule first.
    const exact = matching.filter((rule) => text(rule, "id").toLowerCase() === words[0]);
    const ordered = [...exact, ...matching.filter((rule) => !exact.includes(rule))];
    const more = ordered.length > shownAtMost ? `, ${shownAtMost} of them here` : "";
    fill(found, `${counted(ordered.length, "rule")}${more}`);
    fill(
      list,
      ...ordered
        .slice(0, shownAtMost)
        .flatMap((rule) => [
          h("dt", {}, text(rule, "id"), " ", h("span", { class: "kind" }, kindOf(rule))),
          h("dd", {}, ...sentence(text(rule, "text"))),
        ]),
    );
  }

  search.addEventListener("input", () => void attempt(refresh));
  const element = h(
    "section",
    { "aria-labelledby": "rules-heading" },
    h("h2", { id: "rules-heading", tabindex: -1 }, "Rules"),
    h("div", { class: "tools" }, labelled("Explain", search, "a rule's id, or words"), found),
    list,
  );
  return {
    name: "rules",
    element,
    live: false,
    refresh,
    open(detail) {
      if (detail !== "") search.value = detail;
    },
  };
}
