import { ClientError } from "../client/errors.js";
import { type Emulator, type EmulatorOptions, openEmulator } from "./emulator.js";
import type { ServiceClient } from "./types.js";

export interface EmulatorTestOptions extends Omit<EmulatorOptions, "db" | "exclusive" | "durability"> {
  /** Prepares the emulator once; every test gets a copy. */
  prepare?: (emulator: Emulator, client: ServiceClient) => Promise<void> | void;
}

/** The argument that each test receives. */
export interface EmulatorFixture {
  emulator: Emulator;
  /**
   * A client with an administrator's key. If an API rule caused an error, the error message quotes the rule.
   */
  client: ServiceClient;
}

/** Creates emulators for tests. One emulator is prepared, and each test gets a copy in memory with a frozen clock. */
export function createTestEmulators({ prepare, ...options }: EmulatorTestOptions = {}) {
  let image: Promise<Emulator> | undefined;
  const fill = async () => {
    const emulator = await openEmulator({ clock: "virtual", ...options, db: ":memory:" });
    await prepare?.(emulator, emulator.client());
    return emulator;
  };
  return {
    async open(): Promise<EmulatorFixture & { close(): Promise<void> }> {
      image ??= fill();
      const emulator = await (await image).fork();
      return { emulator, client: withExplanations(emulator), close: () => emulator.close() };
    },
    async close(): Promise<void> {
      await (await image)?.close();
      image = undefined;
    },
  };
}

function withExplanations(emulator: Emulator): ServiceClient {
  const client = emulator.client();
  const explain = async (error: unknown) => {
    if (!(error instanceof ClientError) || error.rule === undefined) return error;
    const { catalog } = await import("../emulator/rules/catalog.js");
    const text = catalog.get(error.rule)?.text;
    error.message += ` (rule ${error.rule}${text === undefined ? "" : `: ${text}`})`;
    return error;
  };
  return {
    ...client,
    call: async (...given) => {
      try {
        return await client.call(...given);
      } catch (error) {
        throw await explain(error);
      }
    },
    async *items(...given) {
      try {
        yield* client.items(...given);
      } catch (error) {
        throw await explain(error);
      }
    },
  };
}
