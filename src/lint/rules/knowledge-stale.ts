import { idOf, instant } from "../organization.js";
import type { LintRule } from "../rule.js";

const yearMilliseconds = 365 * 86_400_000;

export const knowledgeStale: LintRule = {
  id: "knowledge-stale",
  severity: "note",
  summary: "A knowledge item was changed within the last year",
  resource: "knowledge",
  isOfService: true,
  *check({ things, now }) {
    for (const thing of things("knowledge")) {
      const changed = instant(thing, "updated_at");
      if (thing["active"] === false || changed === undefined || now - changed < yearMilliseconds) continue;
      yield {
        thing,
        message: `was last changed on ${new Date(changed).toISOString().slice(0, 10)}: is it still true?`,
        help: `voxctl knowledge get ${idOf(thing)}`,
      };
    }
  },
};
