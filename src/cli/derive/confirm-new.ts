import { formatCommandLine } from "../../base/shell-words.js";
import { refusedError } from "../errors/errors.js";
import type { Session } from "../session/session.js";
import { styled } from "../terminal/paint.js";

const longestShown = 60;

/**
 * @param words words of the command, without the program's name
 * @throws refused error (12)
 */
export async function confirmNew(
  session: Session,
  made: {
    noun: string;
    dryRun: boolean;
    rows: readonly (readonly [string, string])[];
    words: readonly string[];
    /** Start of the printed line if the command reads a secret from a pipe: `printf %s "$KEY" | ` */
    before?: string;
  },
): Promise<void> {
  const { notes, flags, prompts } = session;
  const width = Math.max(0, ...made.rows.map(([name]) => name.length));
  notes.note("");
  for (const [name, value] of made.rows) {
    const shown = value.length > longestShown ? `${value.slice(0, longestShown - 1)}…` : value;
    notes.note(styled`  ${notes.paint.dim(name.padEnd(width))}  ${shown}`);
  }
  notes.note("");
  if (!made.dryRun && !flags.yes && !(await prompts.confirm({ message: `Create this ${made.noun}?` })))
    throw refusedError("not_confirmed", "not confirmed; no changes were made");
  const profile = flags.profile === undefined ? [] : ["--profile", flags.profile];
  const command = `${made.before ?? ""}${formatCommandLine([...made.words, ...profile])}`;
  notes.note(notes.paint.dim("Equivalent command:"));
  notes.note(styled`  ${notes.paint.cyan(command)}`);
  notes.note("");
}
