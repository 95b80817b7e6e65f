import { idOf, labelOf, type Thing, text, texts } from "../organization.js";
import type { LintRule } from "../rule.js";

export const pronunciationIgnored: LintRule = {
  id: "pronunciation-ignored",
  severity: "warning",
  // public.pronunciation.generations
  summary: "Speaking rates and IPA are rules of assistants with a v2 voice: a v1 voice ignores them",
  resource: "assistants",
  isOfService: true,
  reads: ["voices", "pronunciation"],
  *check({ things, find }) {
    for (const thing of things("assistants")) {
      const voice = find("voices", text(thing, "voice_id"));
      if (text(voice, "generation") !== "v1") continue;
      const groups = new Set(texts(thing, "pronunciation_group_ids"));
      const ignored = things("pronunciation").filter(
        (rule) => groups.has(text(rule, "group_id")) && isForV2(rule),
      );
      const [first] = ignored;
      if (first === undefined) continue;
      const more = ignored.length > 1 ? ` and ${ignored.length - 1} more` : "";
      yield {
        thing,
        message: `its voice "${labelOf(voice ?? {})}" is of generation v1 and ignores the speaking rate or IPA of "${labelOf(first)}"${more}`,
        help: `voxctl assistants update ${idOf(thing)} --voice <name|id>`,
      };
    }
  },
};

function isForV2(rule: Thing): boolean {
  return text(rule, "ipa") !== "" || typeof rule["speaking_rate"] === "number";
}
