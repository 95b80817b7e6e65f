import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { CallerObject, HeaderMap, HeaderName, HttpUrl } from "../primitives-http.js";

/** Sent in a header, so it can't contain control characters. */
const Secret = assumed(
  "D-webhook",
  z
    .string("must be text")
    .min(1, "must not be empty")
    .regex(/^[^\u0000-\u001f\u007f]*$/, "must not contain control characters"),
  z.string("must be text"),
);
const Username = assumed(
  "D-webhook",
  // In the header for basic authentication, a colon ends the user name (RFC 7617).
  z.string("must be text").regex(/^[^:\u0000-\u001f\u007f]+$/, "must be a name without a colon"),
  z.string("must be text"),
);

// The service ignores these fields. It accepts them so that a client can send back the object from a GET
// response (D-webhook, public.operations.7k).
const shown = { has_secret: z.unknown().optional(), has_password: z.unknown().optional() };

/** The service's authentication to the webhook. Only `none` and `bearer` are documented (D-webhook). */
const WebhookAuth = assumed(
  "D-webhook",
  z.discriminatedUnion(
    "type",
    [
      z.strictObject({ type: z.literal("none"), ...shown }),
      // public.operations.7k
      z.strictObject({ type: z.literal("bearer"), secret: Secret.optional(), ...shown }),
      z.strictObject({
        type: z.literal("basic"),
        username: Username.optional(),
        password: Secret.optional(),
        ...shown,
      }),
      z.strictObject({
        type: z.literal("api_key"),
        header_name: HeaderName.optional(),
        secret: Secret.optional(),
        ...shown,
      }),
    ],
    "must be one of none, bearer, basic, api_key",
  ),
  z.looseObject({ type: z.string() }),
);

/**
 * `pre_call_webhook` in a request. Missing fields keep their stored values, so the complete webhook is
 * checked later (public.operations.7).
 */
export const WebhookInput = ruled(
  "public.webhook.enabled",
  z
    .strictObject({
      enabled: z.boolean("must be true or false"),
      url: HttpUrl.nullable().optional(),
      headers: z.nullable(HeaderMap).optional(),
      auth: WebhookAuth.nullable().optional(),
    })
    .refine((webhook) => !webhook.enabled || (webhook.url !== undefined && webhook.url !== null), {
      path: ["url"],
      // The request must contain the URL, even if a URL is stored (D-webhook).
      message: "is required when enabled is true",
      params: { rule: "public.webhook.url" },
    })
    .meta({
      if: { properties: { enabled: { const: true } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { url: { type: "string" } }, required: ["url"] },
    }),
);

/**
 * `pre_call_webhook` in a response. Responses never contain passwords or secrets (public.webhook.secrets).
 */
export const Webhook = z.object({
  enabled: z.boolean(),
  url: z.string().nullable(),
  headers: CallerObject,
  auth: z
    .object({
      type: z.string(),
      username: z.string().optional(),
      header_name: z.string().optional(),
      has_secret: z.boolean().optional(),
      has_password: z.boolean().optional(),
    })
    .nullable(),
});

export type WebhookInput = z.output<typeof WebhookInput>;
export type WebhookAuthInput = z.output<typeof WebhookAuth>;

export type Webhook = z.output<typeof Webhook>;
