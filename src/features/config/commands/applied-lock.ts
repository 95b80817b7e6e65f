/**
 * Compares the lock file with the last applied one. If several machines share a store, only that lock file is
 * accepted.
 */
import { createHash } from "node:crypto";
import { readStoreSettings, type StoreSettings, withStoreConnection } from "../../../cli/bulk/store.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import { durationText } from "../../../cli/terminal/progress.js";
import type { AppliedTarget } from "../../../write/engine/shared-runs.js";
import type { TargetContext } from "./target-context.js";

/** A target's lock file. `connection` is undefined for a command that sends no requests. */
type LockContext = Pick<TargetContext, "session" | "folder" | "target" | "baseUrl" | "lockFile"> &
  Partial<Pick<TargetContext, "connection">>;

/** Returns the name of a target in the store, which keeps the target's lease and lock file. */
export function targetNameOf({ baseUrl, folder, target }: LockContext): string {
  const key = JSON.stringify([baseUrl, folder.project.project, target]);
  return `target/${createHash("sha256").update(key).digest("hex").slice(0, 24)}`;
}

/**
 * Checks that the lock file is the one that was last applied.
 * @throws CliError `lock_outdated` (10)
 */
export function assertLockCurrent(
  { target, lockFile }: Pick<LockContext, "target" | "lockFile">,
  applied: AppliedTarget | undefined,
): void {
  if (applied === undefined || applied.lockSha256 === lockFile.sha256) return;
  throw new CliError({
    exit: exits.differences,
    code: "lock_outdated",
    message: `${lockFile.shown} is not the lock file that ${applied.by} applied ${durationText(applied.ago)} ago`,
    hint: `run \`git pull\`; if the lock file is lost, run \`voxctl config adopt --target ${target}\``,
  });
}

/**
 * Checks the lock file before planning. Continues with a note if the store is temporarily unavailable.
 * @throws CliError `lock_outdated` (10)
 */
export async function checkLock(targetContext: TargetContext): Promise<void> {
  const settings = await readSettings(targetContext);
  if (settings === undefined) return;
  const { StoreError } = await import("../../../store/index.js");
  let applied: AppliedTarget | undefined;
  try {
    applied = await findApplied(settings, targetContext);
  } catch (error) {
    if (!(error instanceof StoreError) || !error.isTransient) throw error;
    targetContext.session.notes.note(
      `${error.message}; continuing without comparing ${targetContext.lockFile.shown}`,
    );
  }
  assertLockCurrent(targetContext, applied);
}

/**
 * Runs `work`, which writes the lock file, and then shares the lock file with the other machines. Doesn't
 * share it if the previous lock file was not the last applied one, unless `isRepair` is set.
 * @throws BulkError `store_…` before anything is written
 */
export async function withSharedLock<T>(
  targetContext: LockContext,
  work: () => Promise<T>,
  { isRepair = false }: { isRepair?: boolean } = {},
): Promise<T> {
  const settings = await readSettings(targetContext);
  if (settings === undefined) return work();
  const { lockFile } = targetContext;
  const applied = await findApplied(settings, targetContext);
  const before = lockFile.sha256;
  const result = await work();
  if (applied === undefined || (applied.lockSha256 !== before && !isRepair)) return result;
  const { hashLock } = await import("../index.js");
  const { saveTarget } = await import("../../../store/index.js");
  const holder = { ...settings.holder, command: "config" };
  await withStoreConnection(settings, (connection) =>
    saveTarget(connection, targetNameOf(targetContext), hashLock(lockFile.lock), {
      ...{ holder, before: applied.lockSha256 },
    }),
  );
  return result;
}

async function findApplied(
  settings: StoreSettings,
  targetContext: LockContext,
): Promise<AppliedTarget | undefined> {
  const { findTarget } = await import("../../../store/index.js");
  return withStoreConnection(settings, (connection) => findTarget(connection, targetNameOf(targetContext)));
}

/** Returns the store's settings; undefined for an emulator in this process or a rehearsal, which use no store. */
async function readSettings({
  session,
  connection,
  baseUrl,
  folder,
}: LockContext): Promise<StoreSettings | undefined> {
  const isRehearsed = session.io.env.VOXCTL_REHEARSAL !== undefined;
  if (isRehearsed || connection?.emulator !== undefined || !URL.canParse(baseUrl)) return undefined;
  return readStoreSettings(session, { profile: connection?.profile, directory: folder.root });
}
