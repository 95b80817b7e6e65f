import { type Fields, normalized } from "../fields.js";
import type { ImportAdapter } from "../group/adapter.js";
import type { InputRow } from "../input-row.js";
import type { Item } from "../journal/item.js";
import { recordOf } from "../values.js";
import type { Decision } from "./decide.js";
import type { Existing } from "./existing.js";

/** What is needed to find a row that an earlier one of the input already stands for. */
export interface RepeatsContext {
  adapter: ImportAdapter;
  existing: Existing;
  /** K3: rows with keys of their own are as many things, whatever they share. */
  hasKeys: boolean;
  /** The decision about an earlier row. */
  itemOf(number: number): Item | undefined;
}

/** A row that needs no request of its own. */
interface Repeat extends Decision {
  /** Its lists have entries that the earlier row lacks: nothing imports them. */
  hasMore: boolean;
}

/**
 * Keeps a row under its keys for later ones to be compared with, unless it repeats an earlier row.
 * @returns undefined for a row that no earlier one repeats
 */
export function repeatOf(
  { adapter, existing, hasKeys, itemOf }: RepeatsContext,
  row: InputRow,
  fields: Fields,
): Repeat | undefined {
  const { number, line } = row;
  const { wanted, ofRow } = adapter.keysOf(fields);
  const isFirst = existing.addRow({ number, fields: adapter.kept(row, fields) }, ofRow);
  const earlier = isFirst || hasKeys ? undefined : existing.earlierRow(wanted[0] ?? [], number);
  if (earlier === undefined) return undefined;
  // A later row must not be taken for one that is left out itself: nothing would import what it says.
  existing.leaveOut(number, ofRow);
  const otherName = adapter.otherName(fields, earlier.fields);
  const { outcome, detail } = adapter.repeated(row, fields, earlier);
  const leftOut = outcome === "duplicate" ? leftOutOf(adapter, fields, itemOf(earlier.number)) : undefined;
  const said = {
    ...detail,
    ...(leftOut === undefined ? {} : { left_out: leftOut }),
    ...(otherName === undefined ? {} : { other_name: otherName }),
  };
  return {
    item: { number, line, state: "skipped", outcome, detail: said },
    otherName,
    hasMore: leftOut !== undefined,
  };
}

/** Entries of a row's lists that the earlier row lacks. */
function leftOutOf(adapter: ImportAdapter, fields: Fields, earlier: Item | undefined): Fields | undefined {
  const { input, body, detail } = earlier ?? {};
  const known = recordOf(input ?? body ?? recordOf(detail)["contact"]);
  const leftOut: Record<string, readonly unknown[]> = {};
  for (const field of adapter.fields) {
    const list = fields[field];
    if (!Array.isArray(list)) continue;
    const has = new Set(listOf(known[field]).map((entry) => normalized(field, entry)));
    const more = list.filter((entry) => !has.has(normalized(field, entry)));
    if (more.length > 0) leftOut[field] = more;
  }
  return Object.keys(leftOut).length === 0 ? undefined : leftOut;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
