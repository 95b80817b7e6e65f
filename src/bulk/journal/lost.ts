import { fingerprintOf } from "../fields.js";
import { recordOf } from "../values.js";
import { type Item, itemOf } from "./item.js";
import type { Journal } from "./journal.js";

/** Things whose making was lost and that are alike: nothing tells them apart but their number. */
export interface LostCreates {
  readonly fingerprint: string;
  readonly items: readonly [Item, ...Item[]];
}

/**
 * The lost creates, those that are alike together, those that say most first.
 * @param fields of what they make, by which they are alike or not
 */
export function lostCreates({ database }: Journal, fields: readonly string[]): LostCreates[] {
  const rows = database
    .prepare("SELECT * FROM items WHERE state = 'unknown' AND action = 'create' ORDER BY number")
    .all();
  return alikeTogether(rows.map(itemOf).map((item) => [fingerprintOf(fields, recordOf(item.body)), item]));
}

/** Lost creates by their fingerprints, those that say most first. */
export function alikeTogether(creates: Iterable<readonly [fingerprint: string, item: Item]>): LostCreates[] {
  const alike = new Map<string, [Item, ...Item[]]>();
  for (const [fingerprint, item] of creates) {
    const others = alike.get(fingerprint);
    if (others === undefined) alike.set(fingerprint, [item]);
    else others.push(item);
  }
  const size = ({ items: [{ body }] }: LostCreates) => Object.keys(recordOf(body)).length;
  return [...alike]
    .map(([fingerprint, items]) => ({ fingerprint, items }))
    .sort((one, other) => size(other) - size(one));
}

/** When the thing with this id was sent, if this run made it and knows so. */
export function tickOfMade({ database }: Journal, id: string): number | undefined {
  const row = database
    .prepare(
      "SELECT sent_tick FROM items WHERE target = ? AND state = 'done' AND action = 'create' ORDER BY number LIMIT 1",
    )
    .get(id);
  return row === undefined ? undefined : Number(row["sent_tick"]);
}

/** The answer to the last thing that was made and answered before this moment. */
export function answerBefore({ database }: Journal, tick: number): unknown {
  const row = database
    .prepare(
      "SELECT * FROM items WHERE state = 'done' AND action = 'create' AND ended_tick <= ? ORDER BY ended_tick DESC LIMIT 1",
    )
    .get(tick);
  return row === undefined ? undefined : itemOf(row).answer;
}
