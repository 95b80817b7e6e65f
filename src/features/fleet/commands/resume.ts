import { isAlive } from "../../../base/processes.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { getRunsFolder } from "../../../cli/bulk/target.js";
import { CliError, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { Journal } from "../../../write/journal/journal.js";
import { createSourceReader } from "../../config/commands/secret-sources.js";
import type { FleetAbout, MemberRow, MemberRows } from "../index.js";
import { throwAll } from "./check-members.js";
import { executeRun } from "./execute.js";
import { driveFlags, runArgument } from "./flags.js";
import { type MemberAccess, resolveReference } from "./member-access.js";
import { divideMembers, readLimits } from "./prepare.js";
import { openResultFiles } from "./result-files.js";

/** `voxctl fleet resume RUN` */
export const resumeRun: Command = {
  name: "resume",
  summary: "Resume a fleet run",
  description:
    "Starts the members that were not started. A member whose process died is given the same command again if its run can be resumed, such as an import; otherwise it becomes unknown. Members that are ok are never run again.",
  arguments: [runArgument],
  flags: [
    { name: "retry-failed", description: "Also run failed members again" },
    {
      name: "again",
      value: "member",
      repeatable: true,
      description: "Run this member again, after you have checked its organization",
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
  const [{ Journal }, { pathOf }] = await Promise.all([
    import("../../../write/journal/journal.js"),
    import("../../../write/journal/folder.js"),
  ]);
  const journal = await Journal.open(pathOf(getRunsFolder(session), id), { create: false });
  let accesses: Map<string, MemberAccess>;
  try {
    const { openRows, readAbout } = await import("../index.js");
    const about = readAbout(journal);
    const rows = openRows(journal);
    await reopenRows(session, id, rows, about, {
      retriesFailed: input.on("retry-failed") === true,
      again: input.texts("again"),
    });
    await changeLimits(input, journal, rows, about);
    accesses = await resolveRows(session, rows.list());
  } catch (error) {
    journal.close();
    throw error;
  }
  await executeRun(session, { id, journal }, accesses, files);
}

interface Reopening {
  retriesFailed: boolean;
  /** Names of members to run again although their outcome is unknown. */
  again: readonly string[];
}

/** Sets the members that will run to `waiting` (G11, G12). @throws usage error (2) */
export async function reopenRows(
  session: Session,
  id: string,
  rows: MemberRows,
  { is_journaled: isJournaled }: FleetAbout,
  { retriesFailed, again }: Reopening,
): Promise<void> {
  const list = rows.list();
  for (const name of again) {
    const row = list.find((candidate) => candidate.name === name);
    if (row === undefined || row.wave < 0) throw usageError(`--again: run ${id} has no member "${name}"`);
    if (row.state === "ok") throw usageError(`--again: member ${name} is ok and is not run again`);
  }
  const waiting = { state: "waiting", fence: null, attempts: 0, notBefore: null } as const;
  for (const row of list) {
    const { name, state } = row;
    if (state === "running") await awaitDeath(session, row);
    const isDead = state === "running" || state === "interrupted";
    if (again.includes(name) || state === "not started" || (state === "failed" && retriesFailed))
      rows.change(name, waiting);
    else if (isDead && isJournaled) rows.change(name, { ...waiting, runs: await findRuns(session, id, row) });
    else if (state === "running")
      rows.change(name, { state: "unknown", fence: null, error: "voxctl ended while the command ran" });
  }
}

async function findRuns(session: Session, id: string, { name, runs }: MemberRow): Promise<string[]> {
  const { findMemberRuns } = await import("../index.js");
  return [...new Set([...runs, ...(await findMemberRuns(getRunsFolder(session), `${id}/${name}`))])];
}

const deathMilliseconds = 15_000;
const pollMilliseconds = 100;

/** Waits for a process that ends because voxctl has died. A reused process id delays the run only for this time. */
async function awaitDeath({ clock, signal }: Session, { pid }: MemberRow): Promise<void> {
  for (let waited = 0; pid !== null && waited < deathMilliseconds && isAlive(pid); waited += pollMilliseconds)
    await clock.sleep(pollMilliseconds, signal);
}

/** Applies the flags that replace the limits of the run. @throws usage error (2) */
async function changeLimits(
  input: Input,
  journal: Journal,
  rows: MemberRows,
  about: FleetAbout,
): Promise<void> {
  const { writeAbout } = await import("../index.js");
  const list = rows.list();
  const former = { waves: undefined, maxFailures: String(about.allowed), parallel: about.parallel };
  const limits = await readLimits(input, former);
  const changed = { ...about, allowed: limits.allowed(list.length), parallel: limits.parallel };
  if (input.text("waves") !== undefined || input.on("no-waves") === true) {
    const members = list.filter(({ wave }) => wave >= 0);
    const { waves } = await divideMembers(members, limits.waves);
    changed.waves = waves.map(({ name, hold }) => ({ name, hold }));
    for (const [wave, { members: names }] of waves.entries())
      for (const name of names) rows.change(name, { wave });
  }
  writeAbout(journal, changed);
}

/**
 * Resolves the access of the members that wait.
 * @throws CliError that lists all errors: 2 or 3
 */
export async function resolveRows(
  session: Session,
  rows: readonly MemberRow[],
): Promise<Map<string, MemberAccess>> {
  // The user allowed the sources when the run started.
  const read = await createSourceReader(session, session.io.cwd, undefined);
  const accesses = new Map<string, MemberAccess>();
  const errors: CliError[] = [];
  for (const { name, state, reference } of rows) {
    if (state !== "waiting") continue;
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
