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

export const resumeRun: Command = {
  name: "resume",
  summary: "Resume a fleet run",
  description:
    "Starts the members that were not started. If a member's process died and its command can be resumed, as an import can, voxctl runs the command again. If the command can't be resumed, the member's state becomes unknown. Members whose state is ok are never run again.",
  arguments: [runArgument],
  flags: [
    { name: "retry-failed", description: "Also run failed members again" },
    {
      name: "again",
      value: "member",
      repeatable: true,
      description:
        "Member to run again even if its outcome is unknown; first check which changes were made in its organization",
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
  const reopening = { retriesFailed: input.on("retry-failed") === true, again: input.texts("again") };
  // Check everything before the first change, so that an error leaves the run unchanged.
  const limits = await readNewLimits(input, run, about);
  const states = await nextStates(run, reopening);
  const { rows } = await run.readSnapshot();
  const accesses = await resolveRows(
    session,
    rows.map((row) => ({ ...row, state: states.get(row.name) ?? row.state })),
  );
  await reopenRows(session, run, reopening);
  for (const [name, wave] of limits.waveOf) await run.changeRow(name, { wave });
  return { about: limits.about, accesses };
}

interface Reopening {
  retriesFailed: boolean;
  /** Names of members to run again even if their outcome is unknown. */
  again: readonly string[];
}

/** @throws usage error (2) */
async function nextStates(
  run: FleetRun,
  { retriesFailed, again }: Reopening,
): Promise<Map<string, MemberState>> {
  const { rows, about } = await run.readSnapshot();
  for (const name of again) {
    const row = rows.find((candidate) => candidate.name === name);
    if (row === undefined || row.wave < 0) throw usageError(`--again: run ${run.id} has no member "${name}"`);
    if (row.state === "ok") throw usageError(`--again: member ${name} is ok and is not run again`);
  }
  const states = new Map<string, MemberState>();
  for (const { name, state } of rows) {
    // Another machine may be running the member. The driver detects whether that machine has stopped.
    if (state === "running" && run.isShared) continue;
    const isEnded = state === "not started" || (state === "failed" && retriesFailed);
    const isDead = state === "running" || state === "interrupted";
    if (again.includes(name) || isEnded || (isDead && about.is_journaled)) states.set(name, "waiting");
    else if (state === "running") states.set(name, "unknown");
  }
  return states;
}

/** @throws usage error (2) */
export async function reopenRows(session: Session, run: FleetRun, reopening: Reopening): Promise<void> {
  const states = await nextStates(run, reopening);
  const { rows, about } = await run.readSnapshot();
  for (const row of rows) {
    const { name, state } = row;
    const next = states.get(name);
    if (next === undefined) continue;
    if (state === "running") await awaitDeath(session, row);
    const isDead = state === "running" || state === "interrupted";
    if (next === "unknown")
      await run.changeRow(name, { state: next, error: "voxctl ended while the command ran" });
    else if (isDead && about.is_journaled && !reopening.again.includes(name)) {
      const runs = [...new Set([...row.runs, ...(await run.findRuns(name))])];
      await run.changeRow(name, { state: next, runs });
    } else await run.changeRow(name, { state: next });
  }
}

const deathMilliseconds = 15_000;
const pollMilliseconds = 100;

/**
 * A member's process can outlive the voxctl process that started it. The wait is limited, because an
 * unrelated process may have the process ID by now.
 */
export async function awaitDeath({ clock, signal }: Session, { pid }: MemberRow): Promise<void> {
  for (let waited = 0; pid !== null && waited < deathMilliseconds && isAlive(pid); waited += pollMilliseconds)
    await clock.sleep(pollMilliseconds, signal);
}

/**
 * Sets `waveOf`, the new wave of each member, only if the waves change.
 * @throws usage error (2)
 */
async function readNewLimits(
  input: Input,
  run: FleetRun,
  about: FleetAbout,
): Promise<{ about: FleetAbout; waveOf: Map<string, number> }> {
  const { rows } = await run.readSnapshot();
  const former = { waves: undefined, maxFailures: String(about.allowed), parallel: about.parallel };
  const limits = await readLimits(input, former);
  const changed = { ...about, allowed: limits.allowed(rows.length), parallel: limits.parallel };
  if (input.text("waves") === undefined && input.on("no-waves") !== true)
    return { about: changed, waveOf: new Map() };
  const members = rows.filter(({ wave }) => wave >= 0);
  const { waves } = await divideMembers(members, limits.waves);
  return {
    about: { ...changed, waves: waves.map(({ name, hold }) => ({ name, hold })) },
    waveOf: new Map(waves.flatMap(({ members: names }, wave) => names.map((name) => [name, wave] as const))),
  };
}

const unfinished: ReadonlySet<MemberState> = new Set(["waiting", "running"]);

/** @throws CliError that lists all errors, with exit code 2 or 3 */
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
