import { createAdapter, sendingOf } from "../adapter.js";
import type { RunContext } from "../engine/context.js";
import { isItem } from "../engine/request.js";
import { summaryOf } from "../engine/summary.js";
import { type Original, withOriginal } from "../engine/undo-run.js";
import { createExisting, readings } from "../existing.js";
import type { Fields } from "../fields.js";
import { withTemporaryJournal } from "../journal/folder.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { itemsIn } from "../journal/outcome.js";
import { unlistedOf } from "../plan/canonical.js";
import { listInScope, readResource } from "../remote.js";
import type { ReadCurrent, Subject } from "../subject.js";
import { recordOf } from "../values.js";
import { madeGroupOf, previewGroupUndo } from "./made-group.js";
import { planUndo } from "./plan.js";
import { countUndone, subjectOf, type UndoOptions, type UndoSummary, undoSummaryOf } from "./undo.js";

export interface UndoPreview {
  /** Expected outcomes. The run's lost writes count as `unknown`. */
  summary: UndoSummary;
  /**
   * Some items with their current fields. Skipped items come first. If enough other items exist, skipped
   * items fill at most half of the list.
   */
  first: Fields[];
  count: number;
}

/**
 * Compares all resources like `undoRun`, without making changes. Unfinished items count as `unknown`.
 * @param options.compares false to count only the run's own changes, without reading the resources
 * @param options.most number of items to return
 * @throws BulkError see `undoRun`
 */
export async function previewUndo(
  context: RunContext,
  id: string,
  { subjects, includeMatched, compares, most }: UndoOptions & { compares: boolean; most: number },
): Promise<UndoPreview> {
  return withOriginal(context, id, async (original) => {
    return withTemporaryJournal(context.folder, "dry-run-", async (journal) => {
      const subject = subjectOf(original, subjects);
      const read = compares ? await createReader(context, original, journal) : undefined;
      await planUndo(context, original, journal, { subject, includeMatched, read, compares });
      const judge = read && createJudge(context, journal, subject, read);
      const kept: Fields[] = [];
      const undone: Fields[] = [];
      const deletedIds = new Set<string>();
      let count = 0;
      for (const item of itemsIn(journal)) {
        count += 1;
        const isPlanned = item.state === "planned";
        const { result, now } = isPlanned && judge ? await judge(item) : { result: undefined, now: null };
        const decided = result !== undefined && "outcome" in result ? result : undefined;
        if (decided !== undefined) journal.record([decided], []);
        const outcome = decided?.outcome ?? item.outcome;
        if (outcome === "deleted" || outcome === "gone") deletedIds.add(item.target ?? "");
        const list = decided === undefined && isPlanned ? undone : kept;
        const { name: label, external_id, reason } = recordOf(decided?.detail ?? item.detail);
        const shown = { name: label ?? external_id, ...recordOf(now), line: item.line, outcome };
        if (list.length < most) list.push({ ...shown, undo_reason: reason, restores: item.body });
      }
      const made = madeGroupOf(original);
      const group = made && (await previewGroupUndo(context, made, compares ? deletedIds : undefined));
      const requests = createAdapter(context, journal, subject, { isUndo: true }).plannedRequests();
      const unknown = original.journal.count("unknown") + original.journal.count("sent");
      const outcomes = { ...countUndone(journal), unknown };
      const summary = summaryOf(journal, { id: null, report: "" }, outcomes);
      return {
        summary: {
          ...undoSummaryOf(summary, original, group),
          requests: requests + (group === "deleted" ? 1 : 0),
        },
        first: [...kept.slice(0, Math.max(most / 2, most - undone.length)), ...undone].slice(0, most),
        count,
      };
    });
  });
}

function createJudge(context: RunContext, journal: Journal, subject: Subject, read: ReadCurrent) {
  let now: Fields | null = null;
  const sending = sendingOf(context, journal, true, async (resource, id) => {
    now = await read(resource, id);
    return now;
  });
  const course = subject.course(sending);
  return async (item: Item): Promise<{ result: Result | undefined; now: Fields | null }> => {
    now = null;
    const noted = course.noteResult?.(item);
    if (noted !== undefined) return { result: noted, now };
    const planned = sending.plannedOf(item);
    const judged = await course.judge?.(item, planned);
    return { result: judged === undefined || isItem(judged) ? undefined : judged, now };
  };
}

/** For an import, reads the group's list first if the list contains all fields. */
async function createReader(
  context: RunContext,
  { identity: { kind, group_id } }: Original,
  journal: Journal,
): Promise<ReadCurrent> {
  const byId: ReadCurrent = (resource, id) => readResource(context, resource, id);
  if (group_id === "" || unlistedOf(kind).length > 0) return byId;
  const listed = createExisting(journal.database);
  let count = 0;
  for await (const { id, record: value } of listInScope(context, kind, { group_id })) {
    listed.add({ id, value, keys: [], reading: readings.plan, isOlder: true });
    count += 1;
    context.signal.throwIfAborted();
  }
  context.listener.reading(count);
  return async (resource, id) => listed.get(id)?.value ?? byId(resource, id);
}
