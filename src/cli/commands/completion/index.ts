import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Io } from "../../../base/io.js";
import { completionScripts } from "../../completion/scripts.js";
import { type Shell, shells } from "../../completion/shells.js";
import { usageError } from "../../errors/errors.js";
import type { Command, CommandGroup } from "../../session/command.js";

const shellNames: Readonly<Record<Shell, string>> = {
  bash: "bash",
  zsh: "zsh",
  fish: "fish",
  powershell: "PowerShell",
};

const printing = shells.map(
  (shell): Command => ({
    name: shell,
    summary: `Print what ${shellNames[shell]} reads`,
    examples: [{ command: `voxctl completion ${shell} > ${completionScripts[shell].file}` }],
    run: (session) => session.output.document(completionScripts[shell].text),
  }),
);

const install: Command = {
  name: "install",
  summary: "Set completion up for the shell in use",
  description:
    "Writes the script where the shell looks for it; for bash, zsh and PowerShell a line in their start-up file reads it. Given again, it brings the script up to date.",
  flags: [
    {
      name: "shell",
      value: "name",
      description: "which one; else the one of SHELL",
      choices: shells,
      strict: true,
    },
  ],
  examples: [{ command: "voxctl completion install --shell fish" }],
  async run(session, input) {
    const shell = shells.find((one) => one === input.text("shell")) ?? shellInUse(session.io);
    const { file, startUp } = places(shell, session.io);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, completionScripts[shell].text);
    if (startUp) await addOnce(startUp.file, startUp.line);
    await session.output.item({ shell, file, start_up_file: startUp?.file ?? null });
    session.notes.note("It works in every new shell");
  },
};

function shellInUse(io: Io): Shell {
  const name = basename(io.env["SHELL"] ?? "");
  const shell = shells.find((one) => one === name) ?? (name === "pwsh" ? "powershell" : undefined);
  if (shell) return shell;
  throw usageError(name === "" ? "SHELL is not set" : `there is no completion for ${name}`, {
    hint: `Give --shell, one of ${shells.join(", ")}`,
  });
}

/** Where each shell looks for completions of a user. */
function places(shell: Shell, io: Io): { file: string; startUp?: { file: string; line: string } } {
  const home = io.env["HOME"] || io.env["USERPROFILE"] || homedir();
  const data = io.env["XDG_DATA_HOME"] || join(home, ".local", "share");
  const config = io.env["XDG_CONFIG_HOME"] || join(home, ".config");
  switch (shell) {
    case "bash": {
      const file = join(data, "bash-completion", "completions", "voxctl");
      // The package bash-completion reads that folder by itself, but it is not on every machine.
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

/** Puts the line at the end of the file, in place of an earlier one. The other bytes stay, in whichever encoding. */
async function addOnce(file: string, startUpLine: string): Promise<void> {
  const line = Buffer.from(startUpLine).toString("latin1");
  const text = await readFile(file, "latin1").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  const lines = text.split("\n");
  if (lines.includes(line + mark)) return;
  const kept = lines.filter((one) => !one.endsWith(mark)).join("\n");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    `${kept === "" || kept.endsWith("\n") ? kept : `${kept}\n`}${line}${mark}\n`,
    "latin1",
  );
}

export const completion: CommandGroup = {
  name: "completion",
  summary: "What Tab does in bash, zsh, fish and PowerShell",
  description:
    "Commands, flags, their values, profiles, and names and ids of what lists showed on this machine. Tab never asks the service.",
  commands: [install, ...printing],
};
