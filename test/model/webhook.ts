import { type Body, isObject } from "./fields.js";

export interface StoredWebhook {
  enabled: boolean;
  url: string | null;
  headers: Body;
  /** Includes the credential, which no response contains. */
  auth: Readonly<Record<string, string>> | null;
}

/** The fields of each type of auth; the last one is secret. */
const authFields: Readonly<Record<string, readonly string[]>> = {
  none: [],
  bearer: ["secret"],
  basic: ["username", "password"],
  api_key: ["header_name", "secret"],
};
const secretFields = ["secret", "password"];

/**
 * Returns the problems of a webhook that don't depend on the stored one (public.webhook.enabled,
 * public.webhook.url).
 */
export function findWebhookProblems(sent: unknown): string[] {
  if (sent === null || sent === undefined) return [];
  if (!isObject(sent)) return ["pre_call_webhook"];
  const problems: string[] = [];
  if (typeof sent["enabled"] !== "boolean") problems.push("pre_call_webhook.enabled");
  // An enabled webhook requires a URL in the same object, even if a URL is stored (D-webhook).
  else if (sent["enabled"] && typeof sent["url"] !== "string") problems.push("pre_call_webhook.url");
  return problems;
}

/**
 * Merges a webhook according to public.operations.7, sentence by sentence.
 * @returns the resulting webhook, or "missing" if a new credential is required (400)
 */
export function mergeWebhook(
  stored: StoredWebhook | null,
  sent: Body | null | undefined,
): StoredWebhook | null | "missing" {
  if (sent === undefined) return stored;
  // Null removes the webhook together with its credentials.
  if (sent === null) return null;
  const auth = mergedAuth(stored?.auth ?? null, sent);
  if (auth === "missing") return auth;
  const kept = stored ?? { url: null, headers: {} };
  return {
    enabled: sent["enabled"] === true,
    url: typeof sent["url"] === "string" ? sent["url"] : kept.url,
    // A header map replaces all headers, and null clears them.
    headers: sent["headers"] === null ? {} : isObject(sent["headers"]) ? sent["headers"] : kept.headers,
    auth,
  };
}

function mergedAuth(stored: StoredWebhook["auth"], { auth }: Body): StoredWebhook["auth"] | "missing" {
  // An omitted auth is kept, and null removes it.
  if (auth === undefined) return stored;
  if (!isObject(auth)) return null;
  const type = String(auth["type"]);
  const before = stored?.["type"] === type ? stored : {};
  const result: Record<string, string> = { type };
  for (const field of authFields[type] ?? []) {
    // An omitted field keeps its value if the type stays the same.
    const value = auth[field] ?? before[field];
    // A new type requires a new credential, except the type none.
    if (typeof value !== "string") return "missing";
    result[field] = value;
  }
  return result;
}

/**
 * Returns a webhook in the form of a response. A flag replaces each password and secret
 * (public.webhook.secrets, D-webhook).
 */
export function formatWebhook(stored: StoredWebhook | null): unknown {
  if (stored === null || stored.auth === null) return stored;
  const auth = Object.fromEntries(
    Object.entries(stored.auth).map(([field, value]) =>
      secretFields.includes(field) ? [`has_${field}`, true] : [field, value],
    ),
  );
  return { ...stored, auth };
}
