import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

test.each([
  [["contacts", "delete", "--search", "nobody"], "--plan"],
  [["contacts", "dedupe", "--group", "Empty"], "--plan"],
  [["prompts", "edit", "Empfang"], "--plan"],
  [["subject", "erase", "--email", "nobody@example.org", "--yes"], "--plan"],
  [["lint", "--only", "prompt-gone"], "--plan"],
])("%j replaces the old plan file with an empty plan if nothing would change", async (command, flag) => {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const { home, runWith } = commandLine({ overrides: connectedTo(emulator) });
  const run = (...argv: string[]) => runWith({ env: { EDITOR: "true" } }, "--profile", "offline", ...argv);
  const path = join(home, "work.plan");
  await run("groups", "create", "--type", "contacts", "--name", "Empty");
  writeFileSync(path, "a plan of another time\n");
  const { code, stderr } = await run(...command, flag, "work.plan", "--force");
  expect(code, stderr).toBe(0);
  expect(readFileSync(path, "utf8")).not.toContain("another time");
  const applied = await run("apply", "work.plan", "--yes", "-o", "json");
  expect(applied.code, applied.stderr).toBe(0);
  expect(applied.json).toMatchObject({ steps: { done: 0 } });
});

test("only a plan file without steps can be replaced without --force", async () => {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const { home, run } = commandLine({ overrides: connectedTo(emulator) });
  const path = join(home, "work.plan");
  const plan = (name: string) =>
    run("contacts", "delete", "--search", name, "--plan", "work.plan", "--profile", "offline");
  expect((await plan("nobody")).code).toBe(0);
  expect((await plan("a")).code).toBe(0);
  const written = readFileSync(path, "utf8");
  expect(written).toContain('"step":1');
  for (const text of [written, "{}\n", ""]) {
    writeFileSync(path, text);
    const { code, stderr } = await plan("nobody");
    expect([code, stderr]).toEqual([12, expect.stringContaining("work.plan already exists")]);
    expect(readFileSync(path, "utf8")).toBe(text);
  }
});

test.each([[["contacts", "delete", "--search", "a"]], [["prompts", "edit", "Empfang"]]])(
  "%j quotes the path of a plan in the command that applies it",
  async (command) => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const { runWith } = commandLine({ overrides: connectedTo(emulator) });
    const env = { EDITOR: `sed -i "s/^name:.*/name: Neu/" "$1"` };
    const { stderr } = await runWith({ env }, "--profile", "offline", ...command, "--plan", "my plan");
    expect(stderr).toContain("`voxctl apply 'my plan'`");
  },
);
