import type { BucketDefault } from "../contract/limits.js";

/**
 * The state of one key's bucket. Windows are fixed and start with the first request counted in them (D-window).
 * Times are monotonic, in milliseconds: neither this machine's date nor the server's is trusted alone.
 * This file and observing.ts change it in place: its pacer has copied it once for each step of the ledger.
 */
export interface BucketState {
  /** Requests in one window, as declared, else the contract's. */
  limit: number;
  /** The documented length of a window, or a shorter one that responses show. */
  windowMilliseconds: number;
  documentedMilliseconds: number;
  /** The declared end of the last seen window, in Unix seconds: identifies the window. */
  reset?: number | undefined;
  /** `Date` of the response that declared it. */
  date?: number | undefined;
  /** The window's end by `reset` and `date`, in seconds of the monotonic clock. */
  toldEnd?: number | undefined;
  /**
   * Time of the first response in the window that `reset` identifies: the window ends at most one length later, regardless
   * of any clock.
   */
  seenAt?: number | undefined;
  /** End of the open window; undefined while none is open. */
  endsAt?: number | undefined;
  /** Whether no response has declared the window's end yet. */
  endsAtGuessed: boolean;
  /** Whether a response declared this window after a different one: that it has started depends on no clock. */
  isConfirmed: boolean;
  /** Remaining requests as this window's responses declared; undefined before the first. */
  declared?: number | undefined;
  /** Time of the last declaration, and its value once its window is over. */
  declaredAt?: number | undefined;
  leftOver?: number | undefined;
  /** This client's requests since the window opened, those in flight included. */
  started: number;
  /** Requests that this window and the previous one allowed. */
  passed: number;
  proven: number;
  /** Windows, this one included, in which a refusal limits the number of concurrent requests. */
  cautious: number;
  /** Slots that were taken and not closed yet. */
  inFlight: number;
  /** Sent requests among them. */
  sent: number;
  /** Due time of the next request in the sequence that all spaced runs share; far in the past if none is active. */
  due?: number | undefined;
  /** Time before which no request is sent, because of a refusal. */
  blockedUntil?: number | undefined;
  /** Times of the last refusals, as many as a window may have; empty since a request passed. */
  refusedAt: readonly number[];
  /** Waits computed from `Reset`, and refusals without a time, since a request passed. */
  resetWaits: number;
  blindRefusals: number;
}

/**
 * The sender of a request. Bulk runs leave capacity for users: a `spaced` request follows the sequence's order; an
 * `interactive` one, and those of a `burst` (a run that fits into the window), are sent at once and delay the
 * sequence.
 */
export type Claim = "interactive" | "burst" | "spaced";

/** Assumed end of a window before any response declares it, with a margin for the request's latency. */
const guessMilliseconds = 1_000;
/** A refusal limits concurrent requests in its window and in the next one, which then has one refusal. */
export const cautiousWindows = 2;
/** Requests of a window that only interactive commands may use, in parallel with bulk runs. */
const interactiveReserve = 2;
/** How far the sequence of the spaced runs may lag behind and still catch up. */
const lagIntervals = 10;
/** Refused requests that one window may have. */
export const mostRefusals = 3;

/** A bucket with the contract's defaults only. */
export function createBucket({ limit, windowSeconds }: BucketDefault): BucketState {
  return {
    limit,
    windowMilliseconds: windowSeconds * 1000,
    documentedMilliseconds: windowSeconds * 1000,
    // Listed though undefined: objects of one shape are copied and changed much faster.
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

/** Closes a window that ended before `now`. Requests in flight may be counted in the next one. */
export function settle(state: BucketState, now: number): void {
  const { endsAt, blockedUntil, documentedMilliseconds, windowMilliseconds } = state;
  if (blockedUntil !== undefined && !isAhead(state, blockedUntil, now)) state.blockedUntil = undefined;
  if (endsAt === undefined || isAhead(state, endsAt, now)) return;
  // The learned length of a window is not valid for windows after a pause.
  const isOld = now < endsAt || now - endsAt >= windowMilliseconds;
  if (isOld) state.windowMilliseconds = documentedMilliseconds;
  state.endsAt = undefined;
  state.endsAtGuessed = true;
  state.isConfirmed = false;
  const isRefused = state.cautious === cautiousWindows;
  // If responses declare the remaining requests, that is a better proof. A refusal only declares that none remain.
  state.proven = isOld || (state.declared !== undefined && !isRefused) ? 0 : state.passed;
  state.cautious = isOld ? 0 : Math.max(0, state.cautious - 1);
  state.leftOver = state.declared ?? state.leftOver;
  state.declared = undefined;
  state.started = state.inFlight;
  state.passed = 0;
}

/** Returns whether a time is in the future. A time beyond any possible wait means that the machine was restarted. */
function isAhead({ documentedMilliseconds }: BucketState, time: number, now: number): boolean {
  return now < time && time - now <= documentedMilliseconds + 2 * guessMilliseconds;
}

/** Returns how many requests may start now without reaching the limit, as far as is known. */
export function countAvailable(state: BucketState, now: number): number {
  const current = { ...state };
  settle(current, now);
  return countRoom(current);
}

function countRoom({ blockedUntil, declared, limit, started, inFlight }: BucketState): number {
  if (blockedUntil !== undefined) return 0;
  // A request in flight may or may not be part of the declared number.
  return Math.max(0, declared === undefined ? limit - started : declared - inFlight);
}

/** Reserves a slot for a request. Returns 0, or the milliseconds to wait before the next try. */
export function admit(state: BucketState, now: number, claim: Claim): number {
  settle(state, now);
  if (state.blockedUntil !== undefined) return Math.max(1, state.blockedUntil - now);
  // With no window open and no request active, only the server can decide.
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

/** The reason why a request with a slot must wait: the time, or pending responses. */
export type Hold = { type: "none" } | { type: "time"; milliseconds: number } | { type: "answer" };

/** Starts a request that has its slot, unless too many are active. */
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
 * Number of concurrent requests while no response has declared the window: one after a refusal, or if the window is over
 * only by clocks that may be wrong; else as many as may be refused, or as the previous window allowed. If that one had a
 * refusal, the smaller number.
 */
function countUnproven({ refusedAt, reset, isConfirmed, passed, proven, cautious }: BucketState): number {
  if (refusedAt.length > 0 || (reset !== undefined && !isConfirmed)) return 1;
  const safe = proven - passed;
  return cautious > 0 ? Math.max(1, Math.min(mostRefusals, safe)) : Math.max(mostRefusals, safe);
}

function measureUntilEnd({ endsAt }: BucketState, now: number): number {
  return Math.max(1, (endsAt ?? now + guessMilliseconds) - now);
}

/** Marks that a request waits for the declared end: a refusal after that wait proves that the end was too early. */
function keepWaiting(state: BucketState): void {
  if (!state.endsAtGuessed) state.resetWaits = Math.max(1, state.resetWaits);
}

/** Small limits have no requests to reserve. */
function countReserved({ limit }: BucketState): number {
  return Math.min(interactiveReserve, Math.floor(limit / 10));
}

/** A request outside the sequence replaces one in it, so that the window's total stays the same. */
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

/** Closes a failed request; `arrived` is whether the server may have counted it. */
export function lose(state: BucketState, arrived: boolean): void {
  state.sent = Math.max(0, state.sent - 1);
  if (arrived) {
    state.inFlight = Math.max(0, state.inFlight - 1);
    state.declared = decrementDeclared(state.declared);
  } else release(state);
}

/** Counts a response that declares nothing. */
export function decrementDeclared(declared: number | undefined): number | undefined {
  return declared === undefined ? undefined : Math.max(0, declared - 1);
}

/** A bulk run's own schedule on top of its bucket. */
export interface Schedule {
  /** Requests still expected. */
  left: number;
  /** Whether the run was too large for the window. It then stays spaced to its end, unless a response raises the limit. */
  spaced: boolean;
  /** The greatest limit for which the run was too large. */
  tooLargeFor: number;
  /** The part of the limit that the run may use, up to 1. */
  share: number;
}

/** Requests of a window that a bulk run leaves to others before it sends at once. */
const reserve = 10;

/** Distance of two requests at an even pace that leaves capacity for interactive ones. */
export function computeInterval(state: BucketState): number {
  return state.windowMilliseconds / Math.max(1, state.limit - countReserved(state));
}

/**
 * Returns the new due time of a planned request after responses show a shorter distance. Otherwise, a window that
 * is learned late would delay this request and the next one.
 */
export function advanceDue(due: number, now: number, distance: { planned: number; shown: number }): number {
  const { planned, shown } = distance;
  return due > now && shown < planned ? now + ((due - now) * shown) / planned : due;
}

/**
 * Returns when the run's next request is due. While the remaining requests fit into the window less a reserve, it is due at
 * once. Otherwise it takes its turn in the sequence of all spaced runs of the bucket, whose distances count from the first
 * request.
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
