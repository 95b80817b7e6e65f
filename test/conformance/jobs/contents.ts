import assert from "node:assert/strict";
import type { Bench } from "../harness/bench.js";
import type { Fields } from "../server/exchange.js";
import { fieldsOf, type Row } from "../server/service-state.js";
import { normalize } from "../server/values.js";

export type Contents = Record<string, Record<string, Fields>>;

export function readContents({ service }: Bench): Contents {
  return structuredClone(service.state.contents());
}

/** Checks that resources are unchanged, except for other users' changes. */
export function assertUnchanged({ service, switches }: Bench, before: Contents): void {
  const { state, behavior } = service;
  const now = state.contents();
  for (const resource of new Set([...Object.keys(now), ...Object.keys(before)])) {
    if (resource === "licenses" && switches.includes("licenses are kept")) continue;
    const rows = new Map(state.everRows(resource).map((row) => [row.id, row]));
    const [current, previous] = [now[resource] ?? {}, before[resource] ?? {}];
    const more = Object.keys(current).filter((id) => !(id in previous) && !isUnmanaged(rows.get(id)));
    const less = Object.keys(previous).filter(
      (id) => !(id in current) && rows.get(id)?.deletedBy === "client",
    );
    const change = { more: more.map((id) => current[id]), less: less.map((id) => previous[id]) };
    assert.deepEqual(change, { more: [], less: [] }, `${resource} are unchanged`);
    for (const [id, fields] of Object.entries(previous)) {
      const row = rows.get(id);
      if (row === undefined || !(id in current) || row.versions.slice(1).some(({ by }) => by !== "client"))
        continue;
      // The service normalizes restored text like any other text.
      if (behavior.stores.length > 0 && normalize(fieldsOf(row)) === normalize(fields)) continue;
      assert.deepEqual(current[id], fields, `${resource} ${id} is unchanged`);
    }
  }
}

function isUnmanaged(row: Row | undefined): boolean {
  return row !== undefined && row.author !== "client";
}
