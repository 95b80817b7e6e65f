import { appendFile, readFile } from "node:fs/promises";
import { describeFsError } from "../../base/describe-fs-error.js";
import { resolveFileTarget, writeTarget } from "../../base/file-target.js";
import type { RunContext } from "../../write/engine/context.js";
import { type Rejected, toResultLine } from "../../write/engine/results-file.js";
import { totalsOf } from "../../write/engine/summary.js";
import { BulkError } from "../../write/errors.js";
import { pick } from "../../write/fields.js";
import { listResultItems } from "../../write/journal/outcome.js";
import { labelOf } from "../../write/plan/canonical.js";
import type { ApplySummary } from "../../write/plan/task.js";
import { changeLines } from "./changes.js";
import type { SyncPlan } from "./plan.js";
import type { SyncSummary, SyncTask } from "./task.js";

/** The decisions. */
export interface PlannedSync {
  created: number;
  updated: number;
  deleted: number;
  /** Names of the first of those that are deleted. */
  goers: readonly string[];
  /** The changes, one line each, up to the number that is shown to the user. */
  changes: readonly string[];
}

const deletionsShown = 5;
const changesShown = 20;

/**
 * Writes the rows and contacts that are not simply equal.
 * @returns the planned changes
 */
export async function writeResults(
  { machineClock, signal, listener }: RunContext,
  plan: SyncPlan,
  path: string,
): Promise<PlannedSync & { reasons: Map<string, number> }> {
  const { fields, unlisted } = plan.subject.adapter;
  const shown = fields.filter((field) => !unlisted.includes(field));
  const goers: string[] = [];
  const reasons = new Map<string, number>();
  const rejected: Rejected = { count: 0, first: [], changed: { count: 0, first: [] } };
  let deleted = 0;
  async function* lines(): AsyncGenerator<string, void> {
    for (const item of listResultItems(plan.journal)) {
      const line = toResultLine(item);
      // Equal already: no news, and most rows of a nightly run are.
      if (line.outcome === "unchanged") continue;
      if (line.outcome === "invalid" || line.outcome === "ambiguous") {
        rejected.count += 1;
        if (rejected.first.length < 10) rejected.first.push(line);
      }
      yield `${JSON.stringify(line)}\n`;
    }
    for (const { id, record, reason, row } of plan.unmatched()) {
      if (reason === undefined) {
        deleted += 1;
        if (goers.length < deletionsShown) goers.push(labelOf(plan.resource, record));
      } else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      const outcome = reason === undefined ? "deleted" : "left";
      const because = reason === undefined ? {} : { reason };
      yield `${JSON.stringify({ row: row ?? null, line: null, outcome, ...because, id, ...pick(record, shown) })}\n`;
    }
  }
  try {
    await writeTarget(await resolveFileTarget(path), lines(), { clock: machineClock, signal });
  } catch (cause) {
    if (!(cause instanceof Error) || !("syscall" in cause)) throw cause;
    throw new BulkError(
      "report_not_writable",
      `--report: ${path} can't be written: ${describeFsError(cause, "write")}`,
      undefined,
      { cause },
    );
  }
  if (rejected.count > 0) listener.rejected(rejected);
  const { created, updated } = totalsOf(plan.journal);
  return { created, updated, deleted, goers, changes: [...changeLines(plan, changesShown)], reasons };
}

/** The plan in numbers. */
export function summaryOf(
  { journal }: SyncPlan,
  { file, groupId }: SyncTask,
  { deleted, reasons }: PlannedSync & { reasons: ReadonlyMap<string, number> },
  report: string,
): SyncSummary {
  const { rows, created, updated, unchanged, duplicates, invalid } = totalsOf(journal);
  const count = (...names: string[]) => names.reduce((sum, name) => sum + (reasons.get(name) ?? 0), 0);
  const numberOf = (sql: string) => Number(journal.database.prepare(sql).get()?.["n"] ?? 0);
  return {
    run_id: null,
    plan_id: null,
    file,
    group_id: groupId,
    rows,
    created,
    updated,
    deleted,
    unchanged,
    duplicates,
    invalid,
    ambiguous: numberOf("SELECT count(*) AS n FROM items WHERE outcome = 'ambiguous'"),
    partly: numberOf(
      "SELECT count(*) AS n FROM items WHERE json_extract(detail, '$.dropped') IS NOT NULL AND outcome <> 'invalid'",
    ),
    left: [...reasons.values()].reduce((sum, number) => sum + number, 0),
    not_in_file: count("not_in_file"),
    duplicate_contacts: count("duplicate_contact"),
    protected: count("protected", "row_unusable", "row_without_number"),
    newer: count("newer", "no_time"),
    failed: 0,
    drifted: 0,
    unknown: 0,
    requests: 0,
    rate_limited: 0,
    seconds: 0,
    report,
  };
}

/** The summary of the plan with its results. */
export async function finalSummary(
  planned: SyncSummary,
  applied: ApplySummary,
  resultsPath: string,
): Promise<SyncSummary> {
  const { created, updated, deleted, steps, run_id, plan_id, requests, rate_limited, seconds } = applied;
  const failed = steps.rejected;
  const drifted = steps.drifted + steps.blocked + steps.skipped;
  if (failed + drifted + steps.unknown > 0) await appendFile(resultsPath, await readFile(applied.report));
  const costs = { requests, rate_limited, seconds };
  return {
    ...planned,
    ...{ run_id, plan_id, created, updated, deleted },
    ...{ failed, drifted, unknown: steps.unknown },
    ...costs,
  };
}
