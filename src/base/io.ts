import type { Readable } from "node:stream";
import type { DirectOutput, OutputStream } from "./direct-output.js";

type Output = OutputStream | DirectOutput;

export function streamOf(output: Output): OutputStream {
  return "stream" in output ? output.stream : output;
}

export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /**
   * Returns the locale from the system settings, such as `de-DE`. Used only if the environment specifies no
   * locale.
   */
  systemLocale?(): string;
  /** Registers a listener and returns a function that removes it. A SIGTERM listener also receives SIGHUP. */
  onSignal(signal: "SIGINT" | "SIGTERM", listener: () => void): () => void;
  boundMemory?(work: "server" | "run"): Promise<void>;
}
