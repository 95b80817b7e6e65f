import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { stringifyYaml } from "../../src/cli/output/yaml.js";

const missing = spawnSync("python3", ["-c", "import yaml"]).status !== 0;

/** Reads each document, a list of one text or a map with one key, with both of PyYAML's loaders. */
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

// It needs Python with PyYAML.
it.skipIf(missing)("PyYAML (YAML 1.1) reads every text that -o yaml prints unchanged", () => {
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
