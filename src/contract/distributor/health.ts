import * as z from "zod";
import { exampleTime, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { Timestamp } from "../primitives.js";

/** D-v1-id, D-legacy-health */
export const Health = z.object({ status: z.string(), version: z.string(), timestamp: Timestamp });

setExample(Health, { status: "ok", version: "1.6.0", timestamp: exampleTime });

export const distributorHealth = defineOperations(
  { api: "distributor-v1", about: "Check the connection and the key.", area: null },
  {
    "distributor.health": {
      method: "GET",
      path: "/health",
      summary: "Check that the distributor API responds",
      // v1.health, D-v1-id
      keyless: true,
      responseShape: "bare",
      response: Health,
    },
  },
);
