import { idOf, type Organization, object, type Thing, text } from "../organization.js";
import type { LintRule } from "../rule.js";

const token = "@preCallData";

function isAsked(assistant: Thing): boolean {
  return object(assistant, "pre_call_webhook")?.["enabled"] === true;
}

function promptOf(assistant: Thing, { find }: Organization): Thing | undefined {
  return find("prompts", text(assistant, "prompt_id"));
}

export const webhookUnused: LintRule = {
  id: "webhook-unused",
  severity: "warning",
  summary: `The prompt of an assistant with a pre-call webhook holds ${token}`,
  resource: "assistants",
  reads: ["prompts"],
  *check(organization) {
    for (const thing of organization.things("assistants")) {
      const prompt = promptOf(thing, organization);
      if (!isAsked(thing) || prompt === undefined || text(prompt, "text").includes(token)) continue;
      yield {
        thing,
        message: `its pre-call webhook is asked before each call, but its prompt "${text(prompt, "name")}" has no ${token}: the answer is lost`,
        help: `voxctl prompts update ${idOf(prompt)} --text @<file>`,
      };
    }
  },
};

export const webhookMissing: LintRule = {
  id: "webhook-missing",
  severity: "warning",
  summary: `An assistant whose prompt holds ${token} has a pre-call webhook`,
  resource: "assistants",
  reads: ["prompts"],
  *check(organization) {
    for (const thing of organization.things("assistants")) {
      const prompt = promptOf(thing, organization);
      if (!organization.says(thing, "pre_call_webhook")) continue;
      if (isAsked(thing) || prompt === undefined || !text(prompt, "text").includes(token)) continue;
      yield {
        thing,
        message: `its prompt "${text(prompt, "name")}" holds ${token}, but no pre-call webhook is on: nothing takes its place`,
        help: `voxctl assistants webhook set ${idOf(thing)} --url https://…`,
      };
    }
  },
};
