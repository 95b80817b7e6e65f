import { type CliError, usageError } from "../../errors/errors.js";
import { meantOf } from "../../errors/nearest.js";
import { offlineFile, offlineName, storedProfile } from "../../profiles/choose.js";
import { keySource } from "../../profiles/keys.js";
import {
  type Configuration,
  readConfiguration,
  type StoredProfile,
  surfaceNames,
} from "../../profiles/store.js";
import type { Session } from "../../session/session.js";

/** Does a profile that is added now become the default, since there is none and no other was chosen? */
export function takesDefault({ profiles, default: chosen }: Configuration): boolean {
  return Object.keys(profiles).length === 0 && chosen === undefined;
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

export function findIn(configuration: Configuration, name: string, session: Session): StoredProfile {
  const all = allProfiles(configuration, session);
  const found = all.find(([one]) => one === name);
  if (!found)
    throw unknownProfile(
      name,
      all.map(([one]) => one),
    );
  return found[1];
}
