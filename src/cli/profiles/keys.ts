import { describeFsError } from "../../base/describe-fs-error.js";
import type { Io } from "../../base/io.js";
import { readUtf8 } from "../../base/utf8.js";
import { isPlainVariable } from "../../client/key-test.js";
import { usageError } from "../errors/errors.js";
import { type Keychain, KeychainError } from "./keychain.js";
import { apiNames, type StoredKey, type StoredRemote } from "./store.js";

/**
 * Trims a key and checks that it can be sent in a header.
 * @param source name of the key's source in messages; messages never contain the key
 * @throws usage error (2) for an invalid key
 */
export function parseKey(text: string, source: string): string {
  const key = text.trim();
  if (key === "") throw usageError(`${source}: the key is empty`);
  if (!/^[\u0021-\u007e]+$/.test(key))
    throw usageError(`${source}: invalid key; expected ASCII characters without spaces`);
  return key;
}

/** @throws usage error (2) if the source contains no key */
export type ReadKey = (stored: StoredKey) => Promise<string>;

/** The first read from the keychain queries all keys at once. */
export function createKeyReader(
  stored: StoredRemote | undefined,
  { io, profile, keychain }: { io: Io; profile: string; keychain: Keychain },
): ReadKey {
  const accounts = apiNames.flatMap((api) => {
    const key = stored?.surfaces[api]?.key;
    return key?.from === "keychain" ? [key.account] : [];
  });
  let pendingKeys: Promise<(string | null)[]> | undefined;
  return async (key) => {
    if (key.from !== "keychain") return readKey(key, io, profile);
    const hint = `to store the key again, run \`voxctl profiles add ${profile}\`; to store the key in a file, use --no-keychain`;
    let storedKey: string | null | undefined;
    try {
      pendingKeys ??= keychain.read(accounts);
      storedKey = (await pendingKeys)[accounts.indexOf(key.account)];
    } catch (error) {
      if (!(error instanceof KeychainError)) throw error;
      throw usageError(`cannot read the key of profile "${profile}" from the keychain: ${error.message}`, {
        hint: `unlock the keychain; ${hint}`,
        cause: error,
      });
    }
    if (!storedKey) throw usageError(`the keychain has no key for profile "${profile}"`, { hint });
    return parseKey(storedKey, "the keychain");
  };
}

async function readKey(
  stored: Exclude<StoredKey, { from: "keychain" }>,
  io: Io,
  profile: string,
): Promise<string> {
  switch (stored.from) {
    case "stored":
      return stored.value;
    case "environment": {
      const value = io.env[stored.variable];
      const variable = isPlainVariable(stored.variable) ? stored.variable : "an environment variable";
      if (value === undefined)
        throw usageError(`profile "${profile}" reads its key from ${variable}, which is not set`);
      return parseKey(value, variable);
    }
    case "file": {
      let text: string;
      try {
        text = await readUtf8(stored.path);
      } catch (error) {
        throw usageError(
          `profile "${profile}" reads its key from ${stored.path}, which can't be read: ${describeFsError(error)}`,
          {
            cause: error,
          },
        );
      }
      return parseKey(text, stored.path);
    }
  }
}

export function describeKeySource(stored: StoredKey): string {
  switch (stored.from) {
    case "stored":
      return "stored";
    case "environment":
      return isPlainVariable(stored.variable) ? `environment ${stored.variable}` : "environment";
    case "file":
      return `file ${stored.path}`;
    case "keychain":
      return "keychain";
  }
}
