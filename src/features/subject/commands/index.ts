import type { CommandGroup } from "../../../cli/session/command.js";

export const subject: CommandGroup = {
  name: "subject",
  summary: "Find, export or erase the personal data of a caller",
  commands: [
    {
      name: "find",
      summary: "Find a caller in contacts, calls and other stored text",
      load: async () => (await import("./find.js")).findSubject,
    },
    {
      name: "export",
      summary: "Export the data of a caller as JSON, HTML and recordings",
      load: async () => (await import("./export.js")).exportSubject,
    },
    {
      name: "erase",
      summary: "Erase the data of a caller and write a receipt",
      load: async () => (await import("./erase.js")).eraseSubject,
    },
  ],
};
