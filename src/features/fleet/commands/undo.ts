import { formatCount } from "../../../base/text.js";
import { assertAllDone } from "../../../cli/bulk/outcome.js";
import { exits } from "../../../cli/errors/errors.js";
import { refuseInRehearsal } from "../../../cli/profiles/rehearsal-file.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { FleetAbout, FleetSnapshot, MemberReport, MemberRow } from "../index.js";
import { confirmFleet } from "./confirm-fleet.js";
import { createRow, executeRun } from "./execute.js";
import { createFleetRun, markUndone, openFleetRun, readFleetRun } from "./open-run.js";
import { openResultFiles } from "./result-files.js";
import { awaitDeath, reopenRows, resolveRows } from "./resume.js";
import { digestOf } from "./run.js";

/**
 * Undoes the runs of all members, starting with the last wave.
 * @throws CliError see `assertFleetDone`
 */
export async function undoFleet(session: Session, input: Input, id: string): Promise<void> {
  refuseInRehearsal(session.io.env, "runs undo");
  const { listMembers, undoType } = await import("../index.js");
  const { snapshot, isShared } = await readFleetRun(session, id);
  const { about, isUndone } = snapshot;
  const undone = listUndoRows(await findLostRuns(session, id, snapshot), about);
  const members = undone.filter(({ state }) => state === "waiting");
  const accesses = await resolveRows(session, members);
  if (input.on("dry-run") === true) return showUndo(session, undone, isUndone);
  const confirmed = members.map(({ name }) => ({ name, access: accesses.get(name) }));
  if (members.length > 0)
    await confirmFleet(
      session,
      confirmed,
      `Undo fleet run ${id} for ${formatCount(members.length, "member")}?`,
      `voxctl runs undo ${id} --dry-run`,
    );
  const flags = input.on("include-matched") === true ? ["--include-matched"] : [];
  const undoing: FleetAbout = {
    ...about,
    ...{ command: ["runs", "undo", id, ...flags], undoes: id },
    // If an undo keeps resources that other users changed, it exits with code 68. Still undo the other
    // members.
    ok_exits: [exits.partlyDone],
    ...{ is_journaled: true, is_comparison: false },
    // An undo needs no holds. A hold gives users time to check the changes of a wave.
    waves: about.waves.toReversed().map(({ name }) => ({ name, hold: 0 })),
  };
  const identity = { kind: undoType, digest: digestOf([id]) };
  const stored = { identity, about: undoing, rows: undone, files: [], command: "runs undo", resumes: true };
  const files = await openResultFiles(session, input);
  const run = await createFleetRun(session, stored, isShared);
  if (run.isResumed)
    await reopenRows(session, run, { retriesFailed: true, again: [] }).catch(async (error: unknown) => {
      await run.close();
      throw error;
    });
  const report = await executeRun(session, run, undoing, accesses, files);
  await markUndone(session, id, isShared);
  assertComplete(id, report.run, listMembers(report));
}

/** @throws CliError with exit code 68 if a member's undo kept any changes */
function assertComplete(id: string, undoId: string, members: readonly MemberReport[]): void {
  const partly = members.filter(({ exit }) => exit === exits.partlyDone);
  assertAllDone(
    { partly: partly.length },
    {
      message: () => `run ${id} was not completely undone for ${formatCount(partly.length, "member")}`,
      isPartly: true,
      hint: `to list the reasons, run \`voxctl fleet show ${undoId}\``,
    },
  );
}

/**
 * Adds the runs of members that still have the state `running` because their process was killed together with
 * voxctl.
 */
async function findLostRuns(
  session: Session,
  id: string,
  { about, rows }: Pick<FleetSnapshot, "about" | "rows">,
): Promise<readonly MemberRow[]> {
  if (!about.is_journaled || !rows.some(({ state }) => state === "running")) return rows;
  const run = await openFleetRun(session, id);
  try {
    const found: MemberRow[] = [];
    for (const row of rows) {
      if (row.state !== "running") found.push(row);
      else {
        await awaitDeath(session, row);
        found.push({ ...row, runs: [...new Set([...row.runs, ...(await run.findRuns(row.name))])] });
      }
    }
    return found;
  } finally {
    await run.close();
  }
}

/**
 * Returns a row for each member that may have made changes. The row's `words` are the IDs of the member's
 * runs, newest first.
 */
function listUndoRows(rows: readonly MemberRow[], about: FleetAbout): MemberRow[] {
  return rows.flatMap((row) => {
    if (row.runs.length > 0)
      return [createRow(row, { wave: about.waves.length - 1 - row.wave, words: [...row.runs].reverse() })];
    const isStarted = row.startedAt !== null && row.wave >= 0;
    if (!isStarted || about.is_journaled) return [];
    return [createRow(row, { wave: -1, words: [], state: "can't be undone" })];
  });
}

async function showUndo(
  { output, notes }: Session,
  rows: readonly MemberRow[],
  isUndone: boolean,
): Promise<void> {
  const pending = isUndone ? "will be checked again" : "will be undone";
  const listed = rows.map(({ name, words, state }) => ({
    name,
    runs: words,
    state: state === "waiting" ? pending : state,
  }));
  await output.list(listed, {
    columns: [
      { header: "MEMBER", value: "name", keep: true },
      { header: "RUNS", value: ({ runs }) => (Array.isArray(runs) ? runs.join(", ") : "") },
      { header: "STATE", value: "state", as: "status" },
    ],
    empty: "no member made changes that can be undone",
  });
  notes.note(
    "Dry run: no changes were made. To preview one member's undo, run `voxctl runs undo RUN --dry-run`.",
  );
}
