import { join } from "node:path";
import type { Io } from "../../base/io.js";
import { suggestName } from "../../base/suggestions.js";
import type { Target } from "../../client/types.js";
import type { ApiName } from "../../contract/apis.js";
import { environmentName, environmentVariables } from "../../contract/environment-variables.js";
import { CliError, usageError } from "../errors/errors.js";
import { parseAddress } from "./address.js";
import { addLegacyTarget, readEnvironmentTargets } from "./environment.js";
import { findPin } from "./folder-pin.js";
import type { Folders } from "./folders.js";
import type { Keychain } from "./keychain.js";
import { createKeyReader } from "./keys.js";
import type { Choice, ChosenProfile, RemoteProfile } from "./profile.js";
import {
  apiNames,
  type BrokenProfile,
  type Configuration,
  isNewer,
  readConfiguration,
  type StoredProfile,
} from "./store.js";
import type { ProfileDefaults } from "./stored.js";

/** Profile of the local emulator, which always exists. */
export const offlineName = "offline";

export function getOfflineFile(folders: Folders, name: string): string {
  return join(folders.data, `${name}.db`);
}

interface ProfileSources {
  io: Io;
  folders: Folders;
  keychain: Keychain;
}

/**
 * Returns the profile from the first of these sources that is set: the flag, the URLs and keys in the
 * environment, VOXCTL_PROFILE, `.voxctl.yaml` or `.voxctl.yml`, the default profile, `offline`.
 * @param source name of the flag in errors
 * @throws usage error (2) if the specified profile does not exist or is incomplete
 */
export async function chooseProfile(
  sources: ProfileSources,
  flag: string | undefined,
  source = "--profile",
): Promise<ChosenProfile> {
  const { io } = sources;
  if (flag !== undefined) return resolveNamed(sources, flag, "flag", source);
  const targets = readEnvironmentTargets(io.env);
  if (targets)
    return {
      type: "remote",
      name: environmentName,
      chosenBy: "environment",
      production: false,
      targets,
      paths: {},
    };
  const variable = io.env.VOXCTL_PROFILE;
  if (variable === "")
    throw usageError("VOXCTL_PROFILE is empty", {
      hint: "set VOXCTL_PROFILE to a profile name, or unset VOXCTL_PROFILE",
    });
  if (variable !== undefined) return resolveNamed(sources, variable, "VOXCTL_PROFILE", "VOXCTL_PROFILE");
  const pin = await findPin(io.cwd);
  if (pin === undefined) return resolveUnpinned(sources);
  if ("unreadable" in pin) return { ...(await resolveUnpinned(sources)), unreadablePin: pin.unreadable };
  return resolveNamed(sources, pin.name, "folder", pin.file);
}

async function resolveUnpinned(sources: ProfileSources): Promise<ChosenProfile> {
  const { folders } = sources;
  const configuration = await readConfiguration(folders);
  if (configuration.default !== undefined)
    return resolveProfile(sources, configuration, configuration.default, "default", "the default");
  const [broken] = Object.entries(configuration.broken);
  // If a newer voxctl wrote the file, the default may be in a field that this version doesn't know. The
  // broken profile may then be the default.
  if (broken !== undefined && isNewer(configuration)) throw createBrokenProfileError(...broken);
  return {
    type: "offline",
    name: offlineName,
    chosenBy: "nobody",
    production: false,
    defaults: configuration.offline_defaults,
    db: getOfflineFile(folders, offlineName),
  };
}

async function resolveNamed(
  sources: ProfileSources,
  name: string,
  chosenBy: Choice,
  source: string,
): Promise<ChosenProfile> {
  return resolveProfile(sources, await readConfiguration(sources.folders), name, chosenBy, source);
}

async function resolveProfile(
  { io, folders, keychain }: ProfileSources,
  configuration: Configuration,
  name: string,
  chosenBy: Choice,
  source: string,
): Promise<ChosenProfile> {
  const stored = findStoredProfile(configuration, name);
  if (!stored) {
    const broken = findBrokenProfile(configuration, name);
    if (broken !== undefined) throw createBrokenProfileError(name, broken, source);
    if (name === offlineName)
      return {
        type: "offline",
        name,
        chosenBy,
        production: false,
        defaults: configuration.offline_defaults,
        db: getOfflineFile(folders, name),
      };
    // The configuration may contain a profile with this name, because older versions did not reserve it.
    const names = [...new Set([...Object.keys(configuration.profiles), offlineName])];
    throw usageError(`${source}: profile "${name}" not found; existing profiles: ${names.join(", ")}`, {
      hint:
        suggestName(name, names).trimEnd() ||
        `to add the profile, run \`voxctl profiles add ${name} --url URL\``,
    });
  }
  const { defaults } = stored;
  if (stored.kind === "offline")
    return { type: "offline", name, chosenBy, production: stored.production, defaults, db: stored.db };
  const targets: Partial<Record<ApiName, Target>> = {};
  const unreadable: NonNullable<RemoteProfile["unreadable"]> = {};
  const readKey = createKeyReader(stored, { io, profile: name, keychain });
  for (const api of apiNames) {
    const target = stored.surfaces[api];
    if (!target) continue;
    const baseUrl = parseAddress(target.url, api, `${api} URL of profile "${name}"`);
    try {
      targets[api] = { baseUrl, key: await readKey(target.key) };
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      unreadable[api] = { baseUrl, error };
    }
  }
  return {
    type: "remote",
    name,
    chosenBy,
    production: stored.production,
    defaults,
    targets: unreadable.legacy ? targets : addLegacyTarget(targets),
    unreadable,
    paths: stored.paths,
    caFile: stored.ca_file,
  };
}

/**
 * Returns the profile's preferred output format. Ignores errors, because the command reports them when it
 * uses the profile.
 */
export async function findPreferredOutput(
  sources: Omit<ProfileSources, "keychain">,
  flag: string | undefined,
): Promise<ProfileDefaults["output"]> {
  try {
    return (await readStoredDefaults(sources, flag)).defaults?.output;
  } catch {
    return undefined;
  }
}

/** Returns the selected profile's name and defaults, without reading its keys. @throws usage error (2) */
export async function readStoredDefaults(
  { io, folders }: Omit<ProfileSources, "keychain">,
  flag: string | undefined,
): Promise<{ name: string; defaults?: ProfileDefaults | undefined }> {
  const hasTargets = Object.values(environmentVariables).some(({ url }) => io.env[url] !== undefined);
  if (flag === undefined && hasTargets) return { name: environmentName };
  const configuration = await readConfiguration(folders);
  const pin = flag === undefined && io.env.VOXCTL_PROFILE === undefined ? await findPin(io.cwd) : undefined;
  const pinned = pin === undefined || "unreadable" in pin ? undefined : pin.name;
  const name = flag ?? io.env.VOXCTL_PROFILE ?? pinned ?? configuration.default ?? offlineName;
  const stored = findStoredProfile(configuration, name);
  if (!stored && name === offlineName) return { name, defaults: configuration.offline_defaults };
  return { name, defaults: stored?.defaults };
}

export function findStoredProfile(configuration: Configuration, name: string): StoredProfile | undefined {
  return Object.hasOwn(configuration.profiles, name) ? configuration.profiles[name] : undefined;
}

export function findBrokenProfile({ broken }: Configuration, name: string): BrokenProfile | undefined {
  return Object.hasOwn(broken, name) ? broken[name] : undefined;
}

export function createBrokenProfileError(
  name: string,
  { problem }: BrokenProfile,
  source?: string,
): CliError {
  const where = source === undefined ? "" : `${source}: `;
  return usageError(`${where}cannot use profile "${name}": ${problem}`, {
    hint: `correct the profile in the configuration file, or remove the profile: \`voxctl profiles remove ${name}\``,
  });
}
