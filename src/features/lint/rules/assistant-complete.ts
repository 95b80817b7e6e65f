import type { LintRule } from "../lint-rule.js";
import { getId, getText } from "../organization.js";

export const assistantNumber: LintRule = {
  id: "assistant-number",
  severity: "warning",
  summary: "Every assistant has a phone number",
  resource: "assistants",
  isOfService: true,
  *check({ records }) {
    for (const assistant of records("assistants")) {
      if (getText(assistant, "phone_number") !== "") continue;
      yield {
        record: assistant,
        message: "has no phone number, so nobody can call it",
        help: `voxctl assistants get ${getId(assistant)}`,
      };
    }
  },
};

export const assistantPrompt: LintRule = {
  id: "assistant-prompt",
  severity: "warning",
  summary: "Every assistant has a prompt",
  resource: "assistants",
  *check({ records, isFieldKnown }) {
    for (const assistant of records("assistants")) {
      if (!isFieldKnown(assistant, "prompt_id") || getText(assistant, "prompt_id") !== "") continue;
      yield {
        record: assistant,
        message: "has no prompt, so it has no instructions beyond its introduction",
        help: `voxctl assistants update ${getId(assistant)} --prompt <name|id>`,
      };
    }
  },
};
