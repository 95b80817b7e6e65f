import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BuiltEmulator, startBuiltEmulator } from "./built-emulator.js";
import { findMissingPrograms } from "./programs.js";

const script = fileURLToPath(new URL("../../docs/examples/scenario.py", import.meta.url));
const missing = findMissingPrograms("python3");
const folder = mkdtempSync(join(tmpdir(), "python-"));
let emulator: BuiltEmulator | undefined;

beforeAll(async () => {
  if (!missing) emulator = await startBuiltEmulator("--seed", "demo");
});
afterAll(async () => {
  await emulator?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// Needs Python.
it.skipIf(missing)("a client in Python runs its 50 requests against the built server", () => {
  const startLine = join(folder, "emulator.json");
  writeFileSync(startLine, `${JSON.stringify(emulator?.startLine)}\n`);
  const printed = execFileSync("python3", [script, startLine], { encoding: "utf8" });
  const [, requests, rules] = /^(\d+) requests, (\d+) API rules covered\n$/.exec(printed) ?? [];
  expect(Number(requests)).toBeGreaterThanOrEqual(50);
  expect(Number(rules)).toBeGreaterThan(40);
});
