import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { UnwritableFileError, unwritableFile } from "../../../base/input-file.js";
import { parseJsonSafely } from "../../../base/json.js";
import { ownProgram } from "../../../base/own-program.js";
import { makePrivateFolder } from "../../../base/private-file.js";
import { CliError, exits, usageError } from "../../../cli/errors/errors.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { StartLine } from "../../../emulator/types.js";
import { openLocalNetwork } from "../local-server.js";
import { registerEmulator } from "../registry.js";
import { createServerControl } from "./emulator-target.js";
import type { SeedKeys } from "./seed.js";
import { printStart } from "./start-line.js";

export async function startDetached(session: Session, input: Input, flags: readonly Flag[]): Promise<void> {
  const own = ownProgram();
  if (own === undefined) throw usageError("--detach is available only in the voxctl program");
  await makePrivateFolder(session.folders.data);
  const logPath = join(session.folders.data, "emulator.log");
  const log = openSync(logPath, "w", 0o600);
  const child = spawn(
    own.program,
    [...own.args, "emulator", "start", ...toArguments(input, flags), "-o", "json"],
    {
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "pipe", log],
      cwd: session.io.cwd,
      env: { ...session.io.env },
    },
  );
  closeSync(log);
  const printed = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.setEncoding("utf8");
    child.stdout?.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(text);
    });
    child.on("exit", (code) => reject(toStartError(code, readFileSync(logPath, "utf8"))));
    child.on("error", reject);
  });
  child.stdout?.destroy();
  const { seed_keys = {}, ...started }: StartLine & { seed_keys?: SeedKeys } = JSON.parse(printed);
  await assertRegistered(session, started, child);
  relayNotes(session, readFileSync(logPath, "utf8"));
  child.unref();
  const network = await openLocalNetwork(session);
  const control = createServerControl(network.transport, started);
  await printStart(session, started, async () => control, seed_keys).finally(() => network.close());
  if (session.output.format === "table")
    session.notes.note(`To stop it, run \`voxctl emulator stop --port ${new URL(started.url).port}\`.`);
}

/**
 * Registers the server. The server also registers itself, but only prints a warning if that fails. This
 * function ends the server instead, because no command could find the server.
 * @throws UnwritableFileError
 */
async function assertRegistered(
  { folders }: Session,
  started: StartLine,
  server: ChildProcess,
): Promise<void> {
  try {
    await registerEmulator(folders, started);
  } catch (error) {
    const ended = once(server, "exit");
    server.kill();
    await ended;
    const { message } = unwritableFile(
      "the emulator was not started: its entry in the data directory",
      error,
    );
    throw new UnwritableFileError(message, {
      hint: "set VOXCTL_DATA_DIR to another directory",
      cause: error,
    });
  }
}

/** Prints the server's messages, because the server's stderr is redirected to a file. */
function relayNotes({ notes }: Session, log: string): void {
  for (const line of log.split("\n").filter((text) => text !== "")) {
    const warning = /^warning: (.*)$/.exec(line)?.[1];
    if (warning === undefined) notes.note(line);
    else notes.warn(warning);
  }
}

const StartFailure = z.object({
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string().nullable() }),
});

function toStartError(code: number | null, log: string): CliError {
  const exit = Object.values(exits).find((known) => known === code) ?? exits.unavailable;
  const last = log.trim().split("\n").at(-1) ?? "";
  const failure = StartFailure.safeParse(parseJsonSafely(last));
  if (!failure.success) {
    const message = `the emulator ${code === null ? "was terminated by a signal" : `exited with code ${code}`}: ${log.trim()}`;
    return new CliError({ exit: exits.unavailable, code: "emulator_not_started", message });
  }
  const { code: name, message, hint } = failure.data.error;
  return new CliError({ exit, code: name, message, ...(hint === null ? {} : { hint }) });
}

function toArguments(input: Input, flags: readonly Flag[]): string[] {
  const given = flags.filter((flag) => flag.name !== "detach");
  return given.flatMap((flag) => {
    if (!flag.value) {
      const on = input.on(flag.name);
      return on === undefined ? [] : [on ? `--${flag.name}` : `--no-${flag.name}`];
    }
    if (flag.repeatable) return input.texts(flag.name).flatMap((value) => [`--${flag.name}`, value]);
    const value = input.text(flag.name);
    return value === undefined ? [] : [`--${flag.name}`, value];
  });
}
