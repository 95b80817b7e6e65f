/** The API keys that voxctl uses. Request bodies and plan files must not contain them. */
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Io } from "../../base/io.js";
import { parseJsonSafely } from "../../base/json.js";
import { environmentVariables } from "../../contract/environment-variables.js";
import type { Folders } from "./folders.js";
import { getConfigurationFile } from "./store.js";

export interface KnownKeys {
  values: readonly string[];
  variables: ReadonlySet<string>;
  /** Paths in which symbolic links are resolved. */
  files: ReadonlySet<string>;
}

/**
 * Reads the known keys, except keys in a keychain or an unreadable source. Reads synchronously, which is
 * faster, because every command waits for this function before its first request.
 */
export function readKnownKeys({ env }: Pick<Io, "env">, folders: Folders): KnownKeys {
  const values: string[] = [];
  const variables = new Set([
    "VOXCTL_STORE_KEY",
    ...Object.values(environmentVariables).map(({ key }) => key),
  ]);
  const configuration = getConfigurationFile(folders);
  const files = new Set([configuration, join(folders.config, "config.last-good.json")].map(resolveLinks));
  const profiles = listProfiles(readText(configuration));
  for (const { from, value, variable, path } of listStoredKeys(profiles)) {
    if (from === "stored" && typeof value === "string") values.push(value);
    if (from === "environment" && typeof variable === "string") variables.add(variable);
    if (from !== "file" || typeof path !== "string") continue;
    files.add(resolveLinks(path));
    values.push(readText(path));
  }
  for (const reference of listStoreReferences(profiles)) {
    const [, source, name = ""] = /^(env|file):(.+)$/s.exec(reference) ?? [];
    if (source === "env") variables.add(name);
    if (source !== "file") continue;
    files.add(resolveLinks(name));
    values.push(readText(name));
  }
  for (const variable of variables) values.push(env[variable] ?? "");
  return { values: values.map((value) => value.trim()), variables, files };
}

/** Also lists the keys of unusable profiles. */
function listStoredKeys(profiles: readonly unknown[]): Record<string, unknown>[] {
  const targets = profiles.flatMap((profile) => Object.values(Object(Object(profile).surfaces)));
  return targets.map((target) => Object(Object(target).key));
}

function listStoreReferences(profiles: readonly unknown[]): string[] {
  return profiles.flatMap((profile) => {
    const { store_key: key, store_password: password } = Object(Object(profile).defaults);
    return [key, password].filter((value) => typeof value === "string");
  });
}

function listProfiles(text: string): unknown[] {
  return Object.values(Object(Object(parseJsonSafely(text.replace(/^\uFEFF/, ""))).profiles));
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
