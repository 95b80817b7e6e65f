import { resolve } from "node:path";
import { readUtf8 } from "../../base/utf8.js";
import { NotUtf8Error } from "../../base/utf8-error.js";
import { type Access, fileOf, isKeyText, openAccess, refusalOf } from "./access.js";
import { ConfigError } from "./errors.js";
import { unfilledSource } from "./folder/unfilled.js";

export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Undefined if no keychain is available. */
  keychain?: ((account: string) => Promise<string | null | undefined>) | undefined;
}

/**
 * Prefix of keychain accounts for secrets. Profile names contain no colon, so the accounts of API keys can't
 * have this prefix.
 */
const accountPrefix = "config:";

/** Returns a function that reads each source at most once; paths are relative to the directory. */
export function sourceReader(
  { env, keychain }: SecretSources,
  root: string,
  access: Access = openAccess,
): (from: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  const find = async (from: string): Promise<string | null | undefined> => {
    const colon = from.indexOf(":");
    const area = from.slice(0, colon);
    const name = from.slice(colon + 1);
    if (area === "env") return env[name];
    // Read the path with symbolic links resolved, because the check of allowed paths used this path.
    if (area === "file") return readSecretFile(fileOf(from, root) ?? resolve(root, name));
    return keychain?.(`${accountPrefix}${name}`);
  };
  const read = async (from: string): Promise<string | undefined> => {
    // `env:TODO` is a placeholder, not a variable.
    if (from === unfilledSource && !access.allows(from)) return undefined;
    const refusal = refusalOf(from, access);
    if (refusal !== undefined)
      throw new ConfigError(
        "config_refused",
        refusal.message,
        refusal.refused.source === undefined ? undefined : access.advice([from]),
      );
    const value = sourceText(await find(from));
    if (value === undefined) return undefined;
    if (access.holdsKey(value)) throw new ConfigError("config_refused", `${from} ${isKeyText}`);
    access.registerValue(value);
    return value;
  };
  return (from) => {
    const value = known.get(from) ?? read(from);
    known.set(from, value);
    return value;
  };
}

/**
 * Removes the final line feed. Empty text counts as unset, because CI systems pass an empty string for a
 * missing secret.
 */
export function sourceText(text: string | null | undefined): string | undefined {
  return text?.replace(/\r?\n$/, "") || undefined;
}

/** @throws ConfigError if the file is not UTF-8: decoding would change the secret */
async function readSecretFile(path: string): Promise<string | undefined> {
  return readUtf8(path).catch((error: unknown) => {
    if (error instanceof NotUtf8Error) throw new ConfigError("config_invalid", error.message);
    return undefined;
  });
}
