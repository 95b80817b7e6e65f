import type { RunContext } from "../../../write/engine/context.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import type { InputRow } from "../../../write/input-row.js";
import { type ImportTask, importRows } from "../imports/import.js";
import { usableRows } from "../planning/plan.js";
import { type ItemType, itemAdapter } from "./item-type.js";

export interface ItemImport extends Omit<ImportTask, "adapter" | "options"> {
  map: string | undefined;
  clearEmpty?: readonly string[];
}

export function importItems(
  context: RunContext,
  type: ItemType,
  { map, clearEmpty = [], ...task }: ItemImport,
): Promise<WriteSummary> {
  const clears = clearEmpty.length === 0 ? {} : { clear_empty: clearEmpty };
  const options = { map: map ?? null, on_match: task.onMatch, ...clears };
  return importRows(context, { ...task, adapter: itemAdapter(type), options });
}

export function usableItems(
  rows: AsyncIterable<InputRow>,
  type: ItemType,
  emulatorId: string | null,
): AsyncGenerator<boolean, void> {
  return usableRows(rows, itemAdapter(type), emulatorId);
}
