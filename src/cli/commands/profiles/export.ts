import { stringifyExactJson } from "../../../base/exact-json.js";
import { type CliError, usageError } from "../../errors/errors.js";
import { quoteWord } from "../../errors/shell-words.js";
import { createBrokenProfileError, offlineName } from "../../profiles/choose.js";
import { readConfiguration } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import { isRead } from "../../terminal/workflow-commands.js";
import { type SharedProfiles, toSharedProfile } from "./exchange.js";
import { toUnknownProfileError } from "./known-profiles.js";

/** `voxctl profiles export [NAME…] > team.yaml` */
export const exportProfiles: Command = {
  name: "export",
  summary: "Write profiles without their keys, for others to import",
  description:
    "Exports URLs, defaults and production marks as YAML, or as JSON with -o json. The file contains no keys, only the names of environment variables that provide keys. Settings with local files (--ca-file, --key-file, --db) are omitted.",
  arguments: [
    { name: "name", description: "Only these; without any, all of them", optional: true, variadic: true },
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
        session.notes.warn(`${name}: its --ca-file stays behind: ${profile.ca_file}`);
      shared.profiles[name] = toSharedProfile(profile);
    }
    const { output: format } = session.flags;
    if (format !== undefined && format !== "table" && format !== "yaml") await session.output.item(shared);
    else {
      const { stringifyYaml } = await import("../../output/yaml.js");
      // A plain copy: what the store keeps of other versions is not for others.
      await session.output.document(
        stringifyYaml(JSON.parse(stringifyExactJson(shared)), { isRead: isRead(session.io) }),
      );
    }
  },
};

/** @throws usage error (2): a file's name is mostly meant for what is written to stdout */
function toExportError(name: string, known: readonly string[]): CliError {
  if (name === offlineName)
    return usageError(`${offlineName} is the embedded emulator, which every machine has`, {
      hint: `voxctl profiles set ${offlineName} country=DE sets its defaults on another one`,
    });
  if (!/[./\\]/.test(name)) return toUnknownProfileError(name, known);
  return usageError(`profile "${name}" not found; expected the profiles to export`, {
    hint: `voxctl profiles export > ${quoteWord(name)} writes them to a file`,
  });
}
