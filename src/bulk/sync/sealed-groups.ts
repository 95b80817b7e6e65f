/** Commands that look through whole groups of contacts, and seal and carry out what they have decided. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Random } from "../../base/random.js";
import { contactAdapter } from "../contacts/adapter.js";
import type { RunContext } from "../engine/context.js";
import { type RemoteItem, readGroup, readOne } from "../group/remote.js";
import type { PlanStep } from "../plan/format.js";
import { applyPlan, openPlan, planTarget, writePlan } from "../plan/index.js";

export interface GroupsTask {
  groups: readonly { id: string; name: string }[];
  /** Look only. */
  dryRun: boolean;
  /** Seals a plan there instead of sending it. */
  planPath: string | undefined;
  force: boolean;
  /** Encrypts the plan that is sealed at `planPath`. */
  passphrase: string | undefined;
  /** `sync/` of the data folder. */
  folder: string;
  reportPath: string;
  profile: string;
  command: string[];
  madeBy: string;
  random: Random;
}

/** T20: no other run writes into the groups from here on, where something is to be sent. Answers them in order. */
export async function openGroups(context: RunContext, task: GroupsTask): Promise<GroupsTask["groups"]> {
  for (const folder of [task.folder, context.folder]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const groups = task.groups.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const isSending = !task.dryRun && task.planPath === undefined;
  if (isSending) for (const { id } of groups) await context.locks.hold({ id });
  return groups;
}

/** The contacts of a group. */
export async function readContacts(context: RunContext, groupId: string): Promise<RemoteItem[]> {
  const items = new Map<string, RemoteItem>();
  // T7: repeated ids are dropped.
  for await (const item of readGroup(context, contactAdapter([]), groupId)) items.set(item.id, item);
  return [...items.values()];
}

/** Contacts as a get shows them: a list may leave parts out, with which they are compared before they are deleted. */
export async function readWhole(context: RunContext, items: readonly RemoteItem[]): Promise<RemoteItem[]> {
  const whole: RemoteItem[] = [];
  for (const { id } of items) {
    const item = await readOne(context, contactAdapter([]), id);
    // T4: else it is gone.
    if (item !== undefined) whole.push(item);
  }
  return whole;
}

/** @returns the plan's id */
export async function sealSteps(
  context: RunContext,
  { groups, planPath, command, madeBy, random, force, passphrase }: GroupsTask,
  path: string,
  steps: Iterable<PlanStep>,
): Promise<string> {
  const { machineClock, signal, baseUrl, folder } = context;
  const { id } = await writePlan(
    path,
    {
      header: {
        made_at: new Date(machineClock.now()).toISOString(),
        made_by: madeBy,
        command,
        // A plan that is handed on outlives these groups.
        target:
          planPath === undefined
            ? { base_url: baseUrl, anchors: groups.map((group) => group.id) }
            : await planTarget(context),
      },
      steps,
    },
    { force, passphrase, waiting: { clock: machineClock, signal }, random, temporaryFolder: folder },
  );
  return id;
}

/** The results of the steps, as the summaries tell them. */
interface CarriedOut {
  run_id: string;
  updated: number;
  deleted: number;
  failed: number;
  drifted: number;
  unknown: number;
  requests: number;
}

/**
 * Seals the steps and carries them out at once, as one run.
 * @param name the command's words, by which the run is listed
 * @throws as `applyPlan`
 */
export async function carryOutSteps(
  context: RunContext,
  task: GroupsTask,
  name: string,
  steps: Iterable<PlanStep>,
): Promise<CarriedOut> {
  const verb = name.split(" ").at(-1);
  const path = join(task.folder, `${verb}-${task.random.bytes(8).toString("hex")}.plan`);
  try {
    await sealSteps(context, task, path, steps);
    const [group, ...others] = task.groups;
    const applied = await applyPlan(context, {
      plan: await openPlan(path),
      ...{ file: name, command: name, profile: task.profile },
      groupName: others.length === 0 ? group?.name : undefined,
      allow: "all",
      skipDrifted: true,
    });
    const { run_id, updated, deleted, requests } = applied;
    const { rejected, unknown, drifted, blocked, skipped } = applied.steps;
    return {
      ...{ run_id, updated, deleted, requests, unknown },
      failed: rejected,
      drifted: drifted + blocked + skipped,
    };
  } finally {
    await rm(path, { force: true });
  }
}
