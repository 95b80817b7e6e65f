import * as z from "zod";
import { defineControl } from "./operation.js";

export const rules = defineControl({
  "rules.list": {
    method: "GET",
    path: "/rules",
    summary: "List the API rules",
    responseShape: "page",
    response: z.looseObject({ id: z.string(), kind: z.string(), text: z.string(), refuses: z.boolean() }),
  },
  "operations.list": {
    method: "GET",
    path: "/operations",
    summary: "List the operations that a fault can target",
    responseShape: "page",
    response: z.looseObject({
      name: z.string(),
      surface: z.string(),
      method: z.string(),
      path: z.string(),
      summary: z.string(),
    }),
  },
});
