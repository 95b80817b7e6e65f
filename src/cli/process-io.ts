import { createDirectOutput } from "../base/direct-output.js";
import type { Io } from "../base/io.js";
import { usageError } from "./errors/errors.js";

/** Heap space for new objects of a server, in MB: a few hundred requests. When it is full, it is collected. */
const roomForNewBytes = 16 * 1024 * 1024;

/** This process as an `Io`. Streams are opened on first use, because opening takes time. */
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
    get cwd() {
      try {
        return process.cwd();
      } catch (cause) {
        throw usageError("the working directory was deleted", {
          hint: "change to an existing directory",
          cause,
        });
      }
    },
    systemLocale: () => new Intl.NumberFormat().resolvedOptions().locale,
    onSignal(signal, listener) {
      // Closing a terminal ends its processes like SIGTERM.
      const names = signal === "SIGTERM" ? ["SIGTERM", "SIGHUP"] : [signal];
      for (const name of names) process.on(name, listener);
      return () => {
        for (const name of names) process.off(name, listener);
      };
    },
    // Old objects are collected when they have grown by a half, and the space for new ones is limited: the engine would let
    // the former double and the latter grow to 64 MB. It reads both numbers at each collection. If that
    // space stayed at its initial 1 MB, collecting would take a third of the time of a page.
    //
    // A bulk run's old objects may double: at 17 MB of live objects, the engine left 60 to 150 MB of dead ones before it
    // collected them. With a half instead of double, a run took 8 % longer.
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
