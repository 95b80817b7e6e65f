import type { Readable } from "node:stream";
import type { DirectOutput, OutputStream } from "./direct-output.js";

type Output = OutputStream | DirectOutput;

/** Returns the output as a Node stream, as some libraries require. */
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
  /** Returns the user's locale from the system settings, such as `de-DE`, for use if the environment doesn't set one. */
  systemLocale?(): string;
  /** Registers a listener and returns a function that removes it. A SIGTERM listener also receives SIGHUP. */
  onSignal(signal: "SIGINT" | "SIGTERM", listener: () => void): () => void;
  /** Limits the memory of a long-running server or run. */
  boundMemory?(work: "server" | "run"): Promise<void>;
}
