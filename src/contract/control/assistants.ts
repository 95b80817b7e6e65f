import * as z from "zod";
import { E164 } from "../primitives.js";
import { defineControl } from "./operation.js";

const Assistant = z.looseObject({
  id: z.string(),
  enterprise: z.boolean(),
  greeting_locked: z.boolean(),
  blocked_numbers: z.array(z.string()),
});

export const assistants = defineControl({
  "assistants.list": {
    method: "GET",
    path: "/assistants",
    summary: "List the assistants in all organizations, with their emulator-only fields",
    responseShape: "page",
    response: Assistant.extend({
      organization_id: z.string(),
      name: z.string(),
      phone_number: z.string().nullable(),
    }),
  },
  "assistants.update": {
    method: "PATCH",
    path: "/assistants/{id}",
    summary: "Set an assistant's enterprise status, greeting lock and blocked numbers",
    body: z.strictObject({
      /**
       * Whether the assistant is an enterprise line, whose webhook can't be changed through the API
       * (public.operations.7i).
       */
      enterprise: z.boolean().optional(),
      /** Whether an enterprise profile manages the assistant's greeting (public.operations.6b). */
      greeting_locked: z.boolean().optional(),
      /** Replaces the whole list. */
      blocked_numbers: z.array(E164).optional(),
    }),
    response: Assistant,
  },
});
