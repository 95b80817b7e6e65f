import type { Existing } from "../../../write/existing.js";
import { type Fields, normalized } from "../../../write/fields.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import type { InputRow } from "../../../write/input-row.js";
import type { Item } from "../../../write/journal/item.js";
import { recordOf } from "../../../write/values.js";
import { type Decision, mostAlike } from "./decide.js";

export interface RepeatsContext {
  adapter: ImportAdapter;
  existing: Existing;
  /**
   * Whether rows have their own keys. Rows with different keys are then different resources, even if their
   * values are equal.
   */
  hasKeys: boolean;
  itemOf(number: number): Item | undefined;
}

interface Repeat extends Decision {
  /**
   * Whether the row has list entries, such as phone numbers, that the earlier row of the same person lacks.
   * These entries are not imported.
   */
  hasMore: boolean;
}

/**
 * Returns the decision for a row that repeats an earlier row. For any other row, stores its keys for later
 * rows and returns undefined.
 */
export function findRepeat(
  { adapter, existing, hasKeys, itemOf }: RepeatsContext,
  row: InputRow,
  fields: Fields,
): Repeat | undefined {
  const { number, line } = row;
  const { lookup, ofRow } = adapter.keysOf(fields);
  const isFirst = existing.addRow({ number, fields: adapter.kept(row, fields) }, ofRow);
  const earlier = isFirst || hasKeys ? undefined : existing.earlierRow(lookup[0] ?? [], number);
  if (earlier === undefined) return undefined;
  // Don't compare later rows with this skipped row: a later row that repeats only this row must be imported.
  existing.dropRow(number, ofRow);
  const isOther = (known: Fields) => adapter.findDifferingName(fields, known) !== undefined;
  // A contact with this name may already exist, for example because an earlier run also compared names.
  const exists = existing.find(lookup[0] ?? [], mostAlike).some(({ value }) => !isOther(value));
  const differingName = exists ? undefined : adapter.findDifferingName(fields, earlier.fields);
  const { outcome, detail } = adapter.repeated(row, fields, earlier);
  const dropped =
    outcome === "duplicate" ? findDroppedValues(adapter, fields, itemOf(earlier.number)) : undefined;
  const fullDetail = {
    ...detail,
    ...(dropped === undefined ? {} : { left_out: dropped }),
    ...(differingName === undefined ? {} : { other_name: differingName }),
  };
  return {
    item: { number, line, state: "skipped", outcome, detail: fullDetail },
    differingName,
    // Don't suggest to combine the rows of two persons.
    hasMore: dropped !== undefined && !isOther(earlier.fields),
  };
}

function findDroppedValues(
  adapter: ImportAdapter,
  fields: Fields,
  earlier: Item | undefined,
): Fields | undefined {
  const { input, body, detail } = earlier ?? {};
  const known = recordOf(input ?? body ?? recordOf(detail)["contact"]);
  const dropped: Record<string, readonly unknown[]> = {};
  for (const field of adapter.fields) {
    const list = fields[field];
    if (!Array.isArray(list)) continue;
    const has = new Set(listOf(known[field]).map((entry) => normalized(field, entry)));
    const more = list.filter((entry) => !has.has(normalized(field, entry)));
    if (more.length > 0) dropped[field] = more;
  }
  return Object.keys(dropped).length === 0 ? undefined : dropped;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
