import { createAdapter } from "../adapter.js";
import type { RunContext } from "../engine/context.js";
import { awaitLateWrites } from "../engine/drive.js";
import { countOutcomes, type Outcomes, type WriteSummary } from "../engine/summary.js";
import { type Original, undoJournaled, withOriginal } from "../engine/undo-run.js";
import { BulkError } from "../errors.js";
import type { Journal } from "../journal/journal.js";
import { countItems, eachIn } from "../journal/outcome.js";
import { groupsOf } from "../plan/inspect.js";
import { learningOf, undoneResults } from "../plan/learning.js";
import { createPlannedSteps } from "../plan/planned-steps.js";
import type { Learn } from "../plan/task.js";
import type { Subject } from "../subject.js";
import { recordOf } from "../values.js";
import { type GroupResult, type GroupUndone, groupResult, madeGroupOf, undoGroup } from "./made-group.js";
import { planUndo } from "./plan.js";
import { updateReferences } from "./references.js";

export interface UndoSummary extends WriteSummary {
  undone: string;
  type: string;
  /** Result for the run's group; undefined if the run can't have created a group. */
  group: GroupResult | undefined;
}

/** Subjects by type of run. Runs of other types can't be undone. */
export type Subjects = ReadonlyMap<string, Subject>;

export interface UndoOptions {
  subjects: Subjects;
  /** Whether to delete resources that were only matched by content after a lost response. */
  includeMatched: boolean;
  learn?: Learn | undefined;
}

/**
 * Undoes a run: deletes created resources, restores updated resources and recreates deleted resources. Skips
 * resources that were changed since the run.
 * @throws BulkError if the run has a different target; see `runJournaled`
 */
export async function undoRun(context: RunContext, id: string, options: UndoOptions): Promise<UndoSummary> {
  return withOriginal(context, id, async (original) => {
    const subject = subjectOf(original, options.subjects);
    const made = madeGroupOf(original);
    let group: GroupUndone;
    const summary = await undoJournaled(context, original, {
      async plan({ id: undoId, journal }) {
        await lookUpOriginal(context, original, subject);
        for (const name of ["file", "profile", "plan_id", "command", "group_name"])
          journal.setSetting(name, original.journal.setting(name) ?? null);
        await holdGroups(context, original);
        await planUndo(context, original, journal, { ...options, subject, ownId: undoId });
      },
      adapter: (journal) => createAdapter(context, journal, subject, { isUndo: true }),
      async conclude(journal) {
        subject.undone?.(context, journal);
        journal.addTo("references_mended", await updateReferences(context, journal));
        const learning = learningOf(original.journal);
        if (learning !== undefined)
          await options.learn?.undone(learning, undoneResults(original.journal, journal));
        if (made !== undefined) group = await undoGroup(context, made, journal);
      },
      outcomes: countUndone,
    });
    return undoSummaryOf(summary, original, group);
  });
}

/** @throws BulkError if runs of this type can't be undone */
export function subjectOf({ identity: { kind } }: Original, subjects: Subjects): Subject {
  const subject = subjects.get(kind);
  if (subject === undefined) throw new BulkError("run_of_other_kind", `can't undo a run of type ${kind}`);
  return subject;
}

/**
 * Determines the outcome of unconfirmed items, then marks the run as finished, so that planned items are
 * never sent.
 */
async function lookUpOriginal(
  context: RunContext,
  { journal: original }: Original,
  subject: Subject,
): Promise<void> {
  original.sentToUnknown();
  // The run may have stopped before it sent lost requests again.
  if (original.setting("finished_at") === undefined)
    original.database.exec("UPDATE items SET state = 'unknown' WHERE state = 'planned' AND attempts > 0");
  const lost = original.count("unknown");
  if (lost > 0) {
    await awaitLateWrites(context, lost);
    // Check again the items whose outcome the run itself could not determine.
    for (const { number, detail } of eachIn(original, "unknown")) {
      const { decided: _, candidates: __, ...rest } = recordOf(detail);
      original.record([{ number, state: "unknown", detail: rest }], []);
    }
    await subject.lookUp(context, original);
    // If lists still don't show the resource of a lost create, nothing is left to undo.
    for (const { number, action, detail } of eachIn(original, "unknown"))
      if (action === "create" && recordOf(detail)["candidates"] === undefined)
        original.record([{ number, state: "planned" }], []);
    original.step("reconciled");
  }
  if (original.setting("finished_at") === undefined)
    original.setSetting("finished_at", context.machineClock.now());
}

/** The group of an import is already locked. */
async function holdGroups({ locks }: RunContext, { journal, identity }: Original): Promise<void> {
  if (identity.group_id !== "") return;
  const groups = new Set<string>();
  const plannedOf = createPlannedSteps(journal);
  for (const item of eachIn(journal, "done"))
    for (const group of groupsOf(plannedOf(item).step)) groups.add(group);
  for (const id of [...groups].sort()) await locks.hold({ id });
}

/**
 * Counts the items of an undo by outcome:
 * - `changed_since` and `gone`: resources that the undo skipped
 * - `partly`: restored resources, except for fields that were changed since the run
 * - `matched`: resources that were skipped because they were matched only by content after a lost response
 * - `with_msp`: licenses of deleted MSPs; no read request shows whether the service also deleted the licenses
 * - `references_mended`: assistants that now reference the new IDs
 */
export function countUndone(journal: Journal): Outcomes {
  const { changed, failed = 0, blocked = 0, drifted = 0, ...outcomes } = countOutcomes(journal);
  return {
    ...outcomes,
    changed_since: changed ?? 0,
    failed: failed + blocked + drifted,
    references_mended: journal.numberOf("references_mended"),
    partly: countItems(
      journal,
      "outcome = 'restored' AND state IN ('planned', 'done') AND json_extract(detail, '$.left') IS NOT NULL",
    ),
  };
}

export function undoSummaryOf(summary: WriteSummary, original: Original, group: GroupUndone): UndoSummary {
  const { id, identity, journal } = original;
  return {
    ...summary,
    group_id: identity.group_id === "" ? null : identity.group_id,
    undone: id,
    type: identity.kind,
    group: madeGroupOf(original) === undefined ? undefined : groupResult(journal, group),
  };
}
