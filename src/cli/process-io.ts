import { createDirectOutput } from "../base/direct-output.js";
import type { Io } from "../base/io.js";
import { usageError } from "./errors/errors.js";

/** In bytes; enough for a few hundred requests between garbage collections. */
const roomForNewBytes = 16 * 1024 * 1024;

/** Bulk runs that end within this time need no memory limit. */
const longRunMilliseconds = 1_000;

/** Opens streams on first use, because opening takes time. */
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
      // SIGHUP arrives when the user closes the terminal. It has the same effect as SIGTERM.
      const names = signal === "SIGTERM" ? ["SIGTERM", "SIGHUP"] : [signal];
      for (const name of names) process.on(name, listener);
      return () => {
        for (const name of names) process.off(name, listener);
      };
    },
    // Limits memory: Node.js collects garbage when old objects have grown by half, and the space for new
    // objects is limited. With the defaults, a server with 17 MB of live objects kept 60 to 150 MB of
    // garbage. With only 1 MB for new objects, collections took a third of a page's response time. In a bulk
    // run, old objects can grow by 100%, because 50% made a run 8% slower. Node.js reads both settings at
    // each collection.
    async boundMemory(work) {
      const { getHeapSpaceStatistics, setFlagsFromString } = await import("node:v8");
      // Node.js reuses cached code only with the same engine flags. Load modules before the flags change, and
      // reset the flags at exit, before Node.js caches the code.
      process.prependOnceListener("exit", () => {
        setFlagsFromString("--heap-growing-percent=0");
        setFlagsFromString("--semi-space-growth-factor=2");
      });
      if (work === "run") {
        setTimeout(setFlagsFromString, longRunMilliseconds, "--heap-growing-percent=100").unref();
        return;
      }
      const { PerformanceObserver } = await import("node:perf_hooks");
      let factor = 0;
      const bound = () => {
        const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
        const allowed = (space?.space_size ?? 0) < roomForNewBytes ? 2 : 1;
        if (factor !== allowed) setFlagsFromString(`--semi-space-growth-factor=${allowed}`);
        factor = allowed;
      };
      setFlagsFromString("--heap-growing-percent=50");
      bound();
      new PerformanceObserver(bound).observe({ entryTypes: ["gc"] });
    },
  };
}
