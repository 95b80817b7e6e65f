import { join } from "node:path";
import type { Io } from "../../base/io.js";
import type { Target } from "../../client/types.js";
import type { SurfaceName } from "../../contract/surfaces.js";
import { CliError, usageError } from "../errors/errors.js";
import { meantOf } from "../errors/nearest.js";
import { parseAddress } from "./address.js";
import { environmentTargets, environmentVariables, withLegacy } from "./environment.js";
import { findPin } from "./folder-pin.js";
import type { Folders } from "./folders.js";
import type { Keychain } from "./keychain.js";
import { keyReader } from "./keys.js";
import type { Choice, ChosenProfile, RemoteProfile } from "./profile.js";
import {
  type BrokenProfile,
  type Configuration,
  isNewer,
  readConfiguration,
  type StoredProfile,
  surfaceNames,
} from "./store.js";
import type { ProfileDefaults } from "./stored.js";

/** Always there: the embedded emulator. */
export const offlineName = "offline";

/** The file of an offline world that was not given another. */
export function offlineFile(folders: Folders, name: string): string {
  return join(folders.data, `${name}.db`);
}

/** Where profiles and their keys come from. */
interface ProfilePlace {
  io: Io;
  folders: Folders;
  keychain: Keychain;
}

/**
 * The profile to work with: by flag, the environment's addresses and keys, VOXCTL_PROFILE, this folder's
 * `.voxctl.yaml` or `.voxctl.yml`, the default; else, without a choice, `offline`.
 * @param source the name of the flag's place, for errors
 * @throws usage error (2) when what was named does not exist or is not whole
 */
export async function chooseProfile(
  place: ProfilePlace,
  flag: string | undefined,
  source = "--profile",
): Promise<ChosenProfile> {
  const { io } = place;
  if (flag !== undefined) return namedProfile(place, flag, "flag", source);
  const targets = environmentTargets(io.env);
  if (targets)
    return {
      kind: "remote",
      name: "environment",
      chosenBy: "environment",
      production: false,
      targets,
      paths: {},
    };
  const variable = io.env.VOXCTL_PROFILE;
  if (variable === "")
    throw usageError("VOXCTL_PROFILE is set, but empty", { hint: "Set it to a profile's name or unset it" });
  if (variable !== undefined) return namedProfile(place, variable, "VOXCTL_PROFILE", "VOXCTL_PROFILE");
  const pin = await findPin(io.cwd);
  if (pin === undefined) return unpinnedProfile(place);
  if ("unreadable" in pin) return { ...(await unpinnedProfile(place)), unreadablePin: pin.unreadable };
  return namedProfile(place, pin.name, "folder", pin.file);
}

/** The default profile; without one, the embedded emulator. */
async function unpinnedProfile(place: ProfilePlace): Promise<ChosenProfile> {
  const { folders } = place;
  const configuration = await readConfiguration(folders);
  if (configuration.default !== undefined)
    return resolveProfile(place, configuration, configuration.default, "default", "the default");
  const [broken] = Object.entries(configuration.broken);
  // A newer voxctl may keep its default under another name.
  if (broken !== undefined && isNewer(configuration)) throw brokenError(...broken);
  return {
    kind: "offline",
    name: offlineName,
    chosenBy: "nobody",
    production: false,
    defaults: configuration.offline_defaults,
    db: offlineFile(folders, offlineName),
  };
}

async function namedProfile(
  place: ProfilePlace,
  name: string,
  chosenBy: Choice,
  source: string,
): Promise<ChosenProfile> {
  return resolveProfile(place, await readConfiguration(place.folders), name, chosenBy, source);
}

async function resolveProfile(
  { io, folders, keychain }: ProfilePlace,
  configuration: Configuration,
  name: string,
  chosenBy: Choice,
  source: string,
): Promise<ChosenProfile> {
  const stored = storedProfile(configuration, name);
  if (!stored) {
    const broken = brokenProfile(configuration, name);
    if (broken !== undefined) throw brokenError(name, broken, source);
    if (name === offlineName)
      return {
        kind: "offline",
        name,
        chosenBy,
        production: false,
        defaults: configuration.offline_defaults,
        db: offlineFile(folders, name),
      };
    // One of before its name was refused may be stored under it.
    const names = [...new Set([...Object.keys(configuration.profiles), offlineName])];
    throw usageError(`${source}: no profile is named "${name}"; there are ${names.join(", ")}`, {
      hint: `${meantOf(name, names)}voxctl profiles add ${name} --url URL adds it`,
    });
  }
  const { defaults } = stored;
  if (stored.kind === "offline")
    return { kind: "offline", name, chosenBy, production: stored.production, defaults, db: stored.db };
  const targets: Partial<Record<SurfaceName, Target>> = {};
  const unreadable: NonNullable<RemoteProfile["unreadable"]> = {};
  const readKey = keyReader(stored, { io, profile: name, keychain });
  for (const surface of surfaceNames) {
    const target = stored.surfaces[surface];
    if (!target) continue;
    const baseUrl = parseAddress(target.url, surface, `profile ${name}`);
    try {
      targets[surface] = { baseUrl, key: await readKey(target.key) };
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      unreadable[surface] = { baseUrl, error };
    }
  }
  return {
    kind: "remote",
    name,
    chosenBy,
    production: stored.production,
    defaults,
    targets: unreadable.legacy ? targets : withLegacy(targets),
    unreadable,
    paths: stored.paths,
    caFile: stored.ca_file,
  };
}

/**
 * The format that the chosen profile prints in where no flag says another. Without an error: what is wrong with the
 * choice is told when a command works with it.
 */
export async function preferredOutput(
  place: Omit<ProfilePlace, "keychain">,
  flag: string | undefined,
): Promise<ProfileDefaults["output"]> {
  try {
    return (await storedDefaults(place, flag)).defaults?.output;
  } catch {
    return undefined;
  }
}

/** The name and the defaults of the chosen profile, without its keys. @throws usage error (2) */
export async function storedDefaults(
  { io, folders }: Omit<ProfilePlace, "keychain">,
  flag: string | undefined,
): Promise<{ name: string; defaults?: ProfileDefaults | undefined }> {
  const hasTargets = Object.values(environmentVariables).some(({ url }) => io.env[url] !== undefined);
  if (flag === undefined && hasTargets) return { name: "environment" };
  const configuration = await readConfiguration(folders);
  const pin = flag === undefined && io.env.VOXCTL_PROFILE === undefined ? await findPin(io.cwd) : undefined;
  const pinned = pin === undefined || "unreadable" in pin ? undefined : pin.name;
  const name = flag ?? io.env.VOXCTL_PROFILE ?? pinned ?? configuration.default ?? offlineName;
  const stored = storedProfile(configuration, name);
  if (!stored && name === offlineName) return { name, defaults: configuration.offline_defaults };
  return { name, defaults: stored?.defaults };
}

export function storedProfile(configuration: Configuration, name: string): StoredProfile | undefined {
  return Object.hasOwn(configuration.profiles, name) ? configuration.profiles[name] : undefined;
}

export function brokenProfile({ broken }: Configuration, name: string): BrokenProfile | undefined {
  return Object.hasOwn(broken, name) ? broken[name] : undefined;
}

/** The error of a command that needs a profile which can't be used. */
export function brokenError(name: string, { problem }: BrokenProfile, source?: string): CliError {
  const where = source === undefined ? "" : `${source}: `;
  return usageError(`${where}cannot use profile "${name}": ${problem}`, {
    hint: `correct it in the configuration file, or remove it: \`voxctl profiles remove ${name}\``,
  });
}
