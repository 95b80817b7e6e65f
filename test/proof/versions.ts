import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Runner } from "./processes.js";

const notCopied = new Set(["node_modules", "dist", ".git", "coverage"]);

/**
 * Installs a copy of the project with another version of Node.js, from npm's package `node`. Runs the test
 * suite of the copy.
 * @param version in npm's form: `22` is the newest of that line
 * @returns the exit code of the first failure, 0 if all passed
 * @throws npm's error if the version doesn't exist
 */
export async function runSuiteOn(version: string, root: string, runner: Runner): Promise<number> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "voxctl-node-"));
  try {
    const node = execFileSync(
      npm().command,
      [...npm().args, "exec", "--yes", `--package=node@${version}`, "--", "node", "-p", "process.execPath"],
      { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
    ).trim();
    const env = { ...process.env, PATH: dirname(node) + delimiter + process.env["PATH"] };
    console.log(`Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`);
    cpSync(root, folder, {
      recursive: true,
      filter: (path) => !notCopied.has(path.slice(root.length).split(/[\\/]/)[0] ?? ""),
    });
    const options = { cwd: folder, env };
    const { command, args } = npm(node);
    const installed = await runner.run(command, [...args, "ci", "--no-audit", "--no-fund"], options);
    if (installed !== 0 || runner.stopped) return installed || 1;
    const suite = [join("node_modules", "vitest", "vitest.mjs"), "run"];
    const tested = await runner.run(node, suite, options);
    if (tested !== 0 || runner.stopped) return tested || 1;
    return await runner.run(node, [...suite, "--config", "vitest.checks.config.ts"], options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function npm(node: string = process.execPath): { command: string; args: string[] } {
  const script = process.env["npm_execpath"];
  return script ? { command: node, args: [script] } : { command: "npm", args: [] };
}
