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
    summary: "Simulate an incoming call and its pre-call webhook",
    body: z.strictObject({
      assistant_id: ObjectId,
      from: E164,
      /**
       * Example of a webhook body. The emulator replaces the values of the fields that it knows, and sends
       * all other fields unchanged.
       */
      webhook_example: z.looseObject({}).optional(),
    }),
    response: z.looseObject({
      call: Call,
      webhook: WebhookExchange.nullable(),
      prompt: z.string().nullable(),
    }),
  },
  "incomingCalls.list": {
    method: "GET",
    path: "/incoming-calls",
    summary: "List the webhook requests of incoming calls, newest first",
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
