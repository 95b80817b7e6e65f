/**
 * Compares the lock file with the last applied lock file. Machines that share a store must use the same lock
 * file.
 */
import { createHash } from "node:crypto";
import { readStoreSettings, type StoreSettings, withStoreConnection } from "../../../cli/bulk/store.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import { durationText } from "../../../cli/terminal/progress.js";
import type { AppliedTarget } from "../../../write/engine/shared-runs.js";
import type { TargetContext } from "./target-context.js";

/** `connection` is undefined for a command that sends no requests. */
type LockContext = Pick<TargetContext, "session" | "folder" | "target" | "baseUrl" | "lockFile"> &
  Partial<Pick<TargetContext, "connection">>;

/** Returns the name under which the store keeps the target's lease and the hash of its lock file. */
export function targetNameOf({ baseUrl, folder, target }: LockContext): string {
  const key = JSON.stringify([baseUrl, folder.project.project, target]);
  return `target/${createHash("sha256").update(key).digest("hex").slice(0, 24)}`;
}

/** @throws CliError `lock_outdated` with exit code 10 if the lock file is not the last applied lock file */
export function assertLockCurrent(
  { target, lockFile }: Pick<LockContext, "target" | "lockFile">,
  applied: AppliedTarget | undefined,
): void {
  if (applied === undefined || applied.lockSha256 === lockFile.sha256) return;
  throw new CliError({
    exit: exits.differences,
    code: "lock_outdated",
    message: `${lockFile.shown} differs from the lock file of the last apply (by ${applied.by}, ${durationText(applied.ago)} ago)`,
    hint: `run \`git pull\`; if the lock file is lost, run \`voxctl config adopt --target ${target}\``,
  });
}

/**
 * If the store is temporarily unavailable, prints a note instead of checking the lock file.
 * @throws CliError `lock_outdated` with exit code 10
 */
export async function checkLock(targetContext: TargetContext): Promise<void> {
  const settings = await readTargetStore(targetContext);
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
 * Runs `work`, which writes the lock file, and then stores the hash of the lock file for other machines.
 * Doesn't store the hash if the lock file was outdated before `work`, unless `isRepair` is set.
 * @throws BulkError `store_…` before `work`, or after `work` if the hash can't be stored
 */
export async function withSharedLock<T>(
  targetContext: LockContext,
  work: () => Promise<T>,
  { isRepair = false }: { isRepair?: boolean } = {},
): Promise<T> {
  const settings = await readTargetStore(targetContext);
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

/** Returns undefined for an emulator in this process and for a rehearsal, because neither uses a store. */
export async function readTargetStore({
  session,
  connection,
  baseUrl,
  folder,
}: LockContext): Promise<StoreSettings | undefined> {
  const isRehearsed = session.io.env.VOXCTL_REHEARSAL !== undefined;
  if (isRehearsed || connection?.emulator !== undefined || !URL.canParse(baseUrl)) return undefined;
  return readStoreSettings(session, { profile: connection?.profile, directory: folder.root });
}
