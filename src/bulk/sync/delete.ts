import { fileTarget, writeTarget } from "../../base/file-target.js";
import { contactFields } from "../contacts/headers.js";
import type { RunContext } from "../engine/context.js";
import { type Fields, pick } from "../fields.js";
import type { RemoteItem } from "../group/remote.js";
import type { PlanStep } from "../plan/format.js";
import { deleteStep } from "../plan/steps.js";
import type { Bound } from "../planning/bounds.js";
import { contactLine } from "./clusters.js";
import { assertDeletes } from "./guards.js";
import {
  carryOutSteps,
  type GroupsTask,
  openGroups,
  readContacts,
  readWhole,
  sealSteps,
} from "./sealed-groups.js";

/** Contacts that are to go, and how careful to be. */
export interface DeleteTask extends GroupsTask {
  isMeant(contact: Fields): boolean;
  maxDelete: Bound | undefined;
  /** Told who would go; asks before anything is changed. */
  confirm(lines: readonly string[]): Promise<void>;
}

export interface DeleteSummary {
  run_id: string | null;
  plan_id: string | null;
  /** Contacts that were read. */
  contacts: number;
  found: number;
  deleted: number;
  failed: number;
  drifted: number;
  unknown: number;
  requests: number;
  report: string;
}

/**
 * Deletes the contacts of groups that a judgement names, as a synchronization deletes: judged whole before the first
 * request, bounded, each read again right before it goes, and in a run that can be undone.
 * @throws as `applyPlan`; BulkError `too_many_deletes`
 */
export async function deleteContacts(context: RunContext, task: DeleteTask): Promise<DeleteSummary> {
  let contacts = 0;
  const found: (RemoteItem & { groupId: string })[] = [];
  for (const { id: groupId } of await openGroups(context, task)) {
    const items = await readContacts(context, groupId);
    contacts += items.length;
    for (const item of items) if (task.isMeant(item.record)) found.push({ groupId, ...item });
  }
  const summary: DeleteSummary = {
    ...{ run_id: null, plan_id: null, contacts, found: found.length, deleted: 0 },
    ...{ failed: 0, drifted: 0, unknown: 0, requests: 0, report: task.reportPath },
  };
  await writeReport(context, found, task.reportPath);
  assertDeletes(
    task.maxDelete,
    { deleted: found.length, size: contacts, plural: "contacts" },
    task.reportPath,
  );
  await task.confirm(found.map(contactLine));
  if (task.dryRun || found.length === 0) return summary;
  const { planPath } = task;
  const steps = stepsOf(await wholeOf(context, found));
  if (planPath !== undefined) return { ...summary, plan_id: await sealSteps(context, task, planPath, steps) };
  const { updated: _, ...ended } = await carryOutSteps(context, task, "contacts delete", steps);
  return { ...summary, ...ended };
}

/** Each as a get shows it, under the group in which it was found. */
async function wholeOf(
  context: RunContext,
  found: readonly (RemoteItem & { groupId: string })[],
): Promise<RemoteItem[]> {
  const groups = new Map(found.map(({ id, groupId }) => [id, groupId]));
  const whole = await readWhole(context, found);
  return whole.map(({ id, record }) => ({ id, record: { group_id: groups.get(id), ...record } }));
}

function* stepsOf(found: readonly RemoteItem[]): Generator<PlanStep, void> {
  for (const [index, { id, record }] of found.entries())
    yield deleteStep("contacts", id, record, { step: index + 1 });
}

async function writeReport(
  { machineClock, signal }: RunContext,
  found: readonly (RemoteItem & { groupId: string })[],
  path: string,
): Promise<void> {
  async function* lines(): AsyncGenerator<string, void> {
    for (const { groupId, id, record } of found)
      yield `${JSON.stringify({ outcome: "deleted", group_id: record["group_id"] ?? groupId, id, ...pick(record, contactFields) })}\n`;
  }
  await writeTarget(await fileTarget(path), lines(), { clock: machineClock, signal });
}
