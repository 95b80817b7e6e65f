import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RunContext } from "../engine/context.js";
import { withOriginal } from "../engine/undo-run.js";
import type { Fields } from "../fields.js";
import type { ImportAdapter } from "../group/adapter.js";
import { readGroup, readItem } from "../group/remote.js";
import type { RunIdentity } from "../journal/identity.js";
import type { NewItem } from "../journal/item.js";
import { Journal } from "../journal/journal.js";
import { createExisting, readings } from "../planning/existing.js";
import { checkedAdapter, type UndoOptions, type UndoSummary, undoSummaryOf } from "./undo.js";
import { judgeReversal } from "./undo-adapter.js";
import { madeGroupOf, previewGroupUndo } from "./undo-group.js";
import { reversals, sampleFields } from "./undo-plan.js";
import { undoScope } from "./undo-scope.js";

/** The foreseen result of a run's undo. */
export interface UndoPreview {
  summary: Omit<UndoSummary, "run_id" | "report">;
  /** The first items, with their current fields; those that would be kept come first. */
  first: Fields[];
}

const previewLimit = 20;

/**
 * Previews `undoRun`: reads and compares everything, sends and stores nothing. Items that the run left open
 * are not resolved and are counted as `unknown`.
 * @throws BulkError see `undoRun`
 */
export async function previewUndo(
  context: RunContext,
  id: string,
  adapterOf: (identity: RunIdentity) => ImportAdapter | undefined,
  { includeMatched }: UndoOptions,
): Promise<UndoPreview> {
  return withOriginal(context, id, async (original) => {
    const adapter = checkedAdapter(original, adapterOf);
    const temporary = await mkdtemp(join(context.folder, "dry-run-"));
    const undo = await Journal.open(join(temporary, "run.sqlite"), { create: true, durable: false });
    try {
      const { journal, identity } = original;
      const scope = await undoScope(context, original, adapter, { includeMatched });
      const now = await readNow(context, undo, adapter, identity.group_id);
      const incomparable = new Set(await sampleFields(reversals(journal, adapter, scope), now));
      const kept: Fields[] = [];
      const undone: Fields[] = [];
      const deleted = new Set<string>();
      for (const planned of reversals(journal, adapter, scope)) {
        const { target = "", line } = planned;
        const record = await now(target);
        const item = previewItem(adapter, planned, record, incomparable);
        undo.insert(item);
        if (item.outcome === "deleted" || item.outcome === "gone") deleted.add(target);
        const list = item.state === "planned" ? undone : kept;
        if (list.length < previewLimit) list.push({ ...record, line, outcome: item.outcome });
      }
      const group = await previewGroupUndo(context, madeGroupOf(original), adapter, deleted);
      const { run_id: _, report: __, ...summary } = undoSummaryOf(undo, original, { id, report: "" }, group);
      return {
        summary: {
          ...summary,
          unknown: journal.count("unknown") + journal.count("sent"),
          requests: undo.count("planned") + (group === "deleted" ? 1 : 0),
        },
        first: [...kept, ...undone].slice(0, previewLimit),
      };
    } finally {
      undo.close();
      await rm(temporary, { recursive: true, force: true });
    }
  });
}

function previewItem(
  adapter: ImportAdapter,
  planned: NewItem,
  record: Fields | undefined,
  incomparable: ReadonlySet<string>,
): NewItem {
  if (planned.state === "skipped") return planned;
  const result = judgeReversal(adapter, { ...planned, attempts: 0 }, record, incomparable);
  const outcome = result !== undefined && "outcome" in result ? result.outcome : undefined;
  return outcome === undefined ? planned : { ...planned, state: "skipped", outcome };
}

/**
 * Reads the current state of a resource: from the list, or by its id if the list lacks it or some of its
 * fields (T4).
 */
async function readNow(
  context: RunContext,
  undo: Journal,
  adapter: ImportAdapter,
  groupId: string,
): Promise<(id: string) => Promise<Fields | undefined>> {
  const listed = createExisting(undo.database);
  let count = 0;
  for await (const { id, record: value } of readGroup(context, adapter, groupId)) {
    listed.add({ id, value, keys: [], reading: readings.plan, isOlder: true });
    count += 1;
    context.signal.throwIfAborted();
  }
  context.listener.reading(count);
  return async (id) => {
    const item = listed.get(id);
    if (item !== undefined && adapter.unlisted.length === 0) return item.value;
    return (await readItem(context, adapter, id))?.record;
  };
}
