import { access } from "node:fs/promises";
import { BulkError } from "../errors.js";
import { pathOf, reportPlace } from "../journal/folder.js";
import { identityOf, type RunIdentity } from "../journal/identity.js";
import { Journal } from "../journal/journal.js";
import { finishImport } from "./import.js";
import { openReport } from "./report.js";
import { drive, type Kind, type RunContext, withJournal } from "./run.js";
import type { ImportSummary } from "./summary.js";

/**
 * Opens a run by its id, and holds it.
 * @throws BulkError when there is none, or another process drives it
 */
export async function openRunById(
  { folder, inProcess, onStep }: Pick<RunContext, "folder" | "inProcess" | "onStep">,
  id: string,
): Promise<{ journal: Journal; identity: RunIdentity }> {
  const path = pathOf(folder, id);
  const found = /^[a-z0-9-]+$/.test(id) && (await exists(path));
  if (!found)
    throw new BulkError("run_not_found", `there is no run ${id}`, "voxctl runs list shows those there are");
  const journal = await Journal.open(path, { create: false, durable: !inProcess, onStep });
  const identity = identityOf(journal);
  if (identity !== undefined) return { journal, identity };
  journal.close();
  throw new BulkError("run_not_found", `the run ${id} had not begun`, "give its command again");
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** @throws BulkError when the run was with another service, or another world of it */
export function checkPlace({ baseUrl, traffic }: RunContext, identity: RunIdentity, profile: unknown): void {
  if (identity.base_url === baseUrl && identity.world === traffic.world) return;
  const hint =
    typeof profile === "string" ? `it was made with the profile ${profile}: --profile ${profile}` : undefined;
  if (identity.base_url !== baseUrl) {
    throw new BulkError("run_elsewhere", `that run was with ${identity.base_url}, not ${baseUrl}`, hint);
  }
  throw new BulkError(
    "run_elsewhere",
    "that run was in another world: the emulator was reset or restored since",
    "voxctl runs discard forgets it",
  );
}

/**
 * Opens a run that is to be gone on with, and does so.
 * @throws BulkError where it is finished, had not begun, or was elsewhere
 */
export async function withUnfinishedRun<T>(
  context: RunContext,
  id: string,
  work: (run: { journal: Journal; identity: RunIdentity }, addCosts: () => void) => Promise<T>,
): Promise<T> {
  const { journal, identity } = await openRunById(context, id);
  return withJournal(context, { id, journal }, async (addCosts) => {
    if (journal.setting("finished_at") !== undefined) {
      throw new BulkError("run_finished", `the run ${id} is finished; nothing is left to do`);
    }
    if (journal.setting("planned_at") === undefined) {
      throw new BulkError(
        "run_not_planned",
        `the run ${id} ended before anything was sent`,
        "give its command again",
      );
    }
    checkPlace(context, identity, journal.setting("profile"));
    return work({ journal, identity }, addCosts);
  });
}

/**
 * Goes on with an import that was interrupted; its input is not needed any more.
 * @param kindOf the requests of a kind of run
 */
export async function resumeImport(
  context: RunContext,
  id: string,
  kindOf: (kind: string) => ((journal: Journal, groupId: string) => Kind) | undefined,
): Promise<ImportSummary> {
  return withUnfinishedRun(context, id, async ({ journal, identity }, addCosts) => {
    const requests = kindOf(identity.kind);
    if (requests === undefined) {
      throw new BulkError(
        "run_of_other_kind",
        `a run of the kind ${identity.kind} goes on when its command is given again`,
      );
    }
    const reportPath = reportPlace(journal, context.folder, id);
    const report = await openReport(reportPath, { clock: context.machineClock, signal: context.signal });
    try {
      await drive(context, journal, requests(journal, identity.group_id), { id, resumed: true });
      addCosts();
      return await finishImport(context, { id, journal }, report, reportPath);
    } finally {
      await report.close();
    }
  });
}
