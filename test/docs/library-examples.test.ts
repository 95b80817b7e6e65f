import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The examples as somebody has them in a project of their own, with voxctl and vitest installed. */
function project(): string {
  const folder = temporaryFolder();
  cpSync(join(root, "docs/examples"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"name":"crm","private":true,"type":"module"}');
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/voxctl"));
  symlinkSync(join(root, "node_modules/vitest"), join(folder, "node_modules/vitest"));
  return folder;
}

/** What it prints; it must end well. The runner around it is not to be seen by it. */
function run(folder: string, ...argv: string[]): string {
  const { PATH = "", HOME = "" } = process.env;
  return execFileSync(process.execPath, argv, {
    cwd: folder,
    encoding: "utf8",
    env: { PATH, HOME, CI: "1" },
  });
}

test("the example for Node's own runner passes", () => {
  const printed = run(project(), "--test", "--test-reporter=tap", "crm-node.mjs");
  expect(printed).toMatch(/^# pass 3$/m);
  expect(printed).toMatch(/^# fail 0$/m);
});

test("the example for vitest passes", () => {
  const folder = project();
  const printed = run(
    folder,
    join(folder, "node_modules/vitest/vitest.mjs"),
    "run",
    "crm.test.ts",
    "--no-color",
  );
  expect(printed).toMatch(/Tests +3 passed \(3\)/);
}, 60_000);
