import { type Clock, stopwatch } from "../../base/clock.js";
import { isFields } from "../../base/fields.js";
import { createCallEnds, isUnderWay } from "../../client/call-status.js";
import type { Client } from "../../client/types.js";
import type { Scenario } from "./suite.js";
import { numberKey } from "./timetable.js";

/**
 * Calls that continue after their scenario timed out: their numbers are still busy. Times are those of the target's
 * stopwatch, in milliseconds.
 */
export interface LateCalls {
  /** Returns the numbers that these calls keep busy, normalized by `numberKey`. */
  numbers(): string[];
  /** Adds a call that timed out, unless its unknown status may be final. */
  add(call: { callId: string; status: string; scenario: Scenario }): void;
  /** Reads the calls that are due and keep one of the numbers busy. @throws the signal's reason */
  refresh(busyNumbers: ReadonlySet<string>): Promise<void>;
  /** Returns when the next call must be read; Infinity if none keeps one of the numbers busy. */
  getNextRefresh(busyNumbers: ReadonlySet<string>): number;
}

interface LateCall {
  callId: string;
  number: string;
  refreshAt: number;
  /** Time to stop waiting for it. */
  until: number;
}

const refreshMilliseconds = 5_000;
/** The end of a call may never be reported: free its number after this time. */
const maxWaitMilliseconds = 300_000;

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
      const until = now() + Math.max(maxWaitMilliseconds, scenario.timeoutMilliseconds);
      calls.add({ callId, number: numberKey(scenario.to), refreshAt: now() + refreshMilliseconds, until });
    },
    async refresh(busyNumbers) {
      for (const call of [...calls]) {
        if (!busyNumbers.has(call.number) || call.refreshAt > now()) continue;
        if ((await isOver(call)) || now() >= call.until) calls.delete(call);
        else call.refreshAt = now() + refreshMilliseconds;
      }
    },
    getNextRefresh: (busyNumbers) =>
      Math.min(
        ...[...calls].filter(({ number }) => busyNumbers.has(number)).map(({ refreshAt }) => refreshAt),
      ),
  };
}
