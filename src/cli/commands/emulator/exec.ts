import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { buildAddresses } from "../../../contract/addresses.js";
import { CliError, exits, ProgramEnded, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { runGuarded } from "./guard.js";
import { readEmulatorOptions } from "./options.js";
import { registerEmulator } from "./registry.js";
import { addSeedOptions, plantNewSeed, readSeed, type SeedKeys } from "./seed.js";
import { emulatorStart } from "./start.js";
import { createVariables } from "./variables.js";

/** The server's flags that concern a world that ends with the command. */
const startFlags = new Set([
  "seed",
  "seed-target",
  "clock",
  "start-time",
  "limits",
  "random-seed",
  "key",
  "allow-private-webhooks",
]);

/** The codes by which shells tell of a program that is missing, and of one that can't be run. */
const notFoundExit = 127;
const notRunnableExit = 126;

/** `voxctl emulator exec -- npm test` */
export const exec: Command = {
  name: "exec",
  summary: "Run a program beside a throw-away emulator, and end with its exit code",
  description:
    "A world in memory, served on a free port, is there while the program runs. It finds it by VOXCTL_EMULATOR_URL, and voxctl " +
    "by the variables that voxctl emulator env prints. Whatever ends the program, or voxctl, ends the other and all " +
    "that the program started.",
  arguments: [
    {
      name: "command",
      description: "the program and its arguments; flags before it are voxctl's",
      variadic: true,
    },
  ],
  passesThrough: true,
  flags: [
    ...(emulatorStart.flags ?? []).filter(({ name }) => startFlags.has(name)),
    { name: "coverage", value: "file", description: "write which rules its requests met, as JSON" },
  ],
  examples: [
    { command: "voxctl emulator exec -- npm test" },
    { command: "voxctl emulator exec --seed empty --coverage rules.json -- pytest -q" },
  ],
  async run(session, input) {
    const { openEmulator } = await import("../../../emulator/index.js");
    const seed = await readSeed(session, input);
    const { options, beginsAt } = await addSeedOptions(
      await readEmulatorOptions(session, withMemoryFlag(input)),
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
    const unregister = await registerEmulator(session.folders, line);
    try {
      const signal = AbortSignal.any([session.signal, stopping.signal]);
      const exit = await runWithEmulator({ ...session, signal }, input.arguments, {
        ...createVariables(line, line.keys),
        ...toSeedVariables(seeded),
      });
      const file = input.text("coverage");
      if (file !== undefined) await writeCoverage(session, file, await emulator.control("GET", "/coverage"));
      throw new ProgramEnded(exit);
    } finally {
      unregister();
    }
  },
};

/** Keys that the seed declares: the key of the name ci-bot is in VOXCTL_SEED_KEY_CI_BOT. */
function toSeedVariables(keys: SeedKeys): Record<string, string> {
  return Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [
      `VOXCTL_SEED_KEY_${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`,
      key,
    ]),
  );
}

function withMemoryFlag(input: Input): Input {
  return { ...input, on: (name) => (name === "memory" ? true : input.on(name)) };
}

/** Answers the program's exit code; that of the signal where one ended it without a complaint of its own. */
async function runWithEmulator(
  { io, signal, notes }: Session,
  [program = "", ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  if (program === "") throw usageError("there is no program to run", { hint: "name it after --" });
  const interruption = () => (signal.reason instanceof CliError ? signal.reason.exit : exits.terminated);
  const ended = await runGuarded(
    { program, args, cwd: io.cwd, env: { ...io.env, ...variables } },
    { signal, getSignal: () => (interruption() === exits.interrupted ? "SIGINT" : "SIGTERM") },
  );
  if ("problem" in ended) {
    const missing = ended.problem === "ENOENT";
    notes.warn(missing ? `there is no program ${program}` : `${program} can't be run (${ended.problem})`);
    return missing ? notFoundExit : notRunnableExit;
  }
  return ended.exit === 0 && signal.aborted ? interruption() : ended.exit;
}

async function writeCoverage({ io }: Session, file: string, rules: unknown): Promise<void> {
  await writeFile(resolve(io.cwd, file), `${JSON.stringify(rules, null, 2)}\n`).catch((cause: unknown) => {
    throw usageError(`--coverage: ${file} can't be written: ${describeFsError(cause)}`, { cause });
  });
}
