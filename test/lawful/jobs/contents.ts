import assert from "node:assert/strict";
import type { Bench } from "../harness/bench.js";
import type { Fields } from "../server/exchange.js";
import { normalized } from "../server/values.js";
import { fieldsOf, type Row } from "../server/world.js";

export type Contents = Record<string, Record<string, Fields>>;

export function contentsOf({ service }: Bench): Contents {
  return structuredClone(service.world.contents());
}

/** As it was, but for what others did. */
export function assertAsBefore({ service, switches }: Bench, before: Contents): void {
  const { world, behaviour } = service;
  const now = world.contents();
  for (const kind of new Set([...Object.keys(now), ...Object.keys(before)])) {
    if (kind === "licenses" && switches.includes("licenses are kept")) continue;
    const rows = new Map(world.everRows(kind).map((row) => [row.id, row]));
    const [there, was] = [now[kind] ?? {}, before[kind] ?? {}];
    const more = Object.keys(there).filter((id) => !(id in was) && !isByOthers(rows.get(id)));
    const less = Object.keys(was).filter((id) => !(id in there) && rows.get(id)?.deletedBy === "client");
    const change = { more: more.map((id) => there[id]), less: less.map((id) => was[id]) };
    assert.deepEqual(change, { more: [], less: [] }, `${kind} are as before`);
    for (const [id, fields] of Object.entries(was)) {
      const row = rows.get(id);
      if (row === undefined || !(id in there) || row.versions.slice(1).some(({ by }) => by !== "client"))
        continue;
      // A text that is written back is stored as this deployment stores it.
      if (behaviour.stores.length > 0 && normalized(fieldsOf(row)) === normalized(fields)) continue;
      assert.deepEqual(there[id], fields, `${kind} ${id} is as before`);
    }
  }
}

function isByOthers(row: Row | undefined): boolean {
  return row !== undefined && row.author !== "client";
}
