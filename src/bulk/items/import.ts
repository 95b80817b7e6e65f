import type { RunContext } from "../engine/context.js";
import type { ImportSummary } from "../engine/summary.js";
import { type ImportTask, runImport } from "../imports/import.js";
import type { InputRow } from "../input-row.js";
import { usableRows } from "../planning/plan.js";
import { type ItemType, itemAdapter } from "./item-type.js";

export interface ItemImport extends Omit<ImportTask, "adapter" | "options"> {
  /** `--map` as given. */
  map: string | undefined;
}

/** Imports items into a group of their type, as `runImport` says. */
export function importItems(
  context: RunContext,
  type: ItemType,
  { map, ...task }: ItemImport,
): Promise<ImportSummary> {
  const options = { map: map ?? null, on_match: task.onMatch };
  return runImport(context, { ...task, adapter: itemAdapter(type), options });
}

/** Which rows can be imported, as far as one can know before. */
export function usableItems(
  rows: AsyncIterable<InputRow>,
  type: ItemType,
  world: string | null,
): AsyncGenerator<boolean, void> {
  return usableRows(rows, itemAdapter(type), world);
}
