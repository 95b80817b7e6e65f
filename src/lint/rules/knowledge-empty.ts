import { idOf, text } from "../organization.js";
import type { LintRule } from "../rule.js";

export const knowledgeEmpty: LintRule = {
  id: "knowledge-empty",
  severity: "warning",
  summary: "A knowledge item has a text",
  resource: "knowledge",
  readsTexts: true,
  *check({ things }) {
    for (const thing of things("knowledge")) {
      if (typeof thing["text"] !== "string" || text(thing, "text").trim() !== "") continue;
      yield {
        thing,
        message: "its text is empty",
        help: `voxctl knowledge update ${idOf(thing)} --text @<file>`,
      };
    }
  },
};
