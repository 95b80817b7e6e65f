import * as z from "zod";
import { defineControl } from "./operation.js";

export const ui = defineControl({
  "uiTickets.create": {
    method: "POST",
    path: "/ui-tickets",
    summary: "Make a link that opens the page once",
    response: z.looseObject({ path: z.string(), url: z.string() }),
  },
});
