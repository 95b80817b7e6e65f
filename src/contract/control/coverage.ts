import * as z from "zod";
import { defineControl } from "./operation.js";

export const coverage = defineControl({
  "coverage.list": {
    method: "GET",
    path: "/coverage",
    summary: "List the API rules and whether the requests in the log have met them",
    responseShape: "page",
    response: z.looseObject({
      rule: z.string(),
      /** `untold`: can't be verified by requests alone. */
      state: z.enum(["met", "unmet", "untold"]),
      requests: z.number(),
      text: z.string(),
    }),
  },
});
