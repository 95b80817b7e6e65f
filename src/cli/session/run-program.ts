import { runGuarded } from "../../base/guarded-program.js";
import { CliError, exits } from "../errors/errors.js";
import { toChildEnvironment } from "./child-environment.js";
import type { Session } from "./session.js";

/** Exit codes that shells use for a missing program and for a program that can't be run. */
const notFoundExit = 127;
const notRunnableExit = 126;

/**
 * Returns the program's exit code, or the exit code for the signal that ended the program.
 * @param options.stdoutToStderr keeps stdout for the caller's data
 */
export async function runProgram(
  { io, signal, notes, awaitProgram }: Session,
  { program, args }: { program: string; args: readonly string[] },
  { env, stdoutToStderr = false }: { env: Session["io"]["env"]; stdoutToStderr?: boolean },
): Promise<number> {
  const interruption = () => (signal.reason instanceof CliError ? signal.reason.exit : exits.terminated);
  const ended = await awaitProgram(() =>
    runGuarded(
      { program, args, cwd: io.cwd, env: toChildEnvironment(env) },
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
