import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { exampleIds, exampleTimes, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { ObjectId, timestamps } from "../primitives.js";

/** public.voice.generations */
export const voiceGenerations = ["v1", "v2"] as const;

const Voice = z.object({
  id: ObjectId,
  name: assumed("D-voice", z.string()),
  languages: assumed("D-voice", z.array(z.string())),
  gender: assumed("D-voice", z.string()),
  generation: ruled("public.voice.generations", z.enum(voiceGenerations)),
  ...timestamps,
});

setExample(Voice, {
  id: exampleIds.voice_id,
  name: "Clara",
  languages: ["de", "en"],
  gender: "female",
  generation: "v2",
  ...exampleTimes,
});

export const voices = defineOperations(
  { api: "public", about: "Voices for assistants.", area: "voices" },
  {
    "voices.list": {
      method: "GET",
      path: "/voices",
      summary: "List the selectable voices",
      responseShape: "list", // public.endpoints.voices
      response: Voice,
    },
  },
);

export type Voice = z.output<typeof Voice>;
