import { ConnectionError } from "../../../base/transport.js";
import type { ApiResponse } from "../../../client/types.js";
import { CliError, exits, refusedError, usageError } from "../../errors/errors.js";
import { writeBytes } from "../../output/bytes.js";
import type { Session } from "../../session/session.js";

/**
 * @throws usage error (2) if a text format was requested; refused error (12) if stdout is a terminal;
 * CliError 9 if the connection ends early
 */
export async function printBytes(
  bytes: AsyncIterable<Uint8Array>,
  { headers }: ApiResponse,
  { io, flags, signal }: Session,
): Promise<void> {
  const type = headers["content-type"] ?? "a file";
  if (flags.jq !== undefined || flags.fields || (flags.output !== undefined && !flags.isOutputPreferred))
    throw usageError(`the response is ${type}, which has no fields`, {
      hint: "to print the response's bytes, omit --output, --fields and --jq",
    });
  if (io.stdout.isTTY === true)
    throw refusedError(
      "binary_on_terminal",
      `can't write ${type} to a terminal`,
      "redirect the output to a file: > FILE",
    );
  let count = 0;
  const cut = (cause?: unknown) =>
    new CliError({
      exit: exits.unavailable,
      code: "invalid_response",
      message: `the connection ended after ${count} bytes: the output is incomplete`,
      ...(headers["content-type"]?.startsWith("audio/")
        ? { hint: "use a download that can be resumed: `voxctl calls recording download`" }
        : {}),
      cause,
    });
  try {
    for await (const piece of bytes) {
      await writeBytes(io.stdout, piece);
      count += piece.length;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ConnectionError ? cut(error) : error;
  }
  const expected = headers["content-length"];
  if (expected !== undefined && headers["content-encoding"] === undefined && count < Number(expected))
    throw cut();
}
