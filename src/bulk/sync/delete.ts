import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileTarget, writeTarget } from "../../base/file-target.js";
import type { Random } from "../../base/random.js";
import { contactAdapter } from "../contacts/adapter.js";
import { contactFields } from "../contacts/headers.js";
import type { RunContext } from "../engine/context.js";
import { type Fields, pick } from "../fields.js";
import { type RemoteItem, readGroup } from "../group/remote.js";
import type { PlanStep } from "../plan/format.js";
import { applyPlan, openPlan, writePlan } from "../plan/index.js";
import { deleteStep } from "../plan/steps.js";
import type { Bound } from "../planning/bounds.js";
import { contactLine } from "./clusters.js";
import { assertDeletes } from "./guards.js";

/** Contacts that are to go, and how careful to be. */
export interface DeleteTask {
  groups: readonly { id: string; name: string }[];
  isMeant(contact: Fields): boolean;
  maxDelete: Bound | undefined;
  /** Look only. */
  dryRun: boolean;
  /** Seals a plan there instead of sending it. */
  planPath: string | undefined;
  force: boolean;
  /** `sync/` of the data folder. */
  folder: string;
  reportPath: string;
  profile: string;
  command: string[];
  madeBy: string;
  random: Random;
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
  const { planPath } = task;
  for (const folder of [task.folder, context.folder]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const groups = task.groups.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  // T20: no other run writes into these groups from here on.
  if (!task.dryRun && planPath === undefined) for (const { id } of groups) await context.locks.hold({ id });
  let contacts = 0;
  const found: RemoteItem[] = [];
  for (const { id } of groups) {
    const items = new Map<string, RemoteItem>();
    // T7: repeated ids are dropped.
    for await (const item of readGroup(context, contactAdapter([]), id)) items.set(item.id, item);
    contacts += items.size;
    for (const item of items.values())
      if (task.isMeant(item.record)) found.push({ id: item.id, record: { group_id: id, ...item.record } });
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
  if (planPath !== undefined) return { ...summary, plan_id: await seal(context, task, planPath, found) };
  return carryOut(context, task, found, summary);
}

async function carryOut(
  context: RunContext,
  task: DeleteTask,
  found: readonly RemoteItem[],
  planned: DeleteSummary,
): Promise<DeleteSummary> {
  const path = join(task.folder, `delete-${task.random.bytes(8).toString("hex")}.plan`);
  try {
    await seal(context, task, path, found);
    const [group, ...others] = task.groups;
    const { run_id, deleted, steps, requests } = await applyPlan(context, {
      plan: await openPlan(path),
      ...{ file: "contacts delete", command: "contacts delete", profile: task.profile },
      groupName: others.length === 0 ? group?.name : undefined,
      allow: "all",
      skipDrifted: true,
    });
    return {
      ...planned,
      ...{ run_id, deleted, failed: steps.rejected, unknown: steps.unknown, requests },
      drifted: steps.drifted + steps.blocked + steps.skipped,
    };
  } finally {
    await rm(path, { force: true });
  }
}

async function seal(
  { machineClock, signal, baseUrl, folder }: RunContext,
  { groups, command, madeBy, random, force }: DeleteTask,
  path: string,
  found: readonly RemoteItem[],
): Promise<string> {
  const { id } = await writePlan(
    path,
    {
      header: {
        made_at: new Date(machineClock.now()).toISOString(),
        made_by: madeBy,
        command,
        target: { base_url: baseUrl, anchors: groups.map((group) => group.id) },
      },
      steps: stepsOf(found),
    },
    { force, waiting: { clock: machineClock, signal }, random, temporaryFolder: folder },
  );
  return id;
}

function* stepsOf(found: readonly RemoteItem[]): Generator<PlanStep, void> {
  for (const [index, { id, record }] of found.entries())
    yield deleteStep("contacts", id, record, { step: index + 1 });
}

async function writeReport(
  { machineClock, signal }: RunContext,
  found: readonly RemoteItem[],
  path: string,
): Promise<void> {
  async function* lines(): AsyncGenerator<string, void> {
    for (const { id, record } of found)
      yield `${JSON.stringify({ outcome: "deleted", group_id: record["group_id"], id, ...pick(record, contactFields) })}\n`;
  }
  await writeTarget(await fileTarget(path), lines(), { clock: machineClock, signal });
}
