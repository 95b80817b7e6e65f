import type { RunContext } from "../engine/context.js";
import type { Item } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { recordOf } from "../values.js";
import { readExpected } from "./check.js";
import { createExpectations } from "./expectations.js";
import type { PlanStep } from "./format.js";
import { createStep, named, updateStep } from "./steps.js";

/** The group that an import writes into; one that is yet to be made by its type and name. */
export type ImportGroup = { id: string } | { type: string; name: string };

/**
 * An import's planned rows as steps. The group is read once more for them: a row that is like something in it is
 * created beside that, and the plan expects no more of them than there are.
 */
export async function* importSteps(
  context: RunContext,
  journal: Journal,
  resource: string,
  group: ImportGroup,
): AsyncGenerator<PlanStep, void> {
  const isNew = !("id" in group);
  const groupId = isNew ? { $ref: 1 } : group.id;
  const bodyOf = ({ body }: Item) => ({ group_id: groupId, ...recordOf(body) });
  const expectations = createExpectations(journal.database);
  for (const item of eachIn(journal, "planned")) {
    if (item.action === "create")
      expectations.add(createStep(resource, bodyOf(item), { step: item.number, isCounted: true }));
  }
  await readExpected(context, expectations);
  let step = 0;
  const next = () => {
    step += 1;
    return step;
  };
  // An import that leaves nothing to write makes no group.
  if (isNew && journal.count("planned") > 0) yield createStep("groups", { ...group }, { step: next() });
  for (const item of eachIn(journal, "planned")) {
    const { number, action, target, before } = item;
    if (action === "create") {
      yield createStep(resource, bodyOf(item), { step: next(), equal: expectations.found(number) });
    } else {
      const was = { ...recordOf(before), group_id: groupId };
      yield named(updateStep(resource, target, recordOf(item.body), was, { step: next() }), was);
    }
  }
}
