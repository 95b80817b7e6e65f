import { quoteWord } from "../../base/shell-words.js";
import { inflect } from "../../base/text.js";
import type { Session } from "../session/session.js";

/** Prints no command in a rehearsal, because a rehearsal deletes its runs. */
export function noteUndo({ io, notes }: Session, purpose: string, runId: string): void {
  if (io.env.VOXCTL_REHEARSAL === undefined) notes.note(`To ${purpose}, run \`voxctl runs undo ${runId}\`.`);
}

/** Notes that an undo creates deleted resources again. See `noteUndo`. */
export function noteRecreation(session: Session, count: number, noun: string, runId: string): void {
  noteUndo(
    session,
    `create the ${inflect(count, noun, `${noun}s`)} again with ${inflect(count, "a new ID", "new IDs")}`,
    runId,
  );
}

/** @param flags flags that `apply` requires, such as ` --allow orgs:delete` */
export function formatApplyHint(file: string, flags = ""): string {
  return `To apply it, run \`voxctl apply ${quoteWord(file)}${flags}\`.`;
}
