import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { stringifyYaml } from "../../src/cli/output/yaml.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

/** Without quotes, some YAML 1.1 parsers, such as PyYAML or Psych, don't read these as strings. */
const readOtherwise: Readonly<Record<string, readonly string[]>> = {
  "a base-60 time of day": [
    "12:00",
    "8:30",
    "24:00",
    "00:00",
    "190:20:30",
    "-1:30",
    "+1:2",
    "12:30:45",
    "190:20:30.15",
  ],
  "a boolean": [
    "y",
    "Y",
    "n",
    "N",
    "yes",
    "Yes",
    "YES",
    "no",
    "No",
    "NO",
    "on",
    "On",
    "ON",
    "off",
    "Off",
    "OFF",
    "true",
    "True",
    "TRUE",
    "false",
    "False",
    "FALSE",
  ],
  "a null value": ["~", "null", "Null", "NULL", ""],
  "an integer": [
    "0",
    "12",
    "-12",
    "+12",
    "012",
    "0o14",
    "0xA",
    "0xdeadBEEF",
    "0b1010",
    "1_000",
    "1,000",
    "+4930123456",
    "08",
    "_1",
  ],
  "a decimal number": [
    "1.5",
    "1.",
    ".5",
    "+.5",
    "1e3",
    "1E3",
    "1e+3",
    "12e03",
    "0.1e-5",
    "6.8523015e+5",
    "685_230.15",
    "1,000.5",
    ".inf",
    "-.inf",
    "+.INF",
    ".Inf",
    ".nan",
    ".NaN",
    ".NAN",
  ],
  "a date or a time": [
    "2026-01-31",
    "2026-1-3",
    "2001-12-14t21:59:43.10-05:00",
    "2001-12-14 21:59:43.10 -5",
    "2001-12-15T02:59:43.1Z",
    "2001-12-15 2:59:43.10",
  ],
  "a merge key or a value key": ["<<", "="],
  "a symbol": [":name", ":a b"],
  "the end of a document": ["---", "...", "--- a"],
  "a syntax character": [
    "- a",
    "? a",
    "a: b",
    "a #b",
    "#a",
    "@a",
    "`a",
    "%a",
    "&a",
    "*a",
    "!a",
    "|",
    "> a",
    "[a",
    "{a",
    "'a",
    '"a',
    "a:",
  ],
};

describe.each(Object.entries(readOtherwise))("a string that YAML could parse as %s", (_what, texts) => {
  test.each(texts)("the YAML writer quotes an ambiguous string, as a value and as a key: %j", (text) => {
    const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')$/;
    expect(stringifyYaml([text]).trim().slice(2)).toMatch(quoted);
    expect(
      stringifyYaml({ [text]: 1 })
        .trim()
        .replace(/: 1$/, ""),
    ).toMatch(quoted);
    for (const version of ["1.1", "1.2"] as const)
      expect(parse(stringifyYaml({ [text]: [text] }), { version })).toEqual({ [text]: [text] });
  });
});

test.each([
  ["a line ending that only YAML 1.1 has", "a\u0085b\u2028c\u2029d"],
  ["characters that YAML forbids", "\u0000\u0007\u007f\u009b"],
  ["a byte order mark", "\ufeffa"],
  ["a tab at the start of a line", "a\n\tb"],
  ["a carriage return", "a\r\nb"],
  ["half of a surrogate pair", "a\ud83d"],
])("the YAML writer escapes %s", (_what, text) => {
  const printed = stringifyYaml([text]);
  expect(printed).toMatch(/^- "[\u0020-\u007e]*"\n$/);
  expect(parse(printed)).toEqual([text]);
});

test("the YAML writer leaves unambiguous strings unquoted", () => {
  for (const text of [
    "Überweiser",
    "Dr. Sommer",
    "a, b",
    "12 Uhr",
    "v1.2.3",
    "10.0.0.1/8",
    "+49 30 123",
    "yesterday",
  ])
    expect(stringifyYaml([text])).toBe(`- ${text}\n`);
  expect(stringifyYaml({ text: "Zeile 1\nZeile 2\n" })).toBe("text: |\n  Zeile 1\n  Zeile 2\n");
  expect(stringifyYaml({ a: 12, b: true, c: null, d: [1.5] })).toBe("a: 12\nb: true\nc: null\nd:\n  - 1.5\n");
});

test("the YAML writer does not fold long lines", () => {
  const long = "wort ".repeat(60).trim();
  expect(stringifyYaml({ a: long, b: `${long}\n${long}` })).toBe(`a: ${long}\nb: |-\n  ${long}\n  ${long}\n`);
  const text = `${long} \n \n${long} `;
  for (const version of ["1.1", "1.2"] as const)
    expect(parse(stringifyYaml([text]), { version })).toEqual([text]);
});

test("-o yaml quotes the times of a calendar", async () => {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const { run } = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const schedules = '[{"kind":"opening","weekly":{"monday":[{"from":"09:00","to":"12:00"}]}}]';
  const created = await run(
    "calendars",
    "create",
    "--name",
    "on",
    "--set",
    `schedules=${schedules}`,
    "-o",
    "yaml",
  );
  expect(created.stdout).toContain('to: "12:00"\n');
  expect(created.stdout).toContain('name: "on"\n');
  const { stdout } = await run("calendars", "list", "-o", "yaml");
  expect(stdout).not.toMatch(/: \d+:\d\d$/m);
  expect(parse(stdout, { version: "1.1" })).toEqual((await run("calendars", "list", "-o", "json")).json);
});
