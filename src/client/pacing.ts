import type { BucketDefault } from "../contract/limits.js";

/**
 * The state of one key's bucket. Windows are fixed and start with the first request counted in them (D-window).
 * Times are a stopwatch's, in milliseconds: neither this machine's date nor the server's is believed alone (T12).
 * What changes it here and in observing.ts changes it in place: its pacer has copied it once for each step of the ledger.
 */
export interface BucketState {
  /** Requests in one window, as declared, else the contract's. */
  limit: number;
  /** The documented length of a window, or a shorter one that answers show. */
  windowMilliseconds: number;
  documentedMilliseconds: number;
  /** The declared end of the window seen last, Unix seconds: names the window. */
  reset?: number | undefined;
  /** `Date` of the answer that named it. */
  date?: number | undefined;
  /** The window's end by `reset` against `date`, in seconds of the stopwatch. */
  toldEnd?: number | undefined;
  /**
   * When the first answer of the window that `reset` names came: it ends at most one length later, whatever clocks
   * say.
   */
  seenAt?: number | undefined;
  /** End of the open window; undefined while none is open. */
  endsAt?: number | undefined;
  /** No answer has told the window's end yet. */
  endsAtGuessed: boolean;
  /** An answer named this window, and it was another than the one before: that it has begun rests on no clock. */
  isConfirmed: boolean;
  /** Requests left as the answers of this window declared; undefined before the first. */
  declared?: number | undefined;
  /** When an answer last declared something; and what, once its window is over. */
  declaredAt?: number | undefined;
  leftOver?: number | undefined;
  /** Our own requests since the window opened, those in flight included. */
  started: number;
  /** Requests that this window, and the one before it, let pass. */
  passed: number;
  proven: number;
  /** Places taken and not closed yet. */
  inFlight: number;
  /** Those of them that were sent. */
  sent: number;
  /** When the next request of the sequence is due that all spaced runs share; long past where none is under way. */
  due?: number | undefined;
  /** Nothing is sent before: a refusal said so. */
  blockedUntil?: number | undefined;
  /** When the last refusals came, as many as a window may have; empty since a request passed. */
  refusedAt: readonly number[];
  /** Waits computed from `Reset`, and refusals that told no time, since a request passed. */
  resetWaits: number;
  blindRefusals: number;
}

/**
 * The sender of a request. Bulk runs leave room for people: a `spaced` one goes in the sequence's order; an
 * `interactive` one, and those of a `burst` (a run that fits into the window), go at once and move the sequence
 * back.
 */
export type Claim = "interactive" | "burst" | "spaced";

/** A window's end before any answer told it: leaves room for the request's way. */
const guessMilliseconds = 1_000;
/** Requests of a window that are for interactive commands alone, beside bulk runs. */
const interactiveReserve = 2;
/** How far the sequence of the spaced runs may lag behind and still catch up. */
const lagIntervals = 10;
/** T12: refused requests that one window may have. */
export const mostRefusals = 3;

/** A bucket of which nothing is known but the contract's default. */
export function createBucket({ limit, windowSeconds }: BucketDefault): BucketState {
  return {
    limit,
    windowMilliseconds: windowSeconds * 1000,
    documentedMilliseconds: windowSeconds * 1000,
    // Named though they are not known: states of one shape are copied and changed in a fraction of the time.
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
    inFlight: 0,
    sent: 0,
    due: undefined,
    blockedUntil: undefined,
    refusedAt: [],
    resetWaits: 0,
    blindRefusals: 0,
  };
}

/** Takes in that it is `now`: a window that has ended is closed. What is in flight may be counted in the next. */
export function settle(state: BucketState, now: number): void {
  const { endsAt, blockedUntil, documentedMilliseconds, windowMilliseconds } = state;
  if (blockedUntil !== undefined && !isAhead(state, blockedUntil, now)) state.blockedUntil = undefined;
  if (endsAt === undefined || isAhead(state, endsAt, now)) return;
  // The learned length of a window says nothing of those that come after a pause.
  const isOld = now < endsAt || now - endsAt >= windowMilliseconds;
  if (isOld) state.windowMilliseconds = documentedMilliseconds;
  state.endsAt = undefined;
  state.endsAtGuessed = true;
  state.isConfirmed = false;
  // Where answers declare what is left, that is a better proof.
  state.proven = isOld || state.declared !== undefined ? 0 : state.passed;
  state.leftOver = state.declared ?? state.leftOver;
  state.declared = undefined;
  state.started = state.inFlight;
  state.passed = 0;
}

/** Is this time still to come? Further off than any wait can be: the stopwatch began anew with the machine. */
function isAhead({ documentedMilliseconds }: BucketState, time: number, now: number): boolean {
  return now < time && time - now <= documentedMilliseconds + 2 * guessMilliseconds;
}

/** Requests that may start now without meeting the limit, as far as is known. */
export function countAvailable(state: BucketState, now: number): number {
  const current = { ...state };
  settle(current, now);
  return countRoom(current);
}

function countRoom({ blockedUntil, declared, limit, started, inFlight }: BucketState): number {
  if (blockedUntil !== undefined) return 0;
  // A request in flight may or may not be in the declared number already.
  return Math.max(0, declared === undefined ? limit - started : declared - inFlight);
}

/** Takes a slot for a request where there is room; else says how many milliseconds to wait before asking again. */
export function admit(state: BucketState, now: number, claim: Claim): number {
  settle(state, now);
  if (state.blockedUntil !== undefined) return Math.max(1, state.blockedUntil - now);
  // With nothing open and nothing under way only the server can tell why there should be no room.
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

/** The reason that holds back a request that has its slot: the time, or answers that are still to come. */
export type Hold = { type: "none" } | { type: "time"; milliseconds: number } | { type: "answer" };

/** Sends a request that has its slot, if no more are under way than may be. */
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
 * Requests under way at once while no answer has told of the window: a single one after a refusal, and where a
 * window is over by clocks that may be wrong; else so many as may be refused, or as the window before let pass.
 */
function countUnproven({ refusedAt, reset, isConfirmed, passed, proven }: BucketState): number {
  if (refusedAt.length > 0 || (reset !== undefined && !isConfirmed)) return 1;
  return Math.max(mostRefusals, proven - passed);
}

function measureUntilEnd({ endsAt }: BucketState, now: number): number {
  return Math.max(1, (endsAt ?? now + guessMilliseconds) - now);
}

/** A request waits for the end that answers told: a refusal after that wait shows that it was told too early. */
function keepWaiting(state: BucketState): void {
  if (!state.endsAtGuessed) state.resetWaits = Math.max(1, state.resetWaits);
}

/** Small limits have none to spare. */
function countReserved({ limit }: BucketState): number {
  return Math.min(interactiveReserve, Math.floor(limit / 10));
}

/** A request from outside the sequence takes the place of one in it, so that the window's room stays what it was. */
function displace(state: BucketState, now: number): void {
  const { due } = state;
  const distance = computeInterval(state);
  if (due !== undefined && due >= now - lagIntervals * distance) state.due = due + distance;
}

/** A slot was given back. */
export function release(state: BucketState): void {
  state.inFlight = Math.max(0, state.inFlight - 1);
  state.started = Math.max(0, state.started - 1);
}

/** A request came to nothing: `arrived` says whether the server may have counted it. */
export function lose(state: BucketState, arrived: boolean): void {
  state.sent = Math.max(0, state.sent - 1);
  if (arrived) {
    state.inFlight = Math.max(0, state.inFlight - 1);
    state.declared = decrementDeclared(state.declared);
  } else release(state);
}

/** An answer that declares nothing was counted all the same. */
export function decrementDeclared(declared: number | undefined): number | undefined {
  return declared === undefined ? undefined : Math.max(0, declared - 1);
}

/** A bulk run's own schedule above its bucket. */
export interface Schedule {
  /** Requests still expected. */
  left: number;
  /** Once a run turned out too large for the window it stays spaced to its end, but where an answer raises the limit. */
  spaced: boolean;
  /** The greatest limit that it turned out too large for. */
  tooLargeFor: number;
  /** The part of the limit that the run may use, up to 1. */
  share: number;
}

/** Requests of a window that a bulk run leaves to others before it goes at once. */
const reserve = 10;

/** Distance of two requests at an even pace that leaves room for interactive ones. */
export function computeInterval(state: BucketState): number {
  return state.windowMilliseconds / Math.max(1, state.limit - countReserved(state));
}

/**
 * Returns when a request is due that was planned at one distance, once answers show a shorter one (T12): a window that
 * is learned only after a request was planned would else slow it, and the next one, too.
 */
export function advanceDue(due: number, now: number, distance: { planned: number; shown: number }): number {
  const { planned, shown } = distance;
  return due > now && shown < planned ? now + ((due - now) * shown) / planned : due;
}

/**
 * When the run's next request is due: at once while the rest fits into the window less a reserve, else in the order of
 * the sequence that all spaced runs of the bucket share, at even distances counted from the first, not from when the
 * last one happened to go.
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
  // A run that only begins has nothing to catch up.
  const earliest = schedule.spaced ? now - lagIntervals * distance : now;
  const latest = now + state.windowMilliseconds;
  const due = Math.min(Math.max(state.due ?? now, earliest), latest);
  state.due = due + distance;
  return { schedule: next, due };
}
