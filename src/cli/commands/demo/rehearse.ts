import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runGuarded } from "../../../base/guarded-program.js";
import { ownProgram } from "../../../base/own-program.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import { toChildEnvironment } from "../../session/child-environment.js";
import type { Session } from "../../session/session.js";
import { styled } from "../../terminal/paint.js";

const profile = "practice";
const file = "kunden.csv";
const plan = "kunden.plan";

/** Two existing contacts, one of them renamed, and two new contacts. */
const rows = `Vorname;Nachname;Telefon
Françoise;Schäfer-Klein;+491713920001
Neele;Brandt;0171 3920777
Tjark;Ahlers;030 23181999
`;

const chapters: readonly { why: string; words: readonly string[] }[] = [
  { why: "Copy the organization (sends only read requests):", words: ["mirror", "create", profile] },
  {
    why: "Run the import on the copy and save the changes:",
    words: [
      ...["rehearse", "--plan", plan, "--"],
      ...["contacts", "import", file, "--group", "Patienten", "--country", "DE"],
      ...["--on-match", "update"],
    ],
  },
  { why: "Check whether the plan still matches the organization:", words: ["plan", "check", plan] },
  { why: "Apply the changes to the organization:", words: ["apply", plan, "--yes"] },
];

export async function showRehearsal(session: Session): Promise<void> {
  const { output, notes, io } = session;
  const own = ownProgram();
  if (own === undefined) throw usageError("`demo rehearse` works only in the `voxctl` executable");
  const { openEmulator } = await import("../../../emulator/index.js");
  session.signal.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), "voxctl-demo-"));
  try {
    await using emulator = await openEmulator({ db: ":memory:", seed: "demo" });
    const { url } = await emulator.listen({ port: 0 });
    await writeFile(join(folder, file), rows);
    const env = {
      PATH: io.env["PATH"],
      TERM: io.env["TERM"],
      HOME: folder,
      VOXCTL_CONFIG_DIR: join(folder, "config"),
      VOXCTL_DATA_DIR: join(folder, "data"),
      VOXCTL_KEYCHAIN: "off",
      DEMO_KEY: emulator.startLine.keys.admin,
    };
    const run = (words: readonly string[], isShown: boolean) =>
      runWords([...own.args, ...words], { program: own.program, cwd: folder, env, isShown, session });
    const added = ["--url", `${url}/api/v1`, "--key-env", "DEMO_KEY"];
    await run(["profiles", "add", profile, ...added], false);
    for (const { why, words } of chapters) {
      const command = styled`$ ${notes.paint.cyan(`voxctl ${words.join(" ")}`)}`;
      await output.lines(["", notes.paint.bold(why), "", command]);
      // The demo always prints tables, even to a file or pipe.
      await run(io.stdout.isTTY === true ? words : withTable(words), true);
    }
    await output.text("\nThe service was a temporary emulator on this machine.\n");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function withTable(words: readonly string[]): string[] {
  const end = words.indexOf("--");
  const table = ["-o", "table"];
  return end < 0 ? [...words, ...table] : [...words.slice(0, end), ...table, ...words.slice(end), ...table];
}

interface Running {
  program: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  isShown: boolean;
  session: Session;
}

/** @throws CliError if one of the demo's commands fails */
async function runWords(
  words: readonly string[],
  { program, cwd, env, isShown, session }: Running,
): Promise<void> {
  const { signal, awaitProgram } = session;
  // Wait for the program even after a signal, because it writes to the demo's directory until it ends.
  const ended = await awaitProgram(() =>
    runGuarded(
      { program, args: words, cwd, env: toChildEnvironment(env) },
      { signal, getSignal: () => "SIGTERM", ...(isShown ? {} : { onOutput: () => {} }) },
    ),
  );
  signal.throwIfAborted();
  const code = "exit" in ended ? ended.exit : ended.problem;
  if (code !== 0)
    throw new CliError({
      exit: exits.internal,
      code: "demo_failed",
      message: `voxctl ${words.slice(1).join(" ")} exited with code ${code}`,
    });
}
