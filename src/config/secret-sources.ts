/** S1: the values behind `env:NAME`, `file:PATH` and `keychain:NAME`. */
import { resolve } from "node:path";
import { readUtf8 } from "../base/utf8.js";
import { NotUtf8Error } from "../base/utf8-error.js";
import { type Access, fileOf, isKeyText, openAccess, refusalOf } from "./access.js";
import { ConfigError } from "./errors.js";
import { unfilledSource } from "./folder/unfilled.js";

export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Undefined where there is no keychain. */
  keychain?: ((account: string) => Promise<string | null | undefined>) | undefined;
}

/** No profile's key is stored under such an account: names of profiles have no colon. */
const accountPrefix = "config:";

/**
 * Reads the values of sources, each once; paths are relative to the folder. Every reading of a source goes this way.
 * @returns undefined where there is none
 */
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
    // Without links, as it was allowed.
    if (area === "file") return readSecretFile(fileOf(from, root) ?? resolve(root, name));
    return keychain?.(`${accountPrefix}${name}`);
  };
  const read = async (from: string): Promise<string | undefined> => {
    // Nobody means a variable of this name.
    if (from === unfilledSource && !access.allows(from)) return undefined;
    const refusal = refusalOf(from, access);
    if (refusal !== undefined)
      throw new ConfigError(
        "config_refused",
        `${refusal.message}; nothing was sent`,
        refusal.refused.source === undefined ? undefined : access.advice([from]),
      );
    const value = sourceText(await find(from));
    if (value === undefined) return undefined;
    if (access.holdsKey(value))
      throw new ConfigError("config_refused", `${from} ${isKeyText}; nothing was sent`);
    access.registerValue(value);
    return value;
  };
  return (from) => {
    const value = known.get(from) ?? read(from);
    known.set(from, value);
    return value;
  };
}

/** A source's text without the line end at its end; an empty one is unset, as variables of CI are without their secret. */
export function sourceText(text: string | null | undefined): string | undefined {
  return text?.replace(/\r?\n$/, "") || undefined;
}

/** @throws ConfigError where the file is not text: another secret than the one that is meant would be sent */
async function readSecretFile(path: string): Promise<string | undefined> {
  return readUtf8(path).catch((error: unknown) => {
    if (error instanceof NotUtf8Error) throw new ConfigError("config_invalid", error.message);
    return undefined;
  });
}
