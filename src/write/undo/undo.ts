import type { RunContext } from "../engine/context.js";
import { awaitLateWrites } from "../engine/drive.js";
import { costsOf } from "../engine/summary.js";
import { countUndone, type Original, type UndoResult, undoJournaled } from "../engine/undo-run.js";
import { BulkError } from "../errors.js";
import type { RunType } from "../journal/identity.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { groupsOf } from "../plan/inspect.js";
import { learningOf, undoneResults } from "../plan/learning.js";
import { createPlannedSteps } from "../plan/planned-steps.js";
import type { Learn } from "../plan/task.js";
import { type GroupResult, type GroupUndone, groupResult, madeGroupOf, undoGroup } from "./made-group.js";
import { planUndo } from "./plan.js";
import { updateReferences } from "./references.js";
import type { UndoSubject, UndoSubjects } from "./subject.js";

/** The results of the undo of an import or of a plan's run. */
export interface UndoSummary extends UndoResult, Partial<GroupResult> {
  /** The group of an import. */
  group_id?: string;
  /** Number of resources that it had changed. */
  restored: number;
  /**
   * Kept: their responses were lost, and they were found by their content. `--include-matched` deletes them.
   */
  matched?: number;
  /** Of a plan and of organizations: deleted resources that were created again, with new ids. */
  recreated?: number;
  /** Of organizations: licenses whose MSP is kept, and changes that the API can't undo. */
  kept?: number;
  /** Of organizations: licenses whose MSP was deleted; it can't be read whether the service keeps them. */
  with_msp?: number;
  /** Of a plan: can't be undone. */
  not_undoable?: number;
  /** Of a plan: assistants whose references were changed from an old id to a new one. */
  references_mended?: number;
}

export interface UndoOptions {
  subjects: UndoSubjects;
  /** Delete also resources that the run may have created: found by their content after the response was lost. */
  includeMatched: boolean;
  /** Reverts the key map to its state before the plan's run. */
  learn?: Learn | undefined;
}

/**
 * Deletes what a run created, restores what it updated and creates again what it deleted (A10), unless it was
 * changed since then.
 * @throws see `undoJournaled`
 */
export async function undoRun(context: RunContext, id: string, options: UndoOptions): Promise<UndoSummary> {
  return undoJournaled(context, id, (original) => {
    const subject = subjectOf(original, options.subjects);
    const made = madeGroupOf(original);
    let group: GroupUndone;
    return {
      async plan({ id: undoId, journal }) {
        await lookUpOriginal(context, original, subject);
        for (const name of ["file", "profile", "plan_id", "command", "group_name"])
          journal.setSetting(name, original.journal.setting(name) ?? null);
        await holdGroups(context, original);
        await planUndo(context, original, journal, { ...options, subject, ownId: undoId });
      },
      adapter: (journal) => subject.adapter(context, journal),
      async conclude(journal) {
        journal.addTo("references_mended", await updateReferences(context, journal));
        const learning = learningOf(original.journal);
        if (learning !== undefined)
          await options.learn?.undone(learning, undoneResults(original.journal, journal));
        if (made !== undefined) group = await undoGroup(context, made, journal);
      },
      summarize: (journal, run) => undoSummaryOf(journal, original, run, group),
    };
  });
}

const organizationsRun: RunType = "provisioning";

/** @throws BulkError for a run that can't be undone */
export function subjectOf({ identity: { kind } }: Original, subjects: UndoSubjects): UndoSubject {
  const subject = subjects.get(kind);
  if (subject === undefined)
    throw new BulkError("run_of_other_kind", `a run of type ${kind} can't be undone`);
  return subject;
}

/** Open items of the run are looked up, and planned ones are dropped. */
async function lookUpOriginal(
  context: RunContext,
  { journal: original }: Original,
  subject: UndoSubject,
): Promise<void> {
  original.sentToUnknown();
  const lost = original.count("unknown");
  if (lost > 0) {
    await awaitLateWrites(context, lost);
    await subject.lookUp(context, original);
    original.step("reconciled");
  }
  if (original.setting("finished_at") === undefined)
    original.setSetting("finished_at", context.machineClock.now());
}

/** Locks the groups that the run wrote into (T20); the group of an import is locked before it is opened. */
async function holdGroups({ locks }: RunContext, { journal, identity }: Original): Promise<void> {
  if (identity.group_id !== "") return;
  const groups = new Set<string>();
  const plannedOf = createPlannedSteps(journal);
  for (const item of eachIn(journal, "done"))
    for (const group of groupsOf(plannedOf(item).step)) groups.add(group);
  for (const id of [...groups].sort()) await locks.hold({ id });
}

/** Summarizes an undo, with the fields of its type of run. */
export function undoSummaryOf(
  journal: Journal,
  original: Original,
  run: { id: string; report: string },
  group: GroupUndone,
): UndoSummary {
  const { recreated, not_undoable, matched, kept, with_msp, ...totals } = countUndone(journal);
  const { id, identity } = original;
  const isPlan = identity.group_id === "";
  const plan = { recreated, not_undoable, references_mended: journal.numberOf("references_mended") };
  return {
    run_id: run.id,
    undone: id,
    ...(isPlan ? {} : { group_id: identity.group_id }),
    ...(madeGroupOf(original) === undefined ? {} : groupResult(original.journal, group)),
    ...totals,
    ...(identity.kind === organizationsRun
      ? { recreated, kept, with_msp }
      : { matched, ...(isPlan ? plan : {}) }),
    ...costsOf(journal),
    report: run.report,
  };
}
