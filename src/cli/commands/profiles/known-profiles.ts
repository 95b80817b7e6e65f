import { type CliError, usageError } from "../../errors/errors.js";
import { meantOf } from "../../errors/nearest.js";
import {
  brokenError,
  brokenProfile,
  offlineFile,
  offlineName,
  storedProfile,
} from "../../profiles/choose.js";
import { keySource } from "../../profiles/keys.js";
import {
  type BrokenProfile,
  type Configuration,
  readConfiguration,
  type StoredProfile,
  surfaceNames,
} from "../../profiles/store.js";
import type { Session } from "../../session/session.js";

/** Does a profile that is added now become the default, since there is none and no other was chosen? */
export function takesDefault({ profiles, broken, default: chosen }: Configuration): boolean {
  return Object.keys({ ...profiles, ...broken }).length === 0 && chosen === undefined;
}

export function defaultNote(name: string): string {
  return `${name} is the default now; voxctl profiles use offline goes back`;
}

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
    ...(profile.defaults ? { defaults: profile.defaults } : {}),
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
export function allProfiles(configuration: Configuration, session: Session): [string, StoredProfile][] {
  const stored = Object.entries(configuration.profiles);
  const embedded: StoredProfile = {
    kind: "offline",
    production: false,
    ...(configuration.offline_defaults ? { defaults: configuration.offline_defaults } : {}),
    db: offlineFile(session.folders, offlineName),
  };
  return storedProfile(configuration, offlineName) ? stored : [[offlineName, embedded], ...stored];
}

/** A profile that can't be used, as it is listed. */
export function brokenRow(
  name: string,
  { problem }: BrokenProfile,
  configuration: Configuration,
): Record<string, unknown> {
  return { name, kind: "invalid", default: configuration.default === name, problem };
}

export function unknownProfile(name: string, names: readonly string[]): CliError {
  const meant = meantOf(name, names).trim();
  return usageError(
    `no profile is named "${name}"; there ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`,
    {
      ...(meant === "" ? {} : { hint: meant }),
    },
  );
}

export async function findStored(
  name: string,
  session: Session,
): Promise<{ configuration: Configuration; profile: StoredProfile }> {
  const configuration = await readConfiguration(session.folders);
  return { configuration, profile: findIn(configuration, name, session) };
}

/** @throws usage error (2) for a name that no profile has, or one that can't be used */
export function findIn(configuration: Configuration, name: string, session: Session): StoredProfile {
  const broken = brokenProfile(configuration, name);
  if (broken !== undefined) throw brokenError(name, broken);
  const all = allProfiles(configuration, session);
  const found = all.find(([one]) => one === name);
  if (!found)
    throw unknownProfile(
      name,
      all.map(([one]) => one),
    );
  return found[1];
}
