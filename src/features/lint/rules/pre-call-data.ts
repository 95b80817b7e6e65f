import type { LintRule } from "../lint-rule.js";
import { getId, getObject, getText, type Organization, type ResourceRecord } from "../organization.js";

const token = "@preCallData";

function hasWebhook(assistant: ResourceRecord): boolean {
  return getObject(assistant, "pre_call_webhook")?.["enabled"] === true;
}

function findPrompt(assistant: ResourceRecord, { find }: Organization): ResourceRecord | undefined {
  return find("prompts", getText(assistant, "prompt_id"));
}

export const webhookUnused: LintRule = {
  id: "webhook-unused",
  severity: "warning",
  summary: `If an assistant has a pre-call webhook, its prompt contains ${token}`,
  resource: "assistants",
  reads: ["prompts"],
  *check(organization) {
    for (const assistant of organization.records("assistants")) {
      const prompt = findPrompt(assistant, organization);
      if (!hasWebhook(assistant) || prompt === undefined || getText(prompt, "text").includes(token)) continue;
      yield {
        record: assistant,
        message: `its prompt "${getText(prompt, "name")}" does not contain ${token}, so the response from its pre-call webhook is not used`,
        help: `voxctl prompts update ${getId(prompt)} --text @<file>`,
      };
    }
  },
};

export const webhookMissing: LintRule = {
  id: "webhook-missing",
  severity: "warning",
  summary: `If a prompt contains ${token}, its assistant has a pre-call webhook`,
  resource: "assistants",
  reads: ["prompts"],
  *check(organization) {
    for (const assistant of organization.records("assistants")) {
      const prompt = findPrompt(assistant, organization);
      if (!organization.isFieldKnown(assistant, "pre_call_webhook")) continue;
      if (hasWebhook(assistant) || prompt === undefined || !getText(prompt, "text").includes(token)) continue;
      yield {
        record: assistant,
        message: `its prompt "${getText(prompt, "name")}" contains ${token}, but no pre-call webhook is enabled`,
        help: `voxctl assistants webhook set ${getId(assistant)} --url https://…`,
      };
    }
  },
};
