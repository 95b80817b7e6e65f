import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleInto } from "../helpers/bundle-script.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { addScratchResource, touchedPaths } from "../helpers/scratch-resource.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "voxctl-resource-"));
const isWhole = process.env["PROOF"] !== undefined;
const run = promisify(execFile);

/** Runs a Node program in the copy. Returns its output. @throws Error with all output if the program fails */
async function inCopy(...args: string[]): Promise<string> {
  const env = {
    ...inheritedEnvironment(),
    HOME: copy,
    VOXCTL_CONFIG_DIR: join(copy, ".config"),
    VOXCTL_DATA_DIR: join(copy, ".data"),
    VOXCTL_KEYCHAIN: "off",
  };
  try {
    return (await run(process.execPath, args, { cwd: copy, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error instanceof Object ? (error as Record<string, string>) : {};
    throw new Error(`${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

async function voxctl(...commands: readonly string[]): Promise<unknown[]> {
  const program = `
    const { main, processIo } = await import("./made/main.mjs");
    for (const command of process.argv.slice(2)) {
      const code = await main([...command.split(" "), "--profile", "offline", "-o", "ndjson"], processIo());
      if (code !== 0) process.exitCode = code;
    }`;
  // The program must be a file, because Node 20 can't load the driver's addon into a program that is passed
  // as text.
  writeFileSync(join(copy, "commands.mjs"), program);
  const printed = await inCopy("commands.mjs", ...commands);
  return printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

beforeAll(async () => {
  const kept = ["src", "test", "scripts", "docs", "completions", "bin"];
  const files = ["package.json", "tsconfig.json", "tsconfig.types.json", "biome.json", "knip.json"];
  for (const name of [
    ...kept,
    ...files,
    ...["vitest.config.ts", "vitest.checks.config.ts", "vitest.tools.config.ts"],
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    ".gitignore",
    "LICENSE",
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  addScratchResource(copy);
  // Bundled sources load in a third of the time.
  const made = join(copy, "made");
  const scripts = { "generate-modules": "scripts/generate-modules.ts", generate: "scripts/generate.ts" };
  const generated = { wire: "src/generated/wire.ts", "whole-schema": "src/generated/whole-schema.ts" };
  await bundleInto(made, copy, { ...scripts, main: "src/cli/main.ts" }, generated);
  await bundleInto(made, copy, generated);
  await inCopy("made/generate-modules.mjs", "--documents", "made");
  await bundleInto(made, copy, generated);
  await inCopy("made/generate.mjs");
}, 120_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it("docs/adding-a-resource.md lists every file that a new resource changes", () => {
  const checklist = readFileSync(join(root, "docs/adding-a-resource.md"), "utf8");
  expect(touchedPaths.filter((path) => path.startsWith("src/"))).toHaveLength(6);
  expect(touchedPaths.filter((path) => !checklist.includes(`\`${path}\``))).toEqual([]);
});

it("a resource added with the checklist is in the generated documents", () => {
  expect(readFileSync(join(copy, "made/openapi/public.yaml"), "utf8")).toContain("/reminders/{reminder_id}:");
  expect(readFileSync(join(copy, "docs/reference/README.md"), "utf8")).toContain("voxctl reminders");
});

it("a resource added with the checklist works from the command line to the database", async () => {
  const [listed, updated, shown] = await voxctl(
    "reminders list",
    "reminders update Recall --note Prophylaxe",
    "reminders get Recall",
  );
  expect(listed).toMatchObject({ name: "Recall", note: "Prophylaxe nach sechs Monaten" });
  for (const reminder of [updated, shown])
    expect(reminder).toMatchObject({ name: "Recall", note: "Prophylaxe" });
});

// The complete test takes minutes on two cores, so only the proof runs it.
it.runIf(isWhole)("a resource added with the checklist passes the checks of every layer", async () => {
  rmSync(join(copy, "made"), { recursive: true, force: true });
  await inCopy("node_modules/typescript/bin/tsc", "-p", ".", "--noEmit");
  await inCopy("node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "src", "test");
  await inCopy("node_modules/knip/bin/knip.js");
  const tests = [
    "architecture.test.ts",
    ...["independent", "openapi", "mutants", "rules", "fuzz", "emulator/public", "emulator/seed"],
    ...["cli/commands.test.ts", "cli/completion.test.ts", "cli/derive.test.ts", "cli/names.test.ts"],
    ...["cli/plan-check.test.ts", "mcp/tools.test.ts", "emulator/coverage.test.ts", "emulator/file.test.ts"],
    ...[
      "emulator/rule-header.test.ts",
      "emulator/ui.test.ts",
      "docs/examples.test.ts",
      "project/documents.test.ts",
    ],
  ];
  await inCopy("node_modules/vitest/vitest.mjs", "run", ...tests.map((name) => `test/${name}`));
});
