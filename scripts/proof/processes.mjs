import { spawn } from "node:child_process";

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * Runs processes one after the other. A signal that ends this process goes to the one that runs, with all that it
 * started; a second one kills it.
 */
export function createRunner() {
  let running;
  let stopped = 0;
  for (const [name, code] of Object.entries(codes)) {
    process.on(name, () => {
      end(running, stopped === 0 ? name : "SIGKILL");
      stopped = code;
    });
  }
  return {
    /** The exit code that the signal asks for; 0 while there was none. */
    get stopped() {
      return stopped;
    },
    /**
     * @returns the exit code; 1 where a signal ended it or it could not be started
     * @param {string} command
     * @param {readonly string[]} args
     * @param {import("node:child_process").SpawnOptions} options
     */
    run(command, args, options) {
      return new Promise((resolve) => {
        // A group of its own, so that all of it can be ended.
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

function end(child, signal) {
  if (child?.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
