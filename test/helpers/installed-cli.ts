import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { commandLine, type Ran, type TestIo, temporaryFolder } from "./cli.js";
import { inheritedEnvironment } from "./environment.js";

export const bin = fileURLToPath(new URL("../../bin/voxctl.js", import.meta.url));

/** The single executable, if the tests run on it instead of the package (VOXCTL_EXECUTABLE). */
export const executable = process.env["VOXCTL_EXECUTABLE"];

export interface Ended {
  stdout: string;
  stderr: string;
  code: number | null;
}

/**
 * Runs the built command as a process in a separate home directory.
 * @param script another installation's entry point
 */
export function createInstalledCli(more: Record<string, string> = {}, script = bin) {
  const home = temporaryFolder();
  const data = join(home, "data");
  const environment = {
    ...inheritedEnvironment(),
    HOME: home,
    // All tests of the run share the cache, because each test would otherwise compile the code again.
    XDG_CACHE_HOME: tmpdir(),
    VOXCTL_CONFIG_DIR: join(home, "config"),
    VOXCTL_DATA_DIR: data,
    ...more,
  };

  // After a failed test, a background server would keep running, because it has no parent process.
  onTestFinished(() => endServers(join(environment.VOXCTL_DATA_DIR, "emulators")));

  /** Starts a process that runs until the test ends. */
  const start = (
    argv: readonly string[],
    env: Record<string, string> = {},
  ): ChildProcessWithoutNullStreams => {
    const [program, words] =
      executable !== undefined && script === bin ? [executable, argv] : [process.execPath, [script, ...argv]];
    const child = spawn(program, [...words], {
      cwd: home,
      env: { ...environment, ...env },
      stdio: "pipe",
    });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    return child;
  };

  const run = async (
    argv: readonly string[],
    options: { stdin?: string; env?: Record<string, string> } = {},
  ): Promise<Ended> => {
    const child = start(argv, options.env);
    child.stdin.end(options.stdin ?? "");
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]);
    return { stdout, stderr, code };
  };

  /** Runs the source files' `main()` in this process, for tests that don't need a separate process. */
  const shell = commandLine({ cwd: home, env: environment });
  const command = (argv: readonly string[], stdin = ""): Promise<Ran> => shell.runWith({ stdin }, ...argv);

  /** Runs the built bundle in this process, which saves the start of a process. */
  const built = async (argv: readonly string[], stdin = ""): Promise<Ran> => {
    if (executable !== undefined) {
      const { stdout, stderr, code } = await run(argv, { stdin });
      return { stdout, stderr, code: code ?? -1, json: jsonOrUndefined(stdout) };
    }
    const { main } = createRequire(import.meta.url)(
      "../../dist/cli.cjs",
    ) as typeof import("../../src/cli/main.js");
    return shell.runWith({ stdin, main }, ...argv);
  };

  /**
   * Runs a server from the source files in this process until the test ends. Returns the server's first
   * output, and a function that ends the server by a signal.
   */
  const serve = async (argv: readonly string[]) => {
    let io: TestIo | undefined;
    let ended: Promise<Ran> | undefined;
    const printed = await new Promise<string>((resolve) => {
      let text = "";
      const before = (given: TestIo) => {
        io = given;
        given.stdout.on("data", (chunk: Buffer) => {
          text += chunk.toString();
          if (text.includes("\n")) resolve(text);
        });
      };
      ended = shell.runWith({ before }, ...argv);
      void ended.then(() => resolve(text));
    });
    const end = async (signal: "SIGTERM" | "SIGINT" = "SIGTERM") => {
      io?.signal(signal);
      return ended;
    };
    onTestFinished(async () => void (await end()));
    return { printed, end };
  };

  return { home, data, start, run, command, built, serve };
}

function endServers(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = Number.parseInt(name, 10);
    // Another helper ends emulators in this process.
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended without removing its entry.
    }
  }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function readFirstLine(child: ChildProcessWithoutNullStreams): Promise<string> {
  let printed = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    if (printed.includes("\n")) break;
  }
  return printed;
}

/** Starts a server of the offline emulator in a separate process. Returns the process and its start line. */
export async function startServer(...flags: string[]) {
  const voxctl = createInstalledCli();
  const child = voxctl.start(["emulator", "start", "--port", "0", "-o", "json", ...flags]);
  const line = JSON.parse(await readFirstLine(child));
  return { ...voxctl, child, line };
}

/** Starts a server in this process, for tests that don't need a separate process. */
export async function startServerInProcess(...flags: string[]) {
  const voxctl = createInstalledCli();
  const { printed, end } = await voxctl.serve(["emulator", "start", "--port", "0", "-o", "json", ...flags]);
  return { ...voxctl, end, line: JSON.parse(printed) };
}

/** Flags for tests that don't depend on the demo data. */
export const emptySeed = ["--seed", "empty"];
