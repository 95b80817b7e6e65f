import type { RunContext } from "../engine/context.js";
import { type ImportTask, runImport } from "../engine/import.js";
import type { ImportSummary } from "../engine/summary.js";
import { itemAdapter } from "./adapter.js";
import type { ItemType } from "./item-type.js";
import { type InputRow, type OnMatch, planItems } from "./plan.js";

export interface ItemImport
  extends Pick<
    ImportTask,
    | "file"
    | "digest"
    | "groupId"
    | "groupName"
    | "groupIsNew"
    | "profile"
    | "strict"
    | "dryRun"
    | "newRun"
    | "reportPath"
  > {
  /** From the first, as often as it is called. */
  rows(): AsyncIterable<InputRow>;
  onMatch: OnMatch;
  /** `--map` as given. */
  map: string | undefined;
}

/** Imports items into a group of their type, as `runImport` says. */
export function importItems(
  context: RunContext,
  type: ItemType,
  options: ItemImport,
): Promise<ImportSummary> {
  const { rows, onMatch, map, ...task } = options;
  return runImport(context, {
    ...task,
    adapter: (groupId) => itemAdapter(type, context.client, groupId),
    options: { map: map ?? null, on_match: onMatch },
    once: onMatch === "create",
    plan: (journal) => {
      const groupId = options.groupIsNew ? undefined : options.groupId;
      return planItems(context, journal, { type, rows, groupId, onMatch });
    },
  });
}
