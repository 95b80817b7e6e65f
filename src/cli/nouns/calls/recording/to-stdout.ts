import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refusedError } from "../../../errors/errors.js";
import { writeBytes } from "../../../output/bytes.js";
import type { Session } from "../../../session/session.js";
import { download } from "./file.js";

/**
 * Downloads to a temporary file first and then copies it to stdout, because a download that starts again
 * after a lost connection can't remove bytes from a pipe.
 * @throws refused error (12) on a terminal, which would interpret the bytes
 */
export async function downloadToStdout(session: Session, callId: string): Promise<void> {
  const { io, signal } = session;
  if (io.stdout.isTTY === true)
    throw refusedError(
      "binary_on_terminal",
      "can't write a recording to a terminal",
      "redirect the output to a file: > FILE",
    );
  const folder = await mkdtemp(join(tmpdir(), "voxctl-recording-"));
  const path = join(folder, "recording");
  try {
    await download({
      connection: await session.connect(),
      signal,
      callId,
      destination: {
        path: () => path,
        shown: () => "-",
        expected: path,
        isGiven: false,
        refuseExisting: () => {},
      },
      force: true,
      keepsNothing: true,
      onProgress: () => {},
    });
    for await (const piece of createReadStream(path)) await writeBytes(io.stdout, piece);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
