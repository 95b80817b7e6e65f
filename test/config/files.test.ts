// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of configuration files look like this
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { editMarkdown, editYaml } from "../../src/features/config/folder/edit.js";
import { ignoring, slugOf } from "../../src/features/config/folder/keys.js";
import { bodyOfText } from "../../src/features/config/folder/markdown.js";
import { objectsOf } from "../../src/features/config/folder/objects.js";
import { readSources } from "../../src/features/config/folder/source.js";
import { parseYamlText, yamlOf } from "../../src/features/config/folder/yaml.js";
import { merged } from "../../src/features/config/overlays.js";
import { escapedText, filledText } from "../../src/features/config/variables.js";

const runs = process.env["PROOF"] === undefined ? 25 : 20_000;
const seed = Number(process.env["PROOF_SEED"] ?? 11);
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        "a",
        " ",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "---",
        "#",
        ": ",
        "- ",
        "${",
        "'",
        '"',
        "\\",
        "\u0000",
        "\u2028",
        "\ufeff",
        "ä",
        "|",
        ">",
        "{",
        "&",
        "*",
        "!",
        "123",
        "%",
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join("")),
);

function yamlValue(yaml: string): unknown {
  const parsed = parseYamlText(yaml, "x.yaml");
  if ("message" in parsed) throw new Error(`${parsed.message}: ${yaml}`);
  return parsed.value;
}

function readBack(written: string): unknown {
  const file = { path: "prompts/x.md", text: written };
  const { sources, problems } = readSources([file], ["prompts"], "", () => false);
  const { objects, problems: more } = objectsOf(sources, [], { var: {}, env: {} });
  if (problems.length + more.length > 0) throw new Error(JSON.stringify([problems, more]));
  return objects[0]?.fields.get("text");
}

/** Returns every part of a value with its path, and for each object also the path of a new member. */
function findParts(
  value: unknown,
  path: readonly (string | number)[] = [],
): { path: readonly (string | number)[]; found: unknown }[] {
  const own = path.length === 0 ? [] : [{ path, found: value }];
  if (typeof value !== "object" || value === null) return own;
  const inner = Object.entries(value).flatMap(([name, member]) =>
    findParts(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  const fresh = Array.isArray(value) ? [] : [{ path: [...path, "neu"], found: undefined }];
  return [...own, ...inner, ...fresh];
}

describe("files of a configuration", () => {
  test("[F5 property] text is read from Markdown unchanged, even if git changes line endings", () => {
    fc.assert(
      fc.property(text, (original) => {
        const { body, text: whole, ...more } = bodyOfText(original);
        const matter = {
          name: "x",
          kind: "answering",
          ...more,
          ...(whole === undefined ? {} : { text: escapedText(whole) }),
        };
        const written = `---\n${yamlOf(matter)}---\n${body}`;
        expect(readBack(written)).toBe(original);
        // With autocrlf, git converts line endings unless the file is binary or contains a carriage return.
        const isLeftAlone = /[\r\0]/.test(written);
        if (!isLeftAlone) expect(readBack(written.replaceAll("\n", "\r\n"))).toBe(original);
      }),
      { numRuns: runs, seed, examples: [["a\r\nb\n\u2028---\u2028"]] },
    );
  });

  test("[F8 property] any value is read from YAML as written", () => {
    const value = fc.dictionary(
      fc.constantFrom("a", "b", "c", "x-y"),
      fc.oneof(
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(text, { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("k", "l"), text),
      ),
    );
    fc.assert(
      fc.property(value, (original) => {
        expect(yamlValue(yamlOf(original))).toEqual(original);
      }),
      { numRuns: runs, seed: seed + 1 },
    );
  });

  test("[U2 property] an edit changes only its own value, and keeps comments", () => {
    const document = `# Kopf
name: Empfang   # Name
text: |-
  eins

  zwei

items:   # Liste
  # erster
  - key: a # A
    value: 1
  - { key: b, value: "x" }
leer:
flow: { a: [1, 2], b: zwei }  # flow
block:
  c: d   # tief
  # Ende
letzte: "x"
`;
    const paths: (string | number)[][] = [
      ["name"],
      ["text"],
      ["items", 0, "value"],
      ["items", 0, "neu"],
      ["items", 1, "value"],
      ["leer"],
      ["flow", "b"],
      ["flow", "neu"],
      ["block", "c"],
      ["block", "neu"],
      ["letzte"],
      ["neu"],
      ["flow"],
      ["block"],
    ];
    const comments = ["# Kopf", "# Name", "# Liste", "# erster", "# A", "# flow"];
    fc.assert(
      fc.property(
        fc.constantFrom(...paths),
        fc.oneof(
          text,
          fc.integer(),
          fc.array(text, { maxLength: 2 }),
          fc.dictionary(fc.constantFrom("k"), text, { minKeys: 1 }),
        ),
        (path, value) => {
          // `editYaml` itself throws if any other value would change.
          const edited = editYaml(document, [{ path, value }]);
          for (const comment of comments) expect(edited).toContain(comment);
          expect(editYaml(edited, [{ path, value }])).toBe(edited);
        },
      ),
      { numRuns: runs, seed: seed + 2, examples: [[["text"], { k: "a\n\n" }]] },
    );
  });

  test("[U2 property] edits of fields and lists in any file keep all comments", () => {
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.oneof(fc.constantFrom("k", "l"), text), tie("value"), { maxKeys: 3 }),
      ),
    }));
    const fields = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), value, { minKeys: 1 });
    fc.assert(
      fc.property(fields, value, fc.nat(), (original, fresh, choice) => {
        const parts = Object.entries(original).map(
          ([name, inner]) => `# ${name}\n${yamlOf({ [name]: inner })}`,
        );
        const namedParts = findParts(original).filter(({ path }) => typeof path.at(-1) === "string");
        const { path, found: part } = namedParts[choice % namedParts.length] ?? {
          path: ["neu"],
          found: undefined,
        };
        const entry = Array.isArray(part) && part.length > 0 ? [...path, choice % part.length] : undefined;
        for (const edit of [
          { path, value: fresh },
          ...(Array.isArray(part) ? [{ append: path, value: fresh }] : []),
          ...(entry === undefined ? [] : [{ remove: entry }]),
        ]) {
          const edited = editYaml(parts.join(""), [edit]);
          for (const name of Object.keys(original)) expect(edited).toContain(`# ${name}\n`);
          if ("value" in edit && "path" in edit) expect(editYaml(edited, [edit])).toBe(edited);
        }
      }),
      { numRuns: runs, seed: seed + 3 },
    );
  });

  test("[U2] multi-line text keeps its trailing spaces, even within an object", () => {
    for (const value of ["a\nb ", { k: "a\n: " }]) {
      const edited = editYaml("name: x # da\n", [{ path: ["name"], value }]);
      expect(parse(edited)).toEqual({ name: value });
      expect(edited).toContain("# da");
    }
  });

  test("[U2] an edit can replace a string with a list, even if entries need quotes or escapes", () => {
    expect(editYaml("name: x # da\nend: 1\n", [{ path: ["name"], value: ['"\n', "b"] }])).toBe(
      'name: ["\\"\\n", b] # da\nend: 1\n',
    );
  });

  test("[U2] edits of list entries and of Markdown text make no other changes", () => {
    const list = "group: x\nitems:\n  # eins\n  - term: a\n  - term: b # zwei\n# Ende\n";
    expect(editYaml(list, [{ append: ["items"], value: { term: "c", definition: "d\ne" } }])).toBe(
      "group: x\nitems:\n  # eins\n  - term: a\n  - term: b # zwei\n  - term: c\n    definition: |-\n      d\n      e\n# Ende\n",
    );
    expect(editYaml(list, [{ remove: ["items", 0] }])).toBe(
      "group: x\nitems:\n  # eins\n  - term: b # zwei\n# Ende\n",
    );
    expect(editYaml("group: x\n", [{ append: ["items"], value: { term: "c" } }])).toBe(
      "group: x\nitems:\n  - term: c\n",
    );
    expect(editMarkdown("---\nname: a # b\n---\nalt\n", [], "neu\n")).toBe("---\nname: a # b\n---\nneu\n");
  });

  test("[F6] variables in files are replaced by their literal values", () => {
    const messages: string[] = [];
    const fill = (given: string) =>
      filledText(given, { var: { a: "${env.X}: [1]" }, env: { X: "y" } }, (message) =>
        messages.push(message),
      );
    expect(fill("<${var.a}> $${var.a} ${env.X} $ {")).toBe("<${env.X}: [1]> ${var.a} y $ {");
    expect(messages).toEqual([]);
    for (const text of ["${", "${var.b}", "$${var.b}", "$$${{${"]) expect(fill(escapedText(text))).toBe(text);
    expect(messages).toEqual([]);
    fill("${var.b}");
    fill("${env.Y}");
    fill("${a}");
    expect(messages).toEqual([
      "the target has no variable b",
      "the environment variable Y is not set",
      "invalid variable ${a}: expected ${var.NAME} or ${env.NAME}; for a literal ${, use $${",
    ]);
  });

  test("[F7] an overlay merges objects, replaces other values, and removes a field with null", () => {
    expect(merged({ a: { b: 1, c: [1, 2] }, d: 1 }, { a: { c: [3], e: null }, d: { f: 1 } })).toEqual({
      a: { b: 1, c: [3] },
      d: { f: 1 },
    });
  });

  test("[U5] a resource's key is derived from its name", () => {
    expect(["Über uns / Preise", "ŁÓDŹ 24", "…", "a".repeat(80)].map(slugOf)).toEqual([
      "ueber-uns-preise",
      "lodz-24",
      "unnamed",
      "a".repeat(60),
    ]);
    const isIgnored = ignoring(["knowledge/entwuerfe/**", "prompts/x*.md"]);
    expect(["knowledge/entwuerfe/a", "prompts/xy", "prompts/y", "knowledge/b/a"].map(isIgnored)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
