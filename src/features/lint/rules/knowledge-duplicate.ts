import type { LintRule } from "../lint-rule.js";
import { getId, getLabel, getText } from "../organization.js";
import { findSimilarPairs } from "../similar.js";

export const knowledgeDuplicate: LintRule = {
  id: "knowledge-duplicate",
  severity: "warning",
  summary: "No two active knowledge items have nearly the same text (90% of their five-word groups)",
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
        message: `has nearly the same text as "${getLabel(item)}" (${getId(item)})`,
        help: `voxctl knowledge delete ${getId(duplicate)}`,
      };
    }
  },
};
