import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { commandLine, temporaryFolder } from "../helpers/cli.js";

function shell() {
  const line = commandLine();
  const temporary = join(temporaryFolder(), "tmp");
  mkdirSync(temporary);
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return { ...line, temporary };
}

test("`demo` imports a list and shows rejected rows", async () => {
  const { runWith, temporary, data } = shell();
  const { code, stdout, stderr } = await runWith({ terminal: 100 }, "demo");
  expect(code).toBe(0);
  expect(stderr).toContain("kunden-export.csv (CSV, Windows-1252");
  expect(stderr).toContain("103/103 · 100%");
  expect(stdout).toMatch(/103 created\n +0 already in the group\n +5 duplicates in the file\n +12 invalid/);
  expect(stdout).toMatch(/46 +48 +Telefon +4,94218E\+11 +was shortened by a spreadsheet/);
  expect(stdout).toMatch(/Sönke Öztürk +\+4917624523904/);
  expect(stdout).toMatch(/0 created\n +103 already in the group/);
  expect(stdout).toContain("voxctl contacts list --profile offline");
  expect(readdirSync(temporary)).toEqual([]);
  expect(existsSync(data)).toBe(false);
});

test("`demo -o json` prints one JSON document", async () => {
  const { run } = shell();
  const { code, json } = await run("demo", "-o", "json");
  expect(code).toBe(0);
  expect(json).toMatchObject({
    first: { rows: 120, created: 103, duplicates: 5, invalid: 12, rate_limited: 0 },
    second: { rows: 120, created: 0, unchanged: 103, duplicates: 5, invalid: 12 },
  });
});

test("an interrupted `demo` doesn't suggest resuming, because its data was deleted", async () => {
  const { runWith, temporary } = shell();
  const { code, stderr } = await runWith(
    {
      terminal: 100,
      before: (io) =>
        io.stderr.on("data", (chunk: Buffer) => {
          if (chunk.toString().includes("2 duplicate rows have")) io.signal("SIGINT");
        }),
    },
    "demo",
  );
  expect(code).toBe(130);
  expect(stderr).toContain("interrupted");
  expect(stderr).not.toContain("resume");
  expect(readdirSync(temporary)).toEqual([]);
});
