import type { Clock } from "../../base/clock.js";
import type { Transport, TransportResponse } from "../../base/transport.js";
import type { ClientOptions } from "../../client/types.js";
import { apis } from "../../contract/apis.js";
import { CliError, exits } from "../errors/errors.js";
import { toLegacyAddress } from "../profiles/address.js";
import type { RemoteProfile } from "../profiles/profile.js";
import type { Rehearsal } from "../profiles/rehearsal-file.js";
import { createConnection } from "./create-connection.js";
import type { Connection } from "./session.js";

interface Options {
  clock: Clock;
  signal: AbortSignal;
  realTime: boolean;
  bounds: Pick<ClientOptions, "random" | "onEvent" | "timeoutMilliseconds" | "maxWaitMilliseconds">;
}

/**
 * Uses no proxy and no shared request counts, because no request reaches the source.
 * @throws refused error (12) if the fork does not respond
 */
export async function connectRehearsed(
  profile: RemoteProfile,
  rehearsal: Rehearsal,
  { clock: machine, signal, realTime, bounds }: Options,
): Promise<Connection> {
  const [{ createNetworkTransport }, { createLocalServerClock }] = await Promise.all([
    import("../../client/network-transport.js"),
    import("../../features/emulate/local-server.js"),
  ]);
  const network = createNetworkTransport();
  const { fork, source } = rehearsal;
  let now = 0;
  const transport: Transport = async (url, request) => {
    const response = await network.transport(toForkAddress(url, rehearsal), request);
    now = Math.max(now, Number(response.headers["x-emulator-time"] ?? 0));
    return {
      status: response.status,
      headers: toSourceHeaders(response.headers, source.world),
      get body() {
        return response.body;
      },
      text: () => response.text(),
    };
  };
  const emulatorClock = await createLocalServerClock(network.transport, fork, {
    clock: machine,
    signal,
  }).catch(async (cause: unknown) => {
    await network.close();
    signal.throwIfAborted();
    throw new CliError({
      exit: exits.refused,
      code: "rehearsal_over",
      message: `the rehearsal of ${source.profile} has ended`,
      cause,
    });
  });
  const isVirtual = emulatorClock !== machine;
  const clock: Clock =
    isVirtual && !realTime
      ? {
          // Each response advances the fork's clock: use the last response's time if it is later than `now`.
          now: () => Math.max(now, emulatorClock.now()),
          sleep: (milliseconds, ended) => emulatorClock.sleep(milliseconds, ended),
        }
      : machine;
  const { targets } = profile;
  const clientOptions: ClientOptions = {
    ...bounds,
    targets,
    unavailable: Object.fromEntries(
      Object.entries(profile.unreadable ?? {}).map(([api, { error }]) => [api, error]),
    ),
    transport,
    clock,
  };
  return createConnection(clientOptions, { profile, close: () => network.close() });
}

/** If the source is not an emulator, the fork must not look like one. */
function toSourceHeaders(
  headers: TransportResponse["headers"],
  emulatorId: string | null,
): TransportResponse["headers"] {
  const { "x-emulator-world": _, ...remaining } = headers;
  return emulatorId === null ? remaining : { ...remaining, "x-emulator-world": emulatorId };
}

/** @throws refused error (12) for any address other than the source's */
function toForkAddress(url: string, { surface: api, source: { base_url: source }, fork }: Rehearsal): string {
  if (url.startsWith(`${source}/`)) return fork.url + apis[api].basePath + url.slice(source.length);
  const legacy = toLegacyAddress(source);
  if (api === "public" && url.startsWith(`${legacy}/`)) return fork.url + url.slice(legacy.length);
  throw new CliError({
    exit: exits.refused,
    code: "not_rehearsed",
    message: `${new URL(url).origin} is not part of this rehearsal`,
  });
}
