import { resolve } from "node:path";
import { findSourceProblem } from "../../client/key-test.js";
import { usageError } from "../errors/errors.js";
import type { Folders } from "../profiles/folders.js";
import { KeychainError } from "../profiles/keychain.js";
import { buildKeychainAccount } from "../profiles/keychain-helper.js";
import type { ProfileDefaults } from "../profiles/stored.js";
import { readSecretSource } from "./secret-source.js";
import type { Session } from "./session.js";

export const storeSecrets = ["store_key", "store_password"] as const;
type StoreSecret = (typeof storeSecrets)[number];

/** A new keychain entry gets its value from this environment variable or from this prompt. */
const inputs: Readonly<Record<StoreSecret, { variable: string; prompt: string }>> = {
  store_key: { variable: "VOXCTL_STORE_KEY", prompt: "Store key:" },
  store_password: { variable: "PGPASSWORD", prompt: "Database password:" },
};

/**
 * Reads the value of `env:VARIABLE`, `file:FILE` or `keychain:ACCOUNT`.
 * @param source name in messages
 * @throws usage error (2)
 */
export async function readStoreSecret(
  session: Pick<Session, "io" | "secrets" | "keychain">,
  reference: string,
  source: string,
): Promise<string> {
  const problem = findSourceProblem(reference);
  if (problem !== undefined) throw usageError(`invalid ${source}: ${problem}`);
  const account = accountOf(reference);
  if (account === undefined) return readSecretSource(session, reference, source);
  const [value] = await session.keychain.read([account]).catch((error: unknown) => {
    if (!(error instanceof KeychainError)) throw error;
    throw usageError(`${source} can't be read from the keychain: ${error.message}`, { cause: error });
  });
  if (!value) throw usageError(`${source}: the keychain has no entry ${account}`);
  session.secrets.add(value);
  return value;
}

function accountOf(reference: string): string | undefined {
  return reference.startsWith("keychain:") ? reference.slice("keychain:".length) : undefined;
}

export function listStoreAccounts(
  folders: Folders,
  profile: string,
  defaults: ProfileDefaults | undefined,
): string[] {
  return storeSecrets
    .filter((name) => defaults?.[name] === `keychain:${buildKeychainAccount(folders, profile, name)}`)
    .map((name) => buildKeychainAccount(folders, profile, name));
}

/**
 * Returns the reference with an absolute path. For `keychain:`, stores a new secret in the keychain.
 * @throws usage error (2)
 */
export async function keepStoreSecret(
  session: Pick<Session, "io" | "folders" | "secrets" | "keychain" | "prompts">,
  profile: string,
  setting: StoreSecret,
  reference: string,
): Promise<string> {
  if (reference !== "keychain:") {
    const problem = findSourceProblem(reference);
    if (problem !== undefined)
      throw usageError(`invalid ${setting}: ${problem}`, {
        hint: `to store a new value in the keychain, use ${setting}=keychain:`,
      });
    const file = /^file:(.+)$/s.exec(reference)?.[1];
    return file === undefined ? reference : `file:${resolve(session.io.cwd, file)}`;
  }
  const account = buildKeychainAccount(session.folders, profile, setting);
  try {
    await session.keychain.write(account, await readNewSecret(session, setting));
  } catch (error) {
    if (!(error instanceof KeychainError)) throw error;
    throw usageError(`${setting}: the system's keychain can't be used: ${error.message}`, {
      hint: "use env:VARIABLE or file:FILE",
      cause: error,
    });
  }
  return `keychain:${account}`;
}

async function readNewSecret(
  { io, prompts, secrets }: Pick<Session, "io" | "prompts" | "secrets">,
  setting: StoreSecret,
): Promise<string> {
  const { variable, prompt } = inputs[setting];
  const given = io.env[variable];
  if (!given && !prompts.available)
    throw usageError(`${setting}: ${variable} is not set, and stdin is not a terminal`);
  const value = given || (await prompts.secret({ message: prompt })).trim();
  if (value === "") throw usageError(`${setting}: the value is empty`);
  secrets.add(value);
  return value;
}
