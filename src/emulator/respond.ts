import type { Clock } from "../base/clock.js";
import type { Dispatch } from "./dispatch.js";
import { controlPrefix } from "./paths.js";
import { asRead, type PendingRecord, type RequestRecord, type ResponseRecord } from "./records.js";
import type { Respond } from "./transport.js";
import type { World } from "./world.js";

/** Answers each request once what it did is committed, by itself. */
export function respondAlone(world: World, dispatch: Dispatch): Respond {
  return (request) => {
    if (!dispatch.isReady(request)) return respondLater(world, dispatch, request);
    const response = dispatch.now(request);
    const { current } = world.group;
    world.group.commit();
    return current?.isLost ? dispatch.now(request) : response;
  };
}

/**
 * In process, requests that reach a shared file in one turn of the event loop are committed together: a commit costs as
 * much as the rest of a small request. They are done at once when the turn ends, so that the file is held no longer than
 * that takes: others wait for it, maybe in this process.
 */
export function respondByTurns(world: World, dispatch: Dispatch): Respond {
  interface Arrived {
    request: RequestRecord;
    answer(response: ResponseRecord | Promise<ResponseRecord>): void;
  }
  const alone = respondAlone(world, dispatch);
  let arrived: Arrived[] = [];
  const endTurn = () => {
    const turn = arrived;
    arrived = [];
    const isReady = turn.length > 1 && turn.every(({ request }) => dispatch.isReady(request));
    const responses = isReady
      ? world.inTurn(() => turn.map(({ request }) => dispatch.now(request)))
      : undefined;
    for (const [index, { request, answer }] of turn.entries()) {
      const response = responses?.[index] ?? alone(request);
      // Its sender waits by moving the clock: not before what was done is told.
      if ("withdrawn" in response && response.withdrawn) setImmediate(answer, response);
      else answer(response);
    }
  };
  return (request) => {
    if (!dispatch.isReady(request)) {
      // In the order in which they came.
      endTurn();
      return respondLater(world, dispatch, request);
    }
    return new Promise((resolve) => {
      if (arrived.length === 0) setImmediate(endTurn);
      arrived.push({ request, answer: resolve });
    });
  };
}

/** Over HTTP, what arrives together is committed together, and answered then. */
export function respondTogether(world: World, dispatch: Dispatch): Respond {
  return (request) => {
    if (!dispatch.isReady(request)) {
      world.database.endReading();
      return respondLater(world, dispatch, request);
    }
    const isRead = asRead(request).method === "GET";
    if (isRead) world.readTogether();
    const group = isRead ? world.group.current : world.group.join();
    const response: PendingRecord = dispatch.now(request);
    if (group) {
      response.committed = () => {
        world.group.commit();
        return group.isLost ? dispatch.now(request) : response;
      };
    }
    return response;
  };
}

async function respondLater(
  world: World,
  dispatch: Dispatch,
  request: RequestRecord,
): Promise<ResponseRecord> {
  try {
    const response = await dispatch.later(request);
    const { current } = world.group;
    world.group.commit();
    if (current?.isLost) throw new Error("the world's file could not be written");
    return response;
  } catch (error) {
    return dispatch.failed(request, error);
  }
}

/**
 * Sends answers on their way: with the world's id and date, and after the delay that a fault put before them.
 * @param waiting the clock on which a delay is waited for: in process it moves the world's, on a real clock a server waits
 * @param ending aborted when the server closes: the effect is there, so the answer goes at once
 */
export function delivered(
  world: World,
  respond: Respond,
  waiting: () => Clock,
  ending?: AbortSignal,
): Respond {
  const httpDate = httpDates();
  const stamped = <T extends ResponseRecord>(response: T): T => {
    response.headers["X-Emulator-World"] = world.worldId;
    response.headers["Date"] = httpDate(world.clock.now());
    // A fork's clock moves with each answer: its clients wait by it, and a Date has whole seconds.
    if (world.recorder) response.headers["X-Emulator-Time"] = String(world.clock.now());
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
  /** W7: requests that are in flight together cost the latency once. */
  const due = async (pending: PendingRecord | Promise<ResponseRecord>, at: number) => {
    const response = pending instanceof Promise ? await pending : (pending.committed?.() ?? pending);
    for (let turn = 0; turn < arrivalTurns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const left = at - world.clock.now();
    if (world.clock.current === "virtual") world.clock.advance(left);
    else if (left > 0) await wait(left);
    return delayed(response);
  };
  return (request) => {
    const latency = latencyOf(world, request);
    if (latency > 0) {
      const arrived = world.clock.now();
      return due(respond(request), arrived + latency);
    }
    const response: PendingRecord | Promise<ResponseRecord> = respond(request);
    if (response instanceof Promise) return response.then(delayed);
    const { committed } = response;
    if (response.delayMilliseconds) return delayed(committed?.() ?? response);
    if (committed) {
      response.committed = () => {
        const told = committed();
        return told === response ? told : stamped(told);
      };
    }
    return stamped(response);
  };
}

/** Turns of the loop in which requests that were sent together arrive. */
const arrivalTurns = 3;

/** How long an answer takes by the world's clock, real or virtual: of a fork's service. */
function latencyOf({ recorder }: World, { target }: RequestRecord): number {
  if (!recorder || target.startsWith(`${controlPrefix}/`)) return 0;
  return recorder.latencyMilliseconds;
}

/** RFC 9110's form, made once a second. */
function httpDates(): (milliseconds: number) => string {
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
