import { type FileTarget, resolveFileTarget, writeTarget } from "../../base/file-target.js";
import { makePrivateFolder } from "../../base/private-file.js";
import type { Random } from "../../base/random.js";
import type { RunContext } from "../../write/engine/context.js";
import { type Outcomes, unsentSummary, type WriteSummary } from "../../write/engine/summary.js";
import { pick } from "../../write/fields.js";
import type { PlanStep } from "../../write/plan/format.js";
import { applyPlan, draftPlan, sealPlan } from "../../write/plan/index.js";
import type { ApplyTask } from "../../write/plan/task.js";
import { listInScope, type RemoteItem, readResource } from "../../write/remote.js";
import { contactFields } from "../import/contacts/headers.js";
import { withMarkedDeletions } from "./mark-deletions.js";

export interface GroupsTask {
  groups: readonly { id: string; name: string }[];
  dryRun: boolean;
  /** Path of a plan file to write instead of making the changes. */
  planPath: string | undefined;
  force: boolean;
  passphrase: string | undefined;
  folder: string;
  resultsPath: string;
  profile: string;
  command: string[];
  madeBy: string;
  random: Random;
}

export interface GroupsChange<Found> {
  name: string;
  judge(groupId: string, contacts: readonly RemoteItem[]): Found | Promise<Found>;
  /**
   * Reads the found contacts by ID before the prompt, because a list may omit fields and because changes
   * during the prompt must be detected. Not called for a preview.
   * @param contacts number of all contacts in the groups
   */
  whole(groups: readonly Found[], contacts: number): Promise<Found[]>;
  /**
   * Called before the prompt, and again after the changes, even if they were interrupted.
   * @param deletedIds IDs of the contacts that were deleted
   */
  listResultLines(groups: readonly Found[], deletedIds: ReadonlySet<string>): Iterable<object>;
  /**
   * Asks for confirmation.
   * @param contacts number of all contacts in the groups
   * @returns whether there are changes to make
   * @throws if the changes are refused
   */
  confirm(groups: readonly Found[], contacts: number): Promise<boolean>;
  count(groups: readonly Found[]): Outcomes;
  /** Not called for a preview. */
  steps(groups: readonly Found[]): Iterable<PlanStep>;
}

/**
 * The summary's `rows` is the number of all contacts in the groups.
 * @throws see `applyPlan`, and the errors of the command
 */
export async function changeGroups<Found>(
  context: RunContext,
  task: GroupsTask,
  change: GroupsChange<Found>,
): Promise<WriteSummary> {
  const listed: Found[] = [];
  let contacts = 0;
  for (const { id } of await openGroups(context, task)) {
    const items = await readContacts(context, id);
    contacts += items.length;
    listed.push(await change.judge(id, items));
  }
  const judged = task.dryRun ? listed : await change.whole(listed, contacts);
  const target = await resolveFileTarget(task.resultsPath);
  await writeResults(context, target, change.listResultLines(judged, new Set()));
  const isConfirmed = await change.confirm(judged, contacts);
  const outcomes = change.count(judged);
  const { updated = 0, deleted = 0 } = outcomes;
  const summary = unsentSummary({ file: change.name, rows: contacts, outcomes, report: task.resultsPath });
  const preview = { ...summary, requests: updated + deleted };
  if (task.dryRun) return preview;
  // Write a plan file even without steps: it replaces an older plan that could be applied by mistake.
  if (task.planPath !== undefined) {
    const { id } = await sealPlan(context, { ...task, path: task.planPath }, change.steps(judged));
    return { ...preview, plan_id: id };
  }
  if (!isConfirmed) return summary;
  const applied = await withMarkedDeletions(
    (ended) => applySteps(context, task, change.name, { steps: () => change.steps(judged), ended }),
    async (deletedIds) => {
      // Don't write to a pipe again, because its reader has already received the lines.
      if (target.type === "absent" || target.type === "file")
        await writeResults(context, target, change.listResultLines(judged, deletedIds));
    },
  );
  const { drifted = 0, blocked = 0, skipped = 0, ...steps } = applied.outcomes;
  const changed = { created: 0, updated: 0, deleted: 0, ...steps, drifted: drifted + blocked + skipped };
  // Omit the plan's ID, because no plan file was saved.
  return {
    ...applied,
    ...{ plan_id: null, rows: contacts, report: task.resultsPath },
    outcomes: { ...outcomes, ...changed },
  };
}

/** Sorts the groups. If changes may be made, locks the groups against other runs. */
async function openGroups(context: RunContext, task: GroupsTask): Promise<GroupsTask["groups"]> {
  for (const folder of [task.folder, context.folder]) await makePrivateFolder(folder);
  const groups = task.groups.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const isSending = !task.dryRun && task.planPath === undefined;
  if (isSending) for (const { id } of groups) await context.locks.hold({ id });
  return groups;
}

async function readContacts(context: RunContext, groupId: string): Promise<RemoteItem[]> {
  const items = new Map<string, RemoteItem>();
  // If contacts change while they are listed, two pages may contain the same contact.
  for await (const item of listInScope(context, "contacts", { group_id: groupId })) items.set(item.id, item);
  return [...items.values()];
}

export function toResultLine(
  outcome: string,
  groupId: unknown,
  { id, record }: RemoteItem,
  more: object = {},
): object {
  return { outcome, group_id: groupId, ...more, id, ...pick(record, contactFields) };
}

/** @param deletedIds see `GroupsChange.listResultLines` */
export function toDeletionLine(
  deletedIds: ReadonlySet<string>,
  groupId: unknown,
  item: RemoteItem,
  more?: object,
): object {
  return toResultLine(deletedIds.has(item.id) ? "deleted" : "to_delete", groupId, item, more);
}

async function writeResults(
  { machineClock, signal }: RunContext,
  target: FileTarget,
  lines: Iterable<object>,
): Promise<void> {
  function* texts(): Generator<string, void> {
    for (const line of lines) yield `${JSON.stringify(line)}\n`;
  }
  await writeTarget(target, texts(), { clock: machineClock, signal });
}

/** Reads contacts by ID, because a list may omit fields that must be compared. Omits deleted contacts. */
export async function readWhole<Item extends RemoteItem>(
  context: RunContext,
  items: readonly Item[],
): Promise<Item[]> {
  const whole: Item[] = [];
  for (const [index, listed] of items.entries()) {
    context.listener.reading(index + 1);
    const record = await readResource(context, "contacts", listed.id);
    if (record !== null) whole.push({ ...listed, record });
  }
  return whole;
}

async function applySteps(
  context: RunContext,
  task: GroupsTask,
  name: string,
  { steps, ended }: { steps(): Iterable<PlanStep>; ended: ApplyTask["ended"] },
): Promise<WriteSummary> {
  const [group, ...moreGroups] = task.groups;
  return applyPlan(context, {
    plan: draftPlan(context, { lines: steps }, task.random),
    ...{ file: name, command: name, profile: task.profile },
    groupName: moreGroups.length === 0 ? group?.name : undefined,
    allow: "all",
    skipDrifted: true,
    ended,
  });
}
