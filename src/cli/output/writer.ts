import type { Io } from "../../base/io.js";
import { escapeLines } from "../../base/text.js";
import { toStdoutError } from "../errors/pipe-closed.js";
import { type Text, toShown } from "../terminal/paint.js";
import { createCommandGuard, isRead } from "../terminal/workflow-commands.js";

/** Waits for a slow reader, and distinguishes a closed pipe from a failure. */
export interface Writer {
  /** Escapes control characters in a string. @throws PipeClosed */
  write(text: Text): Promise<void>;
  /**
   * Writes text in a format with its own escapes, such as CSV. Escapes control characters only on a terminal.
   * @throws PipeClosed
   */
  writeDocument(text: string): Promise<void>;
  /** True if lines were changed so that a CI runner doesn't execute them. */
  readonly isDisarmed: boolean;
}

export function createWriter(io: Pick<Io, "stdout" | "env">): Writer {
  const stream = io.stdout;
  let failure: Error | undefined;
  let isDisarmed = false;
  const fail = (error: Error): Error => {
    failure ??= toStdoutError(error);
    return failure;
  };
  // A CI runner executes lines in logs, not in files.
  const disarm = isRead(io) && !stream.isFile ? createCommandGuard() : (text: string) => text;
  const send = (text: string) =>
    new Promise<void>((resolve, reject) => {
      if (failure) reject(failure);
      else stream.write(text, (error) => (error ? reject(fail(error)) : resolve()));
    });
  stream.on("error", fail);
  return {
    write: (text) => send(disarm(toShown(text))),
    writeDocument(text) {
      const written = disarm(stream.isTTY === true ? escapeLines(text) : text);
      isDisarmed ||= stream.isTTY !== true && written !== text;
      return send(written);
    },
    get isDisarmed() {
      return isDisarmed;
    },
  };
}
