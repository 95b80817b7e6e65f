import type { Journal } from "../journal/journal.js";

/**
 * Counts by outcome: of the rows and steps of a run, of the resources that it wrote, and of facts about them.
 * Planned items count by their expected outcome.
 */
export type Outcomes = Readonly<Record<string, number>>;

/** The result of a command that writes, or its preview. Each command prints its own view of it. */
export interface WriteSummary {
  /** Null if nothing was sent. */
  run_id: string | null;
  /** Null if no plan was made. */
  plan_id: string | null;
  file: string;
  /** The group of an import or a synchronization, if it exists. */
  group_id: string | null;
  /** The plan was applied before, and nothing was sent. */
  applied_before: boolean;
  /** Rows of the input; for other commands, the items of the run. */
  rows: number;
  outcomes: Outcomes;
  requests: number;
  rate_limited: number;
  /** Times by the service's clock. */
  seconds: number;
  report: string;
}

/** Counts the items of a run by outcome; those without a response are `unknown`. */
export function countOutcomes(journal: Journal): Record<string, number> {
  const outcomes: Record<string, number> = {};
  for (const { state, outcome, count } of journal.counts()) {
    const name = state === "unknown" || state === "sent" ? "unknown" : outcome;
    outcomes[name] = (outcomes[name] ?? 0) + count;
  }
  return outcomes;
}

/** Counts the rows of a run's input, or its items. */
export function countRows(journal: Journal): number {
  return journal.counts().reduce((sum, { count }) => sum + count, 0);
}

/** The summary of a run. */
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
    requests: journal.numberOf("requests"),
    rate_limited: journal.numberOf("rate_limited"),
    seconds: Math.round(journal.numberOf("milliseconds") / 100) / 10,
    report,
  };
}

/** The summary of a command that has sent nothing. */
export function unsentSummary(
  known: Pick<WriteSummary, "file" | "outcomes" | "report"> & Partial<WriteSummary>,
): WriteSummary {
  return {
    ...{ run_id: null, plan_id: null, group_id: null, applied_before: false, rows: 0 },
    ...{ requests: 0, rate_limited: 0, seconds: 0 },
    ...known,
  };
}
