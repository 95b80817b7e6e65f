import { formatThousands } from "../../base/text.js";
import { environmentName } from "../../contract/environment-variables.js";
import type { RunContext } from "../../write/engine/context.js";
import type { RunType } from "../../write/journal/identity.js";
import type { RunInfo } from "../../write/journal/list.js";
import { CliError, exits, usageError } from "../errors/errors.js";
import type { Argument, Input } from "../session/input.js";
import type { Session } from "../session/session.js";
import { readBulkFlags } from "./bulk-flags.js";
import { formatTarget } from "./import.js";
import { createRunNotFoundError, findKnownRuns } from "./known-runs.js";
import { type InputUnit, undoneColumns } from "./rejected-rows.js";
import { withBulkRun } from "./run.js";
import { createBulkTarget, getRunsFolder } from "./target.js";

/** Copied from the bulk layer, because importing it would load the whole layer. */
const provisioningType: RunType = "provisioning";

export function isProvisioning({ kind }: RunInfo): boolean {
  return kind === provisioningType;
}

export const runArgument: Argument = { name: "run", description: "Run ID; see `voxctl runs list`" };

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
  const target = await createBulkTarget(session, connection, getRunsFolder(session), api, {
    usesSelectedStore: true,
  });
  const group = run.group === null ? "" : `group "${run.group}", `;
  const action = verb === "resume" ? "Resuming" : dryRun ? "Preparing the undo of" : "Undoing";
  session.notes.note(`${action} run ${run.id} (${run.file}) in ${group}${formatTarget(target)}`);
  const command = `runs ${verb} ${run.id}`;
  const options = { ...readBulkFlags(input), unit: toInputUnit(run), command };
  return withBulkRun(target, options, async (context) => {
    const { signal } = session;
    if (run.group_id !== null && !dryRun) await context.locks.hold({ id: run.group_id });
    await context.sharedRuns?.fetchRun(run.id);
    // Send a read request, because only a response shows whether the service is an emulator.
    if (isOfOrganizations) await context.client.call("orgs.list", {}, { signal });
    else await context.client.call("ping", {}, { signal });
    const { isSameService } = await import("../../write/index.js");
    const service = { base_url: context.baseUrl, world: context.requestStats.emulatorId };
    // Use the run's original URL, because key maps and plan files contain that URL.
    if (run.base_url !== null && isSameService(run, service)) context.baseUrl = run.base_url;
    return work(context);
  });
}

export function toInputUnit({ kind }: RunInfo): InputUnit {
  if (kind === "apply") return "step";
  return kind?.startsWith("knowledge") ? "file" : "row";
}

/**
 * Selects the run's profile, unless the user chose a different one.
 * @throws CliError with exit code 4 if the run doesn't exist, 6 if another process uses the run and its profile
 *   is unknown, 2 if the run is an undo
 */
export async function selectRunProfile(session: Session, id: string): Promise<RunInfo> {
  const run = await findRun(session, id);
  const { profile, kind, state } = run;
  if (state === "running" && kind === null) throw busyRunError(id);
  const { undoneRunOf } = await import("../../write/index.js");
  const undone = undoneRunOf(id);
  if (undone !== undefined)
    throw usageError(`run ${id} is an undo`, {
      hint: `to resume the undo, or to retry the changes that it skipped, run \`voxctl runs undo ${undone}\``,
    });
  const isProfileGiven = session.flags.profile !== undefined || session.io.env.VOXCTL_PROFILE !== undefined;
  // `environment` means that environment variables defined the service, so no stored profile can be selected.
  if (!isProfileGiven && profile !== null && profile !== environmentName) await session.profile(profile);
  return run;
}

function busyRunError(id: string): CliError {
  return new CliError({
    exit: exits.conflict,
    code: "run_busy",
    message: `another process is using run ${id}`,
    hint: "wait until that process ends, or stop it",
  });
}

/** @throws CliError with exit code 4 if the run doesn't exist */
export async function findRun(session: Session, id: string): Promise<RunInfo> {
  const run = await (await findKnownRuns(session)).find(id);
  if (run !== undefined) return run;
  throw await createRunNotFoundError(session, id);
}

export async function showUndoPreview(
  { notes, flags }: Session,
  run: RunInfo,
  first: readonly Readonly<Record<string, unknown>>[],
  count: number,
): Promise<void> {
  const { Table } = await import("../output/table.js");
  const style = {
    available: () => (notes.terminal ? notes.columns : undefined),
    paint: notes.paint,
    plain: flags.plain,
  };
  if (first.length > 0) notes.write(new Table(undoneColumns(toInputUnit(run)), style).lines(first));
  if (count > first.length)
    notes.note(
      `… and ${formatThousands(count - first.length)} more. To list them all, run \`voxctl runs undo ${run.id} --dry-run --wide\`.`,
    );
}
