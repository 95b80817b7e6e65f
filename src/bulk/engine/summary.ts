import type { Journal } from "../journal/journal.js";

/** The object that `-o json` prints. */
export interface ImportSummary {
  /** Null of a dry run. */
  run_id: string | null;
  file: string;
  group_id: string | null;
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  duplicates: number;
  invalid: number;
  /** Rejected by the service. */
  failed: number;
  /** Nobody knows. */
  unknown: number;
  requests: number;
  rate_limited: number;
  /** Of the service's clock. */
  seconds: number;
  report: string;
}

const fields = {
  created: "created",
  updated: "updated",
  unchanged: "unchanged",
  duplicate: "duplicates",
  invalid: "invalid",
  failed: "failed",
} as const;

function isOutcome(outcome: string): outcome is keyof typeof fields {
  return Object.hasOwn(fields, outcome);
}

/** Rows by what became of them; of planned ones, by what is to become of them. */
export function totalsOf(journal: Journal) {
  const totals = {
    rows: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    duplicates: 0,
    invalid: 0,
    failed: 0,
    unknown: 0,
  };
  for (const { state, outcome, count } of journal.counts()) {
    totals.rows += count;
    if (state === "unknown" || state === "sent") totals.unknown += count;
    else if (isOutcome(outcome)) totals[fields[outcome]] += count;
  }
  return totals;
}

export function costsOf(journal: Journal): Pick<ImportSummary, "requests" | "rate_limited" | "seconds"> {
  return {
    requests: journal.numberOf("requests"),
    rate_limited: journal.numberOf("rate_limited"),
    seconds: Math.round(journal.numberOf("milliseconds") / 100) / 10,
  };
}

export function summaryOf(journal: Journal, run: { id: string | null; report: string }): ImportSummary {
  const groupId = journal.setting("group_id");
  return {
    run_id: run.id,
    file: String(journal.setting("file")),
    group_id: typeof groupId === "string" ? groupId : null,
    ...totalsOf(journal),
    ...costsOf(journal),
    report: run.report,
  };
}
