import type { LintRule } from "../lint-rule.js";
import { getId, getText } from "../organization.js";

export const knowledgeEmpty: LintRule = {
  id: "knowledge-empty",
  severity: "warning",
  summary: "Every knowledge item has a text",
  resource: "knowledge",
  readsTexts: true,
  *check({ records }) {
    for (const item of records("knowledge")) {
      if (typeof item["text"] !== "string" || getText(item, "text").trim() !== "") continue;
      yield {
        record: item,
        message: "has an empty text",
        help: `voxctl knowledge update ${getId(item)} --text @<file>`,
      };
    }
  },
};
