import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { contactAdapter } from "../contacts/adapter.js";
import type { RunContext } from "../engine/context.js";
import { awaitLateWrites } from "../engine/drive.js";
import { readRestored } from "../engine/restored.js";
import { costsOf } from "../engine/summary.js";
import { type Original, type UndoResult, undoJournaled, withOriginal, withUndo } from "../engine/undo-run.js";
import type { Fields } from "../fields.js";
import { findIncomparableFields } from "../group/changed-fields.js";
import {
  type GroupResult,
  type GroupUndone,
  groupResult,
  type MadeGroup,
  previewGroupUndo,
  undoGroup,
} from "../imports/undo-group.js";
import { Journal } from "../journal/journal.js";
import { eachIn, itemsIn } from "../journal/outcome.js";
import { undosOf } from "../journal/runs.js";
import { recordOf } from "../values.js";
import { readExpected } from "./check.js";
import { createdFields, createdNames } from "./created-fields.js";
import { createExpectations } from "./expectations.js";
import { groupsOf } from "./inspect.js";
import { plannedStepOf } from "./items.js";
import { learningOf, undoneResults } from "./learning.js";
import { readResource } from "./remote.js";
import type { Learn } from "./task.js";
import { resolveUnconfirmedSteps } from "./unconfirmed-steps.js";
import { judge, undoAdapter } from "./undo-adapter.js";
import { updateReferences } from "./undo-references.js";
import { type UndoScope, undoItems } from "./undo-steps.js";
import { collectUnconfirmed, resolveUnconfirmed } from "./undo-unconfirmed.js";

/** The results of the undo of a plan's run, including the group that was created for the run, if any. */
export interface ApplyUndo extends UndoResult, Partial<GroupResult> {
  /** Number of resources that it had changed. */
  restored: number;
  /** Deleted resources that were created again, with new ids. */
  recreated: number;
  /** Kept: found by their content after the response was lost. */
  matched: number;
  /** Can't be undone. */
  not_undoable: number;
  /** Assistants whose references were changed from an old id to a new one. */
  references_mended: number;
}

interface UndoOptions {
  includeMatched: boolean;
  /** Brings the map of keys back that the plan's run has taught. */
  learn?: Learn | undefined;
}

/**
 * Undoes the run of a plan in reverse order (A10).
 * @throws see `undoJournaled`
 */
export async function undoApply(context: RunContext, id: string, options: UndoOptions): Promise<ApplyUndo> {
  let group: Partial<GroupResult> = {};
  return undoJournaled(context, id, (original) => ({
    async plan({ id: undoId, journal }) {
      await lookUpOriginal(context, original);
      for (const name of ["file", "profile", "plan_id", "command", "group_name"])
        journal.setSetting(name, original.journal.setting(name) ?? null);
      await holdGroups(context, original.journal);
      await planUndo(context, original, journal, options, undoId);
    },
    adapter: (journal) => undoAdapter(context, journal),
    async conclude(journal) {
      const updated = await updateReferences(context, journal);
      journal.addTo("references_mended", updated);
      const learning = learningOf(original.journal);
      if (learning !== undefined)
        await options.learn?.undone(learning, undoneResults(original.journal, journal));
      group = await withMadeGroup(original, (made) => undoGroup(context, made, journal, contactAdapter([])));
    },
    summarize: (journal, run) => ({
      ...totalsOf(journal),
      run_id: run.id,
      undone: id,
      ...group,
      references_mended: journal.numberOf("references_mended"),
      ...costsOf(journal),
      report: run.report,
    }),
  }));
}

/** The foreseen result of `undoApply`; nothing is sent or kept. */
export async function previewApplyUndo(
  context: RunContext,
  id: string,
  options: UndoOptions,
): Promise<{ summary: Omit<ApplyUndo, "run_id" | "report">; first: Fields[] }> {
  return withOriginal(context, id, async (original) => {
    const temporary = await mkdtemp(join(context.folder, "dry-run-"));
    const journal = await Journal.open(join(temporary, "run.sqlite"), { create: true, durable: false });
    try {
      await planUndo(context, original, journal, options);
      const first: Fields[] = [];
      const deletedIds = new Set<string>();
      for (const item of itemsIn(journal)) {
        const result = item.state === "planned" ? await judge(context, journal, item) : undefined;
        const outcome = result !== undefined && "outcome" in result ? result.outcome : item.outcome;
        if (result !== undefined && "outcome" in result) journal.record([result], []);
        if (outcome === "deleted" || outcome === "gone") deletedIds.add(item.target ?? "");
        if (first.length < 20) first.push({ line: item.line, name: recordOf(item.detail)["name"], outcome });
      }
      const group = await withMadeGroup(original, (made) =>
        previewGroupUndo(context, made, contactAdapter([]), deletedIds),
      );
      const unknown = original.journal.count("unknown") + original.journal.count("sent");
      const summary = {
        ...totalsOf(journal),
        undone: id,
        ...group,
        unknown,
        references_mended: 0,
        requests: journal.count("planned") + (group.group_deleted === true ? 1 : 0),
        rate_limited: 0,
        seconds: 0,
      };
      return { summary, first };
    } finally {
      journal.close();
      await rm(temporary, { recursive: true, force: true });
    }
  });
}

/** Adds the result for the group that was created for the run; nothing if none was created. */
async function withMadeGroup(
  { journal }: Original,
  work: (made: MadeGroup) => Promise<GroupUndone>,
): Promise<Partial<GroupResult>> {
  const groupId = journal.setting("made_group_id");
  if (typeof groupId !== "string") return {};
  return groupResult(journal, await work({ original: journal, groupId }));
}

/** Open items of the run are looked up, and planned ones are dropped. */
async function lookUpOriginal(context: RunContext, { journal: original }: Original): Promise<void> {
  original.sentToUnknown();
  const lost = original.count("unknown");
  if (lost > 0) {
    await awaitLateWrites(context, lost);
    await resolveUnconfirmedSteps(context, original);
    original.step("reconciled");
  }
  if (original.setting("finished_at") === undefined)
    original.setSetting("finished_at", context.machineClock.now());
}

/** Locks the groups that the run wrote into (T20). */
async function holdGroups({ locks }: RunContext, original: Journal): Promise<void> {
  const groups = new Set<string>();
  for (const item of eachIn(original, "done"))
    for (const group of groupsOf(plannedStepOf(item).step)) groups.add(group);
  for (const id of [...groups].sort()) await locks.hold({ id });
}

async function planUndo(
  context: RunContext,
  run: Original,
  journal: Journal,
  { includeMatched }: UndoOptions,
  ownId?: string,
): Promise<void> {
  const { folder } = context;
  const { id, journal: original } = run;
  const earlierUndos = (await undosOf(folder, id)).filter((undo) => undo !== ownId);
  const parts = new Set<string>();
  const ids = new Map<string, string>();
  const unconfirmed = collectUnconfirmed();
  for (const earlier of earlierUndos) {
    await withUndo(folder, earlier, (undo) => {
      unconfirmed.see(undo);
      for (const { detail, target = "" } of undo.done()) {
        const { undoes, was } = recordOf(detail);
        if (typeof undoes === "string") parts.add(undoes);
        if (typeof was === "string") ids.set(was, target);
      }
    });
  }
  const [names, restored] = await Promise.all([
    createdNames(),
    readRestored(folder, run, { own: earlierUndos, ownId }),
  ]);
  const scope: UndoScope = {
    includeMatched,
    isUndone: (part) => parts.has(part),
    newIdOf: (old) => ids.get(old),
    createdFields: await createdFields(),
    restored: (resource, target, data) => restored(names(resource), target, data),
  };
  const { database } = journal;
  const expectations = createExpectations(database);
  database.transaction(() => {
    for (const item of undoItems(original, database, scope)) {
      journal.insert(item);
      // If a response is lost, an existing similar resource must not count as the undo's.
      if (item.state === "planned" && item.action === "create")
        expectations.add(plannedStepOf({ input: item.input }).step);
    }
  });
  await resolveUnconfirmed(context, journal, unconfirmed);
  await readExpected(context, expectations);
  journal.setSetting("incomparable", await sampleIncomparable(context, journal));
}

const sampled = 5;

/** Returns the fields per resource type that can't be compared with responses, judged by a sample. */
async function sampleIncomparable(context: RunContext, journal: Journal): Promise<Record<string, string[]>> {
  const samples = new Map<string, { responseData: Fields; now: Fields }[]>();
  for (const item of eachIn(journal, "planned")) {
    if (item.action !== "delete" || item.answer === undefined) continue;
    const { resource } = plannedStepOf(item);
    const known = samples.get(resource) ?? [];
    if (known.length === sampled) continue;
    const now = await readResource(context, resource, item.target ?? "");
    if (now !== null) samples.set(resource, [...known, { responseData: recordOf(item.answer), now }]);
  }
  return Object.fromEntries([...samples].map(([resource, some]) => [resource, findIncomparableFields(some)]));
}

function totalsOf(journal: Journal) {
  const totals = {
    deleted: 0,
    restored: 0,
    recreated: 0,
    changed_since: 0,
    matched: 0,
    not_undoable: 0,
    gone: 0,
    failed: 0,
    unknown: 0,
  };
  const isTotal = (outcome: string): outcome is keyof typeof totals => Object.hasOwn(totals, outcome);
  for (const { state, outcome, count } of journal.counts()) {
    if (state === "unknown" || state === "sent") totals.unknown += count;
    else if (outcome === "changed") totals.changed_since += count;
    else totals[isTotal(outcome) ? outcome : "failed"] += count;
  }
  return totals;
}
