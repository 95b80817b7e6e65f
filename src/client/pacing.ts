import type { BucketDefault } from "../contract/limits.js";

/**
 * State of one bucket of one key. A window starts with its first request and has a fixed length (D-window).
 * Times are monotonic, except `reset` and `date`, because the dates of client and server may be wrong.
 * Functions in this file and in observing.ts modify the state.
 */
export interface BucketState {
  /** Number of requests per window: as declared by the service or, before that, as documented. */
  limit: number;
  /** Length of a window: the documented length, or a shorter one if responses prove it. */
  windowMilliseconds: number;
  documentedMilliseconds: number;
  /** End of the last seen window as declared by the service, in Unix seconds. It distinguishes windows. */
  reset?: number | undefined;
  date?: number | undefined;
  /** End of the last seen window in monotonic seconds, computed from `reset` and `date`. */
  toldEnd?: number | undefined;
  /**
   * Arrival time of the first response in the last seen window. The window started before this time, so it
   * ends at most one window length later.
   */
  seenAt?: number | undefined;
  endsAt?: number | undefined;
  /** Whether `endsAt` is a guess, because no response has declared it. */
  endsAtGuessed: boolean;
  /** Whether a response's `Reset` has confirmed that this window started. */
  isConfirmed: boolean;
  /** Number of remaining requests that this window's responses declared; undefined before the first one. */
  declared?: number | undefined;
  firstDeclared?: number | undefined;
  /**
   * `declaredAt`: time when the last response that declared the number arrived. `declaredSince`: time when its
   * request was sent. `leftOver`: last value of `declared` in the previous window.
   */
  declaredAt?: number | undefined;
  declaredSince?: number | undefined;
  leftOver?: number | undefined;
  /** Number of this client's requests in the window, including requests in flight. */
  started: number;
  /**
   * Number of accepted requests in this window. `proven`: number for the previous window; 0 if unknown or
   * outdated.
   */
  passed: number;
  proven: number;
  /** Number of windows in which concurrent requests are still limited after a refusal. */
  cautious: number;
  inFlight: number;
  sent: number;
  /** Time when the next `spaced` request is due. All bulk runs share this time. */
  due?: number | undefined;
  blockedUntil?: number | undefined;
  refusedAt: readonly number[];
  /**
   * Number of waits computed from `Reset` since the last accepted request. `blindRefusals`: number of
   * refusals since then that stated no time.
   */
  resetWaits: number;
  blindRefusals: number;
}

/**
 * How a request is sent. `spaced`: a bulk run sends its requests at even intervals. `burst`: a bulk run sends
 * its requests immediately, because all of them fit into the window. `interactive`: a request is sent
 * immediately, and can use the capacity that bulk runs leave free.
 */
export type Claim = "interactive" | "burst" | "spaced";

/** Time added to a guessed end of a window, because a request takes time to reach the server. */
const guessMilliseconds = 1_000;
/** Number of windows in which concurrent requests are limited after a refusal: the current and the next. */
export const cautiousWindows = 2;
/** Number of requests per window that bulk runs leave for interactive commands. */
const interactiveReserve = 2;
/** Longest delay that a spaced run makes up for, in intervals. */
const lagIntervals = 10;
/** Number of refusals after which requests wait for a full window. */
export const mostRefusals = 3;

export function createBucket({ limit, windowSeconds }: BucketDefault): BucketState {
  return {
    limit,
    windowMilliseconds: windowSeconds * 1000,
    documentedMilliseconds: windowSeconds * 1000,
    // Set all fields, because objects with the same shape are copied and changed much faster.
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
    declaredSince: undefined,
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

/**
 * Closes the window if it ended before `now`. Counts requests in flight toward the next window, because the
 * server might do so.
 */
export function settle(state: BucketState, now: number): void {
  const { endsAt, blockedUntil, documentedMilliseconds, windowMilliseconds } = state;
  if (blockedUntil !== undefined && !isAhead(state, blockedUntil, now)) state.blockedUntil = undefined;
  if (endsAt === undefined || isAhead(state, endsAt, now)) return;
  // After a pause, the service might use another window length than the learned one.
  const isOld = now < endsAt || now - endsAt >= windowMilliseconds;
  if (isOld) state.windowMilliseconds = documentedMilliseconds;
  state.endsAt = undefined;
  state.endsAtGuessed = true;
  state.isConfirmed = false;
  const isRefused = state.cautious === cautiousWindows;
  // `passed` is needed only if responses don't declare the remaining requests. The 0 that a refusal declares
  // doesn't count.
  state.proven = isOld || (state.declared !== undefined && !isRefused) ? 0 : state.passed;
  state.cautious = isOld ? 0 : Math.max(0, state.cautious - 1);
  state.leftOver = state.declared ?? state.leftOver;
  state.declared = undefined;
  state.firstDeclared = undefined;
  state.started = state.inFlight;
  state.passed = 0;
}

/**
 * Returns whether a time is in the future. A time too far in the future counts as past: it was stored before
 * the machine restarted.
 */
function isAhead({ documentedMilliseconds }: BucketState, time: number, now: number): boolean {
  return now < time && time - now <= documentedMilliseconds + 2 * guessMilliseconds;
}

export function countAvailable(state: BucketState, now: number): number {
  const current = { ...state };
  settle(current, now);
  return countRoom(current);
}

function countRoom({ blockedUntil, declared, limit, started, inFlight }: BucketState): number {
  if (blockedUntil !== undefined) return 0;
  // The server might not have counted the requests in flight yet.
  return Math.max(0, declared === undefined ? limit - started : declared - inFlight);
}

/**
 * Reserves a slot for a request and returns 0. If no slot is free, returns the milliseconds to wait before
 * the next attempt.
 */
export function admit(state: BucketState, now: number, claim: Claim): number {
  settle(state, now);
  if (state.blockedUntil !== undefined) return Math.max(1, state.blockedUntil - now);
  // If no window is open and no request is in flight, send one request to learn how many remain.
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

/** Reason why a request that has a slot must wait: until a time, or for the response to another request. */
export type Hold = { type: "none" } | { type: "time"; milliseconds: number } | { type: "answer" };

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
  const most = declared === undefined ? countUnproven(state) : countConcurrent(state, declared, now);
  return sent < Math.max(1, most) ? { type: "none" } : { type: "answer" };
}

/**
 * Maximum number of concurrent requests while the number of remaining requests is unknown, assuming that this
 * window allows as many as the previous one.
 */
function countUnproven({ refusedAt, reset, isConfirmed, passed, proven, cautious }: BucketState): number {
  if (refusedAt.length > 0 || (reset !== undefined && !isConfirmed) || proven + passed === 0) return 1;
  const safe = proven - passed;
  return cautious > 0 ? Math.max(1, Math.min(mostRefusals, safe)) : Math.max(mostRefusals, safe);
}

/**
 * If other machines might use the key, at most a third of the remaining requests run at once. If several
 * machines use it, the share is even smaller.
 */
const [cautiousDivisor, machineFactor] = [3, 2];

/**
 * Returns the maximum number of concurrent requests when `declared` requests remain. The maximum is lower if
 * other machines seem to be using the key.
 */
function countConcurrent(state: BucketState, declared: number, now: number): number {
  const { limit, firstDeclared, passed, sent, declaredSince = now, declaredAt = now } = state;
  // During a pause, other machines may have used many requests, so a single request asks first.
  if (now - declaredAt > declaredAt - declaredSince) return 1;
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

/**
 * Records that a request waits for a declared end of the window. If the service refuses the request after
 * this wait, the declared end was too early.
 */
function keepWaiting(state: BucketState): void {
  if (!state.endsAtGuessed) state.resetWaits = Math.max(1, state.resetWaits);
}

function countReserved({ limit }: BucketState): number {
  return Math.min(interactiveReserve, Math.floor(limit / 10));
}

/** After a request that was sent immediately, delays spaced requests by one interval. */
function displace(state: BucketState, now: number): void {
  const { due } = state;
  const distance = computeInterval(state);
  if (due !== undefined && due >= now - lagIntervals * distance) state.due = due + distance;
}

/** Gives back a slot whose request was not sent. */
export function release(state: BucketState): void {
  state.inFlight = Math.max(0, state.inFlight - 1);
  state.started = Math.max(0, state.started - 1);
}

/**
 * Closes the slot of a failed request.
 * @param arrived whether the server might have counted the request
 */
export function lose(state: BucketState, arrived: boolean): void {
  state.sent = Math.max(0, state.sent - 1);
  if (arrived) {
    state.inFlight = Math.max(0, state.inFlight - 1);
    state.declared = decrementDeclared(state.declared);
    state.firstDeclared = decrementDeclared(state.firstDeclared);
  } else release(state);
}

/** Returns the remaining requests after one more request. Used if a response doesn't declare the number. */
export function decrementDeclared(declared: number | undefined): number | undefined {
  return declared === undefined ? undefined : Math.max(0, declared - 1);
}

export interface Schedule {
  left: number;
  /**
   * Whether the run sends its requests at even intervals. Once set, only a response that raises the limit
   * clears it.
   */
  spaced: boolean;
  /** Highest rate limit at which the run was too large to send all requests immediately. */
  tooLargeFor: number;
  share: number;
}

/** Number of requests per window that a burst leaves free for others. */
const reserve = 10;

/**
 * Returns the interval between spaced requests, in milliseconds. It leaves capacity for interactive requests.
 */
export function computeInterval(state: BucketState): number {
  return state.windowMilliseconds / Math.max(1, state.limit - countReserved(state));
}

/** Returns an earlier time for a planned request if the interval between requests has become shorter. */
export function advanceDue(due: number, now: number, distance: { planned: number; shown: number }): number {
  const { planned, shown } = distance;
  return due > now && shown < planned ? now + ((due - now) * shown) / planned : due;
}

function scheduleNext(schedule: Schedule, state: BucketState, now: number): Schedule {
  const { share } = schedule;
  const stays = schedule.spaced && state.limit <= schedule.tooLargeFor;
  const spaced = stays || schedule.left > countAvailable(state, now) * share - reserve;
  const tooLargeFor = spaced ? Math.max(schedule.tooLargeFor, state.limit) : 0;
  return { left: Math.max(0, schedule.left - 1), spaced, tooLargeFor, share };
}

/** Reserves slots for at most `most` requests of a run that sends its requests immediately. Returns their number. */
export function admitBurst(
  schedule: Schedule,
  state: BucketState,
  { now, most }: { now: number; most: number },
): { schedule: Schedule; count: number } {
  let current = schedule;
  for (let count = 0; count < most; count += 1) {
    const next = scheduleNext(current, state, now);
    if (next.spaced || admit(state, now, "burst") > 0) return { schedule: current, count };
    current = next;
  }
  return { schedule: current, count: most };
}

/**
 * Returns the time when the run's next request is due. The request is due now if the window has room for all
 * remaining requests and a reserve. Otherwise, the requests of all bulk runs are spaced evenly.
 */
export function planNext(
  schedule: Schedule,
  state: BucketState,
  now: number,
): { schedule: Schedule; due: number } {
  const next = scheduleNext(schedule, state, now);
  if (!next.spaced) return { schedule: next, due: now };
  const distance = computeInterval(state) / next.share;
  // A new run has no lost time to make up.
  const earliest = schedule.spaced ? now - lagIntervals * distance : now;
  const latest = now + state.windowMilliseconds;
  const due = Math.min(Math.max(state.due ?? now, earliest), latest);
  state.due = due + distance;
  return { schedule: next, due };
}
