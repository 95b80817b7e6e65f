import { join } from "node:path";
import type { Clock } from "../../base/clock.js";
import type { ClientOptions } from "../../client/types.js";
import type { ApiName } from "../../contract/apis.js";
import type { RunContext } from "../../write/engine/context.js";
import type { Author } from "../../write/journal/authors.js";
import type { Connection, Session } from "../session/session.js";
import type { Notes } from "../terminal/notes.js";
import { holderOf, readStoreSettings, type StoreSettings } from "./store.js";

/** A bulk run's target: a command's session, or the demo's temporary emulator. */
export interface BulkTarget {
  clientOptions: ClientOptions;
  baseUrl: string;
  profile: string;
  /** True if the service runs in this process. */
  inProcess: boolean;
  /** True if the service is a rehearsal's temporary copy. */
  isRehearsed?: boolean;
  /** Returns whether a response has identified the service as an emulator. */
  isEmulator: () => boolean;
  clock: Clock;
  machineClock: Clock;
  signal: AbortSignal;
  notes: Notes;
  folder: string;
  /** Store that shares runs and key maps with other machines. Undefined for an emulator in this process. */
  store?: StoreSettings | undefined;
  /** True for a command that only reads. It uses the store's key maps, but creates no run. */
  isReading?: boolean;
  maxWaitMilliseconds: number | undefined;
  /** User, CI job and command, for the journal. */
  author: Author;
  fleetMember?: string | undefined;
  /** Format of the first rejected rows on stderr: a table, or line by line for screen readers. */
  showRejected: "table" | "plain" | undefined;
  onStep: RunContext["onStep"];
  /** Limits the process's memory during a long run. */
  boundMemory?: () => Promise<void> | undefined;
}

interface BulkTargetOptions {
  isSending?: boolean;
  /** Chooses the store from the selected profile, not from the connection's profile. */
  usesSelectedStore?: boolean;
  /** Directory in which the search for a configuration project starts; default: the working directory. */
  directory?: string | undefined;
}

export function getRunsFolder(session: Session): string {
  return join(session.folders.data, "runs");
}

/** Returns who runs the command: user and host, CI job and the command's words without arguments. */
export function readAuthor({ io, commandPath }: Pick<Session, "io" | "commandPath">): Author {
  const { user = "unknown", host, job = null } = holderOf(io.env);
  return { by: `${user}@${host}`, job, command: commandPath.join(" ") };
}

export async function openImportTarget(
  session: Session,
  folder: string,
  { dryRun }: { dryRun: boolean },
): Promise<BulkTarget> {
  const connection = await session.connect({ mutates: !dryRun, quiet: true });
  return createBulkTarget(session, connection, folder, "public", { isSending: !dryRun });
}

/** @throws usage error (2) if the selected store is invalid */
export async function createBulkTarget(
  session: Session,
  connection: Connection,
  folder: string,
  api: ApiName,
  { isSending = true, usesSelectedStore = false, directory }: BulkTargetOptions = {},
): Promise<BulkTarget> {
  const isRehearsed = connection.profile.type === "remote" && connection.profile.rehearsal !== undefined;
  // An emulator in this process uses a local file, which other machines can't share.
  const isShared = !isRehearsed && connection.emulator === undefined;
  const scope = usesSelectedStore ? {} : { profile: connection.profile, directory };
  return {
    clientOptions: connection.clientOptions,
    baseUrl: connection.baseUrl(api) ?? "",
    profile: connection.profile.name,
    inProcess: connection.emulator !== undefined,
    isRehearsed,
    isEmulator: session.isEmulator,
    clock: connection.clock,
    machineClock: session.clock,
    signal: session.signal,
    notes: session.notes,
    folder,
    store: isShared ? await readStoreSettings(session, scope) : undefined,
    isReading: !isSending,
    maxWaitMilliseconds: session.flags.maxWaitMilliseconds,
    author: readAuthor(session),
    fleetMember: session.io.env["VOXCTL_FLEET_MEMBER"],
    showRejected: session.flags.plain ? "plain" : "table",
    onStep: session.onJournalStep,
    boundMemory: () => session.io.boundMemory?.("run"),
  };
}
