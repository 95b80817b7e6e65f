import { resolve } from "node:path";
import { readUtf8Stream } from "../../../base/utf8.js";
import type { ApiName } from "../../../contract/apis.js";
import { usageError } from "../../errors/errors.js";
import { KeychainError } from "../../profiles/keychain.js";
import { buildKeychainAccount } from "../../profiles/keychain-helper.js";
import { createKeyReader, parseKey } from "../../profiles/keys.js";
import { apiNames, getConfigurationFile, type StoredKey, type StoredProfile } from "../../profiles/store.js";
import type { Input } from "../../session/input.js";
import { assertVariableName, formatVariableProblem } from "../../session/secret-source.js";
import type { Session } from "../../session/session.js";
import type { TypedKey } from "./ask.js";

/** Without these flags, voxctl prompts for the key. */
export const keyFlags = ["key-stdin", "key-env", "key-file"] as const;

/**
 * Stores a key in the keychain. Without a keychain, prints a note and stores the key in the configuration
 * file.
 */
export async function keepKey(
  value: string,
  { profile, stored, api }: { profile: string; stored: StoredProfile | undefined; api: ApiName },
  session: Session,
  input: Input,
): Promise<StoredKey> {
  const usesKeychain = input.on("keychain");
  if (usesKeychain === false) return { from: "stored", value };
  // Use a unique name, because another process may store a key for this profile at the same time.
  const account = `${buildKeychainAccount(session.folders, profile, api)}.${session.random.bytes(4).toString("hex")}`;
  try {
    await session.keychain.write(account, value);
    return { from: "keychain", account };
  } catch (error) {
    if (!(error instanceof KeychainError)) throw error;
    if (usesKeychain) throw usageError(`--keychain: the system's keychain can't be used: ${error.message}`);
    const file = getConfigurationFile(session.folders);
    // Report the missing keychain once per profile instead of once per API.
    const known =
      stored?.kind === "remote" &&
      apiNames.some((storedApi) => stored.surfaces[storedApi]?.key.from === "stored");
    if (!known)
      session.notes.note(`No keychain is available: storing the key in ${file}, which only you can read`);
    session.notes.debug(`keychain: ${error.message}`);
    return { from: "stored", value };
  }
}

/** Prints a warning if the keychain can't delete the key. */
export async function forgetKey(
  key: StoredKey,
  { keychain, notes }: Pick<Session, "keychain" | "notes">,
): Promise<void> {
  if (key.from !== "keychain") return;
  try {
    await keychain.remove(key.account);
  } catch (error) {
    if (!(error instanceof KeychainError)) throw error;
    notes.warn(`could not delete key ${key.account} from the keychain: ${error.message}`);
  }
}

/** @throws usage error (2) */
export async function resolveKeyValue(
  source: StoredKey | TypedKey,
  profile: string,
  session: Session,
): Promise<string> {
  return source.from === "typed" ? source.value : createKeyReader(undefined, { ...session, profile })(source);
}

/** Returns the source of a key, not the key. Reads the key once, to report errors immediately. */
export async function readKey(
  profile: string,
  session: Session,
  input: Input,
): Promise<StoredKey | TypedKey> {
  const given = keyFlags.filter((flag) => input.has(flag));
  if (given.length > 1)
    throw usageError(`${given.map((flag) => `--${flag}`).join(" and ")} can't be combined`);
  const variable = input.text("key-env");
  const file = input.text("key-file");
  if (input.on("keychain") && (variable ?? file) !== undefined)
    throw usageError(
      `--keychain and --${given[0]} can't be combined: the keychain only stores typed or piped keys`,
    );
  if (input.has("key-stdin"))
    return toTypedKey(await readUtf8Stream(session.io.stdin, "--key-stdin"), "--key-stdin", session);
  if (variable !== undefined) {
    assertVariableName(variable, "--key-env");
    const value = session.io.env[variable];
    if (value === undefined)
      throw usageError(formatVariableProblem(variable, "--key-env", "is not set"), {
        hint: "set the variable in this shell: each command reads the key from it",
      });
    parseKey(value, "--key-env");
    return { from: "environment", variable };
  }
  if (file !== undefined) {
    const stored: StoredKey = { from: "file", path: resolve(session.io.cwd, file) };
    await createKeyReader(undefined, { ...session, profile })(stored);
    return stored;
  }
  if (!session.prompts.available)
    throw usageError(`missing API key: use ${keyFlags.map((flag) => `--${flag}`).join(", ")}`);
  const typed = await session.prompts.secret({ message: "API key:" });
  return toTypedKey(typed, "the key", session);
}

function toTypedKey(text: string, source: string, { secrets }: Pick<Session, "secrets">): TypedKey {
  const value = parseKey(text, source);
  secrets.add(value);
  return { from: "typed", value };
}
