/** Exports of `voxctl/emulator`, for library users. */
import { systemRandom } from "../base/random.js";
import { createClient } from "../client/client.js";
import { openEmulator as openBareEmulator } from "../emulator/index.js";
import type {
  Emulator as BareEmulator,
  EmulatorOptions as BareOptions,
  StartLine,
} from "../emulator/types.js";
import { serviceClient } from "./client.js";
import { assertFilled, isBuiltIn, openFilled } from "./seed.js";
import type { ServiceClient } from "./types.js";

export {
  ClosedError,
  ControlError,
  LockedError,
  readServerState,
  UnusableFileError,
} from "../emulator/index.js";
export type {
  BucketLimits,
  EmulatorServer,
  ListenOptions,
  Seed,
  StartLine,
} from "../emulator/types.js";
export { SeedError } from "./seed.js";
export type { ServiceClient } from "./types.js";

export interface EmulatorOptions extends Omit<BareOptions, "seed"> {
  /**
   * `empty` (default), `demo`, or the path of a configuration directory or seed file. A database that already
   * exists keeps its data.
   */
  seed?: "empty" | "demo" | (string & {});
  /** Target in the configuration directory to seed from; required if the directory has several targets. */
  seedTarget?: string;
  /**
   * Values for `env:NAME` and `${env.NAME}` in the seed (default: none). To use this process's variables, pass `process.env`.
   */
  seedEnv?: Readonly<Record<string, string | undefined>>;
}

/** An emulator in this process, with clients. */
export interface Emulator extends BareEmulator {
  /**
   * Returns an in-process client for all APIs of this emulator. The client advances the emulator's clock instead of
   * waiting.
   * @param as role of the client's key in the Public API (default: `admin`)
   */
  client(as?: "admin" | "editor" | "caller" | "viewer"): ServiceClient;
  /** Values of the keys that the seed declares, by name; empty if the seed declares no keys. */
  readonly seedKeys: Readonly<Record<string, string>>;
  fork(): Promise<Emulator>;
}

/**
 * Opens an emulator of the service in this process, with all APIs on one SQLite database.
 * @throws TypeError for invalid options, LockedError if a server has locked the file, UnusableFileError if the file
 *   can't be read, SeedError with all problems in a seed
 */
export async function openEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { seed, seedTarget, seedEnv = {}, ...emulatorOptions } = options;
  if (isBuiltIn(seed)) {
    if (seedTarget !== undefined)
      throw new TypeError("seedTarget requires a configuration directory as seed");
    await assertFilled(emulatorOptions.db);
    return withClient(
      await openBareEmulator({ ...emulatorOptions, ...(seed === undefined ? {} : { seed }) }),
      {},
    );
  }
  const { emulator, keys } = await openFilled({ ...emulatorOptions, seed, seedTarget, seedEnv });
  return withClient(emulator, keys);
}

function withClient(emulator: BareEmulator, seedKeys: Emulator["seedKeys"]): Emulator {
  const fork = emulator.fork.bind(emulator);
  return Object.assign(emulator, {
    client: (as: "admin" | "editor" | "caller" | "viewer" = "admin") => createEmulatorClient(emulator, as),
    seedKeys,
    fork: async () => withClient(await fork(), seedKeys),
  });
}

function createEmulatorClient(
  { startLine, transport, clock }: BareEmulator,
  as: keyof StartLine["keys"],
): ServiceClient {
  const { base_url, distributor_v1_url, distributor_v2_url, legacy_url, keys } = startLine;
  const client = createClient({
    targets: {
      public: { baseUrl: base_url, key: keys[as] },
      "distributor-v1": { baseUrl: distributor_v1_url, key: keys.distributor_v1 },
      "distributor-v2": { baseUrl: distributor_v2_url, key: keys.distributor_v2 },
      legacy: { baseUrl: legacy_url, key: keys.legacy },
    },
    transport,
    clock,
    random: systemRandom(),
  });
  return serviceClient(client, async () => {});
}
