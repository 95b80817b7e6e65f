import type { Io } from "../../base/io.js";
import { toStdoutError } from "../errors/pipe-closed.js";

/** The client returns a file as a stream of bytes. */
export function isByteStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** @throws PipeClosed if the reader closed standard output */
export function writeBytes(stdout: Io["stdout"], piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(piece, (error) => {
      if (error) reject(toStdoutError(error));
      else resolve();
    });
  });
}
