import * as z from "zod";
import { E164, ObjectId } from "../primitives.js";
import { Call } from "./calls.js";
import { defineControl } from "./operation.js";
import { olderThan } from "./paging.js";
import { WebhookExchange } from "./webhook-exchange.js";

export const incomingCalls = defineControl({
  "incomingCalls.create": {
    method: "POST",
    path: "/incoming-calls",
    summary: "Let a caller ring an assistant: fires its pre-call webhook and fills @preCallData",
    body: z.strictObject({
      assistant_id: ObjectId,
      from: E164,
      /** A body as the webhook gets it: fields that the emulator knows are filled, others sent as they are. */
      webhook_example: z.looseObject({}).optional(),
    }),
    response: z.looseObject({
      call: Call,
      /** Null where the assistant has no webhook that is switched on. */
      webhook: WebhookExchange.nullable(),
      /** As this call reads it; null where the assistant has none. */
      prompt: z.string().nullable(),
    }),
  },
  "incomingCalls.list": {
    method: "GET",
    path: "/incoming-calls",
    summary: "List what incoming calls asked webhooks, newest first",
    query: z.object(olderThan),
    responseShape: "page",
    response: z.looseObject({
      call_id: z.string(),
      at: z.string(),
      assistant_id: z.string(),
      assistant_name: z.string().nullable(),
      url: z.string(),
      status: z.number().nullable(),
      error: z.string().nullable(),
    }),
  },
});
