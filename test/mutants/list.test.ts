import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/emulator/rules/catalogue.js";
import { mutants, testsByRule, titlePattern } from "./list.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Rules that no line implements by itself: that nothing is pushed, and that every answer waits for its commit. */
const withoutMutant = ["public.general.10", "emulator.durable"];

// Whether a test notices each of them is tried by `npm run proof -- mutants`.
describe("the list of mutants", () => {
  it("finds each place once, and changes it", () => {
    const misplaced = mutants.filter(({ file, find, replace }) => {
      const source = readFileSync(join(root, "src", file), "utf8");
      return source.split(find).length !== 2 || find === replace;
    });
    expect(misplaced).toEqual([]);
  });

  it("names rules that exist and that a test names which can be run by itself", () => {
    const files = testsByRule(root);
    expect(mutants.filter(({ rule }) => !catalogue.has(rule) || !files.has(rule))).toEqual([]);
  });

  it("breaks every rule that has a line of its own", () => {
    const broken = new Set(mutants.map(({ rule }) => rule));
    expect([...catalogue.keys()].filter((rule) => !broken.has(rule)).sort()).toEqual(
      [...withoutMutant].sort(),
    );
  });

  it("finds tests by the rules in their titles", () => {
    const pattern = new RegExp(titlePattern(["public.limits.1", "D-id"]));
    const named = (title: string) => pattern.test(title);
    expect(
      ["[public.limits.1] x", "[D-id concurrency] x", "[D-x, public.limits.1] x", "x D-id: y"].filter(named),
    ).toHaveLength(4);
    expect(
      ["[public.limits.10] x", "[public-limits.1] x", "[D-idle] x", "public.limits.1"].filter(named),
    ).toEqual([]);
  });
});
