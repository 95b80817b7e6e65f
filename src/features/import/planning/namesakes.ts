import { addTo } from "../../../base/lists.js";
import type { Existing } from "../../../write/existing.js";
import type { Fields } from "../../../write/fields.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import { splitRules } from "../../../write/input-row.js";
import { type Item, itemOf } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { recordOf } from "../../../write/values.js";
import type { Owners } from "./owners.js";

export interface Namesake {
  item: Item;
  fields: Fields;
  id: string;
}

/**
 * Finds rows that have the name of an existing resource and that, without their invalid cells, have no phone
 * number or email. The resource may come from a corrected version of the row.
 */
export function findNamesakes(
  journal: Journal,
  { adapter, existing, owners }: { adapter: ImportAdapter; existing: Existing; owners: Owners | undefined },
): Namesake[] {
  const rows = new Map<string, { item: Item; fields: Fields }[]>();
  for (const item of createsWithoutCells(journal)) {
    const { fields } = splitRules(recordOf(item.input ?? item.body));
    if (Object.keys(adapter.identity(fields)).length === 0)
      addTo(rows, adapter.nameKey(fields), { item, fields });
  }
  if (rows.size === 0) return [];
  const namesakes = new Map<number, Namesake>();
  for (const { id, value } of existing.all()) {
    for (const row of rows.get(adapter.nameKey(value)) ?? [])
      if (owners?.isFree(id, row.item.number) !== false) namesakes.set(row.item.number, { ...row, id });
  }
  return [...namesakes.values()];
}

function createsWithoutCells({ database }: Journal): Item[] {
  return database
    .prepare(
      "SELECT * FROM items WHERE state = 'planned' AND action = 'create' AND json_extract(detail, '$.dropped') IS NOT NULL",
    )
    .all()
    .map(itemOf);
}
