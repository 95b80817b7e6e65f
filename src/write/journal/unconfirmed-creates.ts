import { recordOf } from "../values.js";
import { type Item, itemOf } from "./item.js";
import type { Journal } from "./journal.js";

export interface UnconfirmedCreates {
  readonly fingerprint: string;
  readonly items: readonly [Item, ...Item[]];
}

/** Groups creates by fingerprint. The creates with the most fields come first. */
export function groupByFingerprint(
  creates: Iterable<readonly [fingerprint: string, item: Item]>,
): UnconfirmedCreates[] {
  const alike = new Map<string, [Item, ...Item[]]>();
  for (const [fingerprint, item] of creates) {
    const group = alike.get(fingerprint);
    if (group === undefined) alike.set(fingerprint, [item]);
    else group.push(item);
  }
  const size = ({ items: [{ body }] }: UnconfirmedCreates) => Object.keys(recordOf(body)).length;
  return [...alike]
    .map(([fingerprint, items]) => ({ fingerprint, items }))
    .sort((left, right) => size(right) - size(left));
}

/**
 * Returns the tick at which a resource's create was sent; undefined if it isn't certain that this run created
 * the resource.
 */
export function tickOfMade({ database }: Journal, id: string): number | undefined {
  const row = database
    .prepare(
      "SELECT sent_tick FROM items WHERE target = ? AND state = 'done' AND action = 'create' ORDER BY number LIMIT 1",
    )
    .get(id);
  return row === undefined ? undefined : Number(row["sent_tick"]);
}

export function findResponseBefore({ database }: Journal, tick: number): unknown {
  const row = database
    .prepare(
      "SELECT * FROM items WHERE state = 'done' AND action = 'create' AND ended_tick <= ? ORDER BY ended_tick DESC LIMIT 1",
    )
    .get(tick);
  return row === undefined ? undefined : itemOf(row).answer;
}
