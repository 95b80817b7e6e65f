import type { LintRule } from "../lint-rule.js";
import { getId, getObject, getText } from "../organization.js";

export const toolPlainHttp: LintRule = {
  id: "tool-plain-http",
  severity: "warning",
  summary: "Every tool has an https URL",
  resource: "tools",
  *check({ records }) {
    for (const tool of records("tools")) {
      if (!isPlain(getText(tool, "url"))) continue;
      yield {
        record: tool,
        message: "uses plain HTTP, so its secret and callers' data are sent unencrypted",
        help: `voxctl tools update ${getId(tool)} --url https://…`,
      };
    }
  },
};

export const webhookPlainHttp: LintRule = {
  id: "webhook-plain-http",
  severity: "warning",
  summary: "Every pre-call webhook has an https URL",
  resource: "assistants",
  *check({ records }) {
    for (const assistant of records("assistants")) {
      const webhook = getObject(assistant, "pre_call_webhook");
      if (webhook?.["enabled"] !== true || !isPlain(getText(webhook, "url"))) continue;
      yield {
        record: assistant,
        message:
          "its pre-call webhook uses plain HTTP, so its credential and callers' numbers are sent unencrypted",
        help: `voxctl assistants webhook set ${getId(assistant)} --url https://…`,
      };
    }
  },
};

function isPlain(url: string): boolean {
  return /^http:/i.test(url.trim());
}
