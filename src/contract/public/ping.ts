import * as z from "zod";
import { defineOperations } from "../operation.js";
import { Timestamp } from "../primitives.js";

const Ping = z.object({ ok: z.boolean(), now: Timestamp });

export const ping = defineOperations(
  { api: "public", area: null },
  {
    ping: {
      method: "GET",
      path: "/ping",
      summary: "Check that the service responds and the key is valid",
      responseShape: "item",
      response: Ping,
    },
  },
);
