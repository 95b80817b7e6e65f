import type { RunContext } from "../engine/context.js";
import type { ImportAdapter } from "../group/adapter.js";
import { determinedFields } from "../input-row.js";
import type { Item } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { recordOf } from "../values.js";
import { hasValues } from "./absences.js";
import { readExpected } from "./check.js";
import { createExpectations } from "./expectations.js";
import type { PlanStep } from "./format.js";
import { createStep, named, updateStep } from "./steps.js";

export type ImportGroup = { id: string } | { type: string; name: string };

/**
 * Before a create, the number of matching resources must be unchanged. Before an update, the fields that the
 * row sets must be unchanged.
 * @param identity returns the values by which a row matches a resource; undefined if rows are not compared
 */
export async function* importSteps(
  context: RunContext,
  journal: Journal,
  resource: string,
  group: ImportGroup,
  identity: ImportAdapter["identity"],
): AsyncGenerator<PlanStep, void> {
  const isNew = !("id" in group);
  const groupId = isNew ? { $ref: 1 } : group.id;
  const bodyOf = ({ body }: Item) => ({ group_id: groupId, ...recordOf(body) });
  const expectations = createExpectations(journal.database);
  for (const item of eachIn(journal, "planned")) {
    if (item.action !== "create") continue;
    const origin = { step: item.number };
    const sharing = identity(recordOf(item.body));
    expectations.add(createStep(resource, bodyOf(item), { ...origin, isCounted: true }));
    if (hasValues(sharing)) expectations.add(createStep(resource, bodyOf(item), { ...origin, sharing }));
  }
  await readExpected(context, expectations);
  const isFirst = firstOf(journal);
  let step = 0;
  const next = () => {
    step += 1;
    return step;
  };
  // Don't create a group for an import without changes.
  if (isNew && journal.count("planned") > 0) yield createStep("groups", { ...group }, { step: next() });
  for (const item of eachIn(journal, "planned")) {
    const { number, action, target, before } = item;
    if (action === "create") {
      const sharing = identity(recordOf(item.body));
      const isAlone = hasValues(sharing) && !expectations.isShared(number);
      const precondition = isAlone ? { sharing } : { equal: expectations.countMatches(number) };
      yield createStep(resource, bodyOf(item), { step: next(), ...precondition });
    } else {
      const was = { ...recordOf(before), group_id: groupId };
      const origin = { step: next(), determined: determinedFields(recordOf(item.input)) };
      // If an earlier row changes the same resource, the state that was read will be outdated before this step.
      const seen = isFirst(target) ? was : undefined;
      yield named(updateStep(resource, target, recordOf(item.body), seen, origin), was);
    }
  }
}

/** There can be many IDs, so the run's file stores them. */
function firstOf({ database }: Journal): (id: string | undefined) => boolean {
  database.exec("CREATE TABLE changed_things (id TEXT PRIMARY KEY) WITHOUT ROWID");
  const add = database.prepare("INSERT OR IGNORE INTO changed_things VALUES (?)");
  return (id = "") => add.run(id) > 0;
}
