import { normalized } from "../fields.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";

/** The object that `-o json` prints. */
export interface ImportSummary {
  /** Null for a dry run. */
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
  /** The outcome is unknown. */
  unknown: number;
  /** Imported or unchanged, without a cell that could not be read. */
  partly?: number;
  /** Rows that match several contacts. */
  ambiguous?: number;
  /** Rows whose contacts were changed by others between plan and write. */
  drifted?: number;
  /** Previous values that were kept in addition to new ones with `--on-match update`. */
  kept?: { phone_numbers: number; emails: number };
  requests: number;
  rate_limited: number;
  /** Times by the service's clock. */
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

/** Counts rows by result; planned rows by expected result. */
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

/** Counts rows that were imported without one of their cells. */
function partlyOf({ database }: Journal): Pick<ImportSummary, "partly"> {
  const row = database
    .prepare(
      "SELECT count(*) AS n FROM items WHERE json_extract(detail, '$.dropped') IS NOT NULL AND outcome <> 'invalid' AND state <> 'rejected'",
    )
    .get();
  const count = Number(row?.["n"] ?? 0);
  return count === 0 ? {} : { partly: count };
}

function ambiguousOf({ database }: Journal): Pick<ImportSummary, "ambiguous"> {
  const row = database.prepare("SELECT count(*) AS n FROM items WHERE outcome = 'ambiguous'").get();
  const count = Number(row?.["n"] ?? 0);
  return count === 0 ? {} : { ambiguous: count };
}

/** Counts the values that an update kept in addition to a new one (I5). */
function keptOf({ database }: Journal): Pick<ImportSummary, "kept"> {
  const kept = { phone_numbers: 0, emails: 0 };
  const rows = database
    .prepare("SELECT body, input FROM items WHERE action = 'update' AND state IN ('planned', 'done')")
    .iterate();
  for (const row of rows) {
    const [body, input] = [row["body"], row["input"]].map((text) =>
      recordOf(typeof text === "string" ? JSON.parse(text) : {}),
    );
    if (input?.["replace_rules"] !== undefined) return {};
    for (const field of ["phone_numbers", "emails"] as const) {
      const list: unknown = body?.[field];
      const own: unknown = input?.[field];
      if (!Array.isArray(list) || !Array.isArray(own)) continue;
      const forms = new Set(own.map((entry) => normalized(field, entry)));
      kept[field] += list.filter((entry) => !forms.has(normalized(field, entry))).length;
    }
  }
  return kept.phone_numbers + kept.emails === 0 ? {} : { kept };
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
    ...partlyOf(journal),
    ...keptOf(journal),
    ...ambiguousOf(journal),
    ...costsOf(journal),
    report: run.report,
  };
}
