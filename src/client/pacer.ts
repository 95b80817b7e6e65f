import { createHash } from "node:crypto";
import type { Clock } from "../base/clock.js";
import { type Bucket, buckets } from "../contract/limits.js";
import { ClientError } from "./errors.js";
import { readLimitHeaders } from "./limit-headers.js";
import type { LimitLedger } from "./limit-ledger.js";
import {
  admit,
  available,
  type BucketState,
  type Claim,
  freshBucket,
  interval,
  nextDue,
  observe,
  type Schedule,
  withdraw,
} from "./pacing.js";
import type { Pace, Target, Turn } from "./types.js";

/** What the pacers of one client share. */
export interface PacerParts {
  clock: Clock;
  ledger: LimitLedger;
  onWait: (milliseconds: number) => void;
}

interface EnterOptions {
  signal?: AbortSignal | undefined;
  claim: Claim;
  mutation: boolean;
  /** Bound on the waiting for the limit. */
  maxWaitMilliseconds: number;
}

/** Keeps requests of one bucket of one key under its limit. */
export interface Pacer {
  /**
   * Waits for room.
   * @throws ClientError `rate_limit` when that takes longer than allowed; the signal's reason
   */
  enter(options: EnterOptions): Promise<{ place: Place; waitedMilliseconds: number }>;
  /** Takes a turn that `paced` gave for this bucket; undefined when it was used, given back or is another's. */
  redeem(turn: Turn): Place | undefined;
  remaining(): number;
  paced(run: { expected: number }, defaults: { maxWaitMilliseconds: number }): Pace;
}

/** The name of a key's bucket in a ledger; the key itself can't be told from it. */
export function bucketId(target: Target, bucket: Bucket): string {
  const { host } = new URL(target.baseUrl);
  return createHash("sha256")
    .update(JSON.stringify([host, target.key, bucket]))
    .digest("base64url");
}

/** Ends of windows are told in whole seconds, rounded up, and must not exceed a bound for that alone. */
const toleranceMilliseconds = 1_000;

type Change = (state: BucketState) => BucketState;

/** One request's place under a limit, and what came of it. */
class Place implements Turn {
  private state: "held" | "used" | "closed" = "held";

  constructor(
    readonly bucket: string,
    readonly claim: Claim,
    private readonly change: (change: Change) => void,
  ) {}

  /** Takes it for one request; false when that is too late. */
  use(): boolean {
    if (this.state !== "held") return false;
    this.state = "used";
    return true;
  }

  release(): void {
    if (this.state === "held") this.close((state) => withdraw(state, false));
  }

  /** An answer came: its headers correct what is known. */
  answered(headers: Readonly<Record<string, string>>, received: number): void {
    this.close((state) => observe(state, readLimitHeaders(headers), received));
  }

  /** No answer came. */
  failed(maybeSent: boolean): void {
    this.close((state) => withdraw(state, maybeSent));
  }

  private close(change: Change): void {
    if (this.state === "closed") return;
    this.state = "closed";
    this.change(change);
  }
}

export type { Place };

/** The pacer of one bucket. Offline its waits move the world's clock. */
export function createPacer(id: string, bucket: Bucket, { clock, ledger, onWait }: PacerParts): Pacer {
  const fresh = freshBucket(buckets[bucket]);
  const read = () => ledger.update(id, (state = fresh) => ({ state, result: state }));
  const change = (step: Change) =>
    ledger.update(id, (state = fresh) => ({ state: step(state), result: undefined }));

  async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    onWait(milliseconds);
    await clock.sleep(milliseconds, signal);
  }

  async function enter({ signal, claim, mutation, maxWaitMilliseconds }: EnterOptions) {
    await ledger.ready?.({ mutation });
    let waitedMilliseconds = 0;
    const bound = maxWaitMilliseconds > 0 ? maxWaitMilliseconds + toleranceMilliseconds : 0;
    for (;;) {
      signal?.throwIfAborted();
      const milliseconds = ledger.update(id, (state = fresh) => {
        const { state: next, waitMilliseconds } = admit(state, clock.now(), claim);
        return { state: next, result: waitMilliseconds };
      });
      if (milliseconds === 0) return { place: new Place(id, claim, change), waitedMilliseconds };
      if (waitedMilliseconds + milliseconds > bound) throw limitReached(milliseconds);
      await wait(milliseconds, signal);
      waitedMilliseconds += milliseconds;
    }
  }

  return {
    enter,
    redeem: (turn) => (turn instanceof Place && turn.bucket === id && turn.use() ? turn : undefined),
    remaining: () => available(read(), clock.now()),
    paced({ expected }, defaults) {
      let schedule: Schedule = { left: expected, spaced: false };
      let intervalMilliseconds = 0;
      return {
        get intervalMilliseconds() {
          return intervalMilliseconds;
        },
        async turn({ signal, maxWaitMilliseconds = defaults.maxWaitMilliseconds } = {}) {
          await ledger.ready?.({ mutation: true });
          const next = ledger.update(id, (state = fresh) => {
            const result = nextDue(schedule, state, clock.now());
            return { state: result.state, result };
          });
          schedule = next.schedule;
          intervalMilliseconds = schedule.spaced ? interval(next.state) : 0;
          const early = next.due - clock.now();
          if (early > 0) await wait(early, signal);
          const claim = schedule.spaced ? "spaced" : "burst";
          return (await enter({ signal, claim, mutation: true, maxWaitMilliseconds })).place;
        },
      };
    },
  };
}

function limitReached(milliseconds: number): ClientError {
  return new ClientError({
    kind: "rate_limit",
    code: "rate_limit_exceeded",
    message: `The limit is used up for another ${Math.ceil(milliseconds / 1000)} s; nothing was sent.`,
    retryable: true,
    outcome: "none",
    retryAfterMilliseconds: milliseconds,
  });
}
