import * as z from "zod";
import { abortAfter } from "../../base/abort.js";
import type { Clock } from "../../base/clock.js";
import { stringifyExactJson } from "../../base/exact-json.js";
import { parseTime } from "../../base/time-text.js";
import type { Transport } from "../../base/transport.js";
import { ClientError, tooLargeCode } from "../../client/errors.js";
import type { NetworkTransport } from "../../client/network-transport.js";
import { ResponseTooLargeError, readJson } from "../../client/response-bounds.js";
import { once } from "../../contract/once.js";
import type { StartLine } from "../../emulator/types.js";

const ClockResponse = once(() => z.object({ data: z.object({ mode: z.string(), now: z.string() }) }));

/** Default timeout of a control request: long enough to seed a large emulator. */
const callMilliseconds = 60_000;
const probeMilliseconds = 5_000;

/** The transport never uses a proxy. `--timeout` and Ctrl-C abort each request. */
export async function openLocalNetwork({
  flags,
  signal,
}: {
  flags: { timeoutMilliseconds?: number | undefined };
  signal: AbortSignal;
}): Promise<NetworkTransport> {
  const { createNetworkTransport } = await import("../../client/network-transport.js");
  const network = createNetworkTransport();
  return {
    transport: (url, request) => {
      const ends = [signal, abortAfter(flags.timeoutMilliseconds ?? callMilliseconds)];
      if (request.signal) ends.push(request.signal);
      return network.transport(url, { ...request, signal: AbortSignal.any(ends) });
    },
    close: network.close,
  };
}

export async function callControl(
  transport: Transport,
  line: Pick<StartLine, "control_url" | "control_token">,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<{ status: number; body: unknown }> {
  const response = await transport(line.control_url + path, {
    method,
    headers: { authorization: `Bearer ${line.control_token}`, "content-type": "application/json" },
    body: body === undefined ? undefined : stringifyExactJson(body),
    signal,
  });
  const responseBody = await readJson(response).catch((error: unknown) => {
    throw error instanceof ResponseTooLargeError ? createUnreadableError(error, line, method) : error;
  });
  return { status: response.status, body: responseBody };
}

function createUnreadableError(
  error: ResponseTooLargeError,
  { control_url: url }: Pick<StartLine, "control_url">,
  method: string,
): ClientError {
  return new ClientError({
    type: "network",
    code: tooLargeCode,
    message: `the response from ${new URL(url).origin} can't be read: ${error.message}`,
    retryable: false,
    outcome: method === "GET" ? "none" : "unknown",
    cause: error,
  });
}

const StatusResponse = once(() => z.object({ data: z.object({ pid: z.number() }) }));

/** Checks the server's identity, because another process may now use the emulator's port or process ID. */
export async function isServing(line: StartLine, transport: Transport): Promise<boolean> {
  try {
    const inTime = AbortSignal.timeout(probeMilliseconds);
    const { status, body } = await callControl(transport, line, "GET", "/status", undefined, inTime);
    return status === 200 && StatusResponse().parse(body).data.pid === line.pid;
  } catch {
    return false;
  }
}

export async function findRunningServer(path: string, transport: Transport): Promise<StartLine | undefined> {
  const { readServerState } = await import("../../emulator/server-state.js");
  const line = readServerState(path);
  return line && (await isServing(line, transport)) ? line : undefined;
}

export async function createLocalServerClock(
  transport: Transport,
  line: Pick<StartLine, "control_url" | "control_token">,
  { clock: machine, signal: ended }: { clock: Clock; signal: AbortSignal },
): Promise<Clock> {
  const read = async (within: number, method: string, body?: unknown) => {
    const inTime = AbortSignal.any([ended, AbortSignal.timeout(within)]);
    return ClockResponse().parse((await callControl(transport, line, method, "/clock", body, inTime)).body)
      .data;
  };
  const state = await read(probeMilliseconds, "GET");
  if (state.mode !== "virtual") return machine;
  let now = parseTime(state.now);
  return {
    skipsWaits: true,
    now: () => now,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      const moved = await read(callMilliseconds, "PATCH", {
        advance_seconds: Math.max(0, milliseconds) / 1000,
      });
      now = parseTime(moved.now);
      signal?.throwIfAborted();
    },
  };
}
