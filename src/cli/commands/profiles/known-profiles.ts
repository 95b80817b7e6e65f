import { suggestName } from "../../../base/suggestions.js";
import { findSourceProblem } from "../../../client/key-test.js";
import { type CliError, usageError } from "../../errors/errors.js";
import {
  createBrokenProfileError,
  findBrokenProfile,
  findStoredProfile,
  getOfflineFile,
  offlineName,
} from "../../profiles/choose.js";
import { describeKeySource } from "../../profiles/keys.js";
import {
  apiNames,
  type BrokenProfile,
  type Configuration,
  readConfiguration,
  type StoredProfile,
} from "../../profiles/store.js";
import type { ProfileDefaults } from "../../profiles/stored.js";
import type { Session } from "../../session/session.js";
import { storeSecrets } from "../../session/store-secrets.js";

export function becomesDefault({ profiles, broken, default: chosen }: Configuration): boolean {
  return Object.keys({ ...profiles, ...broken }).length === 0 && chosen === undefined;
}

export function formatDefaultNote(name: string): string {
  return `${name} is now the default. To switch back, run \`voxctl profiles use offline\`.`;
}

/** Returns a profile for output, with the sources of keys instead of the keys. */
export function toProfileRow(
  name: string,
  profile: StoredProfile,
  configuration: Configuration,
): Record<string, unknown> {
  const shared = {
    name,
    type: profile.kind,
    default: configuration.default === name,
    production: profile.production,
    ...(profile.defaults ? { defaults: toShownDefaults(profile.defaults) } : {}),
  };
  if (profile.kind === "offline") return { ...shared, db: profile.db };
  const shownApis: Record<string, { url: string; key: string; expires?: string }> = {};
  for (const api of apiNames) {
    const target = profile.surfaces[api];
    if (!target) continue;
    const { url, key, expires } = target;
    shownApis[api] = { url, key: describeKeySource(key), ...(expires === undefined ? {} : { expires }) };
  }
  return {
    ...shared,
    apis: shownApis,
    ...(Object.keys(profile.paths).length > 0 ? { paths: profile.paths } : {}),
    ...(profile.ca_file === undefined ? {} : { ca_file: profile.ca_file }),
  };
}

/** Omits references that may contain a secret. */
function toShownDefaults(defaults: ProfileDefaults): ProfileDefaults {
  const shown = { ...defaults };
  for (const name of storeSecrets)
    if (findSourceProblem(shown[name] ?? "", "plain") !== undefined) delete shown[name];
  return shown;
}

export function listAllProfiles(configuration: Configuration, session: Session): [string, StoredProfile][] {
  const stored = Object.entries(configuration.profiles);
  const embedded: StoredProfile = {
    kind: "offline",
    production: false,
    ...(configuration.offline_defaults ? { defaults: configuration.offline_defaults } : {}),
    db: getOfflineFile(session.folders, offlineName),
  };
  return findStoredProfile(configuration, offlineName) ? stored : [[offlineName, embedded], ...stored];
}

export function toBrokenRow(
  name: string,
  { problem }: BrokenProfile,
  configuration: Configuration,
): Record<string, unknown> {
  return { name, type: "invalid", default: configuration.default === name, problem };
}

export function toUnknownProfileError(name: string, names: readonly string[]): CliError {
  const suggestion = suggestName(name, names).trim();
  return usageError(`profile "${name}" not found; existing profiles: ${names.join(", ")}`, {
    ...(suggestion === "" ? {} : { hint: suggestion }),
  });
}

export async function findStored(
  name: string,
  session: Session,
): Promise<{ configuration: Configuration; profile: StoredProfile }> {
  const configuration = await readConfiguration(session.folders);
  return { configuration, profile: findProfileIn(configuration, name, session) };
}

/** @throws usage error (2) for an unknown name or an unusable profile */
export function findProfileIn(configuration: Configuration, name: string, session: Session): StoredProfile {
  const broken = findBrokenProfile(configuration, name);
  if (broken !== undefined) throw createBrokenProfileError(name, broken);
  const all = listAllProfiles(configuration, session);
  const entry = all.find(([entryName]) => entryName === name);
  if (!entry)
    throw toUnknownProfileError(
      name,
      all.map(([profileName]) => profileName),
    );
  return entry[1];
}
