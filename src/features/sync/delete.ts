import type { RunContext } from "../../write/engine/context.js";
import type { WriteSummary } from "../../write/engine/summary.js";
import type { Fields } from "../../write/fields.js";
import type { PlanStep } from "../../write/plan/format.js";
import { deleteStep } from "../../write/plan/steps.js";
import type { RemoteItem } from "../../write/remote.js";
import { allowedDeletes, type Bound } from "../import/planning/bounds.js";
import { contactLine } from "./clusters.js";
import { changeGroups, type GroupsTask, readWhole, toResultLine } from "./group-changes.js";
import { assertDeletes } from "./guards.js";

/** Contacts to delete, with the safety limits. */
export interface DeleteTask extends GroupsTask {
  isSelected(contact: Fields): boolean;
  maxDelete: Bound | undefined;
  /** Called with one line per contact to delete, even if the deletion is refused afterwards. */
  showMatches(lines: readonly string[]): Promise<void>;
  /** Asks for confirmation before anything is changed. */
  confirm(contacts: number): Promise<void>;
}

type SelectedContact = RemoteItem & { groupId: string };

/**
 * Deletes the selected contacts with a sync's safety checks: everything is decided before the first write, the number
 * of deletions is limited, each contact is read again right before it is deleted, and the run can be undone.
 * @throws see `applyPlan`; BulkError `too_many_deletes`
 */
export async function deleteContacts(context: RunContext, task: DeleteTask): Promise<WriteSummary> {
  return changeGroups<SelectedContact[]>(context, task, {
    name: "contacts delete",
    judge: (groupId, items) =>
      items.filter(({ record }) => task.isSelected(record)).map((item) => ({ groupId, ...item })),
    // If there are too many contacts, don't read them, because the deletion will be refused.
    whole: async (groups, size) =>
      groups.flat().length > allowedDeletes(task.maxDelete, size)
        ? [...groups]
        : wholeOf(context, groups, task),
    listResultLines: (groups) =>
      groups.flat().map((item) => toResultLine("deleted", item.record["group_id"] ?? item.groupId, item)),
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

/** Reads each contact by ID and keeps those that still match. */
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
  // If the response has no group, use the group in which the contact was listed.
  for (const [index, { id, groupId, record }] of contacts.entries())
    yield deleteStep("contacts", id, { group_id: groupId, ...record }, { step: index + 1 });
}
