import { describe, expect, it, test } from "vitest";
import { readYaml } from "../../src/base/yaml.js";
import { parseYaml, parseYamlWithLines } from "../../src/base/yaml-text.js";
import { parseYamlText } from "../../src/features/config/folder/yaml.js";
import { readTexts } from "../../src/features/import/items/yaml.js";

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

/** Returns the CPU time in milliseconds, which other processes don't affect. */
function costOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}

const shapes: [string, (count: number) => string][] = [
  ["a map", (count) => lines(count, (index) => `k${index}: 1`)],
  ["a map in braces", (count) => `{${lines(count, (index) => `k${index}: 1,`)}}`],
  ["aliases", (count) => `- &b 1\n${lines(count, () => "- *b")}`],
];

describe.each(shapes)("parsing YAML with %s", (_, shape) => {
  it("parsing large YAML takes linear time", () => {
    const [small, large] = [shape(2_000), shape(16_000)];
    costOf(() => readYaml(small));
    // Eight times as many keys mean 64 times the work if each key is compared with all others.
    const cost = Math.max(...[1, 2].map(() => costOf(() => readYaml(small))));
    expect(costOf(() => readYaml(large))).toBeLessThan(24 * cost);
  });
});

test("finding the line of each key takes linear time", () => {
  const lookUpAll = (count: number) => {
    const { lineOf, keyLineOf } = parseYamlWithLines(lines(count, (index) => `k${index}: 1`));
    return costOf(() => {
      for (let index = 0; index < count; index += 1) {
        expect.soft(lineOf([`k${index}`]) === keyLineOf([`k${index}`])).toBe(true);
      }
    });
  };
  lookUpAll(500);
  expect(lookUpAll(8_000)).toBeLessThan(24 * lookUpAll(1_000) + 20);
});

describe("a repeated key", () => {
  const duplicate = `a: 1\n${lines(100, (index) => `k${index}: 1`)}\na: 2\n`;

  it("every YAML reader refuses a repeated key and names its line", () => {
    expect(() => parseYaml(duplicate)).toThrow("Map keys must be unique at line 102, column 1");
    expect(readTexts(duplicate)).toEqual({ error: "Map keys must be unique", line: 102 });
    expect(parseYamlText(duplicate, "x.yaml")).toMatchObject({ line: 102 });
  });

  test.each(["{a: 1, a: 2}", "b:\n  - {'a': 1, \"a\": 2}", "1: a\n'1': b", "? a\n? a", "null: 1\n'': 2"])(
    "a repeated key is refused in %j",
    (text) => {
      expect(() => parseYaml(text)).toThrow("Map keys must be unique");
    },
  );

  it("the same key is allowed in different maps", () => {
    expect(parseYaml("a: {a: 1}\nb: {a: 1}")).toEqual({ a: { a: 1 }, b: { a: 1 } });
  });

  it("a repeated key is reported if it is the file's first error", () => {
    expect(() => parseYaml("a: 1\na: 2\nb: [1")).toThrow("Map keys must be unique at line 2");
    expect(() => parseYaml("b: [1\na: 1\na: 2")).toThrow("line 2");
  });
});

describe("YAML aliases", () => {
  it("an alias refers to the last preceding anchor with the same name", () => {
    expect(parseYaml("- &a 1\n- *a\n- &a 2\n- *a")).toEqual([1, 1, 2, 2]);
    expect(parseYaml("&a [&a 1, *a]")).toEqual([1, 1]);
  });

  it("many aliases can refer to one anchor", () => {
    expect(parseYaml(`- &b {x: 1}\n${lines(1_000, () => "- *b")}`)).toHaveLength(1_001);
  });

  test.each([
    ["of aliases", `a0: &a0 [x]\n${lines(30, (n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`)}`],
    ["of a large value", `- &a [${"1,".repeat(2_000)}]\n${lines(60, () => "- *a")}`],
  ])("aliases that expand to too many values are refused: aliases %s", (_, text) => {
    expect(() => parseYaml(text)).toThrow("its aliases expand to too many values");
  });

  test.each(["&a [*a]", "&a {b: {c: *a}}", "&a {*a : 1}"])(
    "aliases that refer to themselves are refused: %s",
    (text) => {
      expect(() => parseYaml(text)).toThrow("makes a value contain itself at line 1");
    },
  );

  it("an alias without an anchor is refused, and the error names the line", () => {
    expect(() => parseYaml("a: 1\nb: *c")).toThrow(
      "the alias *c has no anchor before it at line 2, column 4",
    );
  });
});

test.each(["[".repeat(50_000), `${"[".repeat(50_000)}${"]".repeat(50_000)}`, `${"- ".repeat(20_000)}1`])(
  "a YAML file with extremely deep nesting is reported as invalid",
  (text) => {
    expect(readYaml(text)).toHaveProperty("problem");
  },
);

test("a YAML file of more than 4 MiB is refused", () => {
  expect(() => parseYaml("#".repeat(4 * 1_048_576 + 1))).toThrow("it is larger than 4 MiB");
});
