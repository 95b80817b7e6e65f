/** Determines what a key map stores after a run, and after the undo of that run. */
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { keysOf } from "./format.js";
import { fileRowsIn } from "./items.js";
import { plannedStepOf } from "./planned-steps.js";
import { resultsOf } from "./results.js";
import type { Learning, UndoneResult } from "./task.js";

/** Returns the key map update for a run; undefined if its plan has no key map or the group was not created. */
export function learningOf(journal: Journal): Learning | undefined {
  const keys = keysOf(journal.setting("keys"));
  const group = keys?.group_id;
  const groupId = typeof group === "object" ? journal.item(group.$ref)?.target : group;
  // Without the step that creates the group, no step in the group was completed.
  if (keys === undefined || groupId === undefined) return undefined;
  const stateFile = journal.setting("state_file");
  return {
    planId: String(journal.setting("plan_id") ?? journal.setting("id")),
    keys: { ...keys, group_id: groupId },
    stateFile: typeof stateFile === "string" ? stateFile : undefined,
    rows: () => fileRowsIn(journal),
    results: () => resultsOf(journal),
  };
}

/** Yields an undo's results, each with the key of the undone step. */
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
