import type { Readable } from "node:stream";
import type { DirectOutput, OutputStream } from "./direct-output.js";

type Output = OutputStream | DirectOutput;

/** A stream of Node's, for a library that wants one. */
export function streamOf(output: Output): OutputStream {
  return "stream" in output ? output.stream : output;
}

/** The outside world of `main`: its streams, environment and folder. Tests hand in their own. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Returns the tag of the user's locale in the system's settings, for an environment that names none: `de-DE`. */
  systemLocale?(): string;
  /** Registers for SIGINT, or for SIGTERM and SIGHUP, which is as good; the answer takes the registration back. */
  onSignal(signal: "SIGINT" | "SIGTERM", listener: () => void): () => void;
  /**
   * Runs work that may block for seconds, such as parsing a large file, without signal listeners: a signal then ends
   * the process at once.
   */
  whileDeaf<T>(work: () => T): T;
  /**
   * Keeps the memory small of a process that serves for days, or that does a run of any length; where it is not said,
   * nothing is done.
   */
  boundMemory?(work: "server" | "run"): Promise<void>;
}
