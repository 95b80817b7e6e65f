import { idOf, text } from "../organization.js";
import type { LintRule } from "../rule.js";

export const assistantNumber: LintRule = {
  id: "assistant-number",
  severity: "warning",
  summary: "An assistant has a phone number",
  resource: "assistants",
  isOfService: true,
  *check({ things }) {
    for (const thing of things("assistants")) {
      if (text(thing, "phone_number") !== "") continue;
      yield {
        thing,
        message: "has no phone number: it can't be called",
        help: `voxctl assistants get ${idOf(thing)}`,
      };
    }
  },
};

export const assistantPrompt: LintRule = {
  id: "assistant-prompt",
  severity: "warning",
  summary: "An assistant has a prompt",
  resource: "assistants",
  *check({ things, says }) {
    for (const thing of things("assistants")) {
      if (!says(thing, "prompt_id") || text(thing, "prompt_id") !== "") continue;
      yield {
        thing,
        message: "has no prompt: it knows its introduction only",
        help: `voxctl assistants update ${idOf(thing)} --prompt <name|id>`,
      };
    }
  },
};
