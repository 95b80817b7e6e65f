import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { resolveFileTarget } from "../../../base/file-target.js";
import { unwritableFile } from "../../../base/input-file.js";
import { ProgramEnded, usageError } from "../../../cli/errors/errors.js";
import { assertReplaceable, type Own } from "../../../cli/output/replaceable.js";
import { saveResults } from "../../../cli/output/save-results.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import { runProgram } from "../../../cli/session/run-program.js";
import type { Session } from "../../../cli/session/session.js";
import { buildAddresses } from "../../../contract/addresses.js";
import { createVariables } from "../variables.js";
import { readEmulatorOptions } from "./options.js";
import { addSeedOptions, plantNewSeed, readSeed, type SeedKeys } from "./seed.js";
import { emulatorStart, registerServer } from "./start.js";

const startFlags = new Set([
  "seed",
  "seed-target",
  "clock",
  "limits",
  "random-seed",
  "key",
  "allow-private-webhooks",
]);

export const exec: Command = {
  name: "exec",
  summary: "Run a program with a temporary emulator",
  description:
    "Serves an in-memory emulator on a free port while the program runs, and exits with the program's exit code. " +
    "The program gets the address in VOXCTL_EMULATOR_URL and the variables that `voxctl emulator env` prints. " +
    "If voxctl is stopped, the program and its child processes are stopped too.",
  arguments: [
    {
      name: "program",
      description: "Program and its arguments; voxctl reads only the flags before it",
      variadic: true,
    },
  ],
  passesThrough: true,
  flags: [
    ...(emulatorStart.flags ?? []).filter(({ name }) => startFlags.has(name)),
    { name: "coverage", value: "file", description: "JSON file for the list of API rules that were applied" },
    {
      name: "force",
      description: "Overwrite the --coverage file even if it has other content",
      requires: "coverage",
    },
  ],
  examples: [
    { command: "voxctl emulator exec -- npm test" },
    { command: "voxctl emulator exec --seed empty --coverage rules.json -- pytest -q" },
  ],
  async run(session, input) {
    const [program = "", ...args] = input.arguments;
    if (program === "") throw usageError("missing program", { hint: "specify the program after --" });
    const coverage = input.text("coverage");
    await assertCoverageFile(session, coverage, input.on("force") === true);
    const { openEmulator } = await import("../../../emulator/index.js");
    const seed = await readSeed(session, input);
    const { options, beginsAt } = await addSeedOptions(
      await readEmulatorOptions(session, inMemory(input)),
      seed,
      session.clock.now(),
    );
    await using emulator = await openEmulator(options);
    const seeded =
      seed === undefined
        ? {}
        : await plantNewSeed(session, emulator, seed, { db: ":memory:", hasExisted: false, beginsAt });
    const stopping = new AbortController();
    const allowPrivateWebhooks = input.on("allow-private-webhooks");
    const server = await emulator.listen({
      port: 0,
      onStop: () => stopping.abort(),
      ...(allowPrivateWebhooks === undefined ? {} : { allowPrivateWebhooks }),
    });
    const line = { ...emulator.startLine, ...buildAddresses(server.url) };
    const unregister = await registerServer(session, line);
    try {
      const signal = AbortSignal.any([session.signal, stopping.signal]);
      const { env } = session.io;
      const exit = await runProgram(
        { ...session, signal },
        { program, args },
        {
          env: {
            ...env,
            ...createProxyExceptions(env),
            ...createVariables(line, line.keys),
            ...toSeedVariables(seeded),
          },
        },
      );
      const save = async () => {
        if (coverage !== undefined)
          await writeCoverage(session, coverage, await emulator.control("GET", "/coverage"));
      };
      await saveResults(session, {
        saves: [save],
        conclude() {
          if (exit !== 0) throw new ProgramEnded(exit);
        },
      });
    } finally {
      unregister();
    }
  },
};

/**
 * Returns a variable for each key that the seed declares, such as VOXCTL_SEED_KEY_CI_BOT for the key
 * `ci-bot`.
 */
function toSeedVariables(keys: SeedKeys): Record<string, string> {
  const variables = new Map<string, { name: string; key: string }>();
  for (const [name, key] of Object.entries(keys)) {
    const variable = `VOXCTL_SEED_KEY_${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
    const other = variables.get(variable);
    if (other !== undefined)
      throw usageError(
        `invalid --seed: the keys ${other.name} and ${name} have the same variable, ${variable}; rename one of them`,
      );
    variables.set(variable, { name, key });
  }
  return Object.fromEntries([...variables].map(([variable, { key }]) => [variable, key]));
}

/**
 * Adds the emulator's address to `NO_PROXY` and `no_proxy`, because a proxy can't reach the emulator. If both
 * variables are already set, uses the value of `no_proxy`, as most programs do.
 */
function createProxyExceptions(env: Session["io"]["env"]): Record<string, string> {
  const existing = env["no_proxy"] ?? env["NO_PROXY"] ?? "";
  const list = [...existing.split(",").filter((entry) => entry.trim() !== ""), "127.0.0.1"].join(",");
  return { NO_PROXY: list, no_proxy: list };
}

function inMemory(input: Input): Input {
  return { ...input, text: (name) => (name === "db" ? ":memory:" : input.text(name)) };
}

const coverageFile: Own = {
  flag: "coverage",
  otherwise: "was not written by --coverage",
  isOwn: (head) => /^\[\s*\{\s*"rule":/.test(head),
};

/** @throws refused error (12) for an existing file that `--coverage` didn't write */
async function assertCoverageFile({ io }: Session, file: string | undefined, force: boolean): Promise<void> {
  if (file === undefined || force) return;
  // Ignore an unusable path here: writing the file will report the error.
  const target = await resolveFileTarget(resolve(io.cwd, file)).catch(() => undefined);
  if (target !== undefined)
    await assertReplaceable(target, coverageFile, file, "the program was not started");
}

async function writeCoverage({ io }: Session, file: string, rules: unknown): Promise<void> {
  await writeFile(resolve(io.cwd, file), `${JSON.stringify(rules, null, 2)}\n`).catch((cause: unknown) => {
    throw unwritableFile(`--coverage: ${file}`, cause);
  });
}
