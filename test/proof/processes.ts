import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs processes one after the other, in the foreground. */
export interface Runner {
  /** The exit code of a received signal; 0 before the first one. */
  readonly stopped: number;
  /** Returns the exit code; 1 if a signal ended it or it could not be started. */
  run(command: string, args: readonly string[], options: SpawnOptions): Promise<number>;
}

/**
 * A runner for this process. It passes a signal on to the running process and everything that it started; a second
 * signal kills them.
 */
export function createRunner(): Runner {
  let running: ChildProcess | undefined;
  let stopped = 0;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (running) end(running, stopped === 0 ? signal : "SIGKILL");
      stopped = exitCodes[signal];
    });
  }
  return {
    get stopped() {
      return stopped;
    },
    run(command, args, options) {
      return new Promise((resolve) => {
        // A separate process group, so that all of it can be stopped.
        const child = spawn(command, args, {
          stdio: "inherit",
          ...options,
          detached: process.platform !== "win32",
        });
        running = child;
        child.on("error", (error) => {
          console.error(error.message);
          resolve(1);
        });
        child.on("close", (code) => {
          running = undefined;
          resolve(code ?? 1);
        });
      });
    },
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The process has already ended.
  }
}
