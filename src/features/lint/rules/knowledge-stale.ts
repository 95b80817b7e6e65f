import type { LintRule } from "../lint-rule.js";
import { getId, getInstant } from "../organization.js";

const yearMilliseconds = 365 * 86_400_000;

export const knowledgeStale: LintRule = {
  id: "knowledge-stale",
  severity: "note",
  summary: "Every knowledge item was changed within the last year",
  resource: "knowledge",
  isOfService: true,
  *check({ records, now }) {
    for (const item of records("knowledge")) {
      const changed = getInstant(item, "updated_at");
      if (item["active"] === false || changed === undefined || now - changed < yearMilliseconds) continue;
      yield {
        record: item,
        message: `was last changed on ${new Date(changed).toISOString().slice(0, 10)}; check whether it is still correct`,
        help: `voxctl knowledge get ${getId(item)}`,
      };
    }
  },
};
