import type { Readable } from "node:stream";
import type { DirectOutput, OutputStream } from "./direct-output.js";

type Output = OutputStream | DirectOutput;

/** Returns the output as a Node stream, for libraries that require one. */
export function streamOf(output: Output): OutputStream {
  return "stream" in output ? output.stream : output;
}

/** The streams, environment and directory that `main` uses. Tests pass their own. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Returns the user's locale from the system settings, such as `de-DE`. Used if the environment does not set one. */
  systemLocale?(): string;
  /** Registers a listener for SIGINT, or for SIGTERM together with SIGHUP. Returns a function that removes the listener. */
  onSignal(signal: "SIGINT" | "SIGTERM", listener: () => void): () => void;
  /**
   * Limits the memory that a server running for days, or a long run, uses.
   */
  boundMemory?(work: "server" | "run"): Promise<void>;
}
