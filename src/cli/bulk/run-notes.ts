/** Notes about a run that made changes. A rehearsal's runs and results files are deleted with it. */
import type { Session } from "../session/session.js";

/** Prints the command that undoes a run, except in a rehearsal, which deletes the run at its end. */
export function noteUndo({ io, notes }: Session, purpose: string, runId: string): void {
  if (!isRehearsed(io.env)) notes.note(`To ${purpose}, run \`voxctl runs undo ${runId}\`.`);
}

/** Prints the path of the results file, except in a rehearsal, which deletes the file at its end. */
export function noteResults(session: Session, path: string): void {
  if (isAvailableLater(session, path)) session.notes.note(`Results: ${path}`);
}

/** Returns a hint to see the results file, or, in a rehearsal, a hint on how to keep it. */
export function formatResultsHint(session: Session, path: string, purpose = ""): string {
  return isAvailableLater(session, path)
    ? `see ${path}${purpose}`
    : "to keep the results file, add --report FILE to the rehearsed command";
}

function isAvailableLater({ io, folders }: Session, path: string): boolean {
  return !isRehearsed(io.env) || !path.startsWith(folders.data);
}

function isRehearsed(env: Session["io"]["env"]): boolean {
  return env.VOXCTL_REHEARSAL !== undefined;
}
