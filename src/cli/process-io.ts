import type { Io } from "../base/io.js";

/** This process as the outside of `main`. Streams are touched only when they are used: opening them takes time. */
export function processIo(): Io {
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    env: process.env,
    cwd: process.cwd(),
    onSignal(signal, listener) {
      process.on(signal, listener);
      return () => process.off(signal, listener);
    },
  };
}
