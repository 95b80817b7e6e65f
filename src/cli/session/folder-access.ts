import { resolve } from "node:path";
import { buildFlagWords, formatCommandLine } from "../../base/shell-words.js";
import { createKeyTest } from "../../client/key-test.js";
import { environmentName } from "../../contract/environment-variables.js";
import type { Access } from "../../features/config/access.js";
import { usageError } from "../errors/errors.js";
import { readStoredDefaults } from "../profiles/choose.js";
import { readKnownKeys } from "../profiles/known-keys.js";
import type { ChosenProfile } from "../profiles/profile.js";
import type { ProfileDefaults } from "../profiles/stored.js";
import type { Input } from "./input.js";
import type { Session } from "./session.js";

interface ProfileSettings {
  name: string;
  defaults?: Pick<ProfileDefaults, "allow_env" | "allow_files"> | undefined;
  /** The current profile's keys, including keys from a keychain. */
  keys?: readonly string[];
}

export function openFolderAccess(
  session: Session,
  input: Input,
  profile: ChosenProfile,
  root: string,
): Promise<Access> {
  const targets = profile.type === "remote" ? Object.values(profile.targets) : [];
  return createFolderAccess(session, input, { ...profile, keys: targets.map(({ key }) => key) }, root);
}

/** For commands that don't connect to the service: reads no keys from the keychain. */
export async function openLocalAccess(
  session: Session,
  input: Input,
  profile: string | undefined,
  root: string,
): Promise<Access> {
  const settings = await readStoredDefaults(session, session.flags.profile ?? profile);
  return createFolderAccess(session, input, settings, root);
}

async function createFolderAccess(
  { io, folders, secrets }: Session,
  input: Input,
  { name, defaults, keys = [] }: ProfileSettings,
  root: string,
): Promise<Access> {
  const { allowanceTest, fileOf, realPath } = await import("../../features/config/index.js");
  const known = readKnownKeys(io, folders);
  for (const key of [...known.values, ...keys]) secrets.add(key);
  const cwd = realPath(io.cwd);
  const env = [...(defaults?.allow_env ?? []), ...input.texts("allow-env").flatMap(splitList)];
  const files = [
    ...(defaults?.allow_files ?? []),
    ...input.texts("allow-file").map((path) => resolve(cwd, path)),
  ];
  return {
    allows: allowanceTest({ env, files: files.map((path) => expandHome(path, io.env.HOME)) }, root),
    isKeySource(from) {
      const variable = from.startsWith("env:") ? from.slice("env:".length) : undefined;
      if (variable !== undefined) return known.variables.has(variable) || /^voxctl_/i.test(variable);
      const path = fileOf(from, root);
      return path !== undefined && known.files.has(path);
    },
    holdsKey: createKeyTest([...known.values, ...keys]),
    registerValue(value) {
      // Don't mask a short number, because it would also match counts and years.
      if (!/^\d{1,7}$/.test(value)) secrets.add(value);
    },
    advice(sources) {
      const paths = sources.flatMap((from) => fileOf(from, root) ?? []);
      const names = sources.filter((from) => fileOf(from, root) === undefined).map(getSourceName);
      const flags = [
        ...names.flatMap((name) => buildFlagWords("allow-env", name)),
        ...paths.flatMap((path) => buildFlagWords("allow-file", path)),
      ];
      const once = flags.map((word) => formatCommandLine([word]).slice("voxctl ".length)).join(" ");
      const settings = [
        ...(names.length === 0 ? [] : [`allow_env=${[...(defaults?.allow_env ?? []), ...names].join(",")}`]),
        ...(paths.length === 0
          ? []
          : [`allow_files=${[...(defaults?.allow_files ?? []), ...paths].join(",")}`]),
      ];
      const always = `; to allow it for profile "${name}": \`${formatCommandLine(["profiles", "set", name, ...settings])}\``;
      return `to allow it for this run, add \`${once}\`${name === environmentName ? "" : always}`;
    },
  };
}

function getSourceName(from: string): string {
  return from.slice(from.indexOf(":") + 1);
}

function expandHome(path: string, home: string | undefined): string {
  return home !== undefined && /^~[/\\]/.test(path) ? resolve(home, path.slice(2)) : path;
}

/** @throws usage error (2) for an empty glob */
export function splitList(text: string): string[] {
  const globs = text.split(",").map((glob) => glob.trim());
  if (globs.includes("")) throw usageError(`invalid list "${text}": expected names separated by commas`);
  return globs;
}
