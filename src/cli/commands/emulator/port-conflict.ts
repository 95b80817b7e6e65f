import type { StartLine } from "../../../emulator/types.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import { buildFlagWords, formatCommandLine } from "../../errors/shell-words.js";
import type { Session } from "../../session/session.js";

/** Commands that hold the file are waited for; a server that holds it is named at once. */
export async function assertNoOtherServer(session: Session, path: string): Promise<void> {
  const { readServerState } = await import("../../../emulator/index.js");
  if (!readServerState(path)) return;
  const { openLocalNetwork, findRunningServer: runningServer } = await import(
    "../../session/local-server.js"
  );
  const network = await openLocalNetwork(session);
  const line = await runningServer(path, network.transport).finally(() => network.close());
  if (!line) return;
  throw new CliError({
    exit: exits.refused,
    code: "world_in_use",
    message: `${path} is held by another voxctl: the emulator at ${line.url}, process ${line.pid}`,
    // By its file, under which it was found: without a flag another world's emulator would be stopped.
    hint: `${formatCommandLine(["emulator", "stop", ...buildFlagWords("db", path)])} ends it; or give another file with --db`,
  });
}

/** A world that another process holds, and does not let go (12). */
export function toLockedError(path: string, cause?: unknown): CliError {
  return new CliError({
    exit: exits.refused,
    code: "world_in_use",
    message: `${path} is held by another voxctl: a running emulator, or a command that does not end`,
    hint: "see voxctl emulator status, or give another file with --db",
    cause,
  });
}

/** A port that is not ours to take, an address of another machine, a name that leads nowhere. */
const unusableAddress = new Set(["EACCES", "EADDRNOTAVAIL", "EAI_AGAIN", "EINVAL", "ENOTFOUND"]);

/** Why it can't listen, as a person is told; what it does not know stays as it is. */
export async function toListenError(
  session: Session,
  error: unknown,
  host: string,
  port: number,
): Promise<unknown> {
  if (!(error instanceof Error && "code" in error)) return error;
  if (error.code === "EADDRINUSE") {
    const holder = await findHolder(session, port);
    const holderText = holder ? ` by your emulator, process ${holder.pid}, whose world is ${holder.db}` : "";
    return usageError(`port ${port} of ${host} is in use${holderText}`, {
      hint: holder
        ? `voxctl emulator stop --port ${port} ends it; or give another one with --port`
        : "give another one with --port, or --port 0 for a free one",
      cause: error,
    });
  }
  if (unusableAddress.has(String(error.code))) {
    return usageError(`can't listen on ${host} port ${port}: ${error.message}`, { cause: error });
  }
  return error;
}

/** The emulator of this user that listens on a port. */
async function findHolder(session: Session, port: number): Promise<StartLine | undefined> {
  const [{ openLocalNetwork }, { listRunningEmulators }] = await Promise.all([
    import("../../session/local-server.js"),
    import("./registry.js"),
  ]);
  const network = await openLocalNetwork(session);
  const running = await listRunningEmulators(session.folders, network.transport).finally(() =>
    network.close(),
  );
  return running.find((line) => new URL(line.url).port === String(port));
}
