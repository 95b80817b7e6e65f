import type { CommandGroup } from "../../../cli/session/command.js";

export const subject: CommandGroup = {
  name: "subject",
  summary: "Find, export or erase a caller's personal data",
  commands: [
    {
      name: "find",
      summary: "Find a caller in contacts, calls and stored text",
      load: async () => (await import("./find.js")).findSubject,
    },
    {
      name: "export",
      summary: "Export a caller's data as JSON, HTML and recordings",
      load: async () => (await import("./export.js")).exportSubject,
    },
    {
      name: "erase",
      summary: "Erase a caller's data and write a receipt",
      load: async () => (await import("./erase.js")).eraseSubject,
    },
  ],
};
