import type { Io } from "../../base/io.js";
import { PipeClosed } from "../errors/pipe-closed.js";

/** Is a body bytes as they come? The client hands a file on so. */
export function isByteStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** Writes bytes to standard output as they are. @throws PipeClosed where nobody reads it any more */
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
