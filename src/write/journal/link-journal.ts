/** Supports journals at paths that the user specifies, for example in a shared directory or a CI cache. */
import { link, lstat, open, readdir, rm, stat, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import { describeFsError } from "../../base/describe-fs-error.js";
import { isSameFile } from "../../base/file-target.js";
import { BulkError } from "../errors.js";
import { pathOf } from "./folder.js";
import { identityOf, prefixOf, type RunIdentity } from "./identity.js";
import { Journal } from "./journal.js";
import { nextRunId, readLastRun } from "./runs.js";

/**
 * A link in the runs directory points to the user's file, so that all commands find the run.
 * @throws BulkError `journal_of_other_run`, `journal_elsewhere`, `journal_not_writable`
 */
export async function linkJournal(folder: string, identity: RunIdentity, path: string): Promise<void> {
  await dropDangling(folder, identity);
  const isExisting = (await stat(path).catch(() => undefined))?.isFile() === true;
  const id = isExisting ? await runIn(path, identity) : await newRun(folder, identity, path);
  const linkPath = pathOf(folder, id);
  if (isSameFile(linkPath, path)) return;
  if ((await stat(linkPath).catch(() => undefined)) !== undefined) {
    throw new BulkError(
      "journal_elsewhere",
      `--journal: run ${id} of this plan already has a journal in ${dirname(linkPath)}`,
      "to resume it, omit --journal",
    );
  }
  // Use a hard link if the system doesn't let users create symbolic links.
  await symlink(path, linkPath)
    .catch(() => link(path, linkPath))
    .catch((error: unknown) => {
      throw notWritable(path, error);
    });
}

async function runIn(path: string, { kind, base_url, digest }: RunIdentity): Promise<string> {
  const journal = await Journal.open(path, { create: false }).catch((error: unknown) => {
    if (error instanceof BulkError && error.code === "run_busy") throw error;
    throw wrongJournalError(path, error);
  });
  try {
    const own = identityOf(journal);
    const id = journal.setting("id");
    const isSameRun = own?.kind === kind && own.base_url === base_url && own.digest === digest;
    if (!isSameRun || typeof id !== "string" || !/^[a-z0-9-]+$/.test(id)) throw wrongJournalError(path);
    return id;
  } finally {
    journal.close();
  }
}

async function newRun(folder: string, identity: RunIdentity, path: string): Promise<string> {
  const last = await readLastRun(folder, identity, (journal, id) => ({
    id,
    isUndone: journal.setting("undone_at") !== undefined,
  }));
  // This run already has a journal elsewhere, so `linkJournal` fails.
  if (last?.isUndone === false) return last.id;
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    throw notWritable(path, error);
  }
  return nextRunId(folder, identity);
}

async function dropDangling(folder: string, identity: RunIdentity): Promise<void> {
  const prefix = prefixOf(identity);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(prefix) || !name.endsWith(".sqlite")) continue;
    const linkPath = `${folder}/${name}`;
    const isLink = (await lstat(linkPath).catch(() => undefined))?.isSymbolicLink() === true;
    if (isLink && (await stat(linkPath).catch(() => undefined)) === undefined)
      await rm(linkPath, { force: true });
  }
}

function wrongJournalError(path: string, cause?: unknown): BulkError {
  return new BulkError(
    "journal_of_other_run",
    `--journal: ${path} is not a journal for this plan`,
    "use a separate file for each plan",
    { cause },
  );
}

function notWritable(path: string, cause: unknown): BulkError {
  return new BulkError(
    "journal_not_writable",
    `--journal: ${path} can't be written: ${describeFsError(cause, "write")}`,
    undefined,
    { cause },
  );
}
