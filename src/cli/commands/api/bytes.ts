/** An answer that is a file, a recording say: printed as it comes. */
import { ConnectionError } from "../../../base/transport.js";
import type { ApiResponse } from "../../../client/types.js";
import { CliError, exits, refusedError, usageError } from "../../errors/errors.js";
import { writeBytes } from "../../output/bytes.js";
import type { Session } from "../../session/session.js";

/** Ends an answer whose bytes nobody reads: they would keep the connection open. */
export async function discardBytes(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes) return;
}

/**
 * @throws usage error (2) where text was asked for, refused error (12) on a terminal, CliError 9 where the connection
 * ends before the bytes do
 */
export async function printBytes(
  bytes: AsyncIterable<Uint8Array>,
  { headers }: ApiResponse,
  { io, flags, signal }: Session,
): Promise<void> {
  const type = headers["content-type"] ?? "a file";
  const refuse = (error: CliError) => discardBytes(bytes).then(() => Promise.reject(error));
  if (flags.jq !== undefined || flags.fields || (flags.output !== undefined && !flags.isOutputPreferred))
    return refuse(
      usageError(`the answer is ${type}, which has no fields`, {
        hint: "Without --output, --fields and --jq its bytes are printed",
      }),
    );
  if (io.stdout.isTTY === true)
    return refuse(
      refusedError(
        "binary_on_terminal",
        `the answer is ${type}, nothing for a terminal`,
        "> FILE or a pipe takes it",
      ),
    );
  let count = 0;
  const cut = (cause?: unknown) =>
    new CliError({
      exit: exits.unavailable,
      code: "invalid_response",
      message: `the connection ended after ${count} bytes of the answer; what was printed is a part of it`,
      ...(headers["content-type"]?.startsWith("audio/")
        ? { hint: "voxctl calls recording download goes on where it was cut" }
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
