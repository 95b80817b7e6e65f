import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createNotes } from "../../src/cli/terminal/notes.js";
import { createPrompts } from "../../src/cli/terminal/prompts.js";
import { commandLine } from "../helpers/cli.js";

const missingFlag = [
  "contacts",
  "create",
  "--group",
  "A group with quite a long name",
  "--first-name",
  "Anna",
];

test("messages are wrapped between words at the terminal's width", async () => {
  const { runWith } = commandLine();
  const unwrapped = (await runWith({}, ...missingFlag, "-o", "json")).stderr;
  const message: string = JSON.parse(unwrapped).error.message;
  for (const [terminal, COLUMNS, width] of [
    [40, undefined, 40],
    [0, undefined, 80],
    [120, "30", 30],
  ] as const) {
    const { stderr } = await runWith({ terminal, env: { COLUMNS, CI: "1", NO_COLOR: "1" } }, ...missingFlag);
    const lines = stderr.trimEnd().split("\n");
    for (const line of lines.filter((text) => !text.includes("`")))
      expect(line.length).toBeLessThanOrEqual(width);
    expect(stderr.replaceAll("\n", " ")).toContain(message);
  }
});

test("messages are not wrapped for files, pipes and --plain", async () => {
  const { runWith } = commandLine();
  const plain = await runWith({ terminal: 20, env: { CI: "1", NO_COLOR: "1" } }, ...missingFlag, "--plain");
  expect(Math.max(...plain.stderr.split("\n").map((line) => line.length))).toBeGreaterThan(20);
});

test("a long prompt breaks between words", async () => {
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const [stdin, stderr] = [terminal(), terminal()];
  const controller = new AbortController();
  let shown = "";
  stderr.on("data", (chunk: Buffer) => {
    shown += stripVTControlCharacters(chunk.toString());
    if (shown.includes("(y/N)")) controller.abort(new Error("shown"));
  });
  const io = { stdin, stderr, stdout: terminal(), env: {}, cwd: "/", onSignal: () => () => {} };
  const notes = createNotes(io, { color: false, debug: false, plain: false });
  const prompts = createPrompts(io, notes, controller.signal);
  const message = `${"word ".repeat(14)}license elbe-001?`;
  await expect(prompts.confirm({ message, default: false })).rejects.toThrow("shown");
  expect(shown).toMatch(/^\? (word )+word *\n.*license elbe-001\? \(y\/N\)/);
});
