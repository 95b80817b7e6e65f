import type { LintRule } from "../lint-rule.js";
import { getId, getLabel, getText, getTexts, type ResourceRecord } from "../organization.js";

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
        message: "its token has several words, so the rule never applies",
        help: `voxctl pronunciation update ${getId(entry)} --token <word>`,
      };
    }
  },
};

export const pronunciationIgnored: LintRule = {
  id: "pronunciation-ignored",
  severity: "warning",
  // public.pronunciation.generations
  summary: "Pronunciation rules with a speaking rate or IPA are used only with v2 voices",
  resource: "assistants",
  isOfService: true,
  reads: ["voices", "pronunciation"],
  *check({ records, find }) {
    for (const assistant of records("assistants")) {
      const voice = find("voices", getText(assistant, "voice_id"));
      if (getText(voice, "generation") !== "v1") continue;
      const groups = new Set(getTexts(assistant, "pronunciation_group_ids"));
      const ignored = records("pronunciation").filter(
        (rule) => groups.has(getText(rule, "group_id")) && isForV2(rule),
      );
      const [first] = ignored;
      if (first === undefined) continue;
      const rules = ignored.length > 1 ? "rules" : "rule";
      const more = ignored.length > 1 ? ` and ${ignored.length - 1} more` : "";
      yield {
        record: assistant,
        message: `its v1 voice "${getLabel(voice ?? {})}" ignores the speaking rate or IPA in the pronunciation ${rules} for "${getLabel(first)}"${more}`,
        help: `voxctl assistants update ${getId(assistant)} --voice <name|id>`,
      };
    }
  },
};

function isForV2(rule: ResourceRecord): boolean {
  return getText(rule, "ipa") !== "" || typeof rule["speaking_rate"] === "number";
}
