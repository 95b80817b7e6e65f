import type { Clock } from "../base/clock.js";
import type { Dispatch } from "./dispatch.js";
import type { EmulatorState } from "./emulator-state.js";
import { controlPrefix } from "./paths.js";
import { type PendingRecord, type RequestRecord, type ResponseRecord, toReadRequest } from "./records.js";
import type { Respond } from "./transport.js";

/** Handles and commits each request separately, then responds. */
export function respondAlone(state: EmulatorState, dispatch: Dispatch): Respond {
  return (request) => {
    if (!dispatch.isReady(request)) return respondLater(state, dispatch, request);
    const response = dispatch.now(request);
    const { current } = state.group;
    state.group.commit();
    return current?.isLost ? dispatch.now(request) : response;
  };
}

/**
 * Handles in-process requests for a shared file. Requests that arrive in one turn of the event loop are committed together, because a
 * commit costs as much as the rest of a small request. They run at the end of the turn, so that the file is locked
 * only briefly, because other users of the file, possibly in this process, wait for it.
 */
export function respondByTurns(state: EmulatorState, dispatch: Dispatch): Respond {
  interface Arrived {
    request: RequestRecord;
    resolve(response: ResponseRecord | Promise<ResponseRecord>): void;
  }
  const alone = respondAlone(state, dispatch);
  let arrived: Arrived[] = [];
  const endTurn = () => {
    const turn = arrived;
    arrived = [];
    const isReady = turn.length > 1 && turn.every(({ request }) => dispatch.isReady(request));
    const responses = isReady
      ? state.inTurn(() => turn.map(({ request }) => dispatch.now(request)))
      : undefined;
    for (const [index, { request, resolve }] of turn.entries()) {
      const response = responses?.[index] ?? alone(request);
      // The caller waits by moving the clock, which it must not do before the response is sent.
      if ("withdrawn" in response && response.withdrawn) setImmediate(resolve, response);
      else resolve(response);
    }
  };
  return (request) => {
    if (!dispatch.isReady(request)) {
      // In order of arrival.
      endTurn();
      return respondLater(state, dispatch, request);
    }
    return new Promise((resolve) => {
      if (arrived.length === 0) setImmediate(endTurn);
      arrived.push({ request, resolve });
    });
  };
}

/** Handles HTTP requests. Concurrent requests are committed together and then get their responses. */
export function respondTogether(state: EmulatorState, dispatch: Dispatch): Respond {
  return (request) => {
    if (!dispatch.isReady(request)) {
      state.database.endReading();
      return respondLater(state, dispatch, request);
    }
    const isRead = toReadRequest(request).method === "GET";
    if (isRead) state.readTogether();
    const group = isRead ? state.group.current : state.group.join();
    const response: PendingRecord = dispatch.now(request);
    if (group) {
      response.committed = () => {
        state.group.commit();
        return group.isLost ? dispatch.now(request) : response;
      };
    }
    return response;
  };
}

async function respondLater(
  state: EmulatorState,
  dispatch: Dispatch,
  request: RequestRecord,
): Promise<ResponseRecord> {
  try {
    const response = await dispatch.later(request);
    const { current } = state.group;
    state.group.commit();
    if (current?.isLost) throw new Error("the emulator database could not be written");
    return response;
  } catch (error) {
    return dispatch.failed(request, error);
  }
}

/**
 * Sends responses with the emulator's id and date, after the delay of a fault. @param waiting the clock for delays, which in process moves
 * the emulator's clock and in a server with a real clock waits @param ending aborted when the server closes; then responses are sent at
 * once, because the requests were executed
 */
export function deliverResponses(
  state: EmulatorState,
  respond: Respond,
  waiting: () => Clock,
  ending?: AbortSignal,
): Respond {
  const httpDate = createHttpDateFormatter();
  const stamped = <T extends ResponseRecord>(response: T): T => {
    response.headers["X-Emulator-World"] = state.emulatorId;
    response.headers["Date"] = httpDate(state.clock.now());
    // Clients of a fork wait by its clock, which moves with each response, but `Date` has only whole seconds.
    if (state.recorder) response.headers["X-Emulator-Time"] = String(state.clock.now());
    return response;
  };
  const wait = async (milliseconds: number) => {
    await waiting()
      .sleep(milliseconds, ending)
      .catch((error: unknown) => {
        if (!ending?.aborted) throw error;
      });
  };
  const delayed = (response: ResponseRecord) =>
    response.delayMilliseconds
      ? wait(response.delayMilliseconds).then(() => stamped(response))
      : stamped(response);
  /** Concurrent requests share one latency. */
  const due = async (pending: PendingRecord | Promise<ResponseRecord>, at: number) => {
    const response = pending instanceof Promise ? await pending : (pending.committed?.() ?? pending);
    for (let turn = 0; turn < arrivalTurns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const remaining = at - state.clock.now();
    if (state.clock.current === "virtual") state.clock.advance(remaining);
    else if (remaining > 0) await wait(remaining);
    return delayed(response);
  };
  return (request) => {
    const latency = findLatency(state, request);
    if (latency > 0) {
      const arrived = state.clock.now();
      return due(respond(request), arrived + latency);
    }
    const response: PendingRecord | Promise<ResponseRecord> = respond(request);
    if (response instanceof Promise) return response.then(delayed);
    const { committed } = response;
    if (response.delayMilliseconds) return delayed(committed?.() ?? response);
    if (committed) {
      response.committed = () => {
        const committedResponse = committed();
        return committedResponse === response ? committedResponse : stamped(committedResponse);
      };
    }
    return stamped(response);
  };
}

/** Number of turns of the event loop in which concurrently sent requests arrive. */
const arrivalTurns = 3;

/** Returns the duration of a request by the emulator's clock, which in a fork is the latency of its service. */
function findLatency({ recorder }: EmulatorState, { target }: RequestRecord): number {
  if (!recorder || target.startsWith(`${controlPrefix}/`)) return 0;
  return recorder.latencyMilliseconds;
}

/** Returns a function that formats a date for HTTP (RFC 9110). The text is built only once per second. */
function createHttpDateFormatter(): (milliseconds: number) => string {
  let lastSecond = -1;
  let lastDate = "";
  return (milliseconds) => {
    const second = Math.floor(milliseconds / 1000);
    if (second !== lastSecond) {
      lastSecond = second;
      lastDate = new Date(milliseconds).toUTCString();
    }
    return lastDate;
  };
}
