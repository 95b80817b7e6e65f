import { describe, expect, it } from "vitest";
import { findPhrases } from "../../scripts/plain-words/findings.js";
import { phraseRules } from "../../scripts/plain-words/phrase-rules.js";

const rulesOf = (path: string, source: string) => findPhrases(path, source).map(({ rule }) => rule);

describe("the checker of plain words", () => {
  it.each(phraseRules.map((rule) => [rule.id, rule] as const))(
    "the rule %s of the checker matches its example",
    (id, rule) => {
      const area = rule.areas?.[0] ?? "strings";
      const example = rule.example;
      const [path, source] =
        area === "strings"
          ? ["src/a.ts", `const text = ${JSON.stringify(example)};`]
          : area === "docs"
            ? ["docs/a.md", example]
            : ["src/a.ts", `/** ${example} */`];
      expect(rulesOf(path, source)).toContain(id);
    },
  );

  it.each([
    ["a string", "src/a.ts", 'fail("start it anew");', 1],
    ["a template", "src/a.ts", "\n\nfail(`start $" + "{id} anew`);", 3],
    ["joined strings", "src/a.ts", '\nfail("it is left " +\n  "out of the list");', 2],
    ["a string inside a template", "src/a.ts", "\nfail(`$" + '{all ? "start it anew" : ""}`);', 2],
    ["line comments that follow each other", "src/a.ts", "// It is left\n// out of the list.", 1],
    ["a docstring", "src/a.ts", "/**\n * Reads.\n * @returns what was read\n */", 3],
    ["a title", "test/a.test.ts", 'it("a; b", () => {});', 1],
    ["a document", "docs/a.md", "# Title\n\nStart it anew.", 3],
    ["a changelog", "CHANGELOG.md", `- ${"word, ".repeat(40)}`, 1],
  ])("the checker reports the phrase and its line in %s", (_, path, source, line) => {
    expect(findPhrases(path, source)).toEqual([expect.objectContaining({ line })]);
  });

  it.each([
    ["code of a document", "docs/a.md", "```sh\nstart it anew\n```"],
    ["a regular expression", "src/a.ts", "const pattern = /start \\/\\/ it anew/;"],
    ["an SQL statement", "src/a.ts", 'run("SELECT thing FROM world anew");'],
    ["the name of a module", "src/a.ts", 'import "./start anew.js";'],
    ["an allowed line", "src/a.ts", '// plain-words: allow anew\nfail("start it anew");'],
  ])("the checker ignores %s", (_, path, source) => {
    expect(findPhrases(path, source)).toEqual([]);
  });
});
