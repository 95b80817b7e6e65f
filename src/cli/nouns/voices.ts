import { voices as voiceOperations } from "../../contract/public/voices.js";
import type { Noun } from "../derive/noun.js";

export const voices: Noun = {
  name: "voices",
  noun: "voice",
  plural: "voices",
  summary: "List the voices that assistants can use",
  description:
    "Lists only the voices that can be selected. An assistant may still use an older voice. v1 voices ignore speaking rates and IPA in pronunciation rules.",
  operations: voiceOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name" },
    { header: "GENERATION", value: "generation", keep: true },
    { header: "LANGUAGES", value: "languages" },
    { header: "GENDER", value: "gender", optional: true },
  ],
  verbs: {
    "voices.list": {
      examples: [
        { command: "voxctl voices list" },
        { command: "voxctl voices list -o json --fields id,name" },
      ],
    },
  },
};
