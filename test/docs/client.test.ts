// The client's page: its examples are checked by the compiler as a reader's are, and run.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "voxctl-library-"));

const run = (...argv: string[]) => {
  const ran = spawnSync(process.execPath, argv, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "" },
  });
  return { code: ran.status, output: ran.stdout + ran.stderr };
};

beforeAll(() => {
  const page = readFileSync(join(root, "docs/client.md"), "utf8");
  for (const [, name = "", text = ""] of page.matchAll(/^```ts (\S+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/voxctl"));
  for (const name of ["vitest", "@vitest", "@types/node"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
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
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts", "*.mts"] }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the page of the client", () => {
  test("its examples have no mistake of types, and run", () => {
    expect(run(join(root, "node_modules/typescript/bin/tsc"), "-p", ".")).toEqual({ code: 0, output: "" });
    expect(run("made/lists.js")).toEqual({ code: 0, output: "true\n" });
    expect(run("--test", "made/calls.test.mjs")).toMatchObject({ code: 0 });
    expect(run(join(root, "node_modules/vitest/vitest.mjs"), "run", "customers.test.ts")).toMatchObject({
      code: 0,
    });
  });
});
