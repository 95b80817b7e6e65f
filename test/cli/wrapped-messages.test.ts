import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createNotes } from "../../src/cli/terminal/notes.js";
import { createPrompts } from "../../src/cli/terminal/prompts.js";
import { commandLine } from "../helpers/cli.js";
import { formatPlan } from "../helpers/plan.js";

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

test("results on a terminal are wrapped between words, and long lists after commas", async () => {
  const { home, runWith } = commandLine({ env: { NO_COLOR: "1" } });
  const ids = [1, 2, 3].map((number) => String(number).repeat(24));
  const body = { name: "Empfang", introduction: "Guten Tag und willkommen ".repeat(3), tool_ids: ids };
  const steps = [{ step: 1, op: "assistants.create", body, undo: "full" }];
  writeFileSync(join(home, "a.plan"), formatPlan({ steps }));
  const show = async (...flags: string[]) =>
    (await runWith({ terminal: 70 }, "plan", "show", "a.plan", ...flags)).stdout;
  const [wrapped, whole] = [await show(), await show("--wide")];
  expect(Math.max(...wrapped.split("\n").map((line) => line.length))).toBeLessThanOrEqual(70);
  expect(wrapped.match(/"(\d)\1{23}"/g)).toHaveLength(3);
  const toWords = (text: string) => text.replaceAll(/,\s*/g, ", ").trim().split(/\s+/);
  expect(toWords(wrapped)).toEqual(toWords(whole));
});

test("results on a terminal are not wrapped within a path", async () => {
  const { home, runWith } = commandLine({ env: { NO_COLOR: "1" } });
  const url = `https://example.com/${"tile,".repeat(20)}`;
  const steps = [{ step: 1, op: "tools.create", body: { name: "crm", url }, undo: "full" }];
  writeFileSync(join(home, "a.plan"), formatPlan({ steps }));
  expect((await runWith({ terminal: 70 }, "plan", "show", "a.plan")).stdout).toContain(url);
});

test("JSON that contains a path is wrapped only between entries", async () => {
  const { home, runWith } = commandLine({ env: { NO_COLOR: "1" } });
  const labels = Array.from({ length: 8 }, (_, index) => `eintrag-${index}`);
  const body = { name: "crm", parameters: { $id: "https://example.com/a,b", enum: labels, type: "string" } };
  writeFileSync(
    join(home, "a.plan"),
    formatPlan({ steps: [{ step: 1, op: "tools.create", body, undo: "full" }] }),
  );
  const { stdout } = await runWith({ terminal: 70 }, "plan", "show", "a.plan");
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(70);
  expect(stdout).toContain("https://example.com/a,b");
});

function openPrompts(onShown: (shown: string, reply: (typed: string) => void, stop: () => void) => void) {
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const [stdin, stderr] = [terminal(), terminal()];
  const controller = new AbortController();
  let shown = "";
  stderr.on("data", (chunk: Buffer) => {
    shown += stripVTControlCharacters(chunk.toString());
    const reply = (typed: string) => void setImmediate(() => stdin.write(typed));
    onShown(shown, reply, () => controller.abort(new Error("shown")));
  });
  const io = { stdin, stderr, stdout: terminal(), env: {}, cwd: "/", onSignal: () => () => {} };
  const notes = createNotes(io, { color: false, debug: false, plain: false });
  return { prompts: createPrompts(io, notes, controller.signal), shown: () => shown };
}

test("a long prompt breaks between words", async () => {
  const { prompts, shown } = openPrompts((text, _, stop) => {
    if (text.includes("(y/N)")) stop();
  });
  const message = `${"word ".repeat(14)}license elbe-001?`;
  await expect(prompts.confirm({ message, default: false })).rejects.toThrow("shown");
  expect(shown()).toMatch(/^\? (word )+word *\n.*license elbe-001\? \(y\/N\)/);
});

test("a confirmation that the user declined is not shown with a check mark", async () => {
  let isAnswered = false;
  const { prompts, shown } = openPrompts((text, reply) => {
    if (isAnswered || !text.includes("(y/N)")) return;
    isAnswered = true;
    reply("n\r");
  });
  expect(await prompts.confirm({ message: "Delete the group?", default: false })).toBe(false);
  expect(shown()).toMatch(/\? Delete the group\? No/);
  expect(shown()).not.toMatch(/[✔√]/);
});
