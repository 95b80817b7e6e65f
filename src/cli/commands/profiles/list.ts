import type { Column } from "../../output/output.js";
import { readConfiguration } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import { allProfiles, profileRow } from "./known-profiles.js";

const columns: readonly Column[] = [
  { header: "NAME", value: "name", keep: true },
  { header: "DEFAULT", value: ({ default: isDefault }) => (isDefault === true ? "yes" : "") },
  { header: "KIND", value: "kind" },
  {
    header: "SERVICE",
    value: ({ surfaces, db }) =>
      typeof surfaces === "object" && surfaces !== null ? Object.values(surfaces).map(({ url }) => url) : db,
  },
  {
    header: "INTERFACES",
    value: ({ surfaces }) =>
      typeof surfaces === "object" && surfaces !== null ? Object.keys(surfaces) : "all",
  },
  { header: "PRODUCTION", value: ({ production }) => (production === true ? "yes" : "") },
];

export const listProfiles: Command = {
  name: "list",
  aliases: ["ls"],
  summary: "List profiles",
  examples: [{ command: "voxctl profiles list" }],
  async run(session) {
    const configuration = await readConfiguration(session.folders);
    const rows = allProfiles(configuration, session).map(([name, profile]) =>
      profileRow(name, profile, configuration),
    );
    await session.output.list(rows, { columns });
  },
};
