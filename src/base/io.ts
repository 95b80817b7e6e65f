import type { Readable } from "node:stream";
import type { DirectOutput, OutputStream } from "./direct-output.js";

type Output = OutputStream | DirectOutput;

/** Returns a Node stream, for libraries that require one. */
export function streamOf(output: Output): OutputStream {
  return "stream" in output ? output.stream : output;
}

/** Everything outside the process that `main` uses: streams, environment and directory. Tests pass their own. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Returns the user's locale from the system's settings, if the environment has none: `de-DE`. */
  systemLocale?(): string;
  /** Registers a listener for SIGINT, or for SIGTERM and SIGHUP. Returns a function that removes it. */
  onSignal(signal: "SIGINT" | "SIGTERM", listener: () => void): () => void;
  /**
   * Limits the memory of a process that runs for days, or of a run of any length. Optional.
   */
  boundMemory?(work: "server" | "run"): Promise<void>;
}
