import * as z from "zod";
import { defineOperations } from "../operation.js";
import { Timestamp } from "../primitives.js";

/** D-v1-id, D-legacy-health */
export const Health = z.object({ status: z.string(), version: z.string(), timestamp: Timestamp });

export const distributorHealth = defineOperations(
  { api: "distributor-v1", area: null },
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
