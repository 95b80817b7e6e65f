import { basename } from "node:path";
import type { Io } from "../../../base/io.js";
import type { Command } from "../../../cli/session/command.js";
import { createVariables, readCurrentKeys } from "../variables.js";
import { emulatorFlags, readEmulator } from "./control.js";
import { createNoServerError } from "./emulator-target.js";

type Formatter = (name: string, value: string) => string;
const posix: Formatter = (name, value) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`;
const powershell: Formatter = (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`;
const formatters: Readonly<Record<string, Formatter>> = {
  sh: posix,
  bash: posix,
  fish: (name, value) => `set -gx ${name} '${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`,
  pwsh: powershell,
  powershell,
  cmd: (name, value) => `set "${name}=${value}"`,
  dotenv: (name, value) => `${name}='${value}'`,
  github: (name, value) => `${name}=${value}`,
};

export const env: Command = {
  name: "env",
  summary: "Print environment variables for a running emulator",
  description:
    "Prints the address and a key of each API (for the Public API, the admin key), VOXCTL_EMULATOR_URL and the control token. " +
    'In a shell, run `eval "$(voxctl emulator env)"`. In a GitHub Actions job, add `--shell github >> "$GITHUB_ENV"`.',
  flags: [
    {
      name: "shell",
      value: "shell",
      description: "Shell or file format (default: detected)",
      choices: Object.keys(formatters),
      strict: true,
    },
    ...emulatorFlags,
  ],
  examples: [
    { command: "voxctl emulator env" },
    { command: "voxctl emulator env --shell dotenv > .env.emulator" },
  ],
  run: (session, input) =>
    readEmulator(session, input, async (control, target, { running }) => {
      if (!("line" in target)) throw createNoServerError(target, await running());
      const variables = createVariables(target.line, await readCurrentKeys(target.line, control));
      if (session.flags.output !== undefined && session.flags.output !== "table")
        return session.output.item(variables);
      const form = formatters[input.text("shell") ?? detectShell(session.io)];
      const lines = Object.entries(variables).map(([name, value]) => `${form?.(name, value)}\n`);
      await session.output.document(lines.join(""));
    }),
};

function detectShell({ env }: Io): string {
  const shell = basename(env["SHELL"] ?? "");
  if (shell === "") return env["PSModulePath"] === undefined ? "bash" : "powershell";
  return shell === "fish" ? "fish" : "bash";
}
