/** Runs commands that check whole groups of contacts and write the changes to a plan file or apply them. */
import { resolveFileTarget, writeTarget } from "../../base/file-target.js";
import { makePrivateFolder } from "../../base/private-file.js";
import type { Random } from "../../base/random.js";
import type { RunContext } from "../../write/engine/context.js";
import { type Outcomes, unsentSummary, type WriteSummary } from "../../write/engine/summary.js";
import { pick } from "../../write/fields.js";
import type { PlanStep } from "../../write/plan/format.js";
import { applyPlan, draftPlan, sealPlan } from "../../write/plan/index.js";
import { listInScope, type RemoteItem, readResource } from "../../write/remote.js";
import { contactFields } from "../import/contacts/headers.js";

export interface GroupsTask {
  groups: readonly { id: string; name: string }[];
  /** Whether to only preview the changes. */
  dryRun: boolean;
  /** Path of a plan file to write instead of making the changes. */
  planPath: string | undefined;
  force: boolean;
  /** Passphrase that encrypts the plan file. */
  passphrase: string | undefined;
  /** Directory `sync/` in the data directory, for results files. */
  folder: string;
  resultsPath: string;
  profile: string;
  command: string[];
  madeBy: string;
  random: Random;
}

/** The parts of a command that changes groups. `Found` is what the command finds in one group. */
export interface GroupsChange<Found> {
  /** Command name, as shown in the list of runs. */
  name: string;
  /** Evaluates the contacts of a group. */
  judge(groupId: string, contacts: readonly RemoteItem[]): Found | Promise<Found>;
  /**
   * Reads the matching contacts by ID, because a list may omit fields. Called before the prompt, to detect changes made
   * during the prompt. Not called for a preview.
   * @param contacts number of contacts that were read
   */
  whole(groups: readonly Found[], contacts: number): Promise<Found[]>;
  /** Yields the lines of the results file, which is written before the prompt. */
  listResultLines(groups: readonly Found[]): Iterable<object>;
  /**
   * Asks for confirmation before anything is changed.
   * @param contacts number of contacts that were read
   * @returns whether there are changes to make
   * @throws if the changes are refused
   */
  confirm(groups: readonly Found[], contacts: number): Promise<boolean>;
  /** Counts findings and planned changes. */
  count(groups: readonly Found[]): Outcomes;
  /** Yields the steps. Not called for a preview. */
  steps(groups: readonly Found[]): Iterable<PlanStep>;
}

/**
 * Checks whole groups of contacts, confirms the changes, and writes them to a plan file or applies them as one
 * run. The summary's `rows` is the number of contacts that were read.
 * @throws see `applyPlan`, and the errors of the change
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
  await writeResults(context, task.resultsPath, change.listResultLines(judged));
  const isConfirmed = await change.confirm(judged, contacts);
  const outcomes = change.count(judged);
  const { updated = 0, deleted = 0 } = outcomes;
  const summary = unsentSummary({ file: change.name, rows: contacts, outcomes, report: task.resultsPath });
  const preview = { ...summary, requests: updated + deleted };
  if (task.dryRun) return preview;
  // Write the file even without steps. Otherwise, an older plan in it could be applied.
  if (task.planPath !== undefined) {
    const { id } = await sealPlan(context, { ...task, path: task.planPath }, change.steps(judged));
    return { ...preview, plan_id: id };
  }
  if (!isConfirmed) return summary;
  const applied = await applySteps(context, task, change.name, () => change.steps(judged));
  const { drifted = 0, blocked = 0, skipped = 0, ...steps } = applied.outcomes;
  const changed = { created: 0, updated: 0, deleted: 0, ...steps, drifted: drifted + blocked + skipped };
  // Without a plan file, the plan's ID means nothing to the user.
  return {
    ...applied,
    ...{ plan_id: null, rows: contacts, report: task.resultsPath },
    outcomes: { ...outcomes, ...changed },
  };
}

/** Returns the groups in order. Locks them against other runs, unless this is a preview. */
async function openGroups(context: RunContext, task: GroupsTask): Promise<GroupsTask["groups"]> {
  for (const folder of [task.folder, context.folder]) await makePrivateFolder(folder);
  const groups = task.groups.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const isSending = !task.dryRun && task.planPath === undefined;
  if (isSending) for (const { id } of groups) await context.locks.hold({ id });
  return groups;
}

async function readContacts(context: RunContext, groupId: string): Promise<RemoteItem[]> {
  const items = new Map<string, RemoteItem>();
  // While contacts change, pages can repeat a contact, so store contacts by ID.
  for await (const item of listInScope(context, "contacts", { group_id: groupId })) items.set(item.id, item);
  return [...items.values()];
}

/** Formats a contact as a line of the results file. */
export function toResultLine(
  outcome: string,
  groupId: unknown,
  { id, record }: RemoteItem,
  more: object = {},
): object {
  return { outcome, group_id: groupId, ...more, id, ...pick(record, contactFields) };
}

async function writeResults(
  { machineClock, signal }: RunContext,
  path: string,
  lines: Iterable<object>,
): Promise<void> {
  function* texts(): Generator<string, void> {
    for (const line of lines) yield `${JSON.stringify(line)}\n`;
  }
  await writeTarget(await resolveFileTarget(path), texts(), { clock: machineClock, signal });
}

/** Reads contacts by ID, because a list may omit fields that are compared before a deletion. */
export async function readWhole<Item extends RemoteItem>(
  context: RunContext,
  items: readonly Item[],
): Promise<Item[]> {
  const whole: Item[] = [];
  for (const [index, listed] of items.entries()) {
    context.listener.reading(index + 1);
    const record = await readResource(context, "contacts", listed.id);
    // Skip contacts that were deleted.
    if (record !== null) whole.push({ ...listed, record });
  }
  return whole;
}

/** Applies the steps as one run. */
async function applySteps(
  context: RunContext,
  task: GroupsTask,
  name: string,
  steps: () => Iterable<PlanStep>,
): Promise<WriteSummary> {
  const [group, ...moreGroups] = task.groups;
  return applyPlan(context, {
    plan: draftPlan(context, { lines: steps }, task.random),
    ...{ file: name, command: name, profile: task.profile },
    groupName: moreGroups.length === 0 ? group?.name : undefined,
    allow: "all",
    skipDrifted: true,
  });
}
