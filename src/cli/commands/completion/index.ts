import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasCode } from "../../../base/error-code.js";
import type { Io } from "../../../base/io.js";
import { completionScripts } from "../../completion/scripts.js";
import { type Shell, shells } from "../../completion/shells.js";
import { usageError } from "../../errors/errors.js";
import { findHome } from "../../profiles/folders.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";

export const completion: Command = {
  name: "completion",
  summary: "Set up shell completion",
  description:
    "Completes commands, flags and profiles, and the names and IDs that earlier `list` commands showed. Completion never sends requests. " +
    "--install also adds a line to the start-up file of bash, zsh or PowerShell.",
  arguments: [
    {
      name: "shell",
      description: `${shells.join(", ")} (default: detected)`,
      optional: true,
      choices: shells,
    },
  ],
  flags: [{ name: "install", description: "Install the script instead of printing it" }],
  examples: [
    { command: "voxctl completion fish --install" },
    { command: `voxctl completion fish > ${completionScripts.fish.file}` },
  ],
  async run(session, input) {
    const shell = readShell(input.arguments[0], session.io);
    if (input.on("install") === true) await install(shell, session);
    else await session.output.document(completionScripts[shell].text);
  },
};

/** @throws usage error (2) for a shell without completion */
function readShell(named: string | undefined, io: Io): Shell {
  if (named === undefined) return detectShell(io);
  const shell = shells.find((name) => name === named);
  if (shell === undefined)
    throw usageError(`invalid shell "${named}": expected one of ${shells.join(", ")}`, {
      hint: "to install completion for your shell, use --install",
    });
  return shell;
}

async function install(shell: Shell, session: Session): Promise<void> {
  const { file, startUp } = getCompletionPaths(shell, session.io);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, completionScripts[shell].text);
  if (startUp) await addLineOnce(startUp.file, startUp.line);
  await session.output.item({ shell, file, start_up_file: startUp?.file ?? null });
  session.notes.note("Installed completion. To use it, open a new shell.");
}

function detectShell(io: Io): Shell {
  const name = basename(io.env["SHELL"] ?? "");
  const shell =
    shells.find((candidate) => candidate === name) ?? (name === "pwsh" ? "powershell" : undefined);
  if (shell) return shell;
  throw usageError(name === "" ? "can't detect the shell: SHELL is not set" : `unsupported shell "${name}"`, {
    hint: `specify the shell: ${shells.join(", ")}`,
  });
}

function getCompletionPaths(
  shell: Shell,
  io: Io,
): { file: string; startUp?: { file: string; line: string } } {
  const home = findHome(io);
  const data = io.env["XDG_DATA_HOME"] || join(home, ".local", "share");
  const config = io.env["XDG_CONFIG_HOME"] || join(home, ".config");
  switch (shell) {
    case "bash": {
      const file = join(data, "bash-completion", "completions", "voxctl");
      // Without the bash-completion package, bash ignores this directory, so .bashrc must load the file.
      return {
        file,
        startUp: { file: join(home, ".bashrc"), line: `source '${file.replaceAll("'", "'\\''")}'` },
      };
    }
    case "fish":
      return { file: join(config, "fish", "completions", "voxctl.fish") };
    case "zsh": {
      const file = join(data, "voxctl-completion", "_voxctl");
      const line = `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }; source '${file.replaceAll("'", "'\\''")}'`;
      return { file, startUp: { file: join(io.env["ZDOTDIR"] || home, ".zshrc"), line } };
    }
    case "powershell": {
      const file = join(data, "voxctl-completion", "voxctl.ps1");
      const profile = join(config, "powershell", "Microsoft.PowerShell_profile.ps1");
      return { file, startUp: { file: profile, line: `. '${file.replaceAll("'", "''")}'` } };
    }
  }
}

const mark = " # voxctl completion";

/**
 * Adds the line, or replaces the line that an earlier installation added. Keeps all other bytes, because the
 * file's encoding is unknown.
 */
async function addLineOnce(file: string, startUpLine: string): Promise<void> {
  const line = Buffer.from(startUpLine).toString("latin1");
  const text = await readFile(file, "latin1").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return "";
    throw error;
  });
  const lines = text.split("\n");
  if (lines.includes(line + mark)) return;
  const kept = lines.filter((existingLine) => !existingLine.endsWith(mark)).join("\n");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    `${kept === "" || kept.endsWith("\n") ? kept : `${kept}\n`}${line}${mark}\n`,
    "latin1",
  );
}
