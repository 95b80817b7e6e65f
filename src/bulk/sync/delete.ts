import type { RunContext } from "../engine/context.js";
import type { Fields } from "../fields.js";
import type { RemoteItem } from "../group/remote.js";
import type { PlanStep } from "../plan/format.js";
import { deleteStep } from "../plan/steps.js";
import { allowedDeletes, type Bound } from "../planning/bounds.js";
import { contactLine } from "./clusters.js";
import { changeGroups, type GroupsTask, readWhole, reportLine } from "./group-changes.js";
import { assertDeletes } from "./guards.js";

/** Contacts that are to go, and how careful to be. */
export interface DeleteTask extends GroupsTask {
  isMeant(contact: Fields): boolean;
  maxDelete: Bound | undefined;
  /** Told who would go, also where that is refused. */
  found(lines: readonly string[]): Promise<void>;
  /** Asks before anything is changed. */
  confirm(contacts: number): Promise<void>;
}

export interface DeleteSummary {
  run_id: string | null;
  plan_id: string | null;
  /** Contacts that were read. */
  contacts: number;
  found: number;
  deleted: number;
  failed: number;
  /** Changed or deleted by others after they were shown. */
  drifted: number;
  unknown: number;
  requests: number;
  report: string;
}

type Found = RemoteItem & { groupId: string };

/**
 * Deletes the contacts of groups that a judgement names, as a synchronization deletes: judged whole before the first
 * request, bounded, each read again right before it goes, and in a run that can be undone.
 * @throws as `applyPlan`; BulkError `too_many_deletes`
 */
export async function deleteContacts(context: RunContext, task: DeleteTask): Promise<DeleteSummary> {
  const { contacts, found, plan_id, done } = await changeGroups<Found[]>(context, task, {
    name: "contacts delete",
    judge: (groupId, items) =>
      items.filter(({ record }) => task.isMeant(record)).map((item) => ({ groupId, ...item })),
    // Too many are refused, without a reading of each.
    whole: async (groups, size) =>
      groups.flat().length > allowedDeletes(task.maxDelete, size)
        ? [...groups]
        : wholeOf(context, groups, task),
    reportLines: (groups) =>
      groups.flat().map((item) => reportLine("deleted", item.record["group_id"] ?? item.groupId, item)),
    async confirm(groups, size) {
      const meant = groups.flat();
      await task.found(meant.map(contactLine));
      assertDeletes(task.maxDelete, { deleted: meant.length, size, plural: "contacts" }, task.reportPath);
      await task.confirm(meant.length);
      return meant.length > 0;
    },
    steps: (groups) => stepsOf(groups.flat()),
  });
  const { run_id, updated: _, ...counts } = done;
  return { run_id, plan_id, contacts, found: found.flat().length, ...counts, report: task.reportPath };
}

/** Each as a get shows it, where it is still meant. */
async function wholeOf(
  context: RunContext,
  groups: readonly Found[][],
  { isMeant }: Pick<DeleteTask, "isMeant">,
): Promise<Found[][]> {
  const whole: Found[][] = [];
  for (const found of groups)
    whole.push((await readWhole(context, found)).filter(({ record }) => isMeant(record)));
  return whole;
}

function* stepsOf(found: readonly Found[]): Generator<PlanStep, void> {
  // The group in which it was found, where a contact does not say its own.
  for (const [index, { id, groupId, record }] of found.entries())
    yield deleteStep("contacts", id, { group_id: groupId, ...record }, { step: index + 1 });
}
