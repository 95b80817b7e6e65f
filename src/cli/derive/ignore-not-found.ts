import { ClientError } from "../../client/errors.js";
import { CliError, exits } from "../errors/errors.js";
import { FlaggedError } from "../errors/exit-codes.js";
import type { Command } from "../session/command.js";
import type { Flag, Input } from "../session/input.js";
import type { Session } from "../session/session.js";

/** Flag for scripts that delete the same resource more than once. */
export const ignoreNotFoundFlag: Flag = {
  name: "ignore-not-found",
  description: "Exit with code 0 if the resource doesn't exist",
};

export function shouldIgnoreNotFound(input: Input): boolean {
  return input.on("ignore-not-found") === true;
}

export async function runIgnoringNotFound(
  session: Session,
  input: Input,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!shouldIgnoreNotFound(input) || !isNotFound(error)) throw error;
    const id = input.arguments.at(-1) ?? "";
    await session.output.item({ id, deleted: false });
    session.notes.note(`${id} was not found; nothing was deleted`);
  }
}

export function addIgnoreNotFoundFlag(command: Command): Command {
  return {
    ...command,
    flags: [...(command.flags ?? []), ignoreNotFoundFlag],
    run: (session, input) => runIgnoringNotFound(session, input, async () => command.run(session, input)),
  };
}

export function isNotFound(error: unknown): boolean {
  if (error instanceof FlaggedError) return isNotFound(error.cause);
  if (error instanceof CliError) return error.exit === exits.notFound;
  // A 404 without an error code may also mean that the URL is wrong.
  return error instanceof ClientError && error.status === 404 && !error.code.startsWith("http_");
}
