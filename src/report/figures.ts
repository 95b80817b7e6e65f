/** public.operations.16: what a call is billed at least. */
const leastBilledSeconds = 60;

/** A call, as far as a report needs it. T10: what an answer did not say is undefined. */
export interface ReportedCall {
  assistantId: string;
  direction: string | undefined;
  status: string;
  /** When it was made, in milliseconds. */
  at: number;
  seconds: number | undefined;
  isOver: boolean;
  isAnswered: boolean;
}

/** Sums over some calls. */
export interface Figures {
  calls: number;
  answered: number;
  /** Answered over all that are over; null where none is. */
  answered_share: number | null;
  /** Not over yet. */
  open: number;
  /** Lengths of answered calls; null where none told one. */
  median_seconds: number | null;
  p95_seconds: number | null;
  duration_seconds: number;
  /** An answered call counts as a minute at least. */
  billable_seconds: number;
}

export function computeFigures(calls: readonly ReportedCall[]): Figures {
  const answered = calls.filter(({ isAnswered }) => isAnswered);
  const over = calls.filter(({ isOver }) => isOver);
  const lengths = answered.flatMap(({ seconds }) => seconds ?? []).sort((left, right) => left - right);
  return {
    calls: calls.length,
    answered: answered.length,
    answered_share: over.length === 0 ? null : roundShare(answered.length / over.length),
    open: calls.length - over.length,
    median_seconds: computePercentile(lengths, 0.5),
    p95_seconds: computePercentile(lengths, 0.95),
    duration_seconds: sum(lengths),
    billable_seconds: sum(answered.map(({ seconds = 0 }) => Math.max(leastBilledSeconds, seconds))),
  };
}

/** The smallest value that so great a share does not exceed (nearest rank). */
function computePercentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Shares to a tenth of a percent. */
function roundShare(share: number): number {
  return Math.round(share * 1000) / 1000;
}
