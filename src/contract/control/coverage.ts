import * as z from "zod";
import { defineControl } from "./operation.js";

export const coverage = defineControl({
  "coverage.list": {
    method: "GET",
    path: "/coverage",
    summary: "Which rules the requests in the log have met, and which not",
    responseShape: "page",
    response: z.looseObject({
      rule: z.string(),
      /** `untold`: requests alone don't show it. */
      state: z.enum(["met", "unmet", "untold"]),
      requests: z.number(),
      text: z.string(),
    }),
  },
});
