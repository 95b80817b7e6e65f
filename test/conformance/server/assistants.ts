import type { Behavior } from "./behavior.js";
import { createInvalid, type Fields, isFields } from "./exchange.js";
import { fieldsOf, type ServiceState } from "./service-state.js";

const references: Readonly<Record<string, readonly string[]>> = {
  groups: ["knowledge_group_ids", "glossary_group_ids", "pronunciation_group_ids", "forwarding_group_ids"],
  // The service doesn't check references in email_prompt_id (public.operations.3).
  prompts: ["prompt_id"],
  calendars: ["calendar_ids"],
  tools: ["tool_ids"],
};

export function isAssigned(state: ServiceState, resource: string, id: string): boolean {
  const names = references[resource] ?? [];
  return state.rows("assistants").some((row) => {
    const fields = fieldsOf(row);
    return names.some((name) => {
      const value = fields[name];
      return Array.isArray(value) ? value.includes(id) : value === id;
    });
  });
}

const credentials = ["secret", "password"];

/**
 * Returns the webhook with the given fields changed and its other fields kept (public.operations.7).
 * @throws Refusal 400 for a missing required field
 */
export function mergedWebhook(before: unknown, { pre_call_webhook: given }: Fields): unknown {
  if (!isFields(given)) return given;
  if (typeof given["enabled"] !== "boolean") throw createInvalid("pre_call_webhook", "enabled is required");
  if (given["enabled"] && typeof given["url"] !== "string")
    throw createInvalid("pre_call_webhook", "url is required when enabled is true");
  const was = isFields(before) ? before : {};
  return { ...was, ...given, ...("auth" in given ? { auth: mergedAuth(was["auth"], given["auth"]) } : {}) };
}

function mergedAuth(before: unknown, given: unknown): unknown {
  if (!isFields(given)) return null;
  const { has_secret: _, has_password: __, ...fields } = given;
  const isSame = isFields(before) && before["type"] === fields["type"];
  const kept = isSame ? Object.fromEntries(credentials.map((name) => [name, before[name]])) : {};
  const merged: Fields = { ...kept, ...fields };
  if (fields["type"] !== "none" && credentials.every((name) => typeof merged[name] !== "string"))
    throw createInvalid("pre_call_webhook", "a credential is required");
  return merged;
}

/** Returns a webhook in the form of a response, without its credentials. */
export function shownWebhook(webhook: Fields, { marksCredentials }: Behavior): Fields {
  const { auth } = webhook;
  if (!isFields(auth)) return webhook;
  const stored = credentials.filter((name) => typeof auth[name] === "string");
  const marks = marksCredentials ? stored.map((name) => [`has_${name}`, true] as const) : [];
  const open = Object.entries(auth).filter(([name]) => !credentials.includes(name));
  return { ...webhook, auth: Object.fromEntries([...open, ...marks]) };
}
