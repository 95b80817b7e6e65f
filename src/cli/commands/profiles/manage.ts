import { forgetRemembered } from "../../completion/remembered/cache.js";
import { type CliError, refusedError, usageError } from "../../errors/errors.js";
import { meantOf } from "../../errors/nearest.js";
import type { Column } from "../../output/output.js";
import { chooseProfile, offlineFile, offlineName, storedProfile } from "../../profiles/choose.js";
import { keySource } from "../../profiles/keys.js";
import {
  assertUnchanged,
  assertWritable,
  type Configuration,
  changeConfiguration,
  readConfiguration,
  type StoredProfile,
  surfaceNames,
} from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { forgetKey } from "./key.js";

/** A profile as it is shown: where its keys come from, never the keys. */
export function profileRow(
  name: string,
  profile: StoredProfile,
  configuration: Configuration,
): Record<string, unknown> {
  const shared = {
    name,
    kind: profile.kind,
    default: (configuration.default ?? offlineName) === name,
    production: profile.production,
  };
  if (profile.kind === "offline") return { ...shared, db: profile.db };
  const surfaces: Record<string, { url: string; key: string; expires?: string }> = {};
  for (const surface of surfaceNames) {
    const target = profile.surfaces[surface];
    if (!target) continue;
    const { url, key, expires } = target;
    surfaces[surface] = { url, key: keySource(key), ...(expires === undefined ? {} : { expires }) };
  }
  return {
    ...shared,
    surfaces,
    ...(Object.keys(profile.paths).length > 0 ? { paths: profile.paths } : {}),
    ...(profile.ca_file === undefined ? {} : { ca_file: profile.ca_file }),
  };
}

/** All of them, the embedded emulator included. */
function allProfiles(configuration: Configuration, session: Session): [string, StoredProfile][] {
  const stored = Object.entries(configuration.profiles);
  const embedded: StoredProfile = {
    kind: "offline",
    production: false,
    db: offlineFile(session.folders, offlineName),
  };
  return storedProfile(configuration, offlineName) ? stored : [[offlineName, embedded], ...stored];
}

function unknownProfile(name: string, names: readonly string[]): CliError {
  const meant = meantOf(name, names).trim();
  return usageError(
    `no profile is named "${name}"; there ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`,
    {
      ...(meant === "" ? {} : { hint: meant }),
    },
  );
}

async function findStored(
  name: string,
  session: Session,
): Promise<{ configuration: Configuration; profile: StoredProfile }> {
  const configuration = await readConfiguration(session.folders);
  return { configuration, profile: findIn(configuration, name, session) };
}

function findIn(configuration: Configuration, name: string, session: Session): StoredProfile {
  const all = allProfiles(configuration, session);
  const found = all.find(([one]) => one === name);
  if (!found)
    throw unknownProfile(
      name,
      all.map(([one]) => one),
    );
  return found[1];
}

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

export const showProfile: Command = {
  name: "show",
  aliases: ["get"],
  summary: "Show a profile, or the one in use and why",
  arguments: [{ name: "name", description: "a profile's name", optional: true }],
  examples: [{ command: "voxctl profiles show" }, { command: "voxctl profiles show acme" }],
  async run(session, input) {
    const [name] = input.arguments;
    if (name !== undefined) {
      const { configuration, profile } = await findStored(name, session);
      await session.output.item(profileRow(name, profile, configuration));
      return;
    }
    const chosen = await chooseProfile(session, session.flags.profile);
    const shared = {
      name: chosen.name,
      kind: chosen.kind,
      chosen_by: chosen.chosenBy,
      production: chosen.production,
    };
    if (chosen.kind === "offline") await session.output.item({ ...shared, db: chosen.db });
    else {
      const addresses = Object.entries({ ...chosen.targets, ...chosen.unreadable }).map(
        ([surface, target]) => [surface, { url: target.baseUrl }],
      );
      await session.output.item({
        ...shared,
        surfaces: Object.fromEntries(addresses),
        ...(chosen.caFile === undefined ? {} : { ca_file: chosen.caFile }),
      });
    }
  },
};

export const useProfile: Command = {
  name: "use",
  summary: "Make a profile the default",
  arguments: [{ name: "name", description: "a profile's name" }],
  examples: [{ command: "voxctl profiles use acme" }, { command: "voxctl profiles use offline" }],
  async run(session, input) {
    const name = input.arguments[0] ?? "";
    const { profile } = await findStored(name, session);
    const changed = await changeConfiguration(session.folders, session.clock, (current) => {
      assertUnchanged(name, profile, findIn(current, name, session));
      return { ...current, default: name };
    });
    await session.output.item(profileRow(name, profile, changed));
  },
};

export const removeProfile: Command = {
  name: "remove",
  // The verbs of everything else work, too.
  aliases: ["rm", "delete"],
  summary: "Forget a profile and its keys",
  arguments: [{ name: "name", description: "a profile's name" }],
  examples: [{ command: "voxctl profiles remove acme --yes" }],
  async run(session, input) {
    const name = input.arguments[0] ?? "";
    const configuration = await readConfiguration(session.folders);
    await assertWritable(configuration, session.folders);
    const stored = storedProfile(configuration, name);
    if (!stored && name === offlineName)
      throw usageError(`${offlineName} is always there; voxctl emulator reset makes it new`);
    if (!stored)
      throw unknownProfile(
        name,
        allProfiles(configuration, session).map(([one]) => one),
      );
    if (!session.flags.yes) {
      if (!session.prompts.available)
        throw refusedError("nobody is there to ask; nothing was removed", "--yes confirms it");
      if (
        !(await session.prompts.confirm({
          message: `Forget the profile ${name} and its keys?`,
          default: false,
        }))
      )
        throw refusedError("not confirmed; nothing was removed");
    }
    await changeConfiguration(session.folders, session.clock, (current) => {
      assertUnchanged(name, stored, storedProfile(current, name));
      const { [name]: _, ...profiles } = current.profiles;
      const { default: preset, ...rest } = current;
      return { ...rest, ...(preset === undefined || preset === name ? {} : { default: preset }), profiles };
    });
    if (stored.kind === "remote")
      for (const surface of surfaceNames) {
        const target = stored.surfaces[surface];
        if (target) await forgetKey(target.key, session);
      }
    forgetRemembered(session.folders, name);
    if (stored.kind === "offline") session.notes.note(`Its world is left where it is: ${stored.db}`);
    await session.output.item({ name, deleted: true });
  },
};
