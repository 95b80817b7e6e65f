import { createDirectOutput } from "../base/direct-output.js";
import type { Io } from "../base/io.js";

/** A server's room for new objects: a few hundred requests. What they leave behind is looked through when it is used up. */
const roomForNewBytes = 16 * 1024 * 1024;

/** This process as the outside of `main`. Streams are touched only when they are used: opening them takes time. */
export function processIo(): Io {
  let stdout: Io["stdout"] | undefined;
  let stderr: Io["stderr"] | undefined;
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      stdout ??= createDirectOutput(1, () => process.stdout);
      return stdout;
    },
    get stderr() {
      stderr ??= createDirectOutput(2, () => process.stderr);
      return stderr;
    },
    env: process.env,
    cwd: process.cwd(),
    systemLocale: () => new Intl.NumberFormat().resolvedOptions().locale,
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
    // Old objects are collected when they have grown by a half, and the room for new ones grows no further than that: the
    // engine would let the ones double and the other become 64 MB. It reads both numbers at each collection. Where that
    // room stayed the 1 MB that it begins with, collecting would take a third of what pages take.
    //
    // A bulk run's old objects may double: 17 MB live, and the engine left 60 to 150 MB of dead ones beside them before
    // it looked for these. With a half in place of double, a run took 8 % longer.
    async boundMemory(work) {
      const { getHeapSpaceStatistics, setFlagsFromString } = await import("node:v8");
      if (work === "run") {
        setFlagsFromString("--heap-growing-percent=100");
        return;
      }
      const { PerformanceObserver } = await import("node:perf_hooks");
      let factor = 0;
      const bound = () => {
        const room = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
        const allowed = (room?.space_size ?? 0) < roomForNewBytes ? 2 : 1;
        if (factor !== allowed) setFlagsFromString(`--semi-space-growth-factor=${allowed}`);
        factor = allowed;
      };
      setFlagsFromString("--heap-growing-percent=50");
      bound();
      new PerformanceObserver(bound).observe({ entryTypes: ["gc"] });
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
