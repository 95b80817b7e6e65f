import * as z from "zod";
import { exampleTime, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { Timestamp } from "../primitives.js";

const Ping = z.object({ ok: z.boolean(), now: Timestamp });

setExample(Ping, { ok: true, now: exampleTime });

export const ping = defineOperations(
  { api: "public", about: "Check the connection and the key.", area: null },
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
