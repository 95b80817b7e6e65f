/** Minimum billed duration of a call (public.operations.16). */
const leastBilledSeconds = 60;

/** A field is undefined if the response doesn't contain it. */
export interface ReportedCall {
  assistantId: string;
  direction: string | undefined;
  status: string;
  /** Time of creation, in milliseconds. */
  at: number;
  seconds: number | undefined;
  isOver: boolean;
  isAnswered: boolean;
}

export interface Figures {
  calls: number;
  answered: number;
  /** Share of ended calls that were answered; null if no call has ended. */
  answered_share: number | null;
  /** Number of calls that have not ended. */
  open: number;
  /** Median duration of answered calls; null if no duration is known. */
  median_seconds: number | null;
  p95_seconds: number | null;
  /** Null if the service returns no durations. */
  duration_seconds: number | null;
  /** An answered call is billed for at least one minute. Null if the service returns no durations. */
  billable_seconds: number | null;
}

export function computeFigures(calls: readonly ReportedCall[]): Figures {
  const answered = calls.filter(({ isAnswered }) => isAnswered);
  const over = calls.filter(({ isOver }) => isOver);
  const lengths = answered.flatMap(({ seconds }) => seconds ?? []).sort((left, right) => left - right);
  const isKnown = lengths.length > 0 || answered.length === 0;
  const billed = answered.map(({ seconds = 0 }) => Math.max(leastBilledSeconds, seconds));
  return {
    calls: calls.length,
    answered: answered.length,
    answered_share: over.length === 0 ? null : roundShare(answered.length / over.length),
    open: calls.length - over.length,
    median_seconds: computePercentile(lengths, 0.5),
    p95_seconds: computePercentile(lengths, 0.95),
    duration_seconds: isKnown ? sum(lengths) : null,
    billable_seconds: isKnown ? sum(billed) : null,
  };
}

/** Computes a percentile with the nearest-rank method. */
function computePercentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function roundShare(share: number): number {
  return Math.round(share * 1000) / 1000;
}
