import { type Clock, stopwatch } from "../../base/clock.js";
import { isFields } from "../../base/fields.js";
import { createCallEnds, isUnderWay } from "../../client/call-status.js";
import type { Client } from "../../client/types.js";
import type { Scenario } from "./suite.js";
import { numberKey } from "./timetable.js";

/**
 * Tracks calls that continue after their scenario's timeout, because their numbers stay busy. Times are in
 * milliseconds by the target's stopwatch.
 */
export interface LateCalls {
  /** Returns the busy numbers, in the form that `numberKey` returns. */
  numbers(): string[];
  /** Adds a call after its timeout. Ignores a call of unknown status, because such a call may have ended. */
  add(call: { callId: string; status: string; scenario: Scenario }): void;
  /**
   * Checks a call at most every five seconds.
   * @throws the signal's reason
   */
  refresh(busyNumbers: ReadonlySet<string>): Promise<void>;
  /**
   * Returns the time of the next necessary `refresh` for these numbers; Infinity if none of these numbers is
   * busy.
   */
  getNextRefresh(busyNumbers: ReadonlySet<string>): number;
}

interface LateCall {
  callId: string;
  number: string;
  refreshAt: number;
  until: number;
  isAwaited: boolean;
}

const refreshMilliseconds = 5_000;
/**
 * Time after which a number is treated as free, unless the scenario's timeout is longer: the service may
 * never report the end of a call.
 */
const maxWaitMilliseconds = 300_000;

export function createLateCalls({
  client,
  clock,
  signal,
  finalStatuses,
  onWait,
}: {
  client: Client;
  clock: Clock;
  signal: AbortSignal;
  finalStatuses: readonly string[];
  /** Called once per call, when a scenario has to wait for its number. */
  onWait(callId: string, milliseconds: number): void;
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
      const refreshAt = now() + refreshMilliseconds;
      calls.add({ callId, number: numberKey(scenario.to), refreshAt, until, isAwaited: false });
    },
    async refresh(busyNumbers) {
      for (const call of [...calls]) {
        if (!busyNumbers.has(call.number) || call.refreshAt > now()) continue;
        if ((await isOver(call)) || now() >= call.until) calls.delete(call);
        else {
          if (!call.isAwaited) onWait(call.callId, call.until - now());
          call.isAwaited = true;
          call.refreshAt = now() + refreshMilliseconds;
        }
      }
    },
    getNextRefresh: (busyNumbers) =>
      Math.min(
        ...[...calls].filter(({ number }) => busyNumbers.has(number)).map(({ refreshAt }) => refreshAt),
      ),
  };
}
