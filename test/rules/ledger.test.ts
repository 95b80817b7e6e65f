import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/emulator/rules/catalogue.js";
import { rulesThatRefuse, rulesUnderConcurrency } from "./refusals.js";
import { type Kind, scanSource, scanTests } from "./scan.js";

const { tests, unexplainedSkips } = scanTests(fileURLToPath(new URL("../..", import.meta.url)));

function proved(rule: string, kind: Kind): boolean {
  return tests.some((test) => test.rules.includes(rule) && test.kinds.has(kind));
}

describe("the ledger of rules", () => {
  it("has a test for every rule and every decision", () => {
    const tagged = new Set(tests.flatMap(({ rules }) => rules));
    expect([...catalogue.keys()].filter((rule) => !tagged.has(rule))).toEqual([]);
  });

  it("has a refusal for every rule that refuses something", () => {
    expect(rulesThatRefuse.filter((rule) => !proved(rule, "refusal"))).toEqual([]);
  });

  it("has a test with several at once for every rule that could break then", () => {
    expect(rulesUnderConcurrency.filter((rule) => !proved(rule, "concurrency"))).toEqual([]);
  });

  it("knows every rule that a test or a list names", () => {
    const strangers = tests.flatMap(({ file, line, rules }) =>
      rules.filter((rule) => !catalogue.has(rule)).map((rule) => `${rule} in ${file}:${line}`),
    );
    expect(strangers).toEqual([]);
    expect([...rulesThatRefuse, ...rulesUnderConcurrency].filter((rule) => !catalogue.has(rule))).toEqual([]);
  });

  it("has a reason for every test that may be left out", () => {
    expect(unexplainedSkips).toEqual([]);
  });
});

describe("the reader of tests", () => {
  const read = (source: string) => scanSource("x", source);

  it("reads rules and kinds from titles and bodies, in suites and tables, too", () => {
    const source = `
      function refused(reply) { expect(reply.status).toBe(404); }
      const kinds = [{ groupRule: "public.operations.10" }];
      describe("[public.limits.1] suite", () => {
        it("one", () => {});
        it.each([1, 2])("[public.auth.5, D-roles] %s", () => { refused(reply); });
      });
      it(\`[\${groupRule}] x\`, () => { fc.assert(); });
      it("[public.operations.1c concurrency] D-order: x", () => {});`;
    const found = read(source).tests.map((test) => [test.line, test.rules, [...test.kinds]]);
    expect(found).toEqual([
      [5, ["public.limits.1"], ["positive"]],
      [6, ["public.limits.1", "public.auth.5", "D-roles"], ["refusal"]],
      [8, ["public.operations.10"], ["property"]],
      [9, ["public.operations.1c", "D-order"], ["concurrency"]],
    ]);
  });

  it("finds what is skipped without a reason", () => {
    const source = "it.skip('a', () => {});\n// Needs a browser.\nit.skipIf(true)('b', () => {});";
    expect(read(source).unexplainedSkips).toEqual(["x:1"]);
  });
});
