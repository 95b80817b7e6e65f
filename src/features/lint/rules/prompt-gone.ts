import type { LintRule } from "../lint-rule.js";
import { getId, getText } from "../organization.js";

export const promptGone: LintRule = {
  id: "prompt-gone",
  severity: "error",
  // The service allows deleting the email prompt of an assistant (public.operations.3).
  summary: "The prompts that an assistant refers to exist",
  resource: "assistants",
  isOfService: true,
  reads: ["prompts"],
  *check({ records, isGone }) {
    for (const assistant of records("assistants")) {
      for (const [field, flag] of [
        ["prompt_id", "--prompt"],
        ["email_prompt_id", "--email-prompt"],
      ] as const) {
        const id = getText(assistant, field);
        if (id === "" || !isGone("prompts", id)) continue;
        yield {
          record: assistant,
          message: `${field} refers to the deleted prompt ${id}`,
          help: `voxctl assistants update ${getId(assistant)} ${flag} <name|id>`,
          fix: { action: "update", changes: { [field]: null } },
        };
      }
    }
  },
};
