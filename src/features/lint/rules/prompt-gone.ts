import type { LintRule } from "../lint-rule.js";
import { getId, getText } from "../organization.js";

export const promptGone: LintRule = {
  id: "prompt-gone",
  severity: "error",
  // The service allows users to delete a prompt that an assistant uses for emails (public.operations.3).
  summary: "Every prompt that an assistant refers to exists",
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
