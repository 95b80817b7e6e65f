import type { Webhook, WebhookAuthInput, WebhookInput } from "../../contract/public/pre-call-webhook.js";
import { conflict, invalid, type Refusal, type RefusalDetail } from "../refusal.js";

/** The stored form of a webhook: the fields that GET returns, and its encrypted credential. */
export interface StoredWebhook {
  webhook: Webhook;
  credential: string | null;
}

/** The webhook after a PATCH. A new credential is not encrypted yet. */
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
 * public.operations.7: merges `pre_call_webhook` of a PATCH into the stored webhook (null: no webhook). The
 * schema has checked `enabled`, and `url` if enabled (7c). A refusal because of the line's state is returned,
 * since references are checked first (D-order).
 * @throws Refusal validation_failed if a required credential is missing (7g)
 */
export function mergeWebhook(
  stored: StoredWebhook | null,
  sent: WebhookInput | null | undefined,
  line: { enterprise: boolean },
): WebhookChange {
  // 7a: omitted is preserved.
  if (sent === undefined) return { type: "preserved" }; // public.operations.7a
  const merged = sent === null ? undefined : mergeAuth(stored, sent.auth);
  // 7i, D-enterprise: an enterprise line refuses any change, including unchanged values and null.
  if (line.enterprise) {
    const message = "the pre-call webhook of an enterprise line can't be changed here";
    return { type: "refused", refusal: conflict("public.operations.7i", message) };
  }
  // 7b: null removes it, together with its credentials.
  if (sent === null || !merged) return { type: "removed" }; // public.operations.7b
  return {
    type: "merged",
    webhook: {
      // 7h: `enabled: false` keeps url, headers and credentials.
      enabled: sent.enabled, // public.operations.7h
      // 7c: omitted fields keep their values.
      url: sent.url === undefined ? (stored?.webhook.url ?? null) : sent.url, // public.operations.7c
      // 7d: a supplied map replaces all headers, null clears them.
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
  // 7e: auth omitted is preserved, null removed.
  if (sent === undefined) return { auth: old, credential: oldCredential };
  if (sent === null) return { auth: null, credential: null }; // public.operations.7e
  // 7f: the same type keeps omitted fields. 7g: another type keeps nothing.
  const same = old?.type === sent.type; // public.operations.7g
  const kept = same ? old : null;
  const credentialOf = (secret: string | undefined): Credential =>
    secret === undefined ? (same ? oldCredential : null) : { sent: secret }; // public.operations.7f
  // 7k: has_secret and has_password are ignored, so that a GET's object can be sent back.
  switch (sent.type) {
    case "none":
      // 7g: none requires nothing.
      return { auth: { type: "none" }, credential: null };
    case "bearer": {
      const credential = credentialOf(sent.secret);
      requireAll({ secret: credential });
      return { auth: { type: "bearer", has_secret: true }, credential };
    }
    case "basic": {
      const credential = credentialOf(sent.password);
      const username = sent.username ?? kept?.username;
      requireAll({ username, password: credential });
      return { auth: { type: "basic", username, has_password: true }, credential };
    }
    case "api_key": {
      const credential = credentialOf(sent.secret);
      const header_name = sent.header_name ?? kept?.header_name;
      requireAll({ header_name, secret: credential });
      return { auth: { type: "api_key", header_name, has_secret: true }, credential };
    }
  }
}

/** 7g: a required credential that is neither sent nor stored under the same type: 400. */
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
 * 7j: returns the refusal if a concurrent request cleared the webhook or changed its auth since the merge. No
 * part of the PATCH may be applied then.
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
