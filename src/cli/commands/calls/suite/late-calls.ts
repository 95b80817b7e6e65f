import { type Clock, stopwatch } from "../../../../base/clock.js";
import type { Client } from "../../../../client/types.js";
import { isFields } from "../../../output/fields.js";
import { createCallEnds, isUnderWay } from "../call/status.js";
import type { Scenario } from "./suite.js";
import { numberKey } from "./timetable.js";

/**
 * Calls that went on when the time of their scenarios was over: whoever is called a second time meanwhile is called by two
 * at once. Times are those of the place's stopwatch, in milliseconds.
 */
export interface LateCalls {
  /** Numbers that these calls keep busy, as `numberKey` writes them. */
  numbers(): string[];
  /** Keeps a call whose time is over, unless its status is one that may be an end of which nothing is known (T11). */
  add(call: { callId: string; status: string; scenario: Scenario }): void;
  /** Reads those that are due and keep one of the numbers busy. @throws the signal's reason */
  look(wanted: ReadonlySet<string>): Promise<void>;
  /** When one of them is to be read next; Infinity where none keeps one of the numbers busy. */
  nextLook(wanted: ReadonlySet<string>): number;
}

interface LateCall {
  callId: string;
  number: string;
  lookAt: number;
  /** It is not waited for any longer then. */
  until: number;
}

const lookMilliseconds = 5_000;
/** A call may never be told to have ended: its number is not kept from others for ever. */
const longestMilliseconds = 300_000;

export function createLateCalls({
  client,
  clock,
  signal,
  finalStatuses,
}: {
  client: Client;
  clock: Clock;
  signal: AbortSignal;
  finalStatuses: readonly string[];
}): LateCalls {
  const calls = new Set<LateCall>();
  const now = () => stopwatch(clock);
  const ends = createCallEnds({ final: finalStatuses });
  const isOver = async ({ callId }: LateCall): Promise<boolean> => {
    try {
      const { data } = await client.call("calls.get", { path: { call_id: callId } }, { signal });
      return ends.isOver(isFields(data) ? data : {});
    } catch (error) {
      if (signal.aborted) throw error;
      return false;
    }
  };
  return {
    numbers: () => [...calls].map(({ number }) => number),
    add({ callId, status, scenario }) {
      if (!isUnderWay(status)) return;
      const until = now() + Math.max(longestMilliseconds, scenario.timeoutMilliseconds);
      calls.add({ callId, number: numberKey(scenario.to), lookAt: now() + lookMilliseconds, until });
    },
    async look(wanted) {
      for (const call of [...calls]) {
        if (!wanted.has(call.number) || call.lookAt > now()) continue;
        if ((await isOver(call)) || now() >= call.until) calls.delete(call);
        else call.lookAt = now() + lookMilliseconds;
      }
    },
    nextLook: (wanted) =>
      Math.min(...[...calls].filter(({ number }) => wanted.has(number)).map(({ lookAt }) => lookAt)),
  };
}
