import type { Io } from "../../base/io.js";
import { PipeClosed } from "../errors/pipe-closed.js";

/** Returns whether a body is a stream of bytes, which is how the client returns a file. */
export function isByteStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** Writes bytes to standard output unchanged. @throws PipeClosed if the reader closed it */
export function writeBytes(stdout: Io["stdout"], piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(piece, (error) => {
      if (!error) resolve();
      else if ("code" in error && error.code === "EPIPE")
        reject(new PipeClosed("stdout was closed", { cause: error }));
      else reject(error);
    });
  });
}
