import { type ImportTask, runImport } from "../engine/import.js";
import type { RunContext } from "../engine/run.js";
import type { ImportSummary } from "../engine/summary.js";
import type { ItemKind } from "./kind.js";
import { type InputRow, type OnMatch, planItems } from "./plan.js";
import { itemRequests } from "./requests.js";

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
  kind: ItemKind,
  options: ItemImport,
): Promise<ImportSummary> {
  const { rows, onMatch, map, ...task } = options;
  return runImport(context, {
    ...task,
    kind: kind.name,
    options: { map: map ?? null, on_match: onMatch },
    once: onMatch === "create",
    plan: (journal) => {
      const groupId = options.groupIsNew ? undefined : options.groupId;
      return planItems(context, journal, { kind, rows, groupId, onMatch });
    },
    requests: (journal, groupId) => itemRequests(kind, context.client, journal, groupId),
  });
}
