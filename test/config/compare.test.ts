import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical, hashOf } from "../../src/features/config/canonical.js";
import { compareFields, standingOf, type Verdict } from "../../src/features/config/compare.js";

/** A reference implementation that tests the conditions in a different order. */
function expected(
  file: string | undefined,
  live: string,
  base: { sent: string; returned: string } | undefined,
  isBound: boolean,
): Verdict | undefined {
  if (file === undefined) return isBound && base !== undefined ? "no_longer_managed" : undefined;
  const isAgreed = file === live;
  if (!isBound) return isAgreed ? "first_equal" : "first_different";
  if (base === undefined) return isAgreed ? "newly_equal" : "newly_different";
  const hasFileChanged = file !== base.sent;
  const hasLiveChanged = live !== base.returned;
  if (!hasFileChanged && !hasLiveChanged) return "in_sync";
  if (isAgreed) return "agreed";
  if (hasFileChanged && hasLiveChanged) return "conflict";
  return hasFileChanged ? "changed" : "drift";
}

describe("three-way comparison", () => {
  test("for every state of a field, the comparison matches a reference implementation", () => {
    const values = ["a", "b", "c", "d"];
    const seen = new Set<Verdict | undefined>();
    for (const isBound of [true, false])
      for (const file of [undefined, ...values])
        for (const live of values)
          for (const sent of [undefined, ...values])
            for (const returned of values) {
              const base = sent === undefined || !isBound ? undefined : { sent, returned };
              const verdict = compareFields(
                new Map(file === undefined ? [] : [["field", file]]),
                new Map([["field", live]]),
                isBound ? new Map(base === undefined ? [] : [["field", base]]) : undefined,
                "nothing",
              ).get("field");
              expect(verdict).toBe(expected(file, live, base, isBound));
              seen.add(verdict);
            }
    expect(seen.size).toBe(11);
  });

  test("the comparison has a result for every combination of file, lock and live resource", () => {
    const rows = [
      [{ file: true, lock: false, live: 0 }, "create"],
      [{ file: true, lock: false, live: 1 }, "needs_adopt"],
      [{ file: true, lock: false, live: 2 }, "ambiguous"],
      [{ file: true, lock: true, live: 1 }, "compare"],
      [{ file: true, lock: true, live: 0 }, "gone"],
      [{ file: false, lock: true, live: 1 }, "prune_candidate"],
      [{ file: false, lock: true, live: 0 }, "forgotten"],
      [{ file: false, lock: false, live: 1 }, "unmanaged"],
    ] as const;
    for (const [state, standing] of rows) expect(standingOf(state)).toBe(standing);
  });

  test("[C1 property] the canonical form of a value ignores only the order of fields", () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, inner]) => [name, shuffled(inner)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        expect(hashOf(canonical("exact", shuffled(value)))).toBe(hashOf(canonical("exact", value)));
      }),
      { numRuns: 50, seed: 4711 },
    );
    expect(canonical("exact", "a ")).not.toBe(canonical("exact", "a"));
    expect(canonical("name", " a\u0308 ")).toBe(canonical("name", "ä"));
    expect(canonical("phone", "+49 (30) 23-18")).toBe(canonical("phone", "+49302318"));
    expect(canonical("references", ["b", "a", "a"])).toBe(canonical("references", ["a", "b"]));
    for (const empty of [undefined, "", [], {}])
      expect(canonical("exact", empty)).toBe(canonical("exact", null));
  });
});
