import type { BucketDefault } from "../contract/limits.js";

/**
 * The state of one key's bucket. Windows are fixed and start with the first request counted in them (D-window). Times are monotonic and in
 * milliseconds, because neither this machine's date nor the server's date can be trusted alone. This file and observing.ts modify the state
 * in place, because the pacer copies it once for each step of the ledger.
 */
export interface BucketState {
  /** Number of requests allowed in one window: as declared, or as in the contract until a response declares it. */
  limit: number;
  /** Length of a window: as documented, or shorter if responses show that. */
  windowMilliseconds: number;
  documentedMilliseconds: number;
  /** Declared end of the last seen window in Unix seconds, which identifies the window. */
  reset?: number | undefined;
  /** `Date` of the response that declared `reset`. */
  date?: number | undefined;
  /** The window's end computed from `reset` and `date`, in seconds of the monotonic clock. */
  toldEnd?: number | undefined;
  /**
   * Time of the first response in the window that `reset` identifies. Regardless of the clocks, the window ends at most one length later.
   */
  seenAt?: number | undefined;
  /** End of the open window; undefined while none is open. */
  endsAt?: number | undefined;
  /** Whether `endsAt` is a guess, because no response has declared the window's end yet. */
  endsAtGuessed: boolean;
  /**
   * Whether responses declared a different window before this one. If so, this window has certainly started, regardless of the clocks.
   */
  isConfirmed: boolean;
  /** Remaining requests, as declared by responses in this window; undefined before the first response. */
  declared?: number | undefined;
  /** Time of the last declaration, and the declared value after its window is over. */
  declaredAt?: number | undefined;
  leftOver?: number | undefined;
  /** Number of this client's requests since the window opened, including requests in flight. */
  started: number;
  /** Number of requests that this window and the previous one allowed. */
  passed: number;
  proven: number;
  /** Number of windows, including this one, in which a refusal limits the number of concurrent requests. */
  cautious: number;
  /** Number of slots that were taken and are not closed yet. */
  inFlight: number;
  /** Number of these slots whose requests were sent. */
  sent: number;
  /** Due time of the next request in the sequence that all spaced runs share; far in the past if no run is active. */
  due?: number | undefined;
  /** Time before which no request is sent, because of a refusal. */
  blockedUntil?: number | undefined;
  /** Times of the latest refusals, at most as many as a window may have; cleared when a request passes. */
  refusedAt: readonly number[];
  /** Number of waits computed from `Reset` and of refusals without a time since the last accepted request. */
  resetWaits: number;
  blindRefusals: number;
}

/**
 * The type of sender of a request. Bulk runs leave capacity for users: `spaced` requests are sent in the order of the sequence.
 * `interactive` requests and requests of a `burst` (a run that fits into the window) are sent at once and delay the sequence.
 */
export type Claim = "interactive" | "burst" | "spaced";

/** Assumed end of a window before any response declares it, with a margin for the request's latency. */
const guessMilliseconds = 1_000;
/** A refusal limits concurrent requests in its window and in the next one, so that the next one has at most one refusal. */
export const cautiousWindows = 2;
/** Number of requests per window that only interactive commands may use while bulk runs are active. */
const interactiveReserve = 2;
/** Number of intervals that the sequence of spaced runs may lag behind and still catch up. */
const lagIntervals = 10;
/** Number of refusals that are acceptable in one window. */
export const mostRefusals = 3;

/** Creates the state of a bucket with the contract's defaults. */
export function createBucket({ limit, windowSeconds }: BucketDefault): BucketState {
  return {
    limit,
    windowMilliseconds: windowSeconds * 1000,
    documentedMilliseconds: windowSeconds * 1000,
    // List undefined fields as well, because objects with the same shape are copied and changed much faster.
    reset: undefined,
    date: undefined,
    toldEnd: undefined,
    seenAt: undefined,
    endsAt: undefined,
    endsAtGuessed: true,
    isConfirmed: false,
    declared: undefined,
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

/** Closes a window that ended before `now`. Requests in flight may be counted in the next window. */
export function settle(state: BucketState, now: number): void {
  const { endsAt, blockedUntil, documentedMilliseconds, windowMilliseconds } = state;
  if (blockedUntil !== undefined && !isAhead(state, blockedUntil, now)) state.blockedUntil = undefined;
  if (endsAt === undefined || isAhead(state, endsAt, now)) return;
  // A learned window length is not valid after a pause.
  const isOld = now < endsAt || now - endsAt >= windowMilliseconds;
  if (isOld) state.windowMilliseconds = documentedMilliseconds;
  state.endsAt = undefined;
  state.endsAtGuessed = true;
  state.isConfirmed = false;
  const isRefused = state.cautious === cautiousWindows;
  // A declared number of remaining requests is a better proof, unless it comes from a refusal, which only declares that none remain.
  state.proven = isOld || (state.declared !== undefined && !isRefused) ? 0 : state.passed;
  state.cautious = isOld ? 0 : Math.max(0, state.cautious - 1);
  state.leftOver = state.declared ?? state.leftOver;
  state.declared = undefined;
  state.started = state.inFlight;
  state.passed = 0;
}

/** Returns whether a time is in the future. A time later than any possible wait is not, because it means that the machine was restarted. */
function isAhead({ documentedMilliseconds }: BucketState, time: number, now: number): boolean {
  return now < time && time - now <= documentedMilliseconds + 2 * guessMilliseconds;
}

/** Returns the number of requests that, as far as is known, may start now without exceeding the limit. */
export function countAvailable(state: BucketState, now: number): number {
  const current = { ...state };
  settle(current, now);
  return countRoom(current);
}

function countRoom({ blockedUntil, declared, limit, started, inFlight }: BucketState): number {
  if (blockedUntil !== undefined) return 0;
  // A request in flight may or may not be included in the declared number.
  return Math.max(0, declared === undefined ? limit - started : declared - inFlight);
}

/** Reserves a slot for a request. Returns 0, or the number of milliseconds to wait before trying again. */
export function admit(state: BucketState, now: number, claim: Claim): number {
  settle(state, now);
  if (state.blockedUntil !== undefined) return Math.max(1, state.blockedUntil - now);
  // If no window is open and no request is active, only the server knows the count.
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

/** The reason why a request with a slot must wait: until a time, or for pending responses. */
export type Hold = { type: "none" } | { type: "time"; milliseconds: number } | { type: "answer" };

/** Starts a request that has its slot, unless too many requests are active. */
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
  return sent < Math.max(1, declared ?? countUnproven(state)) ? { type: "none" } : { type: "answer" };
}

/**
 * Returns the number of concurrent requests to allow while no response has declared the window. It is one after a refusal, or if only
 * clocks that may be wrong show that the window is over. Otherwise it is the acceptable number of refusals or the number of requests that
 * the previous window allowed; if the previous window had a refusal, the smaller of the two.
 */
function countUnproven({ refusedAt, reset, isConfirmed, passed, proven, cautious }: BucketState): number {
  if (refusedAt.length > 0 || (reset !== undefined && !isConfirmed)) return 1;
  const safe = proven - passed;
  return cautious > 0 ? Math.max(1, Math.min(mostRefusals, safe)) : Math.max(mostRefusals, safe);
}

function measureUntilEnd({ endsAt }: BucketState, now: number): number {
  return Math.max(1, (endsAt ?? now + guessMilliseconds) - now);
}

/** Marks that a request waits for the declared end. If it is refused after that wait, the declared end was too early. */
function keepWaiting(state: BucketState): void {
  if (!state.endsAtGuessed) state.resetWaits = Math.max(1, state.resetWaits);
}

/** Returns the number of requests to reserve; none if the limit is small. */
function countReserved({ limit }: BucketState): number {
  return Math.min(interactiveReserve, Math.floor(limit / 10));
}

/** Delays the sequence by one interval for a request outside it, so that the window's total stays the same. */
function displace(state: BucketState, now: number): void {
  const { due } = state;
  const distance = computeInterval(state);
  if (due !== undefined && due >= now - lagIntervals * distance) state.due = due + distance;
}

/** Releases a slot. */
export function release(state: BucketState): void {
  state.inFlight = Math.max(0, state.inFlight - 1);
  state.started = Math.max(0, state.started - 1);
}

/** Closes a failed request. `arrived` states whether the server may have counted it. */
export function lose(state: BucketState, arrived: boolean): void {
  state.sent = Math.max(0, state.sent - 1);
  if (arrived) {
    state.inFlight = Math.max(0, state.inFlight - 1);
    state.declared = decrementDeclared(state.declared);
  } else release(state);
}

/** Returns the number of remaining requests after a response that doesn't state it. */
export function decrementDeclared(declared: number | undefined): number | undefined {
  return declared === undefined ? undefined : Math.max(0, declared - 1);
}

/** The schedule of a bulk run within its bucket. */
export interface Schedule {
  /** Number of requests that the run has not sent yet. */
  left: number;
  /** Whether the run was too large for the window. Such a run stays spaced until its end, unless a response raises the limit. */
  spaced: boolean;
  /** The highest limit for which the run was too large. */
  tooLargeFor: number;
  /** The part of the limit that the run may use, up to 1. */
  share: number;
}

/** Number of requests per window that a run must leave to others if it sends its requests at once. */
const reserve = 10;

/** Returns the time between two requests at an even pace that leaves capacity for interactive requests. */
export function computeInterval(state: BucketState): number {
  return state.windowMilliseconds / Math.max(1, state.limit - countReserved(state));
}

/**
 * Returns the new due time of a planned request after responses show that the distance is shorter. Without this, a window length that is
 * learned late would delay this request and the next one.
 */
export function advanceDue(due: number, now: number, distance: { planned: number; shown: number }): number {
  const { planned, shown } = distance;
  return due > now && shown < planned ? now + ((due - now) * shown) / planned : due;
}

/**
 * Returns when the run's next request is due. It is due at once if the remaining requests fit into the window, less a reserve. Otherwise
 * the request takes its turn in the sequence of all spaced runs of the bucket, with distances counted from the first request.
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
  // A run that has just started has nothing to catch up.
  const earliest = schedule.spaced ? now - lagIntervals * distance : now;
  const latest = now + state.windowMilliseconds;
  const due = Math.min(Math.max(state.due ?? now, earliest), latest);
  state.due = due + distance;
  return { schedule: next, due };
}
