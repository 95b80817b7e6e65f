import { idOf, text } from "../organization.js";
import type { LintRule } from "../rule.js";

export const pronunciationPhrase: LintRule = {
  id: "pronunciation-phrase",
  severity: "error",
  // public.pronunciation.token
  summary: "A pronunciation rule is of one written word",
  resource: "pronunciation",
  *check({ things }) {
    for (const thing of things("pronunciation")) {
      if (!/\S\s+\S/u.test(text(thing, "token"))) continue;
      yield {
        thing,
        message: "its token is several words, and no written word equals it: the rule never applies",
        help: `voxctl pronunciation update ${idOf(thing)} --token <word>`,
      };
    }
  },
};
