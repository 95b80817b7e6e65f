import { type LimitHeaders, resetReadings } from "./limit-headers.js";
import {
  advanceDue,
  type BucketState,
  cautiousWindows,
  computeInterval,
  decrementDeclared,
  mostRefusals,
  settle,
} from "./pacing.js";

export interface Observed {
  limits: LimitHeaders;
  /**
   * Whether `Retry-After` states the window's end. True for refusals and for the distributor API
   * (dist.limits.2).
   */
  declaresEnd: boolean;
  /** Monotonic times when the request was sent (`begunAt`) and when its response arrived (`receivedAt`). */
  begunAt: number;
  receivedAt: number;
  /** Time when the response arrived, from this machine's date, in milliseconds since 1970. */
  wall: number;
}

/** Time added to a window's end, because clocks drift and timers can fire early. */
const marginMilliseconds = 20;
/**
 * Seconds by which `Reset` can vary within one window. Some servers compute it from a time to live or from
 * their own clock.
 */
const wobbleSeconds = 2;

/**
 * Updates the state from a response. Uses the earliest declared end of a window, because declared ends are
 * rounded up.
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
  const { limits, receivedAt, begunAt } = observed;
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
  // `learnWindow` needs the state from before this response.
  state.windowMilliseconds = learnWindow(state, observed, { readings, certain, isLater: !isSame });
  state.declared = isSame ? fewer(state, limits.remaining) : limits.remaining;
  state.firstDeclared = (isSame ? state.firstDeclared : undefined) ?? state.declared;
  state.declaredAt = receivedAt;
  state.declaredSince = begunAt;
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
  readings: readonly number[];
  /** Whether the remaining time is certain: it comes from `Retry-After`, or two clocks agree. */
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
 * Returns the window's length, at most the documented one. A late end proves a longer window.
 * An early end proves a shorter window only if the window is new or the next window starts too soon
 * (public.limits.override).
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

function windowEndFromHeaders({ limits: { reset, date }, receivedAt }: Observed): number | undefined {
  return reset === undefined || date === undefined ? undefined : receivedAt / 1000 + reset - date;
}

/**
 * Returns the seconds from the end of the last seen window to the end of this response's window. Normally
 * compares the `Reset` values. If the ends that are computed from `Reset` and `Date` are clearly closer
 * together, compares those, because the responses may come from nodes with different clocks.
 */
function measureEndDistance(state: BucketState, observed: Observed): number {
  const byReset = (observed.limits.reset ?? 0) - (state.reset ?? 0);
  const now = windowEndFromHeaders(observed);
  if (now === undefined || state.toldEnd === undefined) return byReset;
  const byDate = now - state.toldEnd;
  return Math.abs(byDate) + wobbleSeconds < Math.abs(byReset) ? byDate : byReset;
}

/**
 * Compares a response's window with the last seen window. Ends that differ by at most `wobbleSeconds` belong
 * to the same window. If the response's window ends later by less than half a window, it is a new one only if
 * the number of remaining requests didn't decrease.
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
  // The request was sent before the last seen window's first response arrived, so its response belongs to an
  // earlier window.
  if (begunAt < (state.seenAt ?? begunAt)) return "earlier";
  // Restoring a snapshot sets back the emulator's clock.
  const setBack = state.date !== undefined && headers.date !== undefined && headers.date < state.date;
  return setBack ? "later" : "earlier";
}

/** A request decreases the remaining number, so an equal or higher number indicates a new window. */
function isReplenished(
  { declared, leftOver, declaredAt }: BucketState,
  { limits, begunAt }: Observed,
): boolean {
  const known = declared ?? leftOver;
  const isLater = begunAt >= (declaredAt ?? begunAt);
  return isLater && limits.remaining !== undefined && known !== undefined && limits.remaining >= known;
}

export interface RefusalWait {
  milliseconds: number;
  hasDeclaredTime: boolean;
}

/**
 * Shortest wait after a refusal that states no time. It is long enough to detect a stopped clock: the next
 * response then has the same `Date`.
 */
const firstBlindMilliseconds = 1_000;

/**
 * Updates the state after a refusal and returns how long to wait. If two clocks give different waits for
 * `Reset`, the first refusal uses the shorter wait and the second uses the longer one.
 * @param draw random number in [0, 1)
 */
export function refuse(state: BucketState, observed: Observed, draw: number): RefusalWait {
  const { limits, receivedAt, begunAt } = observed;
  const longest = state.documentedMilliseconds;
  close(state);
  settle(state, receivedAt);
  // Several refusals of concurrent requests extend the wait only once.
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
  state.cautious = cautiousWindows;
  state.proven = Math.min(state.proven, state.passed);
  const [first = receivedAt] = state.refusedAt;
  const budget = state.refusedAt.length < mostRefusals ? 0 : first + longest - receivedAt;
  const milliseconds = Math.max(requestedWait.milliseconds, budget);
  // A long wait of this process must not block other processes for more than a window.
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

/**
 * Updates the state after a withdrawn request: other processes have used up the limit, but the server has not
 * refused this client.
 */
export function withdraw(state: BucketState, observed: Observed): void {
  const { refusedAt, resetWaits, blindRefusals } = state;
  refuse(state, observed, 0);
  state.started = Math.max(0, state.started - 1);
  state.refusedAt = refusedAt;
  state.resetWaits = resetWaits;
  state.blindRefusals = blindRefusals;
}

/**
 * Returns the possible remaining times of the window that refused a request, one for each plausible clock.
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
