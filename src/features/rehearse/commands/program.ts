import { ownProgram } from "../../../base/own-program.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";

interface Program {
  program: string;
  args: readonly string[];
  /** Whether the program is voxctl, which can't bypass the copy in a rehearsal. */
  isOwn: boolean;
}

/**
 * Returns the program to run: voxctl if the words after `--` are a voxctl command, otherwise another program.
 * @throws usage error (2)
 */
export async function resolveProgram(session: Session, words: readonly string[]): Promise<Program> {
  const [first = "", ...args] = words;
  if (first === "") throw usageError("missing command", { hint: "specify a command after --" });
  if (!(await isCommand(session, first))) return { program: first, args, isOwn: false };
  const own = ownProgram();
  if (own === undefined)
    throw usageError("the library can't rehearse voxctl commands; use the voxctl program");
  const { output } = session.flags;
  // Use the rehearsal's output format. An `--output` flag of the command itself follows and takes precedence.
  const format = output === undefined ? [] : ["--output", output];
  return { program: own.program, args: [...own.args, ...format, ...words], isOwn: true };
}

async function isCommand(session: Session, word: string): Promise<boolean> {
  const { commands } = await session.commands();
  return commands.some(({ name, aliases }) => name === word || aliases.includes(word));
}
