import type { LintRule } from "../lint-rule.js";
import { getId, getText } from "../organization.js";

export const pronunciationPhrase: LintRule = {
  id: "pronunciation-phrase",
  severity: "error",
  // public.pronunciation.token
  summary: "The token of a pronunciation rule is a single word",
  resource: "pronunciation",
  *check({ records }) {
    for (const entry of records("pronunciation")) {
      if (!/\S\s+\S/u.test(getText(entry, "token"))) continue;
      yield {
        record: entry,
        message: "its token has several words, so it never applies",
        help: `voxctl pronunciation update ${getId(entry)} --token <word>`,
      };
    }
  },
};
