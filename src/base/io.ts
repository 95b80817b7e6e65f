import type { Readable, Writable } from "node:stream";

/** The outside world of `main`: its streams, environment and folder. Tests hand in their own. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Registers for SIGINT, or for SIGTERM and SIGHUP, which is as good; the answer takes the registration back. */
  onSignal(signal: "SIGINT" | "SIGTERM", listener: () => void): () => void;
  /**
   * Runs work that may never end and lets no listener be heard meanwhile: the signals end the process at once then, as
   * they do where nothing listens.
   */
  whileDeaf<T>(work: () => T): T;
}
