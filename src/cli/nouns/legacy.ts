import { legacy as legacyOperations } from "../../contract/legacy/legacy.js";
import type { Noun } from "../derive/noun.js";

export const legacy: Noun = {
  name: "legacy",
  noun: "call",
  plural: "calls",
  summary: "Use the legacy outbound-call API",
  // Omit the health operation: `doctor` already checks each API.
  operations: { "legacy.call": legacyOperations["legacy.call"] },
  columns: [],
  verbs: {
    "legacy.call": {
      description:
        "Calls only German numbers (+49), in international format, such as +4930123456. An assistant can place one call per minute. For new integrations, use `voxctl calls`.",
      examples: [
        { command: "voxctl legacy call --assistant +4932221000001 --to +4930123456" },
        {
          command:
            'voxctl legacy call --assistant +4932221000001 --to +4930123456 --details "Frau Ahrens, Termin am Montag"',
        },
      ],
      flagNames: { assistantPhoneNumber: "assistant", targetPhoneNumber: "to" },
      flagHelp: {
        assistantPhoneNumber: "Phone number of the calling assistant",
        targetPhoneNumber: "Phone number to call",
        details: "Information for the assistant, at most 1,000 words",
      },
    },
  },
};
