import { stringifyExactJson } from "../../../base/exact-json.js";
import { quoteWord } from "../../../base/shell-words.js";
import { type CliError, usageError } from "../../errors/errors.js";
import { createBrokenProfileError, offlineName } from "../../profiles/choose.js";
import { readConfiguration } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import { isRead } from "../../terminal/workflow-commands.js";
import { type SharedProfiles, toSharedProfile } from "./exchange.js";
import { toUnknownProfileError } from "./known-profiles.js";

export const exportProfiles: Command = {
  name: "export",
  summary: "Export profiles without their keys",
  description:
    "Exports each profile's URLs and defaults, and whether it is a production profile. The format is YAML, or JSON with -o json. The file contains no keys, only the names of environment variables that provide keys. Settings that name local files (--ca-file, --key-file, --db) are omitted.",
  arguments: [
    {
      name: "name",
      description: "Export only these profiles (default: all)",
      optional: true,
      variadic: true,
    },
  ],
  examples: [
    { command: "voxctl profiles export > team.yaml" },
    { command: "voxctl profiles export acme -o json" },
  ],
  async run(session, input) {
    const { profiles, broken } = await readConfiguration(session.folders);
    const known = Object.keys(profiles).filter((name) => name !== offlineName);
    for (const [name, brokenEntry] of Object.entries(broken)) {
      if (input.arguments.includes(name)) throw createBrokenProfileError(name, brokenEntry);
      if (input.arguments.length === 0)
        session.notes.warn(`skipping profile "${name}": ${brokenEntry.problem}`);
    }
    for (const name of input.arguments) if (!known.includes(name)) throw toExportError(name, known);
    const names = input.arguments.length > 0 ? input.arguments : known;
    const shared: SharedProfiles = { voxctl_profiles: 1, profiles: {} };
    for (const name of names) {
      const profile = profiles[name];
      if (!profile) continue;
      if (profile.kind === "remote" && profile.ca_file !== undefined)
        session.notes.warn(`omitted the --ca-file of profile "${name}": ${profile.ca_file}`);
      shared.profiles[name] = toSharedProfile(profile);
    }
    const { output: format } = session.flags;
    if (format !== undefined && format !== "table" && format !== "yaml") await session.output.item(shared);
    else {
      const { stringifyYaml } = await import("../../output/yaml.js");
      // Don't export unknown fields, which other versions wrote.
      await session.output.document(
        stringifyYaml(JSON.parse(stringifyExactJson(shared)), { isRead: isRead(session.io) }),
      );
    }
  },
};

function toExportError(name: string, known: readonly string[]): CliError {
  if (name === offlineName)
    return usageError(`profile ${offlineName} can't be exported: it exists on every machine`, {
      hint: `to set the defaults of profile ${offlineName} on another machine, run \`voxctl profiles set ${offlineName} country=DE\``,
    });
  if (!/[./\\]/.test(name)) return toUnknownProfileError(name, known);
  return usageError(`profile "${name}" not found; expected the names of profiles to export`, {
    hint: `to write the profiles to a file, run \`voxctl profiles export > ${quoteWord(name)}\``,
  });
}
