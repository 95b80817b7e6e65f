import { spawn } from "node:child_process";
import { PassThrough } from "node:stream";
import { refusedError } from "../../errors/errors.js";
import type { Session } from "../../session/session.js";

/** A program's output, as it comes, and how it ended. */
export interface SourceCommand {
  stdout: AsyncIterable<Uint8Array>;
  /** @throws refused error (12) where it ended otherwise than with 0 */
  assertDone(): Promise<void>;
}

/** Starts a program by the shell, as cron would; its stderr is shown as ours. */
export function startSource({ io, notes, signal }: Session, command: string): SourceCommand {
  const child = spawn(command, {
    shell: true,
    windowsHide: true,
    cwd: io.cwd,
    env: { ...io.env },
    signal,
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Input without a reader is thrown away when the program ends.
  const stdout = child.stdout.pipe(new PassThrough());
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => notes.write(chunk));
  const ended = new Promise<string | undefined>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, name) =>
      resolve(code === 0 ? undefined : code === null ? `ended by ${name}` : `ended with ${code}`),
    );
  });
  return {
    stdout,
    async assertDone() {
      const reason = await ended;
      signal.throwIfAborted();
      if (reason !== undefined) {
        throw refusedError(
          `--source-command: the program ${reason}; nothing was sent`,
          "run it by itself: it has to end with 0",
        );
      }
    },
  };
}
