import * as z from "zod";
import { defineControl } from "./operation.js";

export const coverage = defineControl({
  "coverage.list": {
    method: "GET",
    path: "/coverage",
    summary: "List the API rules and whether the logged requests cover them",
    responseShape: "page",
    response: z.looseObject({
      rule: z.string(),
      /** `unobservable` means that the log of requests can't show whether the API rule is covered. */
      state: z.enum(["met", "unmet", "unobservable"]),
      requests: z.number(),
      text: z.string(),
    }),
  },
});
