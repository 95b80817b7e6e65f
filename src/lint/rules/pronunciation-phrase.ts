import type { LintRule } from "../lint-rule.js";
import { getId, getText } from "../organization.js";

export const pronunciationPhrase: LintRule = {
  id: "pronunciation-phrase",
  severity: "error",
  // public.pronunciation.token
  summary: "A pronunciation rule is of one written word",
  resource: "pronunciation",
  *check({ records }) {
    for (const entry of records("pronunciation")) {
      if (!/\S\s+\S/u.test(getText(entry, "token"))) continue;
      yield {
        record: entry,
        message: "its token is several words, and no written word equals it: the rule never applies",
        help: `voxctl pronunciation update ${getId(entry)} --token <word>`,
      };
    }
  },
};
