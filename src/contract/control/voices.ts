import * as z from "zod";
import { voiceGenerations } from "../public/voices.js";
import { defineControl } from "./operation.js";

const Voice = z.looseObject({
  id: z.string(),
  name: z.string(),
  generation: z.string(),
  /** One that can't be chosen is a legacy or reserved one. */
  selectable: z.boolean(),
});

export const voices = defineControl({
  "voices.list": {
    method: "GET",
    path: "/voices",
    summary: "List all voices, those that can't be chosen too",
    responseShape: "page",
    response: Voice,
  },
  "voices.create": {
    method: "POST",
    path: "/voices",
    summary: "Make a voice",
    body: z.strictObject({
      name: z.string().trim().min(1).max(200),
      generation: z.enum(voiceGenerations),
      selectable: z.boolean().default(true),
    }),
    response: Voice,
  },
  "voices.update": {
    method: "PATCH",
    path: "/voices/{id}",
    summary: "Let a voice be chosen, or not",
    body: z.strictObject({ selectable: z.boolean() }),
    response: Voice,
  },
});
