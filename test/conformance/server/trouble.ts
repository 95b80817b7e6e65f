import type { Loss } from "./behavior.js";
import type { Setting } from "./service-state.js";

/** Failures that affect a request when it reaches the service, before it is handled. */
export interface Trouble {
  /** Returns the status of responses during an outage; undefined if there is no outage. */
  outage(): number | undefined;
  /** Returns how this request or its response is lost; undefined if both arrive. */
  loss(mutates: boolean): Loss | undefined;
}

/** Creates failures that depend only on the number and time of requests, so that a run is repeatable. */
export function createTrouble({ behavior, now, speed }: Setting): Trouble {
  let requests = 0;
  const counts = { read: 0, write: 0 };
  const begun = new Map<object, number>();
  return {
    outage() {
      requests += 1;
      for (const outage of behavior.outages) {
        if (requests <= outage.after) continue;
        const start = begun.get(outage);
        if (start === undefined) {
          begun.set(outage, now());
          return outage.status;
        }
        if (now() < start + (outage.seconds * 1000) / speed) return outage.status;
      }
      return undefined;
    },
    loss(mutates) {
      const on = mutates ? "write" : "read";
      counts[on] += 1;
      return behavior.losses.find((loss) => loss.on === on && counts[on] % loss.each === 0)?.how;
    },
  };
}
