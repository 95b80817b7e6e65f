/**
 * The specified rules that refuse something, read off the documents' own words ("must", "can't", "else 4xx"): each
 * needs a test in which it does. Rules that only say what an answer holds are left out.
 */
export const rulesThatRefuse: readonly string[] = [
  ...["4", "7", "8", "9b"].map((rule) => `public.general.${rule}`),
  "public.contact.fields",
  "public.contact.group",
  "public.group.types",
  "public.group.own-type",
  "public.assistant.required",
  "public.assistant.readonly",
  "public.assistant.refs",
  "public.webhook.enabled",
  "public.webhook.url",
  "public.forwarding.types",
  "public.items.group-immutable",
  "public.pronunciation.token",
  "public.calendar.kinds",
  "public.calendar.unique",
  "public.tool.webhook-only",
  "public.states.recording",
  ...["1b", "1c", "3a", "4b", "4c", "6b", "7c", "7g", "7i", "7j", "8a", "8b", "9", "10", "11", "11c"].map(
    (rule) => `public.operations.${rule}`,
  ),
  ...["12a", "12b", "12d", "12f", "13c", "14a", "14b", "14d", "14e", "14f", "16a", "16b"].map(
    (rule) => `public.operations.${rule}`,
  ),
  ...["1", "2", "4", "5", "6"].map((rule) => `public.auth.${rule}`),
  ...["1", "2a", "2b", "3", "4", "5", "6"].map((rule) => `public.errors.${rule}`),
  ...["read", "write", "outbound", "per-key", "override", "1", "3", "4"].map(
    (rule) => `public.limits.${rule}`,
  ),
  "v2.create",
  "v2.create.msp",
  "v2.create.customer",
  "v2.duplicate",
  "v2.license.reassign",
  "v2.license.disable",
  "v2.delete.msp",
  "v2.licenses.upsert",
  "v2.usage",
  "v2.billing",
  ...["missing", "expired", "version", "permission"].map((rule) => `dist.auth.${rule}`),
  ...["1", "3", "4"].map((rule) => `dist.limits.${rule}`),
  ...["flat", "validation", "id", "range", "not-found"].map((rule) => `v1.errors.${rule}`),
  "v1.partner.duplicate",
  "v1.customer.duplicate",
  "v1.partner.not-found",
  "v1.partner.delete",
  "v1.plan",
  "v1.org-creation",
  ...["assistant", "phone-format", "german", "details", "auth", "limit", "failed", "keys"].map(
    (rule) => `legacy.${rule}`,
  ),
  "emulator.control",
  "emulator.explain",
  "emulator.faults",
];

/** Limits, races and merges hold only if they hold for many who ask at once. */
export const rulesUnderConcurrency: readonly string[] = [
  "public.limits.read",
  "public.limits.write",
  "public.limits.1",
  "public.operations.1c",
  "public.operations.7j",
  "v2.create.customer",
  "v2.license.states",
  "v2.license.reassign",
];
