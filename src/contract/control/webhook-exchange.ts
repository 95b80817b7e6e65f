import * as z from "zod";

/** What went to a pre-call webhook, and what came back; secrets are masked. */
export const WebhookExchange = z.looseObject({
  request: z.looseObject({ url: z.string() }),
  response: z.looseObject({ status: z.number() }).nullable(),
  error: z.string().nullable(),
});
