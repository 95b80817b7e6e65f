import { spawn } from "node:child_process";
import type { Io } from "../../../base/io.js";
import { refusedError, usageError } from "../../errors/errors.js";
import type { Session } from "../../session/session.js";

/** $VISUAL or $EDITOR; with a person at a terminal what every system has. @throws refused error (12) */
export function editorOf({ env }: Io, isPersonThere: boolean): string {
  const named = env.VISUAL || env.EDITOR;
  if (named) return named;
  if (!isPersonThere)
    throw refusedError(
      "there is no terminal to edit on; nothing was sent",
      "VISUAL or EDITOR names a program that edits a file by itself; the update command takes flags",
    );
  return process.platform === "win32" ? "notepad" : "vi";
}

/** Lets the person's editor change a file, and waits for its end. @throws usage error (2) where it fails */
export async function openEditor(editor: string, file: string, { io }: Session): Promise<void> {
  const [program, args]: [string, string[]] =
    process.platform === "win32"
      ? [`${editor} "${file}"`, []]
      : ["/bin/sh", ["-c", `${editor} "$1"`, "sh", file]];
  const ended = await new Promise<string | undefined>((resolve) => {
    const child = spawn(program, args, {
      cwd: io.cwd,
      env: io.env,
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(code === 0 ? undefined : `it ended with ${signal ?? code}`));
  });
  if (ended !== undefined)
    throw usageError(`the editor "${editor}" failed: ${ended}; nothing was sent`, {
      hint: "VISUAL or EDITOR names another; one with a window needs its flag to wait: code --wait",
    });
}
