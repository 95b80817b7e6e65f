import type { Clock } from "../base/clock.js";
import type { Dispatch } from "./dispatch.js";
import type { EmulatorState } from "./emulator-state.js";
import { controlPrefix } from "./paths.js";
import { type PendingRecord, type RequestRecord, type ResponseRecord, toReadRequest } from "./records.js";
import type { Respond } from "./transport.js";

/** Handles each request with its own commit, then responds. */
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
 * In process, requests for a shared file that arrive in one turn of the event loop are committed together: a
 * commit costs as much as the rest of a small request. They run at the end of the turn, so that the file is
 * locked only for a short time: others wait for it, possibly in this process.
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
      // The caller waits by moving the clock: it must not do so before the response is sent.
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

/** Over HTTP, concurrent requests are committed together, and get their responses then. */
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
 * Sends responses: with the emulator's id and date, and after the delay of a fault.
 * @param waiting the clock for delays: in process it moves the emulator's clock, on a real clock a server
 * waits
 * @param ending aborted when the server closes: the request was executed, so the response is sent at once
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
    // A fork's clock moves with each response: its clients wait by it, and a Date has whole seconds.
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
  /** Concurrent requests share the latency (W7). */
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

/** Turns of the loop in which concurrently sent requests arrive. */
const arrivalTurns = 3;

/** Returns the duration of a request on the emulator's clock, real or virtual: that of the fork's service. */
function findLatency({ recorder }: EmulatorState, { target }: RequestRecord): number {
  if (!recorder || target.startsWith(`${controlPrefix}/`)) return 0;
  return recorder.latencyMilliseconds;
}

/** RFC 9110's date format, built once per second. */
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
