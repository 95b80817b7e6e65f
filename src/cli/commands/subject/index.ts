import type { CommandGroup } from "../../session/command.js";

export const subject: CommandGroup = {
  name: "subject",
  summary: "One caller's personal data: find, export, erase",
  commands: [
    {
      name: "find",
      summary: "Where a caller occurs: contacts, calls, and with --details what was said and written",
      load: async () => (await import("./find.js")).findSubject,
    },
    {
      name: "export",
      summary: "A copy of a caller's data in a folder: JSON, recordings, a page to read, a manifest",
      load: async () => (await import("./export.js")).exportSubject,
    },
    {
      name: "erase",
      summary: "Erase a caller as far as the API can, list what remains, and write a receipt",
      load: async () => (await import("./erase.js")).eraseSubject,
    },
  ],
};
