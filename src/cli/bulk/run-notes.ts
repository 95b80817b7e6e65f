import type { Session } from "../session/session.js";

/** Prints no command in a rehearsal, because a rehearsal deletes its runs. */
export function noteUndo({ io, notes }: Session, purpose: string, runId: string): void {
  if (io.env.VOXCTL_REHEARSAL === undefined) notes.note(`To ${purpose}, run \`voxctl runs undo ${runId}\`.`);
}
