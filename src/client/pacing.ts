import type { BucketDefault } from "../contract/limits.js";
import { type LimitHeaders, untilReset } from "./limit-headers.js";

/**
 * What is known of one key's bucket. Windows are fixed and start with the first request counted in them (D-window).
 * Times are the given clock's, in milliseconds; the server's own enter as differences only.
 */
export interface BucketState {
  /** Requests in one window, as declared, else the contract's. */
  limit: number;
  windowMilliseconds: number;
  /** The declared end of the window seen last, Unix seconds: names the window. */
  reset?: number | undefined;
  /** `Date` of the answer that named it. */
  date?: number | undefined;
  /** End of the open window, never early once an answer told it; undefined while none is open. */
  endsAt?: number | undefined;
  /** No answer has told the window's end yet. */
  endsAtGuessed: boolean;
  /** Requests left as the answers of this window declared; undefined before the first. */
  declared?: number | undefined;
  /** Our own requests since the window opened, those in flight included. */
  started: number;
  inFlight: number;
  /** When the next request of the sequence is due that all spaced runs share; long past where none is under way. */
  due?: number | undefined;
}

/**
 * Whose a request is. Bulk runs leave room for people: a `spaced` one goes in the sequence's order; an `interactive`
 * one, and those of a `burst` (a run that fits into the window), go at once and move the sequence back.
 */
export type Claim = "interactive" | "burst" | "spaced";

/** Added to a window's end: clocks drift, and timers fire a little early. */
const marginMilliseconds = 20;
/** A window's end before any answer told it: leaves room for the request's way. */
const guessMilliseconds = 1_000;
/** Requests of a window that a bulk run leaves to others before it goes at once. */
const reserve = 10;
/** Requests of a window that are for interactive commands alone, beside bulk runs. */
const interactiveReserve = 2;
/** How far the sequence of the spaced runs may lag behind and still catch up. */
const lagIntervals = 10;

/** A bucket of which nothing is known but the contract's default. */
export function freshBucket(defaults: BucketDefault): BucketState {
  return {
    limit: defaults.limit,
    windowMilliseconds: defaults.windowSeconds * 1000,
    endsAtGuessed: true,
    started: 0,
    inFlight: 0,
  };
}

/** The state at `now`: a window that has ended is closed. What is in flight may be counted in the next. */
function at(state: BucketState, now: number): BucketState {
  if (state.endsAt === undefined) return state;
  // Further off than any window's end can be: the clock was set back.
  const open = now < state.endsAt && state.endsAt - now <= state.windowMilliseconds + 2 * guessMilliseconds;
  if (open) return state;
  return { ...state, endsAt: undefined, endsAtGuessed: true, declared: undefined, started: state.inFlight };
}

/** Requests that may start now without meeting the limit, as far as is known. */
export function available(state: BucketState, now: number): number {
  const current = at(state, now);
  // Of what is in flight nobody knows whether the declared number counts it already.
  const left =
    current.declared === undefined ? current.limit - current.started : current.declared - current.inFlight;
  return Math.max(0, left);
}

/** Starts a request where there is room; else says how long to wait before asking again. */
export function admit(
  state: BucketState,
  now: number,
  claim: Claim,
): { state: BucketState; waitMilliseconds: number } {
  const current = at(state, now);
  // With nothing open and nothing under way only the server can tell why there should be no room.
  const unknown = current.endsAt === undefined && current.inFlight === 0;
  const kept = claim === "interactive" ? 0 : keptRoom(current);
  if (available(current, now) <= kept && !unknown) {
    return {
      state: current,
      waitMilliseconds: Math.max(1, (current.endsAt ?? now + guessMilliseconds) - now),
    };
  }
  const endsAt = current.endsAt ?? now + current.windowMilliseconds + guessMilliseconds;
  return {
    state: {
      ...current,
      endsAt,
      started: current.started + 1,
      inFlight: current.inFlight + 1,
      due: claim === "spaced" ? current.due : displaced(current, now),
    },
    waitMilliseconds: 0,
  };
}

/** Small limits have none to spare. */
function keptRoom({ limit }: BucketState): number {
  return Math.min(interactiveReserve, Math.floor(limit / 10));
}

/** A request from outside the sequence takes the place of one in it, so that the window's room stays what it was. */
function displaced(state: BucketState, now: number): number | undefined {
  const { due } = state;
  const distance = interval(state);
  return due === undefined || due < now - lagIntervals * distance ? due : due + distance;
}

/** A request came to nothing: `sent` says whether the server may have counted it. */
export function withdraw(state: BucketState, sent: boolean): BucketState {
  const inFlight = Math.max(0, state.inFlight - 1);
  if (!sent) return { ...state, inFlight, started: Math.max(0, state.started - 1) };
  return {
    ...state,
    inFlight,
    declared: state.declared === undefined ? undefined : Math.max(0, state.declared - 1),
  };
}

/**
 * Takes in what an answer declares. `Reset` is rounded up and `Date` cut to whole seconds, so every answer tells the
 * window's end late by up to two seconds, and the earliest of a window's answers is the best. Besides, a window that
 * is open when an answer comes ends within one length of it.
 */
export function observe(state: BucketState, headers: LimitHeaders, received: number): BucketState {
  const current = at({ ...state, inFlight: Math.max(0, state.inFlight - 1) }, received);
  const left = untilReset(headers);
  const limit = headers.limit ?? current.limit;
  if (left === undefined) {
    return { ...current, limit, declared: least(current.declared, headers.remaining) };
  }
  // public.limits.override: a longer window than the contract's shows; a shorter one can't be told from a late answer.
  const windowMilliseconds = left > current.windowMilliseconds + 1000 ? left : current.windowMilliseconds;
  const relation = windowRelation(current, headers);
  if (relation === "earlier") return { ...current, limit };
  const endsAt = received + Math.min(left, windowMilliseconds) + marginMilliseconds;
  const same = relation === "same";
  return {
    ...current,
    limit,
    windowMilliseconds,
    reset: headers.reset,
    date: headers.date,
    endsAt: same && !current.endsAtGuessed ? least(current.endsAt, endsAt) : endsAt,
    endsAtGuessed: false,
    declared: same ? least(current.declared, headers.remaining) : headers.remaining,
    started: same ? current.started : current.inFlight + 1,
  };
}

/**
 * Does an answer speak of the window seen last? A later window ends at least one length later; servers that derive
 * `Reset` from a time to live let it wobble by a second.
 */
function windowRelation(state: BucketState, headers: LimitHeaders): "same" | "later" | "earlier" {
  if (state.reset === undefined || headers.reset === undefined) return "later";
  const half = state.windowMilliseconds / 2000;
  if (headers.reset >= state.reset + half) return "later";
  if (headers.reset > state.reset - half) return "same";
  // A world that was restored has its clock set back.
  const setBack = state.date !== undefined && headers.date !== undefined && headers.date < state.date;
  return setBack ? "later" : "earlier";
}

function least(known: number | undefined, told: number | undefined): number | undefined {
  if (known === undefined) return told;
  return told === undefined ? known : Math.min(known, told);
}

/** A bulk run's own schedule above its bucket. */
export interface Schedule {
  /** Requests still expected. */
  left: number;
  /** Once a run turned out too large for the window it stays spaced to its end. */
  spaced: boolean;
}

/** Distance of two requests at an even pace that leaves room for interactive ones. */
export function interval(state: BucketState): number {
  return state.windowMilliseconds / Math.max(1, state.limit - keptRoom(state));
}

/**
 * When the run's next request is due: at once while the rest fits into the window less a reserve, else in the order of
 * the sequence that all spaced runs of the bucket share, at even distances counted from the first, not from when the
 * last one happened to go.
 */
export function nextDue(
  schedule: Schedule,
  state: BucketState,
  now: number,
): { schedule: Schedule; state: BucketState; due: number } {
  const spaced = schedule.spaced || schedule.left > available(state, now) - reserve;
  const left = Math.max(0, schedule.left - 1);
  if (!spaced) return { schedule: { left, spaced }, state, due: now };
  const distance = interval(state);
  // Who begins has nothing to catch up.
  const earliest = schedule.spaced ? now - lagIntervals * distance : now;
  const latest = now + state.windowMilliseconds;
  const due = Math.min(Math.max(state.due ?? now, earliest), latest);
  return { schedule: { left, spaced }, state: { ...state, due: due + distance }, due };
}
