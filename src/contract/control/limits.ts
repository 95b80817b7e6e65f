import * as z from "zod";
import { defineControl } from "./operation.js";

export const limits = defineControl({
  "limits.list": {
    method: "GET",
    path: "/limits",
    summary: "Show the remaining requests for each limit, by key and bucket",
    responseShape: "page",
    response: z.looseObject({
      holder: z.enum(["key", "organization"]),
      holder_id: z.string(),
      name: z.string(),
      kind: z.string(),
      bucket: z.string(),
      window_seconds: z.number(),
      limit: z.number(),
      remaining: z.number(),
      resets_at: z.string().nullable(),
    }),
  },
});
