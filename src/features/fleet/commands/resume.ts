import { isAlive } from "../../../base/processes.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { CliError, refusedError, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { createSourceReader } from "../../config/commands/secret-sources.js";
import type { FleetAbout, MemberRow, MemberState } from "../index.js";
import { throwAll } from "./check-members.js";
import { executeRun } from "./execute.js";
import { driveFlags, runArgument } from "./flags.js";
import type { FleetRun } from "./fleet-run.js";
import { type MemberAccess, resolveReference } from "./member-access.js";
import { openFleetRun } from "./open-run.js";
import { divideMembers, readLimits } from "./prepare.js";
import { openResultFiles } from "./result-files.js";

/** `voxctl fleet resume RUN` */
export const resumeRun: Command = {
  name: "resume",
  summary: "Resume a fleet run",
  description:
    "Starts the members that were not started. If a member's process died, voxctl runs the member's command again if the command can be resumed, such as an import; otherwise, the member's state becomes unknown. Members whose state is ok are never run again.",
  arguments: [runArgument],
  flags: [
    { name: "retry-failed", description: "Also run failed members again" },
    {
      name: "again",
      value: "member",
      repeatable: true,
      description: "Also run this member again; first check in its organization what was done",
    },
    ...driveFlags,
  ],
  examples: [
    { command: "voxctl fleet resume 2aa82de186e4" },
    { command: "voxctl fleet resume 2aa82de186e4 --retry-failed --max-failures 2" },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => resume(session, input)),
};

async function resume(session: Session, input: Input): Promise<void> {
  const [id = ""] = input.arguments;
  const files = await openResultFiles(session, input);
  const run = await openFleetRun(session, id);
  const prepared = await prepareResume(session, input, run).catch(async (error: unknown) => {
    await run.close();
    throw error;
  });
  await executeRun(session, run, prepared.about, prepared.accesses, files);
}

async function prepareResume(session: Session, input: Input, run: FleetRun) {
  const { about, isUndone } = await run.readSnapshot();
  if (isUndone)
    throw refusedError(
      "run_finished",
      `run ${run.id} was undone`,
      "to make the changes again, repeat its command",
    );
  await reopenRows(session, run, {
    retriesFailed: input.on("retry-failed") === true,
    again: input.texts("again"),
  });
  const changed = await changeLimits(input, run, about);
  return { about: changed, accesses: await resolveRows(session, (await run.readSnapshot()).rows) };
}

interface Reopening {
  retriesFailed: boolean;
  /** Names of members to run again even if their outcome is unknown. */
  again: readonly string[];
}

/** Marks the members that will run again as `waiting`. @throws usage error (2) */
export async function reopenRows(
  session: Session,
  run: FleetRun,
  { retriesFailed, again }: Reopening,
): Promise<void> {
  const { rows, about } = await run.readSnapshot();
  for (const name of again) {
    const row = rows.find((candidate) => candidate.name === name);
    if (row === undefined || row.wave < 0) throw usageError(`--again: run ${run.id} has no member "${name}"`);
    if (row.state === "ok") throw usageError(`--again: member ${name} is ok and is not run again`);
  }
  for (const row of rows) {
    const { name, state } = row;
    const isEnded = state === "not started" || (state === "failed" && retriesFailed);
    // Another machine may be running the member. The driver detects whether that machine has stopped.
    if (state === "running" && run.isShared) continue;
    if (state === "running") await awaitDeath(session, row);
    const isDead = state === "running" || state === "interrupted";
    if (again.includes(name) || isEnded) await run.changeRow(name, { state: "waiting" });
    else if (isDead && about.is_journaled) {
      const runs = [...new Set([...row.runs, ...(await run.findRuns(name))])];
      await run.changeRow(name, { state: "waiting", runs });
    } else if (state === "running")
      await run.changeRow(name, { state: "unknown", error: "voxctl ended while the command ran" });
  }
}

const deathMilliseconds = 15_000;
const pollMilliseconds = 100;

/**
 * Waits until a member's process ends. A member's process can outlive the voxctl process that started it. The
 * wait is limited, because an unrelated process may have the process id by now.
 */
async function awaitDeath({ clock, signal }: Session, { pid }: MemberRow): Promise<void> {
  for (let waited = 0; pid !== null && waited < deathMilliseconds && isAlive(pid); waited += pollMilliseconds)
    await clock.sleep(pollMilliseconds, signal);
}

/** Applies the flags that change the limits of the run. @throws usage error (2) */
async function changeLimits(input: Input, run: FleetRun, about: FleetAbout): Promise<FleetAbout> {
  const { rows } = await run.readSnapshot();
  const former = { waves: undefined, maxFailures: String(about.allowed), parallel: about.parallel };
  const limits = await readLimits(input, former);
  const changed = { ...about, allowed: limits.allowed(rows.length), parallel: limits.parallel };
  if (input.text("waves") === undefined && input.on("no-waves") !== true) return changed;
  const members = rows.filter(({ wave }) => wave >= 0);
  const { waves } = await divideMembers(members, limits.waves);
  for (const [wave, { members: names }] of waves.entries())
    for (const name of names) await run.changeRow(name, { wave });
  return { ...changed, waves: waves.map(({ name, hold }) => ({ name, hold })) };
}

/** States of members that have not ended. */
const unfinished: ReadonlySet<MemberState> = new Set(["waiting", "running"]);

/**
 * Finds the URL and key of each member that has not ended.
 * @throws CliError (2 or 3) that lists all errors
 */
export async function resolveRows(
  session: Session,
  rows: readonly MemberRow[],
): Promise<Map<string, MemberAccess>> {
  // Don't check the sources of keys again: the user allowed them when the run started.
  const read = await createSourceReader(session, session.io.cwd, undefined);
  const accesses = new Map<string, MemberAccess>();
  const errors: CliError[] = [];
  for (const { name, state, reference } of rows) {
    if (!unfinished.has(state)) continue;
    try {
      accesses.set(name, await resolveReference(session, name, reference, read));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      errors.push(error);
    }
  }
  throwAll(errors, "members can't be reached");
  return accesses;
}
