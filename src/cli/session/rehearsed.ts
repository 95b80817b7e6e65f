import type { Clock } from "../../base/clock.js";
import type { Transport, TransportResponse } from "../../base/transport.js";
import type { ClientOptions } from "../../client/types.js";
import { surfaces } from "../../contract/surfaces.js";
import { CliError, exits } from "../errors/errors.js";
import { legacyAddress } from "../profiles/address.js";
import type { RemoteProfile } from "../profiles/profile.js";
import type { Rehearsal } from "../profiles/rehearsal-file.js";
import { connected } from "./connected.js";
import { localServerClock } from "./local-server.js";
import type { Connection } from "./session.js";

/** The further options of a connection. */
interface Options {
  clock: Clock;
  signal: AbortSignal;
  realTime: boolean;
  bounds: Pick<ClientOptions, "random" | "onEvent" | "timeoutMilliseconds" | "maxWaitMilliseconds">;
}

/**
 * A connection in a rehearsal: every request for the source goes to the fork, and waits move the fork's clock. No proxy
 * of the environment is asked, and no ledger: the source's limits were not used.
 * @throws refused error (12) where the fork does not answer
 */
export async function connectRehearsed(
  profile: RemoteProfile,
  rehearsal: Rehearsal,
  { clock: machine, signal, realTime, bounds }: Options,
): Promise<Connection> {
  const { createNetworkTransport } = await import("../../client/network-transport.js");
  const network = createNetworkTransport();
  const { fork, source } = rehearsal;
  let now = 0;
  const transport: Transport = async (url, request) => {
    const answer = await network.transport(forkAddress(url, rehearsal), request);
    now = Math.max(now, Number(answer.headers["x-emulator-time"] ?? 0));
    return {
      status: answer.status,
      headers: asSource(answer.headers, source.world),
      get body() {
        return answer.body;
      },
      text: () => answer.text(),
    };
  };
  const worldClock = await localServerClock(network.transport, fork, { clock: machine, signal }).catch(
    async (cause: unknown) => {
      await network.close();
      signal.throwIfAborted();
      throw new CliError({
        exit: exits.refused,
        code: "rehearsal_over",
        message: `the rehearsal of ${source.profile} is over: nothing was sent`,
        cause,
      });
    },
  );
  const isVirtual = worldClock !== machine;
  const clock: Clock =
    isVirtual && !realTime
      ? {
          // Answers move it, too: each took its latency.
          now: () => Math.max(now, worldClock.now()),
          sleep: (milliseconds, ended) => worldClock.sleep(milliseconds, ended),
        }
      : machine;
  const { targets } = profile;
  const clientOptions: ClientOptions = {
    ...bounds,
    targets,
    unavailable: Object.fromEntries(
      Object.entries(profile.unreadable ?? {}).map(([surface, { error }]) => [surface, error]),
    ),
    transport,
    clock,
  };
  return connected(clientOptions, { profile, close: () => network.close() });
}

/** An answer of the fork stands for one of the source: what the client concludes of an emulator's holds only of one. */
function asSource(headers: TransportResponse["headers"], world: string | null): TransportResponse["headers"] {
  const { "x-emulator-world": _, ...others } = headers;
  return world === null ? others : { ...others, "x-emulator-world": world };
}

/** @throws refused error (12) for any address that is not the source's */
function forkAddress(url: string, { surface, source: { base_url: source }, fork }: Rehearsal): string {
  if (url.startsWith(`${source}/`)) return fork.url + surfaces[surface].basePath + url.slice(source.length);
  const legacy = legacyAddress(source);
  if (surface === "public" && url.startsWith(`${legacy}/`)) return fork.url + url.slice(legacy.length);
  throw new CliError({
    exit: exits.refused,
    code: "not_rehearsed",
    message: `${new URL(url).origin} is not part of this rehearsal: nothing was sent`,
  });
}
