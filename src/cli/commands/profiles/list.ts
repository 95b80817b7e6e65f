import { CliError } from "../../errors/errors.js";
import type { Column } from "../../output/output.js";
import { parseAddress } from "../../profiles/address.js";
import { apiNames, readConfiguration, type StoredProfile } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import { listAllProfiles, toBrokenRow, toProfileRow } from "./known-profiles.js";

const columns: readonly Column[] = [
  { header: "NAME", value: "name", keep: true },
  { header: "DEFAULT", value: ({ default: isDefault }) => (isDefault === true ? "yes" : "") },
  { header: "TYPE", value: "type" },
  {
    header: "SERVICE",
    value: ({ apis, db }) =>
      typeof apis === "object" && apis !== null ? Object.values(apis).map(({ url }) => url) : db,
  },
  {
    header: "APIS",
    value: ({ apis, db }) =>
      typeof apis === "object" && apis !== null ? Object.keys(apis) : db === undefined ? "" : "all",
  },
  { header: "PRODUCTION", value: ({ production }) => (production === true ? "yes" : "") },
  { header: "PROBLEM", value: "problem" },
];

export const listProfiles: Command = {
  name: "list",
  aliases: ["ls"],
  summary: "List profiles",
  examples: [{ command: "voxctl profiles list" }],
  async run(session) {
    const configuration = await readConfiguration(session.folders);
    const rows = [
      ...listAllProfiles(configuration, session).map(([name, profile]) => ({
        ...toProfileRow(name, profile, configuration),
        ...findAddressProblem(profile),
      })),
      ...Object.entries(configuration.broken).map(([name, broken]) =>
        toBrokenRow(name, broken, configuration),
      ),
    ];
    await session.output.list(rows, { columns });
  },
};

function findAddressProblem(profile: StoredProfile): { problem?: string } {
  if (profile.kind === "offline") return {};
  for (const api of apiNames) {
    const target = profile.surfaces[api];
    if (target === undefined) continue;
    try {
      parseAddress(target.url, api, `${api} URL`);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      return { problem: error.message };
    }
  }
  return {};
}
