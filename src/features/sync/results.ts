import { appendFile, readFile } from "node:fs/promises";
import { describeFsError } from "../../base/describe-fs-error.js";
import { resolveFileTarget, writeTarget } from "../../base/file-target.js";
import type { RunContext } from "../../write/engine/context.js";
import { type Rejected, type ResultLine, toResultLine } from "../../write/engine/results-file.js";
import { countOutcomes, countRows, unsentSummary, type WriteSummary } from "../../write/engine/summary.js";
import { BulkError } from "../../write/errors.js";
import { pick } from "../../write/fields.js";
import type { Journal } from "../../write/journal/journal.js";
import { countItems, listResultItems } from "../../write/journal/outcome.js";
import { labelOf } from "../../write/plan/canonical.js";
import { countPartly } from "../import/imports/outcomes.js";
import { changeLines } from "./changes.js";
import type { SyncPlan } from "./plan.js";
import type { SyncTask } from "./task.js";

export interface PlannedSync {
  created: number;
  updated: number;
  deleted: number;
  goers: readonly string[];
  changes: readonly string[];
}

const plannedOutcomes: ReadonlySet<string> = new Set(["updated", "deleted"]);
const deletionsShown = 5;
const changesShown = 20;

export async function writeResults(
  { machineClock, signal, listener }: RunContext,
  plan: SyncPlan,
  path: string,
): Promise<PlannedSync & { reasons: Map<string, number> }> {
  const { fields, unlisted, type } = plan.adapter;
  const shown = fields.filter((field) => !unlisted.includes(field));
  const goers: string[] = [];
  const reasons = new Map<string, number>();
  const rejected: Rejected = { count: 0, first: [], changed: { count: 0, first: [] } };
  let deleted = 0;
  async function* lines(): AsyncGenerator<string, void> {
    for (const item of listResultItems(plan.journal)) {
      const line = toResultLine(item);
      // Omit unchanged rows: in a nightly sync, most rows are unchanged.
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
        if (goers.length < deletionsShown) goers.push(labelOf(type, record));
      } else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      const outcome = reason === undefined ? "to_delete" : "left";
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
  const { created = 0, updated = 0 } = countOutcomes(plan.journal);
  return { created, updated, deleted, goers, changes: [...changeLines(plan, changesShown)], reasons };
}

/** Counts contacts that keep their only number or email although the row's cell is empty. */
function countKeptValues(journal: Journal): number {
  const isKept = (field: string) =>
    `(json_extract(input, '$.${field}') = '[]' AND json_extract(body, '$.${field}') IS NULL AND json_array_length(coalesce(before, answer), '$.${field}') > 0)`;
  return countItems(
    journal,
    `outcome IN ('unchanged', 'updated') AND (${isKept("phone_numbers")} OR ${isKept("emails")})`,
  );
}

/** The outcomes include the number of kept resources by reason. */
export function summaryOf(
  { journal }: SyncPlan,
  { file, groupId }: SyncTask,
  { deleted, reasons }: PlannedSync & { reasons: ReadonlyMap<string, number> },
  report: string,
): WriteSummary {
  const counts = { partly: countPartly(journal), kept_values: countKeptValues(journal) };
  const planned = { ...countOutcomes(journal), ...counts, deleted };
  const outcomes = { ...planned, ...Object.fromEntries(reasons) };
  return unsentSummary({
    file,
    group_id: groupId === "" ? null : groupId,
    rows: countRows(journal),
    outcomes,
    report,
  });
}

function parseLines(text: string): ResultLine[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): ResultLine => JSON.parse(line));
}

const toText = (line: ResultLine) => `${JSON.stringify(line)}\n`;

/** Marks the deletions that were made. Skips a pipe, because its reader has already received the lines. */
export async function markDeleted(
  { machineClock, signal }: RunContext,
  path: string,
  deletedIds: ReadonlySet<unknown>,
): Promise<void> {
  const target = await resolveFileTarget(path);
  if (target.type !== "file") return;
  const lines = parseLines(await readFile(path, "utf8")).map((line) =>
    toText(
      line.outcome === "to_delete" && deletedIds.has(line["id"]) ? { ...line, outcome: "deleted" } : line,
    ),
  );
  await writeTarget(target, lines, { clock: machineClock, signal });
}

/** Omits updates and deletions that went as planned, because the results file already contains them. */
function unplannedLines(report: string, toFileLine: (line: ResultLine) => ResultLine): string {
  return parseLines(report)
    .filter((line) => !plannedOutcomes.has(line.outcome) || "changed_elsewhere" in line)
    .map((line) => toText(toFileLine(line)))
    .join("");
}

/** @param toFileLine replaces a step's number with the row and line of the file */
export async function finalSummary(
  { planned, applied }: { planned: WriteSummary; applied: WriteSummary },
  resultsPath: string,
  toFileLine: (line: ResultLine) => ResultLine,
): Promise<WriteSummary> {
  const { created = 0, updated = 0, deleted = 0, failed = 0, unknown = 0, ...steps } = applied.outcomes;
  const { drifted = 0, blocked = 0, skipped = 0, changed_elsewhere = 0 } = steps;
  const changed = drifted + blocked + skipped;
  if (failed + changed + changed_elsewhere + unknown > 0 || applied.doubled !== undefined)
    await appendFile(resultsPath, unplannedLines(await readFile(applied.report, "utf8"), toFileLine));
  const { run_id, plan_id, doubled, requests, rate_limited, seconds } = applied;
  return {
    ...planned,
    ...{ run_id, plan_id, doubled, requests, rate_limited, seconds },
    outcomes: {
      ...{ ...planned.outcomes, created, updated, deleted, failed, unknown },
      ...{ drifted: changed, changed_elsewhere },
    },
  };
}
