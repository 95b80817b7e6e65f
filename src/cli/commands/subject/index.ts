import type { CommandGroup } from "../../session/command.js";

export const subject: CommandGroup = {
  name: "subject",
  summary: "One caller's personal data: find, export, erase",
  commands: [
    {
      name: "find",
      summary: "Find a caller in contacts, calls and texts",
      load: async () => (await import("./find.js")).findSubject,
    },
    {
      name: "export",
      summary: "Export the data of a caller as JSON, recordings and a page",
      load: async () => (await import("./export.js")).exportSubject,
    },
    {
      name: "erase",
      summary: "Erase the data of a caller and write a receipt",
      load: async () => (await import("./erase.js")).eraseSubject,
    },
  ],
};
