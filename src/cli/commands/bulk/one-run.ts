/** The common parts of the commands about one run. */
import type { RunContext } from "../../../bulk/engine/context.js";
import type { RunType } from "../../../bulk/journal/identity.js";
import type { RunInfo } from "../../../bulk/journal/list.js";
import { CliError, exits } from "../../errors/errors.js";
import type { Argument, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { readBulkFlags } from "./bulk-flags.js";
import { formatTarget } from "./import.js";
import { type InputUnit, undoneColumns } from "./rejected-rows.js";
import { withBulkRun } from "./run.js";
import { createBulkTarget, getRunsFolder } from "./target.js";

/** Said here, too, so that no command loads the bulk layer before it needs it. */
const provisioningType: RunType = "provisioning";
const applyType: RunType = "apply";

/** A run of `orgs provision`. */
export function isProvisioning({ kind }: RunInfo): boolean {
  return kind === provisioningType;
}

/** A run of a plan. */
export function isApply({ kind }: RunInfo): boolean {
  return kind === applyType;
}

export const runArgument: Argument = { name: "run", description: "the run's id, as runs list shows it" };

/** Does something about a run in the service that it was made with. */
export async function withRun<T>(
  session: Session,
  input: Input,
  run: RunInfo,
  work: (context: RunContext) => Promise<T>,
  { verb, dryRun = false }: { verb: "resume" | "undo"; dryRun?: boolean },
): Promise<T> {
  const connection = await session.connect({ mutates: !dryRun, quiet: true });
  const isOfOrganizations = isProvisioning(run);
  const api = isOfOrganizations ? "distributor-v2" : "public";
  const target = createBulkTarget(session, connection, getRunsFolder(session), api);
  const group = run.group === null ? "" : `group "${run.group}" of `;
  session.notes.note(`run ${run.id}: ${run.file} → ${group}${formatTarget(target)}`);
  const command = `runs ${verb} ${run.id}`;
  const options = { ...readBulkFlags(input), unit: toInputUnit(run), command };
  return withBulkRun(target, options, async (context) => {
    const { signal } = session;
    if (run.group_id !== null && !dryRun) await context.locks.hold({ id: run.group_id });
    // The response identifies the emulator state: the run must belong to the same one.
    if (isOfOrganizations) await context.client.call("orgs.list", {}, { signal });
    else await context.client.call("ping", {}, { signal });
    return work(context);
  });
}

/** The unit of the run's input. */
export function toInputUnit({ kind }: RunInfo): InputUnit {
  return kind?.startsWith("knowledge") ? "file" : "row";
}

/** A run goes on where it was made, unless another profile was asked for. */
export async function selectRunProfile(session: Session, id: string): Promise<RunInfo> {
  const { runInfo } = await import("../../../bulk/runs.js");
  await assertRunExists(session, id);
  const run = await runInfo(getRunsFolder(session), id);
  const { profile } = run;
  const isProfileGiven = session.flags.profile !== undefined || session.io.env.VOXCTL_PROFILE !== undefined;
  // `environment` is no profile that has a name to be called by.
  if (!isProfileGiven && profile !== null && profile !== "environment") await session.profile(profile);
  return run;
}

/** @throws CliError (4) when there is no such run */
export async function assertRunExists(session: Session, id: string): Promise<void> {
  const { listRuns } = await import("../../../bulk/runs.js");
  const known = (await listRuns(getRunsFolder(session))).some((run) => run.id === id);
  if (known) return;
  throw new CliError({
    exit: exits.notFound,
    code: "run_not_found",
    message: `there is no run ${id}`,
    hint: "voxctl runs list shows those there are",
  });
}

/**
 * Reports the items that an undo could not revert, or kept.
 * @throws CliError: unconfirmed (75) or partly done (68) if it could not revert all
 */
export function reportRemaining(
  session: Session,
  remaining: {
    unknown: number;
    failed: number;
    changed_since: number;
    gone: number;
    kept?: number;
    report: string;
  },
  didSomething: boolean,
): void {
  const { unknown, failed, changed_since, gone, kept = 0, report } = remaining;
  if (unknown + failed > 0) {
    throw new CliError({
      exit: unknown > 0 ? exits.unknown : exits.partlyDone,
      code: unknown > 0 ? "outcome_unknown" : "partly_done",
      message: `${unknown + failed} could not be undone`,
      outcome: unknown > 0 ? "unknown" : didSomething ? "done" : "none",
      hint: `they are listed in ${report}`,
    });
  }
  const unchanged = changed_since + gone + kept;
  if (unchanged > 0) session.notes.note(`${unchanged} unchanged; see ${report}`);
  session.signal.throwIfAborted();
}

/** Prints the first steps of an undo preview to stderr, one line per item. */
export async function showUndoPreview(
  { notes, flags }: Session,
  first: readonly Readonly<Record<string, unknown>>[],
  count: number,
): Promise<void> {
  const { Table } = await import("../../output/table.js");
  const style = {
    available: () => (notes.terminal ? notes.columns : undefined),
    paint: notes.paint,
    plain: flags.plain,
  };
  if (first.length > 0) notes.write(new Table(undoneColumns, style).lines(first));
  if (count > first.length) notes.note(`… and ${count - first.length} more`);
}
