import * as z from "zod";
import { defineControl } from "./operation.js";

export const ui = defineControl({
  "uiTickets.create": {
    method: "POST",
    path: "/ui-tickets",
    summary: "Create a one-time link to the web page",
    response: z.looseObject({ path: z.string(), url: z.string() }),
  },
});
