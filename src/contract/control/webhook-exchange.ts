import * as z from "zod";

/** Secrets are masked. */
export const WebhookExchange = z.looseObject({
  request: z.looseObject({ url: z.string() }),
  response: z.looseObject({ status: z.number() }).nullable(),
  error: z.string().nullable(),
});
