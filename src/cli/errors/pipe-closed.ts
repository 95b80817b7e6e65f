import { addPath } from "../../base/error-code.js";

/** Thrown if the reader closed stdout (`| head`). Ends the command without a message. */
export class PipeClosed extends Error {
  override readonly name = "PipeClosed";
}

/** Names the stream in the error, because the error of a stream has no path. */
export function toStdoutError(cause: Error): Error {
  const isClosed = "code" in cause && (cause.code === "EPIPE" || cause.code === "ERR_STREAM_DESTROYED");
  return isClosed ? new PipeClosed("stdout was closed", { cause }) : addPath(cause, "standard output");
}
