/** The exports of `voxctl/emulator` for library users. */
import { systemRandom } from "../base/random.js";
import { createClient } from "../client/client.js";
import { openEmulator as openBareEmulator } from "../emulator/index.js";
import type { Emulator as BareEmulator, EmulatorOptions, StartLine } from "../emulator/types.js";
import { serviceClient } from "./client.js";
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
  EmulatorOptions,
  EmulatorServer,
  ListenOptions,
  Seed,
  StartLine,
} from "../emulator/types.js";
export type { ServiceClient } from "./types.js";

/** A world, with clients of its own. */
export interface Emulator extends BareEmulator {
  /**
   * A client of this world in process, for all interfaces. It waits on the world's clock, which moves instead.
   * @param as whose key it has on the Public API (default `admin`)
   */
  client(as?: "admin" | "editor" | "caller" | "viewer"): ServiceClient;
  fork(): Promise<Emulator>;
}

/**
 * Opens a world of the service, in process: every interface over one SQLite database.
 * @throws TypeError for options that there are not, LockedError when the file is held by a server, UnusableFileError
 * when it can't be read
 */
export async function openEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return withClient(await openBareEmulator(options));
}

function withClient(emulator: BareEmulator): Emulator {
  const fork = emulator.fork.bind(emulator);
  return Object.assign(emulator, {
    client: (as: "admin" | "editor" | "caller" | "viewer" = "admin") => clientOf(emulator, as),
    fork: async () => withClient(await fork()),
  });
}

function clientOf({ startLine, transport, clock }: BareEmulator, as: keyof StartLine["keys"]): ServiceClient {
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
