import type { LintRule } from "../lint-rule.js";
import { getId, getObject, getText } from "../organization.js";

export const toolPlainHttp: LintRule = {
  id: "tool-plain-http",
  severity: "warning",
  summary: "A tool's address begins with https",
  resource: "tools",
  *check({ records }) {
    for (const tool of records("tools")) {
      if (!isPlain(getText(tool, "url"))) continue;
      yield {
        record: tool,
        message: "is asked over plain http: its secret and what callers say can be read on the way",
        help: `voxctl tools update ${getId(tool)} --url https://…`,
      };
    }
  },
};

export const webhookPlainHttp: LintRule = {
  id: "webhook-plain-http",
  severity: "warning",
  summary: "The address of a pre-call webhook begins with https",
  resource: "assistants",
  *check({ records }) {
    for (const assistant of records("assistants")) {
      const webhook = getObject(assistant, "pre_call_webhook");
      if (webhook?.["enabled"] !== true || !isPlain(getText(webhook, "url"))) continue;
      yield {
        record: assistant,
        message:
          "its pre-call webhook is asked over plain http: its credential and callers' numbers can be read on the way",
        help: `voxctl assistants webhook set ${getId(assistant)} --url https://…`,
      };
    }
  },
};

function isPlain(url: string): boolean {
  return /^http:/i.test(url.trim());
}
