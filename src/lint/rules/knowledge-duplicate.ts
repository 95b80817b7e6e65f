import { idOf, labelOf, text } from "../organization.js";
import type { LintRule } from "../rule.js";
import { similarPairs } from "../similar.js";

export const knowledgeDuplicate: LintRule = {
  id: "knowledge-duplicate",
  severity: "warning",
  summary: "No two active knowledge items say the same (of groups of five words nine tenths are shared)",
  resource: "knowledge",
  readsTexts: true,
  *check({ things }) {
    const items = things("knowledge").filter((one) => one["active"] !== false && text(one, "text") !== "");
    for (const [first, second] of similarPairs(items.map((one) => text(one, "text")))) {
      const [one, thing] = [items[first], items[second]];
      if (one === undefined || thing === undefined) continue;
      yield {
        thing,
        message: `says the same as "${labelOf(one)}" (${idOf(one)})`,
        help: `voxctl knowledge delete ${idOf(thing)}`,
      };
    }
  },
};
