import { join } from "node:path";
import type { Clock } from "../../base/clock.js";
import type { ClientOptions } from "../../client/types.js";
import type { ApiName } from "../../contract/apis.js";
import type { RunContext } from "../../write/engine/context.js";
import type { Author } from "../../write/journal/authors.js";
import { isRehearsed } from "../profiles/profile.js";
import type { Connection, Session } from "../session/session.js";
import type { Notes } from "../terminal/notes.js";
import { holderOf, readStoreSettings, type StoreSettings } from "./store.js";

export interface BulkTarget {
  clientOptions: ClientOptions;
  baseUrl: string;
  profile: string;
  inProcess: boolean;
  isRehearsed?: boolean;
  /** Returns whether a response has identified the service as an emulator. */
  isEmulator: () => boolean;
  clock: Clock;
  machineClock: Clock;
  signal: AbortSignal;
  notes: Notes;
  folder: string;
  /** Undefined for an emulator in this process. */
  store?: StoreSettings | undefined;
  /** A command that only reads uses the store's key maps, but creates no run. */
  isReading?: boolean;
  maxWaitMilliseconds: number | undefined;
  author: Author;
  fleetMember?: string | undefined;
  showRejected: "table" | "plain" | undefined;
  onStep: RunContext["onStep"];
  boundMemory?: () => Promise<void> | undefined;
}

interface BulkTargetOptions {
  isSending?: boolean;
  /** Chooses the store from the selected profile, not from the connection's profile. */
  usesSelectedStore?: boolean;
  directory?: string | undefined;
}

export function getRunsFolder(session: Session): string {
  return join(session.folders.data, "runs");
}

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
  const isRehearsal = isRehearsed(connection.profile);
  // An emulator in this process uses a local file, which other machines can't share.
  const isShared = !isRehearsal && connection.emulator === undefined;
  const scope = usesSelectedStore ? {} : { profile: connection.profile, directory };
  return {
    clientOptions: connection.clientOptions,
    baseUrl: connection.baseUrl(api) ?? "",
    profile: connection.profile.name,
    inProcess: connection.emulator !== undefined,
    isRehearsed: isRehearsal,
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
