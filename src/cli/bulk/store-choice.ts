import { usageError } from "../errors/errors.js";
import { readStoredDefaults } from "../profiles/choose.js";
import type { ProfileDefaults } from "../profiles/stored.js";
import type { Session } from "../session/session.js";
import { readStoreSecret } from "../session/store-secrets.js";
import { findProjectStore } from "./project-store.js";

export interface ChosenStore {
  /** URL such as `postgres://…`, which may contain a password. */
  address: string;
  source: string;
  /** Undefined if the password comes from the URL or the password file. */
  password: string | undefined;
  keySource: string;
  readKey(): Promise<string | undefined>;
}

export type StoreSources = Pick<
  Session,
  "io" | "folders" | "flags" | "keychain" | "secrets" | "random" | "clock" | "notes"
>;

export interface StoreScope {
  profile?: { name: string; defaults?: ProfileDefaults | undefined } | undefined;
  directory?: string | undefined;
}

const variable = "VOXCTL_STORE";
const keyVariable = "VOXCTL_STORE_KEY";

/**
 * Checks the environment, the project file and the profile, in this order. Returns undefined if none of these
 * selects a store, or if VOXCTL_STORE is `local`.
 * @throws usage error (2)
 */
export async function chooseStore(
  sources: StoreSources,
  { profile, directory = sources.io.cwd }: StoreScope,
): Promise<ChosenStore | undefined> {
  const { env } = sources.io;
  const address = env[variable];
  if (address === "local") return undefined;
  if (address?.trim() === "")
    throw usageError(`${variable} is empty`, {
      hint: `set ${variable} to postgres://USER@HOST/DATABASE or local, or unset ${variable}`,
    });
  if (address !== undefined) {
    registerPassword(sources, address);
    return { address, source: variable, password: env["PGPASSWORD"], ...keyOfEnvironment(sources) };
  }
  const project = await findProjectStore(directory);
  if (project === undefined)
    return storeOfProfile(sources, profile ?? (await readStoredDefaults(sources, sources.flags.profile)));
  const store = await storeOfProfile(sources, await readStoredDefaults(sources, project.profile));
  if (store !== undefined) return store;
  throw usageError(`${project.file}: profile "${project.profile}" has no store`, {
    hint: `run \`voxctl profiles set ${project.profile} store=postgres://USER@HOST/DATABASE\``,
  });
}

async function storeOfProfile(
  sources: StoreSources,
  { name, defaults = {} }: NonNullable<StoreScope["profile"]>,
): Promise<ChosenStore | undefined> {
  const { store, store_key: key, store_password: password } = defaults;
  if (store === undefined) return undefined;
  const source = `store of profile ${name}`;
  assertNoPassword(store, source);
  registerPassword(sources, store);
  return {
    ...{ address: store, source },
    password:
      password === undefined
        ? sources.io.env["PGPASSWORD"]
        : await readStoreSecret(sources, password, `store_password of profile ${name}`),
    ...(key === undefined
      ? keyOfEnvironment(sources)
      : {
          keySource: `store_key of profile ${name}`,
          readKey: () => readStoreSecret(sources, key, `store_key of profile ${name}`),
        }),
  };
}

function keyOfEnvironment({ io, secrets }: StoreSources): Pick<ChosenStore, "keySource" | "readKey"> {
  return {
    keySource: keyVariable,
    async readKey() {
      const key = io.env[keyVariable];
      for (const part of key?.split(",") ?? []) secrets.add(part.trim());
      return key;
    },
  };
}

/** Registers the URL's password as a secret, decoded and percent-encoded. Also registers PGPASSWORD. */
function registerPassword({ io, secrets }: StoreSources, address: string): void {
  const encoded = URL.canParse(address) ? new URL(address).password : "";
  for (const password of [encoded, decodePassword(encoded), io.env["PGPASSWORD"] ?? ""])
    secrets.add(password);
}

function decodePassword(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** @throws usage error (2) */
export async function assertStorable(address: string): Promise<void> {
  assertNoPassword(address, "store");
  const { parseStoreAddress } = await import("../../store/address.js");
  const { BulkError } = await import("../../write/errors.js");
  try {
    parseStoreAddress(address, "store");
  } catch (error) {
    if (!(error instanceof BulkError)) throw error;
    throw usageError(error.message, { hint: error.hint, cause: error });
  }
}

/** @throws usage error (2) whose message omits the password */
function assertNoPassword(address: string, source: string): void {
  if (!URL.canParse(address) || new URL(address).password === "") return;
  throw usageError(`${source}: the URL contains a password`, {
    hint: "remove the password from the URL, and set store_password to env:VARIABLE, file:FILE or keychain: (without a name)",
  });
}
