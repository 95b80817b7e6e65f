// Compiles and runs the libraries' examples, as in a user's project.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "voxctl-library-"));
const compilerOptions = {
  strict: true,
  module: "nodenext",
  target: "es2022",
  lib: ["es2023", "esnext.disposable"],
  types: ["node"],
  skipLibCheck: true,
  preserveSymlinks: true,
  outDir: "made",
};

beforeAll(() => {
  cpSync(join(root, "docs/examples"), folder, { recursive: true });
  const page = readFileSync(join(root, "docs/client.md"), "utf8");
  for (const [, name = "", text = ""] of page.matchAll(/^```(?:ts|yaml) (\S+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "package.json"), '{"name":"crm","private":true,"type":"module"}');
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts", "*.mts"], exclude: ["crm.test.ts"] }),
  );
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/voxctl"));
  for (const name of ["vitest", "@vitest", "@types/node"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs Node.js without the environment of this test runner, so that the examples don't detect it. */
function run(...argv: string[]) {
  const { PATH = "", HOME = "" } = process.env;
  const ran = spawnSync(process.execPath, argv, {
    cwd: folder,
    encoding: "utf8",
    env: { PATH, HOME, CI: "1" },
  });
  return { code: ran.status, output: ran.stdout + ran.stderr };
}

describe("the examples of the libraries", () => {
  test("the examples for the client compile and run", () => {
    expect(run(join(root, "node_modules/typescript/bin/tsc"), "-p", ".")).toEqual({ code: 0, output: "" });
    expect(run("made/lists.js")).toEqual({ code: 0, output: "true\n" });
  });

  test("the examples for testing pass in Node.js's test runner", () => {
    const { code, output } = run("--test", "--test-reporter=tap", "crm-node.mjs", "made/calls.test.mjs");
    expect(output).toMatch(/^# pass 4$/m);
    expect(output).toMatch(/^# fail 0$/m);
    expect(code).toBe(0);
  });

  test("the examples for testing pass in vitest", () => {
    const vitest = join(folder, "node_modules/vitest/vitest.mjs");
    const { code, output } = run(
      vitest,
      "run",
      "crm.test.ts",
      "customers.test.ts",
      "seeded.test.ts",
      "--no-color",
      // Other tests may be using all processors.
      "--testTimeout=60000",
    );
    expect(output).toMatch(/Test Files +3 passed \(3\)/);
    expect(code).toBe(0);
  }, 120_000);
});
