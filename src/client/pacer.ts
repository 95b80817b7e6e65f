import { createHash } from "node:crypto";
import { onAbort } from "../base/abort.js";
import { type Clock, stopwatch } from "../base/clock.js";
import { type Bucket, buckets } from "../contract/limits.js";
import { type BucketSteps, bucketSteps, type Change } from "./bucket-steps.js";
import { ClientError } from "./errors.js";
import type { LimitHeaders } from "./limit-headers.js";
import type { LimitLedger } from "./limit-ledger.js";
import { type Observed, observe, type RefusalWait, refuse, withdraw } from "./observing.js";
import {
  admit,
  admitBurst,
  advanceDue,
  type BucketState,
  begin,
  type Claim,
  computeInterval,
  countAvailable,
  createBucket,
  type Hold,
  lose,
  planNext,
  release,
  type Schedule,
} from "./pacing.js";
import type { Pace, PacedRun, Target, Turn } from "./types.js";

export interface PacerParts {
  clock: Clock;
  ledger: LimitLedger;
  onWait: (milliseconds: number) => void;
}

interface EnterOptions {
  signal?: AbortSignal | undefined;
  claim: Claim;
  mutation: boolean;
  maxWaitMilliseconds: number;
}

/**
 * Result of an attempt to send a request. `waitMilliseconds`: wait for a slot. `hold`: reason why a request
 * that has a slot must wait.
 */
interface Step {
  waitMilliseconds: number;
  hold: Hold;
}

export interface Pacer {
  /**
   * Takes a slot and waits until the rate limit allows the request.
   * @param turn slot to use instead of a new one
   * @throws ClientError `rate_limit` if the wait is too long; the signal's reason if it is aborted. In both
   * cases, the slot is released.
   */
  enter(options: EnterOptions, turn?: Slot): Promise<{ slot: Slot; waitedMilliseconds: number }>;
  redeem(turn: Turn): Slot | undefined;
  remaining(): number;
  declaredLimit(): number | undefined;
  paced(run: PacedRun, defaults: { maxWaitMilliseconds: number }): Pace;
}

/** The API key can't be derived from the returned name. */
export function hashBucket(target: Target, bucket: Bucket): string {
  const { host } = new URL(target.baseUrl);
  return createHash("sha256")
    .update(JSON.stringify([host, target.key, bucket]))
    .digest("base64url");
}

/** Time by which a wait can exceed its maximum, because servers round a window's end up to whole seconds. */
const toleranceMilliseconds = 1_000;
/** Interval between checks while only other processes have requests in flight. */
const pollMilliseconds = 100;

interface ResponseLimits {
  limits: LimitHeaders;
  declaresEnd: boolean;
}

interface SlotParts extends Pick<BucketSteps, "update" | "soon"> {
  clock: Clock;
  /** Receives 1 when a request is sent, and -1 when its slot is closed. */
  moved(by: 1 | -1): void;
}

class Slot implements Turn {
  private state: "held" | "used" | "sent" | "closed" = "held";
  private begunAt = 0;

  constructor(
    readonly bucket: string,
    readonly claim: Claim,
    private readonly parts: SlotParts,
  ) {}

  use(): boolean {
    if (this.state !== "held") return false;
    this.state = "used";
    return true;
  }

  begun(now: number): void {
    this.state = "sent";
    this.begunAt = now;
    this.parts.moved(1);
  }

  release(): void {
    if (this.state !== "held") return;
    this.giveBack();
  }

  giveBack(): void {
    if (this.state === "sent" || this.state === "closed") return;
    this.state = "closed";
    this.parts.update(release);
  }

  succeeded(response: ResponseLimits): void {
    const observed = this.observed(response);
    const change = (state: BucketState) => observe(state, observed);
    // In a burst, the next request follows immediately and shares this ledger step.
    if (this.claim === "burst") this.closeBy(() => this.parts.soon(change));
    else this.close(change);
  }

  refused(response: ResponseLimits, draw: number): RefusalWait | undefined {
    return this.close((state) => refuse(state, this.observed(response), draw));
  }

  withdrawn(response: ResponseLimits): void {
    this.close((state) => withdraw(state, this.observed(response)));
  }

  failed(maybeSent: boolean): void {
    this.close((state) => lose(state, maybeSent));
  }

  private observed({ limits, declaresEnd }: ResponseLimits): Observed {
    const { clock } = this.parts;
    return { limits, declaresEnd, begunAt: this.begunAt, receivedAt: stopwatch(clock), wall: clock.now() };
  }

  private close<Result>(change: Change<Result>): Result | undefined {
    return this.closeBy(() => this.parts.update(change));
  }

  private closeBy<Result>(update: () => Result): Result | undefined {
    if (this.state !== "sent") return undefined;
    this.state = "closed";
    const result = update();
    this.parts.moved(-1);
    return result;
  }
}

export type { Slot };

export function createPacer(id: string, bucket: Bucket, { clock, ledger, onWait }: PacerParts): Pacer {
  const now = () => stopwatch(clock);
  const { update, soon, known, proceed } = bucketSteps(id, {
    ledger,
    fresh: createBucket(buckets[bucket]),
    now,
  });
  let sentHere = 0;
  let waking: (() => void)[] = [];
  const parts: SlotParts = {
    clock,
    update,
    soon,
    moved(by) {
      sentHere += by;
      if (by === 1) return;
      const woken = waking;
      waking = [];
      for (const wake of woken) wake();
    },
  };

  async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    onWait(milliseconds);
    await clock.sleep(milliseconds, signal);
  }

  /**
   * @returns the total time waited
   * @throws ClientError `rate_limit` if the total would be too long
   */
  async function waitMore(
    waited: number,
    milliseconds: number,
    { maxWaitMilliseconds, signal }: Pick<EnterOptions, "maxWaitMilliseconds" | "signal">,
  ): Promise<number> {
    const bound = maxWaitMilliseconds > 0 ? maxWaitMilliseconds + toleranceMilliseconds : 0;
    if (waited + milliseconds > bound) throw createLimitError(milliseconds);
    const { endsAtGuessed, blockedUntil } = known();
    if (!endsAtGuessed || blockedUntil !== undefined || sentHere === 0) {
      await wait(milliseconds, signal);
      return waited + milliseconds;
    }
    // Wait only until the next response arrives, because it might show an earlier end of the window.
    const begun = now();
    onWait(milliseconds);
    await waitForResponseWithin(milliseconds, signal);
    return waited + now() - begun;
  }

  async function waitForResponse(signal: AbortSignal | undefined): Promise<void> {
    if (sentHere === 0) return clock.sleep(pollMilliseconds, signal);
    let abort = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        abort = () => reject(signal?.reason);
        if (signal) onAbort(signal, abort);
        waking.push(resolve);
      });
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  async function waitForResponseWithin(milliseconds: number, signal?: AbortSignal): Promise<void> {
    // An emulator's clock is moved instead, so no response can arrive before the end.
    if (clock.skipsWaits === true) return clock.sleep(milliseconds, signal);
    const isOver = new AbortController();
    // Pass a reason: Node's default reason is an exception, and creating one takes time for each request.
    const abort = () => isOver.abort("responded");
    if (signal) onAbort(signal, abort);
    let wake = () => {};
    const responded = new Promise<void>((resolve) => {
      wake = resolve;
      waking.push(resolve);
    });
    const slept = clock.sleep(milliseconds, isOver.signal).catch((error: unknown) => {
      if (!isOver.signal.aborted) throw error;
    });
    try {
      await Promise.race([responded, slept]);
    } finally {
      abort();
      signal?.removeEventListener("abort", abort);
      waking = waking.filter((woken) => woken !== wake);
    }
    signal?.throwIfAborted();
  }

  /** If a response raises the limit, the request is due earlier. */
  async function untilDue(
    milliseconds: number,
    { distance, share }: { distance: number; share: number },
  ): Promise<void> {
    onWait(milliseconds);
    let due = now() + milliseconds;
    let planned = distance;
    for (let left = milliseconds; left > 0; left = due - now()) {
      await waitForResponseWithin(left);
      const shown = computeInterval(known()) / share;
      due = advanceDue(due, now(), { planned, shown });
      planned = Math.min(planned, shown);
    }
  }

  function reserve(claim: Claim): Step {
    return update((state) => {
      const waitMilliseconds = admit(state, now(), claim);
      return { waitMilliseconds, hold: waitMilliseconds > 0 ? { type: "none" } : begin(state, now()) };
    });
  }

  async function enter(options: EnterOptions, turn?: Slot) {
    const { signal, claim, mutation } = options;
    const opening = ledger.ready?.({ mutation });
    if (opening) await opening;
    let waitedMilliseconds = 0;
    let slot = turn;
    try {
      for (;;) {
        signal?.throwIfAborted();
        const { waitMilliseconds, hold } = slot
          ? { waitMilliseconds: 0, hold: await proceed() }
          : reserve(claim);
        if (waitMilliseconds > 0) {
          waitedMilliseconds = await waitMore(waitedMilliseconds, waitMilliseconds, options);
          continue;
        }
        slot ??= new Slot(id, claim, parts);
        if (hold.type === "none") {
          slot.begun(now());
          return { slot, waitedMilliseconds };
        }
        if (hold.type === "time")
          waitedMilliseconds = await waitMore(waitedMilliseconds, hold.milliseconds, options);
        else await waitForResponse(signal);
      }
    } catch (error) {
      slot?.giveBack();
      throw error;
    }
  }

  return {
    enter,
    redeem: (given) => (given instanceof Slot && given.bucket === id && given.use() ? given : undefined),
    remaining: () => countAvailable(known(), now()),
    declaredLimit: () => {
      const { declaredAt, limit } = known();
      return declaredAt === undefined ? undefined : limit;
    },
    paced({ expected, share = 1 }, defaults) {
      let schedule: Schedule = { left: expected, spaced: false, tooLargeFor: 0, share };
      let intervalMilliseconds = 0;
      return {
        get intervalMilliseconds() {
          return intervalMilliseconds;
        },
        async turn() {
          const opening = ledger.ready?.({ mutation: true });
          if (opening) await opening;
          // If the request is due, take the slot in the same step: in a shared ledger, each step is a
          // transaction.
          const next = update((state) => {
            const time = now();
            const { schedule: planned, due } = planNext(schedule, state, time);
            const claim: Claim = planned.spaced ? "spaced" : "burst";
            const distance = planned.spaced ? computeInterval(state) / share : 0;
            const early = due - time;
            const waitMilliseconds = early > 0 ? undefined : admit(state, time, claim);
            return { planned, claim, distance, early, waitMilliseconds };
          });
          schedule = next.planned;
          intervalMilliseconds = next.distance;
          if (next.early > 0) await untilDue(next.early, { distance: next.distance, share });
          let waited = 0;
          for (let milliseconds = next.waitMilliseconds; milliseconds !== 0; ) {
            if (milliseconds !== undefined) waited = await waitMore(waited, milliseconds, defaults);
            milliseconds = update((state) => admit(state, now(), next.claim));
          }
          return new Slot(id, next.claim, parts);
        },
        burst(most) {
          const { schedule: planned, count } = update((state) =>
            admitBurst(schedule, state, { now: now(), most }),
          );
          schedule = planned;
          return Array.from({ length: count }, () => new Slot(id, "burst", parts));
        },
      };
    },
  };
}

function createLimitError(milliseconds: number): ClientError {
  return new ClientError({
    type: "rate_limit",
    code: "rate_limit_exceeded",
    message: `the rate limit is used up for another ${Math.ceil(milliseconds / 1000)} s; no request was sent`,
    retryable: true,
    outcome: "none",
    retryAfterMilliseconds: milliseconds,
  });
}
