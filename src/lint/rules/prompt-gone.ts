import { idOf, text } from "../organization.js";
import type { LintRule } from "../rule.js";

export const promptGone: LintRule = {
  id: "prompt-gone",
  severity: "error",
  // public.operations.3: deleting a prompt is not refused where it is an assistant's e-mail prompt.
  summary: "The prompts that an assistant refers to exist",
  resource: "assistants",
  isOfService: true,
  reads: ["prompts"],
  *check({ things, isGone }) {
    for (const thing of things("assistants")) {
      for (const [field, flag] of [
        ["prompt_id", "--prompt"],
        ["email_prompt_id", "--email-prompt"],
      ] as const) {
        const id = text(thing, field);
        if (id === "" || !isGone("prompts", id)) continue;
        yield {
          thing,
          message: `${field} is ${id}, a prompt that was deleted`,
          help: `voxctl assistants update ${idOf(thing)} ${flag} <name|id>`,
          fix: { action: "update", changes: { [field]: null } },
        };
      }
    }
  },
};
