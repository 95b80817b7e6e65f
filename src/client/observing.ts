import { type LimitHeaders, resetReadings } from "./limit-headers.js";
import {
  advanceDue,
  type BucketState,
  computeInterval,
  decrementDeclared,
  mostRefusals,
  settle,
} from "./pacing.js";

/** An answer, as far as its bucket is concerned. */
export interface Observed {
  limits: LimitHeaders;
  /** `Retry-After` tells the window's end: it does on a refusal, and on the distributors' successes (dist.limits.2). */
  declaresEnd: boolean;
  /** When the request was sent and its answer came, by the stopwatch. */
  begunAt: number;
  receivedAt: number;
  /** This machine's time when the answer came. */
  wall: number;
}

/** Added to a window's end: clocks drift, and timers fire a little early. */
const marginMilliseconds = 20;
/** Servers that derive `Reset` from a time to live, or from their own clock, let it wobble within a window. */
const wobbleSeconds = 2;

/**
 * Takes in what an answer declares. Every answer tells the window's end late by up to two seconds, as times are
 * rounded, so the earliest of a window's answers is the best; and it ends at most one length after its first answer
 * came.
 */
export function observe(state: BucketState, observed: Observed): void {
  const { limits, receivedAt, begunAt } = observed;
  close(state);
  settle(state, receivedAt);
  if (begunAt >= (state.refusedAt.at(-1) ?? Number.NEGATIVE_INFINITY)) {
    state.refusedAt = [];
    state.resetWaits = 0;
    state.blindRefusals = 0;
  }
  const distance = computeInterval(state);
  take(state, observed);
  state.limit = limits.limit ?? state.limit;
  if (state.due !== undefined)
    state.due = advanceDue(state.due, receivedAt, { planned: distance, shown: computeInterval(state) });
  state.passed += 1;
}

function close(state: BucketState): void {
  state.inFlight = Math.max(0, state.inFlight - 1);
  state.sent = Math.max(0, state.sent - 1);
}

function take(state: BucketState, observed: Observed): void {
  const { limits, receivedAt } = observed;
  const { readings, certain } = findReadings(state, observed);
  if (limits.reset === undefined && limits.remaining === undefined && readings.length === 0) {
    state.declared = decrementDeclared(state.declared);
    return;
  }
  const relation = compareWindows(state, observed);
  if (relation === "earlier") return;
  const isSame = relation === "same";
  const seenAt = (isSame ? state.seenAt : undefined) ?? receivedAt;
  const declaredEnd = readings[0] === undefined ? undefined : receivedAt + readings[0] + marginMilliseconds;
  const latest = seenAt + state.documentedMilliseconds + marginMilliseconds;
  const known = isSame && !state.endsAtGuessed ? state.endsAt : undefined;
  // By what was known before.
  state.windowMilliseconds = learnWindow(state, observed, { readings, certain, isLater: !isSame });
  state.declared = isSame ? fewer(state, limits.remaining) : limits.remaining;
  state.declaredAt = receivedAt;
  state.reset = limits.reset ?? state.reset;
  state.date = limits.date ?? state.date;
  if (limits.reset !== undefined) state.toldEnd = windowEndFromHeaders(observed);
  state.seenAt = seenAt;
  state.endsAt = Math.min(latest, known ?? latest, declaredEnd ?? latest);
  state.endsAtGuessed = declaredEnd === undefined && known === undefined;
  if (isSame) return;
  state.isConfirmed = limits.reset !== undefined;
  state.started = state.inFlight + 1;
  state.proven = state.passed;
  state.passed = 0;
}

function fewer({ declared }: BucketState, remaining: number | undefined): number | undefined {
  if (remaining === undefined) return decrementDeclared(declared);
  return declared === undefined ? remaining : Math.min(declared, remaining);
}

interface Readings {
  /** How long the window still lasts, the shortest first. */
  readings: readonly number[];
  /** They need no clock, or two clocks agree. */
  certain: boolean;
}

function findReadings(state: BucketState, { limits, wall, declaresEnd }: Observed): Readings {
  const { retryAfterMilliseconds: retryAfter } = limits;
  const longest = state.documentedMilliseconds;
  if (declaresEnd && retryAfter !== undefined && retryAfter <= longest)
    return { readings: [retryAfter], certain: true };
  const readings = resetReadings(limits, wall, longest);
  const [first, second] = readings;
  const certain = first !== undefined && second !== undefined && second - first <= 1000 * wobbleSeconds;
  return { readings, certain };
}

/**
 * A longer end than was thought shows a longer window; a shorter one shows where a window has just begun and the end is
 * certain, or where the next one begins too soon (public.limits.override). Never longer than documented.
 */
function learnWindow(
  state: BucketState,
  observed: Observed,
  { readings, certain, isLater }: Readings & { isLater: boolean },
): number {
  const { windowMilliseconds: known, reset, documentedMilliseconds } = state;
  const { limits } = observed;
  const longest = readings.at(-1) ?? 0;
  if (longest > known + 1000 * wobbleSeconds) return Math.min(longest, documentedMilliseconds);
  const isFresh =
    limits.limit !== undefined && limits.remaining !== undefined && limits.remaining >= limits.limit - 1;
  if (isFresh && certain && longest > 0 && longest < known) return longest;
  if (!isLater || reset === undefined || limits.reset === undefined) return known;
  const apart = measureEndDistance(state, observed) * 1000;
  return apart > 0 && apart < known && isReplenished(state, observed) ? apart : known;
}

/** When the window ends by `Reset` against the answer's own `Date`, in seconds of the stopwatch. */
function windowEndFromHeaders({ limits: { reset, date }, receivedAt }: Observed): number | undefined {
  return reset === undefined || date === undefined ? undefined : receivedAt / 1000 + reset - date;
}

/**
 * How much later an answer's window ends than the one seen last, in seconds. T12: `Reset` alone tells it where
 * nodes share a clock; where each has its own, `Reset` against the answer's `Date`. The smaller difference is the
 * true one; where they agree, `Reset` is the more exact.
 */
function measureEndDistance(state: BucketState, observed: Observed): number {
  const byReset = (observed.limits.reset ?? 0) - (state.reset ?? 0);
  const now = windowEndFromHeaders(observed);
  if (now === undefined || state.toldEnd === undefined) return byReset;
  const byDate = now - state.toldEnd;
  return Math.abs(byDate) + wobbleSeconds < Math.abs(byReset) ? byDate : byReset;
}

/**
 * Does an answer speak of the window seen last? `Reset` names a window, give or take its wobble; between a wobble and
 * half a window, the room decides.
 */
function compareWindows(state: BucketState, observed: Observed): "same" | "later" | "earlier" {
  const { limits: headers, begunAt } = observed;
  if (headers.reset === undefined && state.endsAt !== undefined)
    return isReplenished(state, observed) && headers.remaining !== state.declared ? "later" : "same";
  if (state.reset === undefined || headers.reset === undefined) return "later";
  const apart = measureEndDistance(state, observed);
  if (Math.abs(apart) <= wobbleSeconds) return "same";
  const isFar = Math.abs(apart) >= state.windowMilliseconds / 2000;
  if (apart > 0) return isFar || isReplenished(state, observed) ? "later" : "same";
  if (!isFar) return "same";
  // An answer that was long under way.
  if (begunAt < (state.seenAt ?? begunAt)) return "earlier";
  // A world that was restored has its clock set back.
  const setBack = state.date !== undefined && headers.date !== undefined && headers.date < state.date;
  return setBack ? "later" : "earlier";
}

/** There is as much room as before, though a request was counted since. */
function isReplenished(
  { declared, leftOver, declaredAt }: BucketState,
  { limits, begunAt }: Observed,
): boolean {
  const known = declared ?? leftOver;
  const isLater = begunAt >= (declaredAt ?? begunAt);
  return isLater && limits.remaining !== undefined && known !== undefined && limits.remaining >= known;
}

/** The wait that a refusal asks for. */
export interface RefusalWait {
  milliseconds: number;
  /** The answer told a time. */
  hasDeclaredTime: boolean;
}

/** Between two refusals that told nothing, at least a second, so that a `Date` that did not move means something. */
const firstBlindMilliseconds = 1_000;

/**
 * Takes in a refusal for the bucket, and says how long to wait (T12): as `Retry-After` says; else as `Reset` says,
 * first by the clock that makes it shortest, after a refusal by the other, then twice as long each time; else
 * exponentially. After three refusals nothing is sent until the first of them is a window ago.
 * @param draw chance, in [0, 1)
 */
export function refuse(state: BucketState, observed: Observed, draw: number): RefusalWait {
  const { limits, receivedAt, begunAt } = observed;
  const longest = state.documentedMilliseconds;
  close(state);
  settle(state, receivedAt);
  // Several refusals of requests that were under way at once count each, but are one step.
  const isNext = begunAt >= (state.refusedAt.at(-1) ?? Number.NEGATIVE_INFINITY);
  const hasRoom = limits.remaining !== undefined && limits.remaining > 0;
  const readings = hasRoom ? [] : findRefusalReadings(state, observed);
  const step = isNext ? 0 : 1;
  const requestedWait = computeWait(limits, {
    readings,
    draw,
    longest,
    resetWaits: Math.max(0, state.resetWaits - step),
    blindRefusals: Math.max(0, state.blindRefusals - step),
  });
  state.refusedAt = [...state.refusedAt, receivedAt].slice(-mostRefusals);
  const [first = receivedAt] = state.refusedAt;
  const budget = state.refusedAt.length < mostRefusals ? 0 : first + longest - receivedAt;
  const milliseconds = Math.max(requestedWait.milliseconds, budget);
  // A shared wait outlives no window: others may ask again then.
  const blockedUntil = receivedAt + Math.min(milliseconds, longest);
  state.limit = limits.limit ?? state.limit;
  state.reset = limits.reset ?? state.reset;
  state.date = limits.date ?? state.date;
  state.blockedUntil = Math.max(blockedUntil, state.blockedUntil ?? 0);
  if (requestedWait.by !== "nothing") {
    state.declared = 0;
    state.endsAt = blockedUntil;
    state.endsAtGuessed = false;
  }
  if (isNext && requestedWait.by === "reset") state.resetWaits += 1;
  if (isNext && requestedWait.by === "nothing") state.blindRefusals += 1;
  return { milliseconds, hasDeclaredTime: requestedWait.by !== "nothing" };
}

/** Takes in that others have used up the limit: as a refusal tells it, but nothing was refused, or counted. */
export function withdraw(state: BucketState, observed: Observed): void {
  const { refusedAt, resetWaits, blindRefusals } = state;
  refuse(state, observed, 0);
  state.started = Math.max(0, state.started - 1);
  state.refusedAt = refusedAt;
  state.resetWaits = resetWaits;
  state.blindRefusals = blindRefusals;
}

/**
 * How long the window that refused may still last: by the clocks, never longer than from its first answer on; that
 * alone where no clock makes sense.
 */
function findRefusalReadings(state: BucketState, { limits, receivedAt, wall }: Observed): number[] {
  const longest = state.documentedMilliseconds;
  const readings = resetReadings(limits, wall, longest);
  const isSeen =
    state.seenAt !== undefined &&
    state.reset !== undefined &&
    limits.reset !== undefined &&
    Math.abs(limits.reset - state.reset) <= wobbleSeconds;
  const latest = isSeen ? (state.seenAt ?? 0) + longest - receivedAt : longest;
  if (latest <= 0) return readings;
  if (readings.length === 0 && isSeen) return [latest];
  return readings.map((reading) => Math.min(reading, latest));
}

interface WaitInputs {
  readings: readonly number[];
  draw: number;
  longest: number;
  resetWaits: number;
  blindRefusals: number;
}

function computeWait(
  { retryAfterMilliseconds }: LimitHeaders,
  { readings, draw, longest, resetWaits, blindRefusals }: WaitInputs,
): { milliseconds: number; by: "retry-after" | "reset" | "nothing" } {
  if (retryAfterMilliseconds) return { milliseconds: retryAfterMilliseconds, by: "retry-after" };
  const [smaller] = readings;
  const larger = readings.at(-1);
  if (smaller !== undefined && larger !== undefined) {
    const reading = resetWaits === 0 ? smaller : larger * 2 ** (resetWaits - 1);
    return { milliseconds: Math.max(1000, Math.min(reading, longest)), by: "reset" };
  }
  const milliseconds = Math.min(longest, firstBlindMilliseconds * 2 ** blindRefusals);
  return { milliseconds: milliseconds * (1.05 + 0.45 * draw), by: "nothing" };
}
