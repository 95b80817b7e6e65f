import { idOf, object, text } from "../organization.js";
import type { LintRule } from "../rule.js";

export const toolPlainHttp: LintRule = {
  id: "tool-plain-http",
  severity: "warning",
  summary: "A tool's address begins with https",
  resource: "tools",
  *check({ things }) {
    for (const thing of things("tools")) {
      if (!isPlain(text(thing, "url"))) continue;
      yield {
        thing,
        message: "is asked over plain http: its secret and what callers say can be read on the way",
        help: `voxctl tools update ${idOf(thing)} --url https://…`,
      };
    }
  },
};

export const webhookPlainHttp: LintRule = {
  id: "webhook-plain-http",
  severity: "warning",
  summary: "The address of a pre-call webhook begins with https",
  resource: "assistants",
  *check({ things }) {
    for (const thing of things("assistants")) {
      const webhook = object(thing, "pre_call_webhook");
      if (webhook?.["enabled"] !== true || !isPlain(text(webhook, "url"))) continue;
      yield {
        thing,
        message:
          "its pre-call webhook is asked over plain http: its credential and callers' numbers can be read on the way",
        help: `voxctl assistants webhook set ${idOf(thing)} --url https://…`,
      };
    }
  },
};

function isPlain(url: string): boolean {
  return /^http:/i.test(url.trim());
}
