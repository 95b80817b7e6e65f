import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Prompts } from "../../src/cli/terminal/questions.js";
import { openEmulator } from "../../src/emulator/index.js";
import { commandLine, type Ran, type RunOptions, type TestIo } from "../helpers/cli.js";
import { bin } from "../helpers/installed-cli.js";
import { copyFiles } from "../helpers/templates.js";
import { readShellLine } from "./shell.js";

/** Creates a database with the demo data. Each example uses a copy of this database. */
export async function createDemoTemplate(): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-demo-"));
  const emulator = await openEmulator({ db: join(folder, "offline.db"), seed: "demo" });
  await emulator.close();
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A user who confirms everything and has a secret for each prompt. */
const agreeing: Prompts = {
  available: true,
  text: async ({ message }) => {
    throw new Error(`no reply to the prompt: ${message}`);
  },
  secret: async () => "a-secret-of-a-test",
  confirm: async () => true,
  choose: async ({ message }) => {
    throw new Error(`no reply to the prompt: ${message}`);
  },
};

export interface ManualOptions {
  template: string;
  files?: Readonly<Record<string, string>>;
  env?: Record<string, string | undefined>;
  /** The output of external commands: `crm-export`. */
  externalPrograms?: Readonly<Record<string, string>>;
  /** Width of the terminal; if undefined, commands are not interactive. */
  terminal?: number;
  before?: (io: TestIo) => void;
  overrides?: RunOptions["overrides"];
}

export function createManualShell({
  template,
  files = {},
  env,
  externalPrograms = {},
  terminal,
  before,
  overrides,
}: ManualOptions) {
  const shell = commandLine({
    env: { ...env },
    ...(terminal === undefined ? {} : { terminal }),
    ...(before ? { before } : {}),
    overrides: {
      // A fleet runs its members in separate processes.
      ownProgram: { program: process.execPath, args: [bin] },
      ...(terminal === undefined ? {} : { prompts: agreeing }),
      ...overrides,
    },
  });
  copyFiles(template, shell.data);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(shell.home, name)), { recursive: true });
    writeFileSync(join(shell.home, name), text);
  }
  /** Returns the result of the line's last command. */
  const type = async (line: string, options: RunOptions = {}): Promise<Ran> => {
    let last: Ran = { code: 0, stdout: "", stderr: "", json: undefined };
    const commands = readShellLine(line);
    for (const [index, { words, into, piped }] of commands.entries()) {
      const [program = "", ...argv] = words;
      if (program === "voxctl") {
        const stdin = piped ? { stdin: last.stdout } : {};
        // Output to a pipe or a file is not a terminal; the prompts still reach the user.
        const redirected = into !== undefined || commands[index + 1]?.piped === true;
        last = await shell.runWith({ ...options, ...stdin, redirected }, ...argv);
      } else if (Object.hasOwn(externalPrograms, program)) {
        last = { code: 0, stdout: externalPrograms[program] ?? "", stderr: "", json: undefined };
      } else if (program === "cat") {
        last = {
          code: 0,
          stdout: readFileSync(join(shell.home, argv[0] ?? ""), "utf8"),
          stderr: "",
          json: undefined,
        };
      } else throw new Error(`${program}: unknown program`);
      if (into !== undefined) writeFileSync(join(shell.home, into), last.stdout);
      if (last.code !== 0) break;
    }
    return last;
  };
  return { ...shell, type };
}
