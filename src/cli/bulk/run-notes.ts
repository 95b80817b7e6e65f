import type { Session } from "../session/session.js";

/** Prints the command that undoes a run. Omits it in a rehearsal, which deletes the run at its end. */
export function noteUndo({ io, notes }: Session, purpose: string, runId: string): void {
  if (io.env.VOXCTL_REHEARSAL === undefined) notes.note(`To ${purpose}, run \`voxctl runs undo ${runId}\`.`);
}
