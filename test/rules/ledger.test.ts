import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { catalog } from "../../src/emulator/rules/catalog.js";
import { scanSource, scanTests } from "./scan.js";
import { type ProofType, parseTags } from "./tags.js";

const rules = [...catalog.values()];
const { tests, unexplainedSkips } = scanTests(fileURLToPath(new URL("../..", import.meta.url)));

function isProved(rule: string, proofType: ProofType): boolean {
  return tests.some(({ rules }) => rules.get(rule)?.has(proofType));
}

// test/helpers/refusals.ts checks a title's claim about a refusal while the test runs.
describe("the table of API rules", () => {
  it("each API rule and decision has a test that proves it", () => {
    expect(rules.filter(({ id }) => !isProved(id, "holds"))).toEqual([]);
  });

  it("every API rule that can refuse a request has a test in which it does", () => {
    const refusing = rules.filter(({ namedBy }) => namedBy.length > 0).map(({ id }) => id);
    expect(refusing.filter((id) => !isProved(id, "refuses"))).toEqual([]);
  });

  it("every API rule that needs a concurrency test has one", () => {
    const raced = rules.filter(({ atOnce }) => atOnce).map(({ id }) => id);
    expect(raced.filter((id) => !isProved(id, "concurrency"))).toEqual([]);
  });

  it("no title names more than five API rules", () => {
    const overfull = tests.filter(({ title }) => new Set(parseTags(title).map(({ rule }) => rule)).size > 5);
    expect(overfull.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
  });

  it("tests and API rules name only API rules that exist", () => {
    const unknownRules = tests.flatMap(({ file, line, rules }) =>
      [...rules.keys()].filter((rule) => !catalog.has(rule)).map((rule) => `${rule} in ${file}:${line}`),
    );
    expect(unknownRules).toEqual([]);
    const named = rules.flatMap(({ namedBy }) => namedBy);
    expect(named.filter((id) => !catalog.has(id))).toEqual([]);
  });

  it("every test that can be skipped has a reason", () => {
    expect(unexplainedSkips).toEqual([]);
  });
});

describe("the scanner of tests", () => {
  const read = (source: string) => scanSource("x", source);

  it("the tests of an API rule are found by their titles, even in suites and tables", () => {
    const source = `
      const kinds = [{ groupRule: "public.operations.10" }];
      describe("[public.limits.1] suite", () => {
        it("one", () => { expect(reply.status).toBe(404); });
        it.each([1, 2])("[public.auth.5, D-roles refuses] %s", () => {});
      });
      it(\`[\${groupRule} refuses property] x\`, () => {});
      it("[public.operations.1c holds refuses concurrency] D-order: x", () => {});`;
    const foundTests = read(source).tests.map(({ line, rules }) => [
      line,
      Object.fromEntries([...rules].map(([rule, proofTypes]) => [rule, [...proofTypes]])),
    ]);
    expect(foundTests).toEqual([
      [4, { "public.limits.1": ["holds"] }],
      [5, { "public.limits.1": ["holds"], "public.auth.5": ["refuses"], "D-roles": ["refuses"] }],
      [7, { "public.operations.10": ["refuses", "property"] }],
      [8, { "public.operations.1c": ["holds", "refuses", "concurrency"], "D-order": ["holds"] }],
    ]);
  });

  it("tests that are skipped without a reason are found", () => {
    const source = "it.skip('a', () => {});\n// Needs a browser.\nit.skipIf(true)('b', () => {});";
    expect(read(source).unexplainedSkips).toEqual(["x:1"]);
  });
});
