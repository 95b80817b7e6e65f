import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { catalog } from "../../src/emulator/rules/catalog.js";
import { createTitlePattern, findTestsByRule, mutants } from "./list.js";
import { declarationsOf, findLocations, mutatedFolders, readDeclarations } from "./locations.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const declarations = readDeclarations(join(root, "src"), mutatedFolders);
/**
 * API rules that no single line implements: the service pushes no data, and every response waits for its commit.
 */
const withoutMutant = ["public.general.10", "emulator.durable"];

// `npm run proof -- mutants` checks that a test detects each mutant.
describe("the list of mutants", () => {
  it("each mutant matches exactly one location in the code", () => {
    const misplaced = mutants.filter((mutant) => {
      const locations = findLocations(declarations, mutant);
      return locations.length !== 1 || mutant.find === mutant.replace;
    });
    expect(misplaced).toEqual([]);
  });

  it("a mutant matches renamed and reformatted code", () => {
    const source =
      "// D-x\nfunction isOver(state: State) {\n  return state.endsAt\n    <= state.now; // comment\n}\n";
    const mutant = { rule: "D-x", find: "call.endsAt <= call.now", replace: "call.endsAt < call.now" };
    const [location, ...otherLocations] = findLocations(declarationsOf("x.ts", source), mutant);
    expect(otherLocations).toEqual([]);
    expect(location?.text).toBe("state.endsAt < state.now");
    expect(source.slice(location?.start, location?.end)).toBe("state.endsAt\n    <= state.now");
  });

  it("a mutant doesn't match different operands or another rule's code", () => {
    const mutant = { rule: "D-x", find: "a < a", replace: "a > a" };
    expect(findLocations(declarationsOf("x.ts", "// D-xy\nconst y = a < a;\n"), mutant)).toEqual([]);
    expect(findLocations(declarationsOf("x.ts", "// D-x\nconst y = a < b;\n"), mutant)).toEqual([]);
  });

  it("each mutant names an existing rule that has a test", () => {
    const files = findTestsByRule(root);
    expect(mutants.filter(({ rule }) => !catalog.has(rule) || !files.has(rule))).toEqual([]);
  });

  it("every API rule that a single line implements has a mutant", () => {
    const broken = new Set(mutants.map(({ rule }) => rule));
    expect([...catalog.keys()].filter((rule) => !broken.has(rule)).sort()).toEqual([...withoutMutant].sort());
  });

  it("the tests of an API rule are found by the rule IDs in their titles", () => {
    const pattern = new RegExp(createTitlePattern(["public.limits.1", "D-id"]));
    const named = (title: string) => pattern.test(title);
    expect(
      ["[public.limits.1] x", "[D-id concurrency] x", "[D-x, public.limits.1] x", "x D-id: y"].filter(named),
    ).toHaveLength(4);
    expect(
      ["[public.limits.10] x", "[public-limits.1] x", "[D-idle] x", "public.limits.1"].filter(named),
    ).toEqual([]);
  });
});
