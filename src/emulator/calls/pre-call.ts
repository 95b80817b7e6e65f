import * as z from "zod";
import type { Row } from "../../base/database.js";
import { secretMask } from "../../base/secret-mask.js";
import { CallerObject } from "../../contract/primitives-http.js";
import { Webhook } from "../../contract/public/pre-call-webhook.js";
import type { EmulatorState } from "../emulator-state.js";
import { decryptHeaders, decryptSecret, unreadableHeader } from "../kernel/secrets.js";
import { sendWebhook, type WebhookOutcome, type WebhookResponse } from "./webhook-request.js";

/** Secrets are masked. */
interface PreCallExchange {
  request: { method: "POST"; url: string; headers: Record<string, string>; body: unknown };
  response: WebhookResponse | null;
  error: string | null;
}

interface PreCallResult {
  exchange: PreCallExchange | null;
  /** The text that replaces `@preCallData`; empty if there is no webhook or if its request failed. */
  data: string;
}

const fromJson = (text: unknown) => (typeof text === "string" ? JSON.parse(text) : null);
const StoredWebhook = z.preprocess(fromJson, Webhook.omit({ headers: true }).nullable());
const StoredHeaders = z.preprocess(fromJson, CallerObject.nullable());

/** Calls an assistant's pre-call webhook for an incoming call (public.events.2). */
export async function callPreCallWebhook(
  state: EmulatorState,
  row: Row,
  body: Readonly<Record<string, unknown>>,
  options: { allowPrivate: boolean },
): Promise<PreCallResult> {
  const webhook = StoredWebhook.parse(row["pre_call_webhook"]);
  if (!webhook?.enabled || webhook.url === null) return { exchange: null, data: "" };
  const stored = row["webhook_credential"];
  const secret = typeof stored === "string" ? decryptSecret(state.options, stored) : undefined;
  const custom = Object.entries(
    decryptHeaders(state.options, StoredHeaders.parse(row["webhook_headers"]) ?? {}),
  );
  const auth = secret === undefined ? undefined : buildAuthHeader(webhook.auth, secret);
  const own: [string, string][] = [
    ["Content-Type", "application/json"],
    ["User-Agent", "voxctl-emulator"],
  ];
  const shown = Object.fromEntries([
    ...own,
    // Custom headers may contain tokens.
    ...custom.map(([name]): [string, string] => [name, secretMask]),
    ...(auth ? [[auth.name, auth.scheme + secretMask]] : []),
  ]);
  const unreadable = [
    ...(typeof stored === "string" && secret === undefined ? ["credential"] : []),
    ...(custom.some(([, value]) => value === unreadableHeader) ? ["headers"] : []),
  ].join(" and ");
  const outcome: WebhookOutcome = unreadable
    ? {
        response: null,
        error: `the stored ${unreadable} can't be decrypted because the emulator database was copied without its key`,
      }
    : await sendWebhook(
        webhook.url,
        [...own, ...custom, ...(auth ? [[auth.name, auth.scheme + auth.credential] as const] : [])],
        JSON.stringify(body),
        options,
      );
  const secrets = [secret, auth?.credential, ...custom.map(([, value]) => value)];
  const response = outcome.response && redactSecrets(outcome.response, secrets);
  return {
    exchange: {
      request: { method: "POST", url: webhook.url, headers: shown, body },
      response,
      error: outcome.error,
    },
    data: outcome.error === null ? (response?.body ?? "") : "",
  };
}

interface AuthHeader {
  name: string;
  /** Scheme with a trailing space, or an empty string. */
  scheme: string;
  credential: string;
}

/** Builds the webhook's authentication header (D-webhook). */
function buildAuthHeader(auth: Webhook["auth"], secret: string): AuthHeader | undefined {
  switch (auth?.type) {
    case "bearer":
      return { name: "Authorization", scheme: "Bearer ", credential: secret };
    case "basic": {
      const credential = Buffer.from(`${auth.username ?? ""}:${secret}`).toString("base64");
      return { name: "Authorization", scheme: "Basic ", credential };
    }
    case "api_key":
      return { name: auth.header_name ?? "X-Api-Key", scheme: "", credential: secret };
    default:
      return undefined;
  }
}

/**
 * Masks secrets in a response, because a webhook may echo its request. Short secrets are not masked, because
 * they may also occur in ordinary words.
 */
function redactSecrets(response: WebhookResponse, secrets: readonly (string | undefined)[]): WebhookResponse {
  const clean = (text: string) =>
    secrets.reduce<string>(
      (before, secret) =>
        secret === undefined || secret.length < 6 ? before : before.replaceAll(secret, secretMask),
      text,
    );
  return {
    status: response.status,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, clean(value)]),
    ),
    body: clean(response.body),
  };
}

/** Replaces `@preCallData` in a prompt's text with the data from the webhook (public.prompt.token). */
export function fillPrompt(text: string, data: string): string {
  return text.replace(/@preCallData(?![A-Za-z0-9_])/g, () => data);
}
