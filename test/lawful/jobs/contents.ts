import assert from "node:assert/strict";
import type { Bench } from "../harness/bench.js";
import type { Fields } from "../server/exchange.js";

export type Contents = Record<string, Record<string, Fields>>;

export function contentsOf({ service }: Bench): Contents {
  return structuredClone(service.world.contents());
}

/** As it was, but for what others did. */
export function assertAsBefore(bench: Bench, before: Contents, othersDid: Contents = {}): void {
  const expected: Contents = structuredClone(before);
  for (const [kind, rows] of Object.entries(othersDid)) expected[kind] = { ...expected[kind], ...rows };
  const now = contentsOf(bench);
  const kinds = new Set([...Object.keys(now), ...Object.keys(expected)]);
  for (const kind of kinds) {
    if (kind === "licenses" && bench.switches.includes("licenses are kept")) continue;
    const [there, wanted] = [now[kind] ?? {}, expected[kind] ?? {}];
    const more = Object.keys(there).filter((id) => !(id in wanted));
    const less = Object.keys(wanted).filter((id) => !(id in there));
    assert.deepEqual(
      { more: more.map((id) => there[id]), less: less.map((id) => wanted[id]) },
      { more: [], less: [] },
      kind,
    );
    for (const id of Object.keys(wanted)) assert.deepEqual(there[id], wanted[id], `${kind} ${id}`);
  }
}
