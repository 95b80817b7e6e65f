import { directOutput } from "../base/direct-output.js";
import type { Io } from "../base/io.js";

/** This process as the outside of `main`. Streams are touched only when they are used: opening them takes time. */
export function processIo(): Io {
  let stdout: Io["stdout"] | undefined;
  let stderr: Io["stderr"] | undefined;
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      stdout ??= directOutput(1, () => process.stdout);
      return stdout;
    },
    get stderr() {
      stderr ??= directOutput(2, () => process.stderr);
      return stderr;
    },
    env: process.env,
    cwd: process.cwd(),
    onSignal(signal, listener) {
      // A terminal that is closed ends what runs in it as SIGTERM does.
      const names = signal === "SIGTERM" ? ["SIGTERM", "SIGHUP"] : [signal];
      for (const name of names) process.on(name, listener);
      return () => {
        for (const name of names) process.off(name, listener);
      };
    },
    whileDeaf(work) {
      // Those of other modules, too: one that restores the cursor, say.
      const offs = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map(silenced);
      try {
        return work();
      } finally {
        for (const listenAgain of offs) listenAgain();
      }
    },
  };
}

function silenced(name: NodeJS.Signals): () => void {
  const listeners = process.rawListeners(name) as NodeJS.SignalsListener[];
  for (const listener of listeners) process.off(name, listener);
  return () => {
    for (const listener of listeners) process.on(name, listener);
  };
}
