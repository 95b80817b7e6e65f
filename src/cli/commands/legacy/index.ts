import { legacy as legacyOperations } from "../../../contract/legacy/legacy.js";
import type { Noun } from "../../derive/noun.js";

export const legacy: Noun = {
  name: "legacy",
  noun: "call",
  plural: "calls",
  summary: "The legacy outbound-call interface; new integrations use voxctl calls",
  // `doctor` checks the health of each API.
  operations: { "legacy.call": legacyOperations["legacy.call"] },
  columns: [],
  verbs: {
    "legacy.call": {
      description:
        "Only German numbers (+49) can be called, written with their country: +4930123456. An assistant calls once a minute at most.",
      examples: [
        { command: "voxctl legacy call --assistant +4932221000001 --to +4930123456" },
        {
          command:
            'voxctl legacy call --assistant +4932221000001 --to +4930123456 --details "Frau Ahrens, Termin am Montag"',
        },
      ],
      flagNames: { assistantPhoneNumber: "assistant", targetPhoneNumber: "to" },
      flagHelp: {
        assistantPhoneNumber: "The number of the assistant that calls",
        targetPhoneNumber: "The number to call",
        details: "Information for the assistant, at most 1,000 words",
      },
    },
  },
};
