import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refusedError } from "../../../errors/errors.js";
import { PipeClosed } from "../../../errors/pipe-closed.js";
import type { Session } from "../../../session/session.js";
import { download } from "./file.js";

/**
 * A recording on standard output. By way of a file, so that a connection that is cut costs nothing: what a pipe has
 * taken can't be taken back.
 * @throws refused error (12) on a terminal, which would obey what is in it
 */
export async function downloadToStdout(session: Session, callId: string): Promise<void> {
  const { io, signal } = session;
  if (io.stdout.isTTY === true)
    throw refusedError(
      "a recording is nothing for a terminal; nothing was downloaded",
      "> FILE or a pipe takes it",
    );
  const folder = await mkdtemp(join(tmpdir(), "voxctl-recording-"));
  const path = join(folder, "recording");
  try {
    await download({
      connection: await session.connect(),
      signal,
      callId,
      destination: { path: () => path, shown: () => "-", expected: path, refuseExisting: () => {} },
      resume: false,
      force: true,
      keepsNothing: true,
      onProgress: () => {},
    });
    for await (const piece of createReadStream(path)) await written(io.stdout, piece);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function written(stdout: Session["io"]["stdout"], piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(piece, (error) => {
      if (!error) resolve();
      else if ("code" in error && error.code === "EPIPE")
        reject(new PipeClosed("stdout was closed", { cause: error }));
      else reject(error);
    });
  });
}
