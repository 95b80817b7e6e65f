import type { Webhook, WebhookAuthInput, WebhookInput } from "../../contract/public/pre-call-webhook.js";
import { conflict, invalid, type Refusal, type RefusalDetail } from "../refusal.js";

export interface StoredWebhook {
  webhook: Webhook;
  credential: string | null;
}

/** A new credential is not encrypted yet. */
export type WebhookChange =
  | { type: "preserved" }
  | { type: "removed" }
  | { type: "merged"; webhook: Webhook; credential: { stored: string } | { sent: string } | null }
  | { type: "refused"; refusal: Refusal };

type Credential = Extract<WebhookChange, { type: "merged" }>["credential"];
interface Auth {
  auth: Webhook["auth"];
  credential: Credential;
}

/**
 * Merges a PATCH's `pre_call_webhook` into the stored webhook (public.operations.7). For an enterprise line,
 * returns a refusal instead of throwing it, because the caller checks references first (D-order).
 * @throws Refusal validation_failed if a required credential is missing (7g)
 */
export function mergeWebhook(
  stored: StoredWebhook | null,
  sent: WebhookInput | null | undefined,
  line: { enterprise: boolean },
): WebhookChange {
  if (sent === undefined) return { type: "preserved" }; // public.operations.7a
  const merged = sent === null ? undefined : mergeAuth(stored, sent.auth);
  // On an enterprise line, every PATCH with `pre_call_webhook` is refused, even with unchanged values or null
  // (7i, D-enterprise).
  if (line.enterprise) {
    const message = "the pre-call webhook of an enterprise line can't be changed through the API";
    return { type: "refused", refusal: conflict("public.operations.7i", message) };
  }
  if (sent === null || !merged) return { type: "removed" }; // public.operations.7b
  return {
    type: "merged",
    webhook: {
      // `enabled: false` keeps URL, headers and credentials (7h).
      enabled: sent.enabled, // public.operations.7h
      url: sent.url === undefined ? (stored?.webhook.url ?? null) : sent.url, // public.operations.7c
      // A supplied map replaces all headers; null clears them (7d).
      // public.operations.7d
      headers: sent.headers === undefined ? (stored?.webhook.headers ?? {}) : (sent.headers ?? {}),
      auth: merged.auth,
    },
    credential: merged.credential,
  };
}

function mergeAuth(stored: StoredWebhook | null, sent: WebhookAuthInput | null | undefined): Auth {
  const old = stored?.webhook.auth ?? null;
  const oldCredential = stored === null || stored.credential === null ? null : { stored: stored.credential };
  if (sent === undefined) return { auth: old, credential: oldCredential };
  if (sent === null) return { auth: null, credential: null }; // public.operations.7e
  // Omitted fields keep their values if the type stays the same (7f), and lose them if the type changes (7g).
  const same = old?.type === sent.type; // public.operations.7g
  const kept = same ? old : null;
  const credentialOf = (secret: string | undefined): Credential =>
    secret === undefined ? (same ? oldCredential : null) : { sent: secret }; // public.operations.7f
  // `has_secret` and `has_password` are ignored, so that clients can send back the object from a GET (7k).
  switch (sent.type) {
    case "none":
      // `none` requires no credential (7g).
      return { auth: { type: "none" }, credential: null };
    case "bearer": {
      const credential = credentialOf(sent.secret);
      requireAll({ secret: credential });
      return { auth: { type: "bearer", has_secret: true }, credential };
    }
    case "basic": {
      const credential = credentialOf(sent.password);
      const username = sent.username ?? kept?.username;
      requireAll({ ...(same ? {} : { username }), password: credential });
      return { auth: { type: "basic", username, has_password: true }, credential };
    }
    case "api_key": {
      const credential = credentialOf(sent.secret);
      const header_name = sent.header_name ?? kept?.header_name;
      requireAll({ ...(same ? {} : { header_name }), secret: credential });
      return { auth: { type: "api_key", header_name, has_secret: true }, credential };
    }
    default:
      return mergeOtherAuth(kept, sent, oldCredential);
  }
}

/**
 * Merges authentication of a type that the contract doesn't define but a mirror's source returned. Shows the
 * same fields as the source, because any other field may be a credential (public.webhook.secrets).
 */
function mergeOtherAuth(
  kept: Webhook["auth"],
  sent: Readonly<Record<string, unknown>>,
  oldCredential: Credential,
): Auth {
  const shown = Object.entries(kept ?? {}).map(([name, value]) => [name, sent[name] ?? value]);
  const secret = sent["secret"] ?? sent["password"];
  return {
    auth: { ...Object.fromEntries(shown), type: String(sent["type"]) },
    credential: typeof secret === "string" ? { sent: secret } : kept && oldCredential,
  };
}

/** Refuses a webhook whose required credential is neither sent nor stored for the same type (7g). */
function requireAll(fields: Readonly<Record<string, unknown>>): void {
  const details: RefusalDetail[] = Object.entries(fields)
    .filter(([, value]) => value === undefined || value === null)
    .map(([name]) => ({
      path: ["pre_call_webhook", "auth", name],
      message: "is required for this type of auth",
    }));
  if (details.length > 0) throw invalid("public.operations.7g", details);
}

/**
 * Returns a refusal if, since the merge, another request has cleared the webhook or changed its auth (7j). In
 * this case, the caller must not apply any part of the PATCH.
 */
export function refusalOfRace(
  read: StoredWebhook | null,
  current: StoredWebhook | null,
): Refusal | undefined {
  const state = (webhook: StoredWebhook | null) =>
    webhook && JSON.stringify([webhook.webhook.auth, webhook.credential]);
  if (state(read) === state(current)) return undefined;
  return conflict(
    "public.operations.7j",
    "the pre-call webhook was changed by another request at the same time; read it again",
  );
}
