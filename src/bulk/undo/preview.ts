import type { RunContext } from "../engine/context.js";
import { type Original, previewLimit, type UndoPreview, withOriginal } from "../engine/undo-run.js";
import type { Fields } from "../fields.js";
import { withTemporaryJournal } from "../journal/folder.js";
import type { Journal } from "../journal/journal.js";
import { itemsIn } from "../journal/outcome.js";
import { unlistedOf } from "../plan/canonical.js";
import { createPlannedSteps } from "../plan/planned-steps.js";
import { createExisting, readings } from "../planning/existing.js";
import { listInScope, readResource } from "../remote.js";
import { recordOf } from "../values.js";
import { judge, type ReadCurrent } from "./adapter.js";
import { madeGroupOf, previewGroupUndo } from "./made-group.js";
import { planUndo } from "./plan.js";
import { assertUndoable, type UndoOptions, undoSummaryOf } from "./undo.js";

/**
 * Previews `undoRun`: reads and compares everything, sends and stores nothing. Items that the run left open
 * are not resolved and are counted as `unknown`.
 * @throws BulkError see `undoRun`
 */
export async function previewUndo(
  context: RunContext,
  id: string,
  { includeMatched }: UndoOptions,
): Promise<UndoPreview> {
  return withOriginal(context, id, async (original) => {
    assertUndoable(original);
    return withTemporaryJournal(context.folder, "dry-run-", async (journal) => {
      const read = await createReader(context, original, journal);
      await planUndo(context, original, journal, { includeMatched, read });
      const plannedOf = createPlannedSteps(journal);
      const kept: Fields[] = [];
      const undone: Fields[] = [];
      const deletedIds = new Set<string>();
      let count = 0;
      for (const item of itemsIn(journal)) {
        count += 1;
        let now: Fields | null = null;
        const readNow: ReadCurrent = async (resource, target) => (now = await read(resource, target));
        const result =
          item.state === "planned"
            ? await judge(context, journal, item, plannedOf(item), readNow)
            : undefined;
        const decided = result !== undefined && "outcome" in result ? result : undefined;
        if (decided !== undefined) journal.record([decided], []);
        const outcome = decided?.outcome ?? item.outcome;
        if (outcome === "deleted" || outcome === "gone") deletedIds.add(item.target ?? "");
        const list = decided === undefined && item.state === "planned" ? undone : kept;
        const name = { name: recordOf(item.detail)["name"] };
        if (list.length < previewLimit) list.push({ ...name, ...recordOf(now), line: item.line, outcome });
      }
      const made = madeGroupOf(original);
      const group = made === undefined ? undefined : await previewGroupUndo(context, made, deletedIds);
      const run = { id, report: "" };
      const { run_id: _, report: __, ...summary } = undoSummaryOf(journal, original, run, group);
      return {
        summary: {
          ...summary,
          unknown: original.journal.count("unknown") + original.journal.count("sent"),
          requests: journal.count("planned") + (group === "deleted" ? 1 : 0),
        },
        first: [...kept, ...undone].slice(0, previewLimit),
        count,
      };
    });
  });
}

/**
 * Returns a function that reads resources by their id. For an import, it reads the list of its group first, and
 * by their id only resources that the list lacks, or shows without some fields (T4).
 */
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
