import type { LintRule } from "../lint-rule.js";
import { getId, getLabel, getText } from "../organization.js";
import { findSimilarPairs } from "../similar.js";

export const knowledgeDuplicate: LintRule = {
  id: "knowledge-duplicate",
  severity: "warning",
  summary: "No two active knowledge items say the same (of groups of five words nine tenths are shared)",
  resource: "knowledge",
  readsTexts: true,
  *check({ records }) {
    const items = records("knowledge").filter(
      (item) => item["active"] !== false && getText(item, "text") !== "",
    );
    for (const [first, second] of findSimilarPairs(items.map((item) => getText(item, "text")))) {
      const [item, duplicate] = [items[first], items[second]];
      if (item === undefined || duplicate === undefined) continue;
      yield {
        record: duplicate,
        message: `says the same as "${getLabel(item)}" (${getId(item)})`,
        help: `voxctl knowledge delete ${getId(duplicate)}`,
      };
    }
  },
};
