import type { BucketDefault } from "../contract/limits.js";

/**
 * State of one key's bucket. Windows have a fixed length and start with the first request that is counted in them (D-window). Times are
 * monotonic, because neither this machine's clock nor the server's is reliable. This file and observing.ts modify the state in place; the
 * pacer copies it once per ledger step.
 */
export interface BucketState {
  /** Number of requests per window: the declared number or, until a response declares it, the contract's. */
  limit: number;
  /** Length of a window: the documented length, or shorter if responses show that. */
  windowMilliseconds: number;
  documentedMilliseconds: number;
  /** End of the last seen window, in Unix seconds as declared. It identifies the window. */
  reset?: number | undefined;
  /** `Date` of the response that declared `reset`. */
  date?: number | undefined;
  /** End of the window according to `reset` and `date`, in monotonic seconds. */
  toldEnd?: number | undefined;
  /**
   * When the first response in the window that ends at `reset` arrived. Regardless of the clocks, the window ends no later than its full
   * length after this time.
   */
  seenAt?: number | undefined;
  /** End of the open window; undefined if no window is open. */
  endsAt?: number | undefined;
  /** Whether `endsAt` is a guess because no response has declared the window's end yet. */
  endsAtGuessed: boolean;
  /** Whether a response's `Reset` showed that this window has started. Otherwise, only a clock indicates it. */
  isConfirmed: boolean;
  /** Remaining requests as declared by this window's responses; undefined before the first response. */
  declared?: number | undefined;
  /** The first value of `declared` in this window. */
  firstDeclared?: number | undefined;
  /** `declaredAt`: time of the last declaration. `leftOver`: the last value of `declared`, kept after its window has ended. */
  declaredAt?: number | undefined;
  leftOver?: number | undefined;
  /** Number of this client's requests since the window opened, including requests in flight. */
  started: number;
  /** Number of requests that were accepted in this window (`passed`), and in this and the previous window (`proven`). */
  passed: number;
  proven: number;
  /** Number of windows, starting with this one, that allow fewer concurrent requests because of a refusal. */
  cautious: number;
  /** Number of slots in use. */
  inFlight: number;
  /** Number of slots in use whose request was already sent. */
  sent: number;
  /**
   * When the next request in the sequence of spaced runs is due. All spaced runs share this sequence. Far in the past if no run is
   * active.
   */
  due?: number | undefined;
  /** When the wait that follows a refusal ends. */
  blockedUntil?: number | undefined;
  /** Times of the last refusals, at most `mostRefusals`. An accepted request clears the list. */
  refusedAt: readonly number[];
  /** Since the last accepted request: the number of waits computed from `Reset`, and the number of refusals that stated no time. */
  resetWaits: number;
  blindRefusals: number;
}

/**
 * Type of sender. Bulk runs leave capacity for interactive users. `spaced` requests wait for their turn in a shared sequence; `interactive`
 * requests, and `burst` requests of a run that fits into the window, are sent immediately and delay the sequence.
 */
export type Claim = "interactive" | "burst" | "spaced";

/** Added to a window's assumed length until a response declares the window's end: a margin for a request's latency. */
const guessMilliseconds = 1_000;
/**
 * Number of windows in which a refusal limits concurrent requests: its own and the next, which then has at
 * most one refusal.
 */
export const cautiousWindows = 2;
/** Number of requests per window that bulk runs leave to interactive commands. */
const interactiveReserve = 2;
/** Maximum delay, in intervals, that the sequence of spaced runs can make up. */
const lagIntervals = 10;
/** Acceptable number of refusals in one window. */
export const mostRefusals = 3;

/** Creates a bucket's state with the contract's defaults. */
export function createBucket({ limit, windowSeconds }: BucketDefault): BucketState {
  return {
    limit,
    windowMilliseconds: windowSeconds * 1000,
    documentedMilliseconds: windowSeconds * 1000,
    // List undefined fields as well: objects with the same shape are copied and changed much faster.
    reset: undefined,
    date: undefined,
    toldEnd: undefined,
    seenAt: undefined,
    endsAt: undefined,
    endsAtGuessed: true,
    isConfirmed: false,
    declared: undefined,
    firstDeclared: undefined,
    declaredAt: undefined,
    leftOver: undefined,
    started: 0,
    passed: 0,
    proven: 0,
    cautious: 0,
    inFlight: 0,
    sent: 0,
    due: undefined,
    blockedUntil: undefined,
    refusedAt: [],
    resetWaits: 0,
    blindRefusals: 0,
  };
}

/** Closes a window that ended before `now`. Requests still in flight may count toward the next window. */
export function settle(state: BucketState, now: number): void {
  const { endsAt, blockedUntil, documentedMilliseconds, windowMilliseconds } = state;
  if (blockedUntil !== undefined && !isAhead(state, blockedUntil, now)) state.blockedUntil = undefined;
  if (endsAt === undefined || isAhead(state, endsAt, now)) return;
  // After a pause, a learned window length is no longer valid.
  const isOld = now < endsAt || now - endsAt >= windowMilliseconds;
  if (isOld) state.windowMilliseconds = documentedMilliseconds;
  state.endsAt = undefined;
  state.endsAtGuessed = true;
  state.isConfirmed = false;
  const isRefused = state.cautious === cautiousWindows;
  // A declared number of remaining requests is better evidence than `passed`. This doesn't apply after a refusal, which always declares 0.
  state.proven = isOld || (state.declared !== undefined && !isRefused) ? 0 : state.passed;
  state.cautious = isOld ? 0 : Math.max(0, state.cautious - 1);
  state.leftOver = state.declared ?? state.leftOver;
  state.declared = undefined;
  state.firstDeclared = undefined;
  state.started = state.inFlight;
  state.passed = 0;
}

/**
 * Returns whether a time is in the future. Ignores a time beyond the longest possible wait: it was stored before the machine was
 * restarted.
 */
function isAhead({ documentedMilliseconds }: BucketState, time: number, now: number): boolean {
  return now < time && time - now <= documentedMilliseconds + 2 * guessMilliseconds;
}

/** Returns how many requests can probably start now without exceeding the limit. */
export function countAvailable(state: BucketState, now: number): number {
  const current = { ...state };
  settle(current, now);
  return countRoom(current);
}

function countRoom({ blockedUntil, declared, limit, started, inFlight }: BucketState): number {
  if (blockedUntil !== undefined) return 0;
  // The declared number may or may not include requests in flight.
  return Math.max(0, declared === undefined ? limit - started : declared - inFlight);
}

/** Reserves a slot for a request. Returns 0, or how many milliseconds to wait before trying again. */
export function admit(state: BucketState, now: number, claim: Claim): number {
  settle(state, now);
  if (state.blockedUntil !== undefined) return Math.max(1, state.blockedUntil - now);
  // If no window is open and no request is active, only the server knows how many requests remain.
  const unknown = state.endsAt === undefined && state.inFlight === 0;
  const kept = claim === "interactive" ? 0 : countReserved(state);
  if (countRoom(state) <= kept && !unknown) {
    keepWaiting(state);
    return measureUntilEnd(state, now);
  }
  state.endsAt ??= now + state.windowMilliseconds + guessMilliseconds;
  state.started += 1;
  state.inFlight += 1;
  if (claim !== "spaced") displace(state, now);
  return 0;
}

/** Why a request with a slot must wait: until a time, or for the responses to other requests. */
export type Hold = { type: "none" } | { type: "time"; milliseconds: number } | { type: "answer" };

/** Starts a request that has a slot, unless too many requests are active. */
export function begin(state: BucketState, now: number): Hold {
  settle(state, now);
  const hold = findHold(state, now);
  if (hold.type === "none") state.sent += 1;
  else if (hold.type === "time") keepWaiting(state);
  return hold;
}

function findHold(state: BucketState, now: number): Hold {
  const { blockedUntil, declared, sent } = state;
  if (blockedUntil !== undefined) return { type: "time", milliseconds: Math.max(1, blockedUntil - now) };
  if (declared === 0 && state.endsAt !== undefined)
    return { type: "time", milliseconds: measureUntilEnd(state, now) };
  const most = declared === undefined ? countUnproven(state) : countConcurrent(state, declared);
  return sent < Math.max(1, most) ? { type: "none" } : { type: "answer" };
}

/**
 * Returns how many concurrent requests to allow before a response declares how many requests remain. Allows 1
 * after a refusal, before the first accepted request, or if only an unreliable clock shows that the last
 * window ended. Otherwise, allows `mostRefusals` requests or as many as the previous window accepted: the
 * larger number or, if a refusal limits this window, the smaller one.
 */
function countUnproven({ refusedAt, reset, isConfirmed, passed, proven, cautious }: BucketState): number {
  if (refusedAt.length > 0 || (reset !== undefined && !isConfirmed) || proven + passed === 0) return 1;
  const safe = proven - passed;
  return cautious > 0 ? Math.max(1, Math.min(mostRefusals, safe)) : Math.max(mostRefusals, safe);
}

/**
 * The remaining requests are divided by 3 if other machines may use the key, or by 2 for each machine if that
 * is more.
 */
const [cautiousDivisor, machineFactor] = [3, 2];

/**
 * Returns how many concurrent requests to allow if this many requests remain. Other machines use the key if
 * the number decreases faster than this client's requests explain; they probably do if the window's first
 * response already declared fewer than expected. The number is then outdated when it arrives, because each
 * machine may have as many requests in flight as this one. So the fewer requests remain, the fewer are sent
 * at once.
 */
function countConcurrent({ limit, firstDeclared, passed, sent }: BucketState, declared: number): number {
  const first = firstDeclared ?? declared;
  const own = Math.max(1, passed - 1 + sent);
  const others = Math.max(0, first - declared - own);
  if (others === 0 && first + 1 + sent >= limit) return declared;
  return Math.min(
    passed,
    Math.floor(declared / Math.max(cautiousDivisor, machineFactor * (1 + others / own))),
  );
}

function measureUntilEnd({ endsAt }: BucketState, now: number): number {
  return Math.max(1, (endsAt ?? now + guessMilliseconds) - now);
}

/** Records that a request waits for the declared end. A refusal after this wait means that the declared end was too early. */
function keepWaiting(state: BucketState): void {
  if (!state.endsAtGuessed) state.resetWaits = Math.max(1, state.resetWaits);
}

/** Returns how many requests to reserve for interactive commands; 0 if the limit is small. */
function countReserved({ limit }: BucketState): number {
  return Math.min(interactiveReserve, Math.floor(limit / 10));
}

/**
 * Delays the sequence of spaced runs by one interval for a request outside it, so that the total per window
 * stays the same.
 */
function displace(state: BucketState, now: number): void {
  const { due } = state;
  const distance = computeInterval(state);
  if (due !== undefined && due >= now - lagIntervals * distance) state.due = due + distance;
}

/** Releases a slot without a request. */
export function release(state: BucketState): void {
  state.inFlight = Math.max(0, state.inFlight - 1);
  state.started = Math.max(0, state.started - 1);
}

/**
 * Closes a failed request.
 * @param arrived whether the server may have counted it
 */
export function lose(state: BucketState, arrived: boolean): void {
  state.sent = Math.max(0, state.sent - 1);
  if (arrived) {
    state.inFlight = Math.max(0, state.inFlight - 1);
    state.declared = decrementDeclared(state.declared);
    state.firstDeclared = decrementDeclared(state.firstDeclared);
  } else release(state);
}

/** Returns how many requests remain after a response that doesn't declare the number. */
export function decrementDeclared(declared: number | undefined): number | undefined {
  return declared === undefined ? undefined : Math.max(0, declared - 1);
}

/** A bulk run's schedule within its bucket. */
export interface Schedule {
  /** Number of requests that the run has not sent yet. */
  left: number;
  /** Whether the run was too large for the window. Such a run stays spaced until its end, unless a response raises the limit. */
  spaced: boolean;
  /** The highest limit for which the run was too large. */
  tooLargeFor: number;
  /** Fraction of the limit that the run may use. */
  share: number;
}

/** Number of requests per window that a burst leaves to others. */
const reserve = 10;

/** Returns the time between two evenly spread requests, with capacity left for interactive requests. */
export function computeInterval(state: BucketState): number {
  return state.windowMilliseconds / Math.max(1, state.limit - countReserved(state));
}

/**
 * Returns an earlier time for a planned request if responses show a shorter interval than planned. Otherwise, this request and the next one
 * would be late.
 */
export function advanceDue(due: number, now: number, distance: { planned: number; shown: number }): number {
  const { planned, shown } = distance;
  return due > now && shown < planned ? now + ((due - now) * shown) / planned : due;
}

/**
 * Returns when the run's next request is due. It is due immediately if the window has room for all remaining requests and a reserve.
 * Otherwise, it takes its turn in the sequence that all spaced runs of the bucket share.
 */
export function planNext(
  schedule: Schedule,
  state: BucketState,
  now: number,
): { schedule: Schedule; due: number } {
  const { share } = schedule;
  const stays = schedule.spaced && state.limit <= schedule.tooLargeFor;
  const spaced = stays || schedule.left > countAvailable(state, now) * share - reserve;
  const tooLargeFor = spaced ? Math.max(schedule.tooLargeFor, state.limit) : 0;
  const next = { left: Math.max(0, schedule.left - 1), spaced, tooLargeFor, share };
  if (!spaced) return { schedule: next, due: now };
  const distance = computeInterval(state) / share;
  // A new run has nothing to catch up on.
  const earliest = schedule.spaced ? now - lagIntervals * distance : now;
  const latest = now + state.windowMilliseconds;
  const due = Math.min(Math.max(state.due ?? now, earliest), latest);
  state.due = due + distance;
  return { schedule: next, due };
}
