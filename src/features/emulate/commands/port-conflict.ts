import { listenAt } from "../../../base/listen-at.js";
import { buildFlagWords, formatCommandLine } from "../../../base/shell-words.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import type { StartLine } from "../../../emulator/types.js";

/**
 * A command that uses the database is not a conflict, because the server waits until the command has ended.
 */
export async function assertNoOtherServer(session: Session, path: string): Promise<void> {
  const { readServerState } = await import("../../../emulator/index.js");
  if (!readServerState(path)) return;
  const { openLocalNetwork, findRunningServer: runningServer } = await import("../local-server.js");
  const network = await openLocalNetwork(session);
  const line = await runningServer(path, network.transport).finally(() => network.close());
  if (!line) return;
  throw new CliError({
    exit: exits.refused,
    code: "database_in_use",
    message: `${path} is in use by the emulator at ${line.url}, process ${line.pid}`,
    // Without --db, the command in the hint could stop a different emulator.
    hint: `use another file with --db, or stop that emulator: \`${formatCommandLine(["emulator", "stop", ...buildFlagWords("db", path)])}\``,
  });
}

/** Returns the error (12) for a database that another process keeps locked. */
export function toLockedError(path: string, cause?: unknown): CliError {
  return new CliError({
    exit: exits.refused,
    code: "database_in_use",
    message: `${path} is in use by another voxctl process`,
    hint: "use another file with --db, or list the running emulators: `voxctl emulator status`",
    cause,
  });
}

/** Codes of errors for a privileged port, another machine's address or an unknown name. */
const unusableAddress = new Set(["EACCES", "EADDRNOTAVAIL", "EAI_AGAIN", "EINVAL", "ENOTFOUND"]);

/** Returns an error that explains why the server can't listen; returns other errors unchanged. */
export async function toListenError(
  session: Session,
  error: unknown,
  host: string,
  port: number,
): Promise<unknown> {
  if (!(error instanceof Error && "code" in error)) return error;
  if (error.code === "EADDRINUSE") {
    const holder = await findHolder(session, port);
    const holderText = holder ? ` by your emulator (process ${holder.pid}, database ${holder.db})` : "";
    return usageError(`port ${port} on ${host} is in use${holderText}`, {
      hint: holder
        ? `use another --port, or stop that emulator: \`voxctl emulator stop --port ${port}\``
        : "use another --port, or --port 0 to select a free port",
      cause: error,
    });
  }
  if (unusableAddress.has(String(error.code))) {
    return usageError(`can't listen on ${host} port ${port}: ${error.message}`, { cause: error });
  }
  return error;
}

async function findHolder(session: Session, port: number): Promise<StartLine | undefined> {
  const [{ openLocalNetwork }, { listRunningEmulators }] = await Promise.all([
    import("../local-server.js"),
    import("../registry.js"),
  ]);
  const network = await openLocalNetwork(session);
  const running = await listRunningEmulators(session.folders, network.transport).finally(() =>
    network.close(),
  );
  return running.find((line) => new URL(line.url).port === String(port));
}

/** @throws the system's error, such as EADDRINUSE */
export async function assertPortFree(host: string, port: number): Promise<void> {
  const { createServer } = await import("node:net");
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject);
    probe.once("listening", resolve);
    listenAt(probe, port, host);
  });
  await new Promise((resolve) => probe.close(resolve));
}
