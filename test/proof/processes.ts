import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs processes one after the other, in the foreground. */
export interface Runner {
  /** Exit code for the last received signal; 0 if no signal was received. */
  readonly stopped: number;
  /** Returns the exit code; 1 if a signal ended the process or the process could not be started. */
  run(command: string, args: readonly string[], options: SpawnOptions): Promise<number>;
}

/**
 * Creates a runner that passes signals of this process on to the running process and its child processes. A
 * second signal kills all of them.
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
        // Create a process group, so that a signal also reaches the child processes of the command.
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
