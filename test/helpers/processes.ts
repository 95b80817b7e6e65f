import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { runMain } from "../conformance/harness/in-process.js";
import { inheritedEnvironment } from "./environment.js";
import { executable } from "./installed-cli.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Ended {
  /** Exit code; null if the process was killed. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

interface ProcessOptions {
  env: Record<string, string>;
  cwd?: string;
  /** Ends the process this many milliseconds after its start. */
  kill?: { after: number; signal: NodeJS.Signals };
}

/** Runs the built command in a separate process. */
export function runBuilt(argv: readonly string[], options: ProcessOptions): Promise<Ended> {
  return executable === undefined
    ? run([`${root}bin/voxctl.js`, ...argv], options)
    : run(argv, options, executable);
}

/** Runs the built command in a process that kills itself at a step of its journal: `sent:3` is the third `sent`. */
export function runKilledAt(step: string, argv: readonly string[], options: ProcessOptions): Promise<Ended> {
  const env = { ...options.env, KILL_AT: step };
  return run([`${root}test/helpers/killable.mjs`, ...argv], { ...options, env });
}

/** Runs the command from the source files in this process. */
export async function runHere(argv: readonly string[], { env, cwd = root }: ProcessOptions): Promise<Ended> {
  return { ...(await runMain(argv, { home: cwd, environment: env })), signal: null };
}

function run(
  argv: readonly string[],
  { env, cwd = root, kill }: ProcessOptions,
  program = process.execPath,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, argv, {
      cwd,
      // All processes of a test run share their compiled code in the run's temporary directory.
      env: { ...inheritedEnvironment(), XDG_CACHE_HOME: tmpdir(), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended: Ended = { code: null, signal: null, stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => {
      ended.stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      ended.stderr += chunk.toString();
    });
    const timer = kill && setTimeout(() => child.kill(kill.signal), kill.after);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ ...ended, code, signal });
    });
  });
}
