import { existsSync } from "node:fs";
import type { RunContext } from "../../write/engine/context.js";
import type { WriteSummary } from "../../write/engine/summary.js";
import type { PlanStep } from "../../write/plan/format.js";
import { deleteStep, updateStep } from "../../write/plan/steps.js";
import type { RemoteItem } from "../../write/remote.js";
import {
  type Cluster,
  clustersOf,
  contactLine,
  type DedupeRules,
  type KeyedContact,
  type Shared,
} from "./clusters.js";
import { changeGroups, type GroupsTask, readWhole, toDeletionLine, toResultLine } from "./group-changes.js";
import { keyMapPath } from "./key-map.js";
import { openKeyMapStore } from "./learn.js";

export interface DedupeTask extends GroupsTask {
  rules: DedupeRules;
  confirm(preview: DedupePreview): Promise<void>;
}

export interface DedupePreview {
  /** One line per contact, with the kept contact before its duplicates. */
  lines: readonly string[];
  clusters: number;
  shared: number;
  merged: number;
  deleted: number;
  left: number;
}

interface GroupClusters {
  groupId: string;
  clusters: Cluster[];
  shared: Shared[];
}

/**
 * Keeps one contact of each set of duplicates and deletes the others. A duplicate is deleted only after its
 * data was merged into the kept contact.
 * @throws see `applyPlan`
 */
export async function dedupe(context: RunContext, task: DedupeTask): Promise<WriteSummary> {
  return changeGroups<GroupClusters>(context, task, {
    name: "contacts dedupe",
    judge: async (groupId, items) => ({
      groupId,
      ...clustersOf(await addKeys(context, task.folder, groupId, items), task.rules),
    }),
    whole: (groups) => wholeClusters(context, groups, task.rules),
    listResultLines,
    async confirm(groups) {
      const facts = factsOf(groups);
      await task.confirm(facts);
      return facts.merged + facts.deleted > 0;
    },
    count(groups) {
      const { clusters, shared, merged, deleted, left } = factsOf(groups);
      return { clusters, shared, updated: merged, deleted, duplicates_left: left };
    },
    steps: stepsOf,
  });
}

async function addKeys(
  { baseUrl, sharedBlobs: blobs }: RunContext,
  folder: string,
  groupId: string,
  items: readonly RemoteItem[],
): Promise<readonly KeyedContact[]> {
  // Check for the file first, because opening a missing key map would create it.
  const path = keyMapPath({ baseUrl, groupId, folder }, "sqlite");
  if (blobs === undefined && !existsSync(path)) return items;
  const store = openKeyMapStore({ baseUrl, folder, blobs }, groupId, undefined);
  try {
    const keyMap = await store.load();
    return items.map((item) => ({ ...item, key: keyMap.byId(item.id)?.key ?? undefined }));
  } finally {
    store.release();
  }
}

/** Reads the duplicates by ID, because a list may omit fields, and compares them again. */
async function wholeClusters(
  context: RunContext,
  groups: readonly GroupClusters[],
  rules: DedupeRules,
): Promise<GroupClusters[]> {
  const whole: GroupClusters[] = [];
  for (const { groupId, clusters, shared } of groups) {
    const group: GroupClusters = { groupId, clusters: [], shared: [...shared] };
    for (const { members } of clusters) {
      const judged = clustersOf(await readWhole(context, members), rules);
      group.clusters.push(...judged.clusters);
      group.shared.push(...judged.shared);
    }
    whole.push(group);
  }
  return whole;
}

/** Yields updates before deletions: a deletion depends on the update that merges the duplicate's data. */
function* stepsOf(groups: readonly GroupClusters[]): Generator<PlanStep, void> {
  let step = 0;
  const merges = new Map<string, number>();
  for (const { groupId, clusters } of groups) {
    for (const { kept, changes } of clusters) {
      if (changes === undefined) continue;
      step += 1;
      merges.set(kept.id, step);
      yield updateStep("contacts", kept.id, changes, { group_id: groupId, ...kept.record }, { step });
    }
  }
  for (const { groupId, clusters } of groups) {
    for (const { kept, deleted } of clusters) {
      const merge = merges.get(kept.id);
      for (const { id, record } of deleted) {
        step += 1;
        const origin = { step, ...(merge === undefined ? {} : { needs: [merge] }) };
        yield deleteStep("contacts", id, { group_id: groupId, ...record }, origin);
      }
    }
  }
}

function factsOf(groups: readonly GroupClusters[]): DedupePreview {
  const facts = { lines: [] as string[], clusters: 0, shared: 0, merged: 0, deleted: 0, left: 0 };
  for (const { clusters, shared } of groups) {
    facts.clusters += clusters.length;
    facts.shared += shared.length;
    for (const { kept, changes, deleted, left } of clusters) {
      if (changes !== undefined) facts.merged += 1;
      facts.deleted += deleted.length;
      facts.left += left.length;
      facts.lines.push(`= ${contactLine(kept)}`);
      for (const item of deleted) facts.lines.push(`  - ${contactLine(item)}`);
      for (const { item, reason } of left)
        facts.lines.push(`  ! ${contactLine(item)}: ${leftReasons[reason]}`);
    }
    for (const { items } of shared) {
      facts.lines.push(`? shared: ${items.map(contactLine).join(" | ")}`);
    }
  }
  return facts;
}

const leftReasons = {
  has_other_values: "kept: has additional values; to merge them, use --merge",
  unknown_fields: "kept: has unknown fields; to delete the contact, use --drop-unknown",
  too_many_values: "kept: the merged contact would have more than 10 numbers or emails",
} as const;

function* listResultLines(
  groups: readonly GroupClusters[],
  deletedIds: ReadonlySet<string>,
): Generator<object, void> {
  for (const { groupId, clusters, shared } of groups) {
    for (const { kept, changes, deleted, left } of clusters) {
      yield toResultLine("kept", groupId, kept, changes === undefined ? {} : { changes });
      for (const item of deleted) yield toDeletionLine(deletedIds, groupId, item, { kept: kept.id });
      for (const { item, reason } of left)
        yield toResultLine("left", groupId, item, { kept: kept.id, reason });
    }
    for (const { items } of shared)
      for (const { key, ...item } of items)
        yield toResultLine("shared", groupId, item, key === undefined ? {} : { key });
  }
}
