import { spawn } from "node:child_process";
import type { Io } from "../../../base/io.js";
import { type CliError, refusedError, usageError } from "../../errors/errors.js";
import { toChildEnvironment } from "../../session/child-environment.js";
import type { Session } from "../../session/session.js";

export interface Editor {
  command: string;
  /** Undefined for the system's default editor. */
  variable: "VISUAL" | "EDITOR" | undefined;
}

/** @throws refused error (12) */
export function findEditor({ env }: Io, isInteractive: boolean): Editor {
  for (const variable of ["VISUAL", "EDITOR"] as const) {
    const command = env[variable]?.trim();
    if (command) return { command, variable };
  }
  if (!isInteractive)
    throw refusedError(
      "confirmation_required",
      "the editor requires a terminal, but stdin is not a terminal",
      "use the `update` command, or set VISUAL or EDITOR to a program that needs no terminal",
    );
  return { command: process.platform === "win32" ? "notepad" : "vi", variable: undefined };
}

/** @throws usage error (2) if the editor fails */
export async function openEditor(editor: Editor, file: string, { io }: Session): Promise<void> {
  const { command, variable } = editor;
  const isWindows = process.platform === "win32";
  if (!isWindows && !(await isInstalled(command, io))) throw toNotStartedError(editor);
  const [program, args]: [string, string[]] = isWindows
    ? [`${command} "${file}"`, []]
    : ["/bin/sh", ["-c", `${command} "$1"`, "sh", file]];
  const ended = await waitForEnd(program, args, { io, stdio: "inherit" });
  if (ended === commandNotFound) throw toNotStartedError(editor);
  if (ended !== 0)
    throw usageError(
      `editor "${command}"${variable === undefined ? "" : ` from ${variable}`} failed: ${typeof ended === "number" ? `exit code ${ended}` : ended}`,
      {
        hint: "set VISUAL or EDITOR to another editor; a graphical editor needs a flag that makes it wait, such as `code --wait`",
      },
    );
}

/** A shell's exit code for a missing program. */
const commandNotFound = 127;

/** Doesn't check words that the shell expands (`~/bin/e`, `$HOME/e`, `A=b e`), and returns true. */
async function isInstalled(command: string, io: Io): Promise<boolean> {
  const [first = ""] = command.split(/\s/);
  if (!/^[\w./+@-]+$/.test(first)) return true;
  const result = await waitForEnd("/bin/sh", ["-c", 'command -v "$1" >/dev/null', "sh", first], {
    io,
    stdio: "ignore",
  });
  return result === 0;
}

function toNotStartedError({ command, variable }: Editor): CliError {
  const named =
    variable === undefined
      ? "set VISUAL or EDITOR to an installed editor"
      : `set ${variable} to an installed editor`;
  return usageError(`editor "${command}" not found`, {
    hint: `${named}, such as nano or \`code --wait\``,
  });
}

function waitForEnd(
  program: string,
  args: readonly string[],
  { io, stdio }: { io: Io; stdio: "inherit" | "ignore" },
): Promise<number | string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: io.cwd,
      env: toChildEnvironment(io.env),
      stdio,
      shell: process.platform === "win32",
    });
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(code ?? `terminated by ${signal}`));
  });
}
