import * as z from "zod";
import { voiceGenerations } from "../public/voices.js";
import { defineControl } from "./operation.js";

const Voice = z.looseObject({
  id: z.string(),
  name: z.string(),
  generation: z.string(),
  /** False for legacy and reserved voices. */
  selectable: z.boolean(),
});

export const voices = defineControl({
  "voices.list": {
    method: "GET",
    path: "/voices",
    summary: "List all voices, including those that are not selectable",
    responseShape: "page",
    response: Voice,
  },
  "voices.create": {
    method: "POST",
    path: "/voices",
    summary: "Create a voice",
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
    summary: "Set whether a voice is selectable",
    body: z.strictObject({ selectable: z.boolean() }),
    response: Voice,
  },
});
