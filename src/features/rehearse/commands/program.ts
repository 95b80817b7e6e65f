import { ownProgram } from "../../../base/own-program.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import { runGuarded } from "../../emulate/commands/guard.js";

/** Exit codes that shells use for a missing program and one that can't be run. */
const notFoundExit = 127;
const notRunnableExit = 126;

interface Program {
  program: string;
  args: readonly string[];
  /** True for a voxctl command, which never sends requests to the service in a rehearsal. */
  isOwn: boolean;
}

/**
 * Resolves the words after `--`: a voxctl command in a separate process, or a program.
 * @throws usage error (2)
 */
export async function resolveProgram(session: Session, words: readonly string[]): Promise<Program> {
  const [first = "", ...args] = words;
  if (first === "") throw usageError("missing command", { hint: "specify a command after --" });
  if (!(await isCommand(session, first))) return { program: first, args, isOwn: false };
  const own = ownProgram();
  if (own === undefined) throw usageError("voxctl commands can only be rehearsed by the voxctl command");
  return { program: own.program, args: [...own.args, ...words], isOwn: true };
}

async function isCommand(session: Session, word: string): Promise<boolean> {
  const { commands } = await session.commands();
  return commands.some(({ name, aliases }) => name === word || aliases.includes(word));
}

/** Runs the program until it ends. Returns its exit code. */
export async function runProgram(
  { io, signal, notes, awaitProgram }: Session,
  { program, args }: Program,
  { env, stdoutToStderr }: { env: Session["io"]["env"]; stdoutToStderr: boolean },
): Promise<number> {
  const interruption = () => (signal.reason instanceof CliError ? signal.reason.exit : exits.terminated);
  const ended = await awaitProgram(() =>
    runGuarded(
      { program, args, cwd: io.cwd, env },
      {
        signal,
        getSignal: () => (interruption() === exits.interrupted ? "SIGINT" : "SIGTERM"),
        stdoutToStderr,
      },
    ),
  );
  if ("problem" in ended) {
    const missing = ended.problem === "ENOENT";
    notes.warn(missing ? `program "${program}" not found` : `${program} can't be run (${ended.problem})`);
    return missing ? notFoundExit : notRunnableExit;
  }
  return ended.exit === 0 && signal.aborted ? interruption() : ended.exit;
}
