import { basename, join } from "node:path";
import type { ImportSummary } from "../../../bulk/engine/summary.js";
import type { BulkPlace } from "../../bulk-run.js";
import { CliError, type Exit, exits } from "../../errors.js";
import type { Session } from "../../session.js";

/** Where bulk runs are kept. */
export function runsFolder(session: Session): string {
  return join(session.folders.data, "runs");
}

/** Where a command's import runs: its profile's service. */
export async function importPlace(
  session: Session,
  folder: string,
  { dryRun }: { dryRun: boolean },
): Promise<BulkPlace> {
  const connection = await session.connect({ mutates: !dryRun, quiet: true });
  return {
    clientOptions: connection.clientOptions,
    baseUrl: connection.baseUrl("public") ?? "",
    profile: connection.profile.name,
    inProcess: connection.emulator !== undefined,
    clock: connection.clock,
    machineClock: session.clock,
    signal: session.signal,
    notes: session.notes,
    folder,
    maxWaitMilliseconds: session.flags.maxWaitMilliseconds,
    onStep: session.onJournalStep,
  };
}

/** Exit codes for what a person has to look at; the summary stands on stdout already. */
function throwIncomplete(summary: ImportSummary, advice: string | undefined): void {
  const { rows, invalid, failed, unknown, report } = summary;
  const file = summary.file === "-" ? "standard input" : basename(summary.file);
  if (unknown > 0) {
    throw new CliError({
      exit: exits.unknown,
      code: "outcome_unknown",
      message: `of ${unknown} of ${rows} rows of ${file} nobody can say whether they were written`,
      outcome: "unknown",
      hint: `they are listed in ${report}`,
    });
  }
  if (invalid + failed > 0) {
    const parts = [
      ...(invalid > 0 ? [`${invalid} invalid`] : []),
      ...(failed > 0 ? [`${failed} rejected by the service`] : []),
    ];
    throw new CliError({
      exit: exits.partlyDone,
      code: "partly_done",
      message: `${invalid + failed} of ${rows} rows of ${file} were not imported: ${parts.join(", ")}`,
      outcome: "done",
      hint: [advice, `they are listed in ${report}`].filter((text) => text !== undefined).join("; "),
    });
  }
}

/**
 * Shows what an import came to.
 * @param options.advice what would let many of the invalid rows in
 * @throws CliError where rows are left
 */
export async function showSummary(
  session: Session,
  summary: ImportSummary,
  { dryRun, advice }: { dryRun: boolean; advice?: string | undefined },
): Promise<void> {
  if (dryRun) session.notes.note("dry run: nothing was sent");
  if (advice !== undefined) session.notes.note(advice);
  await session.output.item(summary);
  if (!dryRun) throwIncomplete(summary, advice);
  if (summary.created < summary.rows) session.notes.note(`report: ${summary.report}`);
}

/** Runs an import; what the bulk layer refuses becomes the command line's errors. */
export async function withRefusals(work: () => Promise<void>): Promise<void> {
  const { BulkError } = await import("../../../bulk/index.js");
  try {
    await work();
  } catch (error) {
    throw error instanceof BulkError ? refusal(error) : error;
  }
}

/** The bulk layer's refusals as the command line's: nothing was sent. */
function refusal(error: Error & { code: string; hint?: string | undefined }): CliError {
  const exit = refusalExits[error.code] ?? exits.usage;
  return new CliError({ exit, code: error.code, message: error.message, hint: error.hint, cause: error });
}

const refusalExits: Readonly<Record<string, Exit>> = {
  run_finished: exits.refused,
  run_elsewhere: exits.refused,
  run_busy: exits.conflict,
  run_not_found: exits.notFound,
};
