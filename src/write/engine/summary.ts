import { type Doubled, doubledOf } from "../journal/doubled.js";
import type { Journal } from "../journal/journal.js";

/** Number of rows, steps or resources by outcome. Planned items count under their expected outcome. */
export type Outcomes = Readonly<Record<string, number>>;

export interface WriteSummary {
  /** ID of the run; null if nothing was sent. */
  run_id: string | null;
  plan_id: string | null;
  file: string;
  /** ID of the imported or synchronized group; null if it doesn't exist. */
  group_id: string | null;
  /** Whether the plan was already applied. If so, nothing was sent. */
  applied_before: boolean;
  /** Number of input rows. For commands without input, the number of items. */
  rows: number;
  outcomes: Outcomes;
  /** Duplicates of this run's contacts that other processes created during the run. */
  doubled?: Doubled | undefined;
  requests: number;
  rate_limited: number;
  /** Duration by this machine's clock. */
  seconds: number;
  report: string;
}

/** Items without a response count as `unknown`. */
export function countOutcomes(journal: Journal): Record<string, number> {
  const outcomes: Record<string, number> = {};
  for (const { state, outcome, count } of journal.counts()) {
    const name = state === "unknown" || state === "sent" ? "unknown" : outcome;
    outcomes[name] = (outcomes[name] ?? 0) + count;
  }
  return outcomes;
}

export function countRows(journal: Journal): number {
  return journal.counts().reduce((sum, { count }) => sum + count, 0);
}

export function summaryOf(
  journal: Journal,
  { id, report }: { id: string | null; report: string },
  outcomes: Outcomes,
): WriteSummary {
  const textOf = (name: string) => {
    const value = journal.setting(name);
    return typeof value === "string" && value !== "" ? value : null;
  };
  return {
    run_id: id,
    plan_id: textOf("plan_id"),
    file: textOf("file") ?? "",
    group_id: textOf("group_id"),
    applied_before: false,
    rows: countRows(journal),
    outcomes,
    doubled: doubledOf(journal),
    requests: journal.numberOf("requests"),
    rate_limited: journal.numberOf("rate_limited"),
    seconds: Math.round(journal.numberOf("milliseconds") / 100) / 10,
    report,
  };
}

export function unsentSummary(
  known: Pick<WriteSummary, "file" | "outcomes" | "report"> & Partial<WriteSummary>,
): WriteSummary {
  return {
    ...{ run_id: null, plan_id: null, group_id: null, applied_before: false, rows: 0 },
    ...{ requests: 0, rate_limited: 0, seconds: 0 },
    ...known,
  };
}
