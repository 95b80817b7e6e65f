import * as z from "zod";
import { defineOperations } from "../operation.js";
import { Timestamp } from "../primitives.js";

const Ping = z.object({ ok: z.boolean(), now: Timestamp });

export const ping = defineOperations(
  { surface: "public", area: null },
  {
    ping: {
      method: "GET",
      path: "/ping",
      summary: "Check that the service answers and the key is good",
      answer: "item",
      response: Ping,
    },
  },
);
