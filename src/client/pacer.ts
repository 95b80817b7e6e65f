import { createHash } from "node:crypto";
import { onAbort } from "../base/abort.js";
import { type Clock, stopwatch } from "../base/clock.js";
import { type Bucket, buckets } from "../contract/limits.js";
import { ClientError } from "./errors.js";
import type { LimitHeaders } from "./limit-headers.js";
import type { LimitLedger } from "./limit-ledger.js";
import { observe, type RefusalWait, refuse, withdraw } from "./observing.js";
import {
  admit,
  available,
  type BucketState,
  begin,
  type Claim,
  freshBucket,
  type Hold,
  interval,
  lose,
  nextDue,
  release,
  type Schedule,
} from "./pacing.js";
import type { Pace, PacedRun, Target, Turn } from "./types.js";

/** The shared state of one client's pacers. */
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

/** Where a request stands: it has no slot yet and has to wait for one, or something holds it back. */
interface Step {
  waitMilliseconds: number;
  hold: Hold;
}

/** Keeps requests of one bucket of one key under its limit. */
export interface Pacer {
  /**
   * Takes a slot and waits until its request may be sent; or waits for one that `paced` gave.
   * @throws ClientError `rate_limit` when that takes longer than allowed; the signal's reason. The slot is given back.
   */
  enter(options: EnterOptions, turn?: Slot): Promise<{ slot: Slot; waitedMilliseconds: number }>;
  /** Takes a turn that `paced` gave for this bucket; undefined when it was used, given back or is another's. */
  redeem(turn: Turn): Slot | undefined;
  remaining(): number;
  declaredLimit(): number | undefined;
  paced(run: PacedRun, defaults: { maxWaitMilliseconds: number }): Pace;
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
/** How often is asked whether the answer came that a request of another process waits for. */
const pollMilliseconds = 100;

/** An answer, for its bucket. */
interface Answered {
  limits: LimitHeaders;
  tellsEnd: boolean;
}

type Change<Result> = (state: BucketState) => { state: BucketState; result: Result };

interface PlaceParts {
  clock: Clock;
  update<Result>(change: Change<Result>): Result;
  /** A request was sent; its slot was closed. */
  moved(by: 1 | -1): void;
}

/** One request's slot under a limit, and what came of it. */
class Slot implements Turn {
  private state: "held" | "used" | "sent" | "closed" = "held";
  private begunAt = 0;

  constructor(
    readonly bucket: string,
    readonly claim: Claim,
    private readonly parts: PlaceParts,
  ) {}

  /** Takes it for one request; false when that is too late. */
  use(): boolean {
    if (this.state !== "held") return false;
    this.state = "used";
    return true;
  }

  /** Its request is sent now. */
  begun(now: number): void {
    this.state = "sent";
    this.begunAt = now;
    this.parts.moved(1);
  }

  release(): void {
    if (this.state !== "held") return;
    this.giveBack();
  }

  /** Gives it back though it was to be used. */
  giveBack(): void {
    if (this.state === "sent" || this.state === "closed") return;
    this.state = "closed";
    this.parts.update((state) => ({ state: release(state), result: undefined }));
  }

  /** An answer came: its headers correct what is known. */
  answered(answer: Answered): void {
    this.close((state) => ({ state: observe(state, this.observed(answer)), result: undefined }));
  }

  /** The bucket refused. @param draw chance, in [0, 1) */
  refused(answer: Answered, draw: number): RefusalWait | undefined {
    return this.close((state) => {
      const { state: next, wait } = refuse(state, this.observed(answer), draw);
      return { state: next, result: wait };
    });
  }

  /** It was not sent after all: others have used up the limit. */
  withdrawn(answer: Answered): void {
    this.close((state) => ({ state: withdraw(state, this.observed(answer)), result: undefined }));
  }

  /** No answer came. */
  failed(maybeSent: boolean): void {
    this.close((state) => ({ state: lose(state, maybeSent), result: undefined }));
  }

  private observed(answer: Answered) {
    const { clock } = this.parts;
    return { ...answer, begunAt: this.begunAt, receivedAt: stopwatch(clock), wall: clock.now() };
  }

  private close<Result>(change: Change<Result>): Result | undefined {
    if (this.state !== "sent") return undefined;
    this.state = "closed";
    const result = this.parts.update(change);
    this.parts.moved(-1);
    return result;
  }
}

export type { Slot };

/** The pacer of one bucket. Offline its waits move the world's clock. */
export function createPacer(id: string, bucket: Bucket, { clock, ledger, onWait }: PacerParts): Pacer {
  const fresh = freshBucket(buckets[bucket]);
  const update = <Result>(change: Change<Result>) => ledger.update(id, (state = fresh) => change(state));
  const now = () => stopwatch(clock);
  let sentHere = 0;
  let waking: (() => void)[] = [];
  const parts: PlaceParts = {
    clock,
    update,
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

  /** Waits that add up. */
  function waitBudget(maxWaitMilliseconds: number, signal: AbortSignal | undefined) {
    const bound = maxWaitMilliseconds > 0 ? maxWaitMilliseconds + toleranceMilliseconds : 0;
    let waited = 0;
    return {
      get waitedMilliseconds() {
        return waited;
      },
      /** @throws ClientError `rate_limit` */
      async wait(milliseconds: number): Promise<void> {
        if (waited + milliseconds > bound) throw limitReached(milliseconds);
        await wait(milliseconds, signal);
        waited += milliseconds;
      },
    };
  }

  /** Until an answer to one of our own requests comes; for those of other processes it is looked again. */
  async function nextAnswer(signal: AbortSignal | undefined): Promise<void> {
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

  /** Takes a slot, and begins at once where nothing holds it back: in one step of the ledger. */
  function reserve(claim: Claim): Step {
    return update((state) => {
      const { state: reserved, waitMilliseconds } = admit(state, now(), claim);
      if (waitMilliseconds > 0)
        return { state: reserved, result: { waitMilliseconds, hold: { kind: "none" } } };
      const { state: next, hold } = begin(reserved, now());
      return { state: next, result: { waitMilliseconds, hold } };
    });
  }

  /** Begins what has its slot. */
  function proceed(): Step {
    return update((state) => {
      const { state: next, hold } = begin(state, now());
      return { state: next, result: { waitMilliseconds: 0, hold } };
    });
  }

  async function enter({ signal, claim, mutation, maxWaitMilliseconds }: EnterOptions, turn?: Slot) {
    await ledger.ready?.({ mutation });
    const waits = waitBudget(maxWaitMilliseconds, signal);
    let slot = turn;
    try {
      for (;;) {
        signal?.throwIfAborted();
        const { waitMilliseconds, hold } = slot ? proceed() : reserve(claim);
        if (waitMilliseconds > 0) {
          await waits.wait(waitMilliseconds);
          continue;
        }
        slot ??= new Slot(id, claim, parts);
        if (hold.kind === "none") {
          slot.begun(now());
          return { slot, waitedMilliseconds: waits.waitedMilliseconds };
        }
        if (hold.kind === "time") await waits.wait(hold.milliseconds);
        else await nextAnswer(signal);
      }
    } catch (error) {
      slot?.giveBack();
      throw error;
    }
  }

  /** A slot for later, once there is room. */
  async function turn(
    { claim, maxWaitMilliseconds }: Pick<EnterOptions, "claim" | "maxWaitMilliseconds">,
    first: number | undefined,
  ): Promise<Slot> {
    const waits = waitBudget(maxWaitMilliseconds, undefined);
    for (let milliseconds = first; milliseconds !== 0; ) {
      if (milliseconds !== undefined) await waits.wait(milliseconds);
      milliseconds = update((state) => {
        const { state: next, waitMilliseconds } = admit(state, now(), claim);
        return { state: next, result: waitMilliseconds };
      });
    }
    return new Slot(id, claim, parts);
  }

  return {
    enter,
    redeem: (given) => (given instanceof Slot && given.bucket === id && given.use() ? given : undefined),
    remaining: () =>
      available(
        update((state) => ({ state, result: state })),
        now(),
      ),
    declaredLimit: () => {
      const { declaredAt, limit } = update((state) => ({ state, result: state }));
      return declaredAt === undefined ? undefined : limit;
    },
    paced({ expected, share = 1 }, defaults) {
      let schedule: Schedule = { left: expected, spaced: false, share };
      let intervalMilliseconds = 0;
      return {
        get intervalMilliseconds() {
          return intervalMilliseconds;
        },
        async turn() {
          await ledger.ready?.({ mutation: true });
          // A request that is due now takes its slot in the same step: each step of a shared ledger is a transaction.
          const next = update((state) => {
            const time = now();
            const planned = nextDue(schedule, state, time);
            const claim: Claim = planned.schedule.spaced ? "spaced" : "burst";
            const early = planned.due - time;
            const admitted = early > 0 ? undefined : admit(planned.state, time, claim);
            return {
              state: admitted?.state ?? planned.state,
              result: { ...planned, claim, early, wait: admitted?.waitMilliseconds },
            };
          });
          schedule = next.schedule;
          intervalMilliseconds = schedule.spaced ? interval(next.state) / share : 0;
          if (next.early > 0) await wait(next.early, undefined);
          return turn({ claim: next.claim, ...defaults }, next.wait);
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
