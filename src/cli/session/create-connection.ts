import { createClient } from "../../client/client.js";
import type { ClientOptions } from "../../client/types.js";
import type { Connection } from "./session.js";

/** @param more.baseUrl returns base URLs that replace those of the targets */
export function createConnection(
  clientOptions: ClientOptions,
  more: Pick<Connection, "profile" | "close"> & Partial<Pick<Connection, "emulator" | "baseUrl">>,
): Connection {
  const { targets, clock } = clientOptions;
  return {
    clientOptions,
    client: createClient(clientOptions),
    clock,
    baseUrl: (api) => targets[api]?.baseUrl,
    emulator: undefined,
    ...more,
  };
}
