import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { stringifyYaml } from "../../src/cli/output/yaml.js";
import { type ApiName, apis } from "../../src/contract/apis.js";
import { operations } from "../../src/contract/contract.js";
import { createOpenApiDocument } from "../../src/openapi/document.js";
import { asYaml } from "../../src/openapi/index.js";

const missing = spawnSync("python3", ["-c", "import yaml"]).status !== 0;

/** Reads each document with both of PyYAML's loaders. */
const reader = `
import json, sys, yaml
loaders = [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)]
print(json.dumps([[yaml.load(text, Loader=loader) for loader in loaders] for text in json.load(sys.stdin)]))
`;

const pieces = [
  ...[
    "0",
    "1",
    "9",
    "_",
    ",",
    ".",
    ":",
    "-",
    "+",
    "e",
    "E",
    "x",
    "b",
    "o",
    "n",
    "y",
    "N",
    "T",
    "Z",
    "~",
    "=",
    "<",
  ],
  ...[
    "#",
    "'",
    '"',
    "\\",
    "\n",
    "\r",
    "\t",
    " ",
    "  ",
    ": ",
    " #",
    "\u0085",
    "\u2028",
    "\ufeff",
    "\u007f",
    "\u0001",
  ],
  ...[
    "ä",
    "😀",
    "|",
    ">",
    "[",
    "]",
    "{",
    "}",
    "%",
    "@",
    "&",
    "*",
    "!",
    "?",
    "12:00",
    "on",
    "null",
    "wort ".repeat(9),
  ],
];

// Needs Python with PyYAML.
it.skipIf(missing)("PyYAML (YAML 1.1) reads back every string that -o yaml prints", () => {
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => parts.join(""));
  const texts = fc.sample(text, 1_000);
  const documents = texts.flatMap((text) => [stringifyYaml([text]), stringifyYaml({ [text]: { text } })]);
  const read = spawnSync("python3", ["-c", reader], {
    input: JSON.stringify(documents),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  expect(read.stderr).toBe("");
  expect(JSON.parse(read.stdout)).toEqual(
    texts.flatMap((text) => [
      [[text], [text]],
      [{ [text]: { text } }, { [text]: { text } }],
    ]),
  );
});

// Needs Python with PyYAML.
it.skipIf(missing)(
  "PyYAML (YAML 1.1) reads each OpenAPI document unchanged, even times in examples",
  async () => {
    const names: ApiName[] = ["public", "distributor-v1", "distributor-v2", "legacy"];
    const documents = names.map((api) => createOpenApiDocument(operations, api, apis[api].basePath || "/"));
    const read = spawnSync("python3", ["-c", reader], {
      input: JSON.stringify(await Promise.all(documents.map(asYaml))),
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    expect(read.stderr).toBe("");
    const plain = JSON.parse(JSON.stringify(documents));
    expect(JSON.parse(read.stdout)).toEqual(plain.map((document: object) => [document, document]));
  },
);
