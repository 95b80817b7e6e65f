import type { RunContext } from "../../write/engine/context.js";
import type { WriteSummary } from "../../write/engine/summary.js";
import type { Fields } from "../../write/fields.js";
import type { PlanStep } from "../../write/plan/format.js";
import { deleteStep } from "../../write/plan/steps.js";
import type { RemoteItem } from "../../write/remote.js";
import { allowedDeletes, type Bound } from "../import/planning/bounds.js";
import { contactLine } from "./clusters.js";
import { changeGroups, type GroupsTask, readWhole, toDeletionLine } from "./group-changes.js";
import { assertDeletes } from "./guards.js";

export interface DeleteTask extends GroupsTask {
  isSelected(contact: Fields): boolean;
  maxDelete: Bound | undefined;
  /** Called before the number of deletions is checked. Each line describes a contact. */
  showMatches(lines: readonly string[]): Promise<void>;
  confirm(contacts: number): Promise<void>;
}

type SelectedContact = RemoteItem & { groupId: string };

/**
 * The number of deletions is limited, and each contact is compared again right before its deletion.
 * @throws see `applyPlan`; BulkError `too_many_deletes`
 */
export async function deleteContacts(context: RunContext, task: DeleteTask): Promise<WriteSummary> {
  return changeGroups<SelectedContact[]>(context, task, {
    name: "contacts delete",
    judge: (groupId, items) =>
      items.filter(({ record }) => task.isSelected(record)).map((item) => ({ groupId, ...item })),
    // Don't read the contacts if there are too many to delete, because the command will be refused.
    whole: async (groups, size) =>
      groups.flat().length > allowedDeletes(task.maxDelete, size)
        ? [...groups]
        : wholeOf(context, groups, task),
    listResultLines: (groups, deletedIds) =>
      groups.flat().map((item) => toDeletionLine(deletedIds, item.record["group_id"] ?? item.groupId, item)),
    async confirm(groups, size) {
      const selected = groups.flat();
      await task.showMatches(selected.map(contactLine));
      assertDeletes(task.maxDelete, { deleted: selected.length, size, plural: "contacts" }, task.resultsPath);
      await task.confirm(selected.length);
      return selected.length > 0;
    },
    count: (groups) => ({ found: groups.flat().length }),
    steps: (groups) => stepsOf(groups.flat()),
  });
}

async function wholeOf(
  context: RunContext,
  groups: readonly SelectedContact[][],
  { isSelected }: Pick<DeleteTask, "isSelected">,
): Promise<SelectedContact[][]> {
  const whole: SelectedContact[][] = [];
  for (const group of groups)
    whole.push((await readWhole(context, group)).filter(({ record }) => isSelected(record)));
  return whole;
}

function* stepsOf(contacts: readonly SelectedContact[]): Generator<PlanStep, void> {
  // If the contact lacks a group ID, use the ID of the group in which it was listed.
  for (const [index, { id, groupId, record }] of contacts.entries())
    yield deleteStep("contacts", id, { group_id: groupId, ...record }, { step: index + 1 });
}
