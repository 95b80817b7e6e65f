import type { Io } from "../../base/io.js";
import { PipeClosed } from "../errors/pipe-closed.js";

/** stdout with back-pressure, and with an end that can be told from a failure. */
export interface Writer {
  /** Resolves when the text was handed on. @throws PipeClosed */
  write(text: string): Promise<void>;
}

export function createWriter(stream: Io["stdout"]): Writer {
  let failure: Error | undefined;
  const fail = (error: Error): Error => {
    const closed = "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
    failure ??= closed ? new PipeClosed("stdout was closed", { cause: error }) : error;
    return failure;
  };
  stream.on("error", fail);
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        if (failure) reject(failure);
        else stream.write(text, (error) => (error ? reject(fail(error)) : resolve()));
      }),
  };
}
