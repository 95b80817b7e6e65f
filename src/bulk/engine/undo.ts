import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { BulkError } from "../errors.js";
import type { RunIdentity } from "../journal/identity.js";
import { Journal } from "../journal/journal.js";
import { undoIdOf } from "../journal/runs.js";
import { recordOf } from "../values.js";
import { checkPlace, openRunById } from "./resume.js";
import { type Reversible, reversal } from "./reversal.js";
import { drive, type RunContext } from "./run.js";
import { costsOf } from "./summary.js";
import { foreseeGroup, type GroupUndone, type KeptBecause, undoGroup } from "./undo-group.js";
import { compareWithNow, planUndo, valueNow } from "./undo-plan.js";
import { withUndo } from "./undo-run.js";

/** What became of what a run did. */
export interface UndoSummary {
  run_id: string;
  /** The run that was undone. */
  undone: string;
  group_id: string;
  /** The run had made the group, and nothing else was in it. */
  group_deleted: boolean;
  /** The name of a group that the run had made, and that stays. */
  group_kept: string | null;
  /** Why: it has another name, other things are in it, or an assistant uses it. */
  group_kept_because: KeptBecause | null;
  /** Things that the run had created. */
  deleted: number;
  /** Things that the run had updated. */
  restored: number;
  /** Left alone: somebody changed them since. */
  changed_since: number;
  /** No longer there. */
  gone: number;
  failed: number;
  unknown: number;
  requests: number;
  rate_limited: number;
  seconds: number;
  report: string;
}

/**
 * Deletes what a run created and restores what it updated, where nobody has changed it since. Journaled like the run
 * itself: when it is interrupted, the next call goes on.
 * @param kindOf what to know of the run's kind; undefined for one that can't be undone
 * @throws BulkError before anything was sent; the signal's reason, or a ClientError, when it can be gone on with
 */
export async function undoRun(
  context: RunContext,
  id: string,
  kindOf: (kind: string, groupId: string) => Reversible | undefined,
): Promise<UndoSummary> {
  const { journal, identity } = await openRunById(context, id);
  try {
    const kind = checkedKind(context, id, { journal, identity }, kindOf);
    return await withUndo(
      context,
      { id, journal, identity },
      async (undo) => {
        if (!undo.resumed) await planUndo(context, journal, undo.journal, kind);
        await drive(context, undo.journal, reversal(context.client, kind), undo);
        return undoGroup(context, journal, kind, identity.group_id);
      },
      (undo, group, report) => summaryOf(undo.journal, { id, identity, group, report }),
    );
  } finally {
    journal.close();
  }
}

/** What a run's undo would do. */
export interface UndoForeseen {
  summary: Omit<UndoSummary, "run_id" | "report">;
  /** The first of the things, those that would be left alone before the others, with their fields as they are now. */
  first: Readonly<Record<string, unknown>>[];
}

const foreseenShown = 20;

/**
 * What `undoRun` would do: everything is read and compared, nothing is sent or kept. What the run left open is not
 * looked up, and stands under `unknown`.
 * @throws BulkError as `undoRun`
 */
export async function foreseeUndo(
  context: RunContext,
  id: string,
  kindOf: (kind: string, groupId: string) => Reversible | undefined,
): Promise<UndoForeseen> {
  const { journal, identity } = await openRunById(context, id);
  const temporary = await mkdtemp(join(context.folder, "dry-run-"));
  try {
    const kind = checkedKind(context, id, { journal, identity }, kindOf);
    const undo = await Journal.open(join(temporary, "run.sqlite"), { create: true, durable: false });
    try {
      await compareWithNow(context, journal, undo, kind);
      undo.setSetting("group_name", journal.setting("group_name") ?? null);
      const { deleted } = summaryOf(undo, { id, identity, group: undefined, report: "" });
      const group = await foreseeGroup(context, journal, kind, identity.group_id, deleted);
      const { run_id: _, report: __, ...summary } = summaryOf(undo, { id, identity, group, report: "" });
      const items = [...undo.inState("settled", 0, foreseenShown), ...undo.planned(0, foreseenShown)];
      return {
        summary: {
          ...summary,
          unknown: journal.count("unknown") + journal.count("sent"),
          requests: undo.count("planned") + (group === "deleted" ? 1 : 0),
        },
        first: items
          .slice(0, foreseenShown)
          .map(({ target = "", outcome, line }) => ({ ...recordOf(valueNow(undo, target)), line, outcome })),
      };
    } finally {
      undo.close();
    }
  } finally {
    journal.close();
    await rm(temporary, { recursive: true, force: true });
  }
}

/** @throws BulkError for a run that can't be undone, or not here, or not again */
function checkedKind(
  context: RunContext,
  id: string,
  { journal, identity }: Awaited<ReturnType<typeof openRunById>>,
  kindOf: (kind: string, groupId: string) => Reversible | undefined,
): Reversible {
  const kind = kindOf(identity.kind, identity.group_id);
  if (!kind) throw new BulkError("run_of_other_kind", `a run of the kind ${identity.kind} can't be undone`);
  checkUndoable(context, id, { journal, identity });
  return kind;
}

/** @throws BulkError for a run that was elsewhere, or is undone */
export function checkUndoable(
  context: RunContext,
  id: string,
  { journal, identity }: Awaited<ReturnType<typeof openRunById>>,
): void {
  checkPlace(context, identity, journal.setting("profile"));
  if (journal.setting("undone_at") !== undefined) {
    throw new BulkError("run_finished", `the run ${id} is undone already`);
  }
}

function summaryOf(
  journal: Journal,
  run: { id: string; identity: RunIdentity; group: GroupUndone; report: string },
): UndoSummary {
  const counts = { deleted: 0, restored: 0, changed: 0, gone: 0, failed: 0, unknown: 0 };
  const isOutcome = (outcome: string): outcome is keyof typeof counts => Object.hasOwn(counts, outcome);
  for (const { state, outcome, count } of journal.counts()) {
    if (state === "unknown" || state === "sent") counts.unknown += count;
    else if (isOutcome(outcome)) counts[outcome] += count;
  }
  const { deleted, restored, changed, gone, failed, unknown } = counts;
  const because = run.group === undefined || run.group === "deleted" ? null : run.group;
  return {
    run_id: undoIdOf(run.id),
    undone: run.id,
    group_id: run.identity.group_id,
    group_deleted: run.group === "deleted",
    group_kept: because === null ? null : String(journal.setting("group_name")),
    group_kept_because: because,
    deleted,
    restored,
    changed_since: changed,
    gone,
    failed,
    unknown,
    ...costsOf(journal),
    report: run.report,
  };
}
