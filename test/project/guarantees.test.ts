// docs/guarantees.md explains the short IDs in comments and titles (T5, M4), and has a separate part for
// configuration as code.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Returns whether a file is in a directory whose guarantees are numbered separately. */
const isConfiguration = (file: string) => /^(?:src\/features|test)\/config\//.test(file);

/** Returns the IDs that the page explains, such as `T5`. IDs of configuration as code have a prefix: `config A3`. */
function findExplained(page: string): string[] {
  return page.split(/^## /m).flatMap((part) => {
    const prefix = part.startsWith("Configuration as code") ? "config " : "";
    return [...part.matchAll(/^\| ([A-Z]\d+[a-z]?) \|/gm)].map(([, id = ""]) => prefix + id);
  });
}

const id = String.raw`(?<![\w.\`'"=%/-])[A-Z]\d{1,2}[a-z]?(?![\w\`'"-])`;
const comment = /(?:^\s*(?:\/\*|\*|\/\/)|\s\/\/ |\s\/\*\* ).*/;

/** Returns the IDs in tags at the start of a title, such as `[A3] [M4 property]`, and at its end, such as `[A3, M4]`. */
function findTags(line: string): string[] {
  const ids = "[A-Z]\\d{1,2}[a-z]?";
  const first = [...line.matchAll(new RegExp(`(?<=["'\`\\]] ?)\\[(${ids})(?=[ \\]])`, "g"))].flatMap(
    ([, tag = ""]) => tag,
  );
  const last = [...line.matchAll(new RegExp(`(?<=\\w \\)?)\\[(${ids}(?:, ${ids})*)\\](?=["'\`])`, "g"))];
  return [...first, ...last.flatMap(([, tags = ""]) => tags.split(", "))];
}

function findNamed(file: string, text: string): string[] {
  const toQualifiedId = (name: string) =>
    isConfiguration(file) && !name.startsWith("T") ? `config ${name}` : name;
  return text.split("\n").flatMap((line) => {
    const [words = ""] = comment.exec(line) ?? [];
    const tags = file.startsWith("test/") ? findTags(line) : [];
    const mentioned = [...words.matchAll(new RegExp(id, "g"))].map(([whole]) => whole);
    return [...mentioned, ...tags].map(toQualifiedId);
  });
}

const files = ["src", "test"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => /\.tsx?$/.test(file)),
);

describe("docs/guarantees.md", () => {
  const explained = findExplained(read("docs/guarantees.md"));
  const named = files.map((file) => [file, findNamed(file, read(file))] as const);

  it("docs/guarantees.md explains each ID once", () => {
    expect(explained.length).toBeGreaterThan(100);
    expect(explained.filter((explainedId, index) => explained.indexOf(explainedId) !== index)).toEqual([]);
  });

  it("docs/guarantees.md explains all IDs that comments and test titles contain", () => {
    const known = new Set(explained);
    const unknown = named.flatMap(([file, ids]) =>
      ids.filter((candidate) => !known.has(candidate)).map((candidate) => `${file}: ${candidate}`),
    );
    expect(unknown).toEqual([]);
  });

  it("docs/guarantees.md contains no unused ID", () => {
    const used = new Set(named.flatMap(([, ids]) => ids));
    expect(explained.filter((explainedId) => !used.has(explainedId))).toEqual([]);
  });

  it("the check of IDs finds a new ID, an ID in the wrong part and an unused ID", () => {
    expect(findNamed("src/write/new.ts", "// Q7: nothing is sent. `B7` is a cell.")).toEqual(["Q7"]);
    expect(findNamed("src/features/config/new.ts", "/** A3, and T4 */")).toEqual(["config A3", "T4"]);
    expect(findNamed("test/new.test.ts", 'it("[A3] [A4][M4 property] holds", () => {});')).toEqual([
      "A3",
      "A4",
      "M4",
    ]);
    expect(findNamed("test/new.test.ts", 'it("an import holds [A3, M4]", () => {});')).toEqual(["A3", "M4"]);
    expect(findExplained("## Plans\n| A3 | x |\n## Configuration as code\n### x\n| A3 | x |\n")).toEqual([
      "A3",
      "config A3",
    ]);
  });
});
