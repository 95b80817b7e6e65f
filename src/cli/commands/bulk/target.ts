import { join } from "node:path";
import type { Clock } from "../../../base/clock.js";
import type { RunContext } from "../../../bulk/engine/context.js";
import type { ClientOptions } from "../../../client/types.js";
import type { ApiName } from "../../../contract/apis.js";
import type { Connection, Session } from "../../session/session.js";
import type { Notes } from "../../terminal/notes.js";

/** Target of a bulk run: the session of a command, or the temporary emulator of the demo. */
export interface BulkTarget {
  clientOptions: ClientOptions;
  baseUrl: string;
  profile: string;
  /** The service is in this process. */
  inProcess: boolean;
  /** It is a rehearsal's fork, which is gone with the rehearsal. */
  isRehearsed?: boolean;
  /** Returns whether a response has identified the service as an emulator. */
  isEmulator: () => boolean;
  clock: Clock;
  machineClock: Clock;
  signal: AbortSignal;
  notes: Notes;
  /** Where runs are kept. */
  folder: string;
  maxWaitMilliseconds: number | undefined;
  /** Show the first of what was not imported on stderr: for a screen reader line by line, or as a table. */
  showRejected: "table" | "plain" | undefined;
  onStep: RunContext["onStep"];
  /** However long the run is, its process takes hardly more memory. */
  boundMemory?: () => Promise<void> | undefined;
}

/** Where bulk runs are kept. */
export function getRunsFolder(session: Session): string {
  return join(session.folders.data, "runs");
}

/** Where a command's import runs: its profile's service. */
export async function openImportTarget(
  session: Session,
  folder: string,
  { dryRun }: { dryRun: boolean },
): Promise<BulkTarget> {
  const connection = await session.connect({ mutates: !dryRun, quiet: true });
  return createBulkTarget(session, connection, folder, "public");
}

/** Creates the target of a bulk run from the connection of a command. */
export function createBulkTarget(
  session: Session,
  connection: Connection,
  folder: string,
  api: ApiName,
): BulkTarget {
  return {
    clientOptions: connection.clientOptions,
    baseUrl: connection.baseUrl(api) ?? "",
    profile: connection.profile.name,
    inProcess: connection.emulator !== undefined,
    isRehearsed: connection.profile.type === "remote" && connection.profile.rehearsal !== undefined,
    isEmulator: session.isEmulator,
    clock: connection.clock,
    machineClock: session.clock,
    signal: session.signal,
    notes: session.notes,
    folder,
    maxWaitMilliseconds: session.flags.maxWaitMilliseconds,
    showRejected: session.flags.plain ? "plain" : "table",
    onStep: session.onJournalStep,
    boundMemory: () => session.io.boundMemory?.("run"),
  };
}
