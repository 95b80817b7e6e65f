import type { RunContext } from "../engine/context.js";
import { summaryOf } from "../engine/summary.js";
import { withOriginal } from "../engine/undo-run.js";
import type { Fields } from "../fields.js";
import { withTemporaryJournal } from "../journal/folder.js";
import { itemsIn } from "../journal/outcome.js";
import { recordOf } from "../values.js";
import { madeGroupOf, previewGroupUndo } from "./made-group.js";
import { planUndo } from "./plan.js";
import { countUndone, subjectOf, type UndoOptions, type UndoSummary, undoSummaryOf } from "./undo.js";

/** Preview of an undo. */
export interface UndoPreview {
  /** Expected outcomes. Writes of the run without a response are counted as `unknown`. */
  summary: UndoSummary;
  /** The first items, with their current fields; items that will be kept come first. */
  first: Fields[];
  /** Number of items. */
  count: number;
}

/** Maximum number of items in `UndoPreview.first`. */
const previewLimit = 20;

/**
 * Previews `undoRun`: reads and compares all resources, without making or storing changes. Does not resolve unfinished
 * items of the run, which are counted as `unknown`.
 * @throws BulkError see `undoRun`
 */
export async function previewUndo(
  context: RunContext,
  id: string,
  { subjects, includeMatched }: UndoOptions,
): Promise<UndoPreview> {
  return withOriginal(context, id, async (original) => {
    return withTemporaryJournal(context.folder, "dry-run-", async (journal) => {
      const subject = subjectOf(original, subjects);
      const { read, judge } = await subject.previewer(context, original, journal);
      await planUndo(context, original, journal, { subject, includeMatched, read });
      const kept: Fields[] = [];
      const undone: Fields[] = [];
      const deletedIds = new Set<string>();
      let count = 0;
      for (const item of itemsIn(journal)) {
        count += 1;
        const isPlanned = item.state === "planned";
        const { result, now } = isPlanned ? await judge(item) : { result: undefined, now: null };
        const decided = result !== undefined && "outcome" in result ? result : undefined;
        if (decided !== undefined) journal.record([decided], []);
        const outcome = decided?.outcome ?? item.outcome;
        if (outcome === "deleted" || outcome === "gone") deletedIds.add(item.target ?? "");
        const list = decided === undefined && isPlanned ? undone : kept;
        const { name: label, external_id, reason } = recordOf(decided?.detail ?? item.detail);
        const shown = { name: label ?? external_id, ...recordOf(now), line: item.line, outcome };
        if (list.length < previewLimit) list.push({ ...shown, undo_reason: reason });
      }
      const made = madeGroupOf(original);
      const group = made === undefined ? undefined : await previewGroupUndo(context, made, deletedIds);
      const requests = subject.adapter(context, journal).plannedRequests?.() ?? journal.count("planned");
      const unknown = original.journal.count("unknown") + original.journal.count("sent");
      const outcomes = { ...countUndone(journal), unknown };
      const summary = summaryOf(journal, { id: null, report: "" }, outcomes);
      return {
        summary: {
          ...undoSummaryOf(summary, original, group),
          requests: requests + (group === "deleted" ? 1 : 0),
        },
        first: [...kept, ...undone].slice(0, previewLimit),
        count,
      };
    });
  });
}
