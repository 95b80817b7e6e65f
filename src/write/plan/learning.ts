import { attributableAnswer } from "../answered.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { recordOf } from "../values.js";
import { keysOf } from "./format.js";
import { fileRowsIn } from "./items.js";
import { plannedStepOf } from "./planned-steps.js";
import type { LearnedResult, Learning, UndoneResult } from "./task.js";

/**
 * Returns the key map update for a run; undefined if the plan has no key map or the group was not created.
 */
export function learningOf(journal: Journal): Learning | undefined {
  const keys = keysOf(journal.setting("keys"));
  const group = keys?.group_id;
  const groupId = typeof group === "object" ? journal.item(group.$ref)?.target : group;
  // Without an ID, the group was not created, so no step was completed.
  if (keys === undefined || groupId === undefined) return undefined;
  const stateFile = journal.setting("state_file");
  return {
    planId: String(journal.setting("plan_id") ?? journal.setting("id")),
    keys: { ...keys, group_id: groupId },
    stateFile: typeof stateFile === "string" ? stateFile : undefined,
    rows: () => fileRowsIn(journal),
    results: () => learnedResults(journal),
  };
}

function* learnedResults(journal: Journal): Generator<LearnedResult, void> {
  for (const item of eachIn(journal, "done")) {
    const { step } = plannedStepOf(journal, item);
    const compared = { ...item, before: step.if?.fields };
    yield { step, id: item.target ?? "", answerTo: (row) => attributableAnswer(journal, compared, row) };
  }
}

export function* undoneResults(original: Journal, undo: Journal): Generator<UndoneResult, void> {
  for (const { action, target = "", answer, detail } of undo.done()) {
    const { undoes, was } = recordOf(detail);
    const undone = original.item(Number.parseInt(String(undoes), 10));
    if (action === undefined || undone === undefined) continue;
    yield {
      action,
      id: target,
      was: typeof was === "string" ? was : undefined,
      key: plannedStepOf(original, undone).step.key,
      data: recordOf(answer),
    };
  }
}
