import type { Clock } from "../base/clock.js";
import type { Dispatch } from "./dispatch.js";
import type { EmulatorState } from "./emulator-state.js";
import { controlPrefix } from "./paths.js";
import { type PendingRecord, type RequestRecord, type ResponseRecord, toReadRequest } from "./records.js";
import type { Respond } from "./transport.js";

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
 * Requests from the same turn of the event loop share one commit to save time. They run at the end of the
 * turn, so that the file is locked only briefly.
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
      // The caller of a withdrawn request advances the clock. Let all other callers continue first.
      if ("withdrawn" in response && response.withdrawn) setImmediate(resolve, response);
      else resolve(response);
    }
  };
  return (request) => {
    if (!dispatch.isReady(request)) {
      // Requests that arrived earlier must be handled first.
      endTurn();
      return respondLater(state, dispatch, request);
    }
    return new Promise((resolve) => {
      if (arrived.length === 0) setImmediate(endTurn);
      arrived.push({ request, resolve });
    });
  };
}

/** Concurrent requests share one commit, and get their responses after it. */
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
 * Adds the emulator's ID and date to each response, and applies a fault's delay.
 * @param waiting clock for delays
 * @param ending signal that is aborted when the server closes, so that delayed responses are sent immediately
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
    // A fork's client sets its own clock to this time. `Date` would be imprecise, with only whole seconds.
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
  /** Concurrent requests share one latency, so the clock advances only once. */
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

/** Number of event loop turns within which concurrent requests arrive. */
const arrivalTurns = 3;

/** In a fork, the latency of the fork's source; in other emulators, 0. */
function findLatency({ recorder }: EmulatorState, { target }: RequestRecord): number {
  if (!recorder || target.startsWith(`${controlPrefix}/`)) return 0;
  return recorder.latencyMilliseconds;
}

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
