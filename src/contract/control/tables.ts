import * as z from "zod";
import { defineControl } from "./operation.js";

export const tables = defineControl({
  "tables.rows": {
    method: "GET",
    path: "/tables/{name}",
    summary:
      "List rows of a database table, newest first, in pages of at most 512 KiB; `offset` selects the next page",
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    responseShape: "page",
    /** Secrets are masked. */
    response: z.looseObject({}),
  },
});
