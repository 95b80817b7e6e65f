import { hasCode } from "../base/error-code.js";
import type { Io } from "../base/io.js";
import { hasLostLetters, lostLettersReason } from "../base/utf8.js";
import { catalog } from "./catalog.js";
import { createChanges } from "./errors/changes.js";
import { type CliError, EndedByHand, interruptedError, ProgramEnded, usageError } from "./errors/errors.js";
import { buildErrorReport } from "./errors/exit-codes.js";
import { PipeClosed } from "./errors/pipe-closed.js";
import { createWriter, type Writer } from "./output/writer.js";
import { findFolders, findUnwritableHint } from "./profiles/folders.js";
import {
  createProgram,
  expandJoinedFlags,
  findCommandPath,
  findCommandWords,
  listLineOptions,
  type ProgramOptions,
} from "./program.js";
import { type AliasedLine, removeOverridden } from "./remove-overridden.js";
import { type RunLine, replaceAlias } from "./replace-alias.js";
import { writeReport } from "./report.js";
import { helpWidth } from "./root-help.js";
import type { Command, CommandGroup } from "./session/command.js";
import { type GlobalFlags, type GlobalInput, readErrorStyle } from "./session/globals.js";
import type { Input, ParsedLine } from "./session/input.js";
import type { Overrides } from "./session/overrides.js";
import { createSecrets, type Secrets } from "./session/secrets.js";
import type { Session } from "./session/session.js";
import { createNotes } from "./terminal/notes.js";
import { createPaint, joined, type Text, wantsColor } from "./terminal/paint.js";

/** Returns the exit code. */
export async function run(given: readonly string[], io: Io, overrides: Overrides): Promise<number> {
  let style = readErrorStyle(given);
  const writer = createWriter(io);
  const abort = new AbortController();
  const secrets = createSecrets();
  const changes = createChanges();
  // If a command handles signals, the first signal lets the command finish its current step; otherwise, the
  // first signal ends the command. The second signal ends the command unless it waits for another program.
  // That program needs time to clean up, and one Ctrl-C can arrive twice: from the terminal and from npm. The
  // third signal ends every command.
  let isHeard = false;
  let onRepeated: (() => void) | undefined;
  let end = (_exit: number | Promise<never>) => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const stop = listenForSignals(io, (error) => {
    if (onRepeated !== undefined && abort.signal.aborted) {
      const handle = onRepeated;
      onRepeated = undefined;
      handle();
    } else if (abort.signal.aborted) end(error.exit);
    else if (!isHeard) end(Promise.reject(error));
    abort.abort(error);
  });
  const signal = () => {
    isHeard = true;
    return abort.signal;
  };
  const noteWaiting = () =>
    createNotes(io, style, secrets.mask).note(
      "Waiting for the program to end. To end it now, press Ctrl-C again.",
    );
  const awaitProgram: Session["awaitProgram"] = async (work, handle = noteWaiting) => {
    onRepeated = handle;
    try {
      return await work();
    } finally {
      onRepeated = undefined;
    }
  };
  try {
    const line = await replaceAlias(given, io);
    style = readErrorStyle(line.words);
    return await Promise.race([
      execute(line, { io, overrides, writer, abort, signal, awaitProgram, secrets, changes }),
      ended,
    ]);
  } catch (error) {
    if (error instanceof EndedByHand || error instanceof ProgramEnded) return error.exit;
    const report = buildErrorReport(error, abort.signal, changes);
    if (!report) return 0;
    report.hint ??= findUnwritableHint(error, io) ?? null;
    await writeReport(report, error, createNotes(io, style, secrets.mask), style);
    return report.exit;
  } finally {
    stop();
  }
}

function listenForSignals(io: Io, onInterrupted: (error: CliError) => void): () => void {
  const handle = (signal: "SIGINT" | "SIGTERM") => () => onInterrupted(interruptedError(signal));
  const off = [io.onSignal("SIGINT", handle("SIGINT")), io.onSignal("SIGTERM", handle("SIGTERM"))];
  return () => {
    for (const remove of off) remove();
  };
}

async function execute(line: RunLine, surroundings: Surroundings): Promise<number> {
  const { io, overrides, writer } = surroundings;
  const has = (flag: string) => line.words.includes(flag);
  const text: Text[] = [];
  await parse(line, overrides.catalog ?? catalog, io, {
    run: (command, input, globals, path) => runCommand(command, input, globals, { ...surroundings, path }),
    writeOut: (part) => text.push(part),
    writeErr: (part) => createNotes(io, readErrorStyle(line.words)).write(part),
    columns: helpWidth(io),
    paint: createPaint(wantsColor(io, io.stdout, !has("--no-color") && !has("--plain"))),
  });
  if (text.length > 0) await writer.write(joined([line.about ?? "", ...text]));
  return 0;
}

async function parse(
  line: AliasedLine,
  root: CommandGroup,
  io: Io,
  options: Omit<ProgramOptions, "run"> & {
    run(...parsed: [...Parameters<ProgramOptions["run"]>, path: readonly string[]]): Promise<void>;
  },
): Promise<void> {
  const words = findCommandWords(line.words);
  const program = await createProgram(root, words, {
    ...options,
    run: (...parsed) => options.run(...parsed, findCommandPath(program, words)),
  });
  try {
    const expanded = { ...line, words: expandJoinedFlags(program, line.words, words) };
    await program.parseAsync(removeOverridden(expanded, listLineOptions(program, words)), { from: "user" });
  } catch (error) {
    if (isHelp(error)) return;
    const aliases = async () => (await import("./profiles/aliases.js")).aliasNames(findFolders(io));
    const { lineError } = await import("./line-errors.js");
    throw (await lineError(error, program, words, aliases)) ?? error;
  }
}

/** @throws usage error (2) */
async function parseOnly(words: readonly string[], root: CommandGroup, io: Io): Promise<ParsedLine> {
  let parsed: ParsedLine | undefined;
  await parse({ words, from: 0, to: 0 }, root, io, {
    async run(command, input, globals, path) {
      const { arguments: positional = [], flags = [] } = command;
      parsed = { path, accepts: { arguments: positional, flags }, input, globals };
    },
    ...{ writeOut: () => {}, writeErr: () => {}, columns: 80, paint: createPaint(false) },
  });
  if (parsed === undefined) throw usageError(`"${words.join(" ")}" is not a complete command`);
  return parsed;
}

function isHelp(error: unknown): boolean {
  return hasCode(error, "commander.helpDisplayed");
}

interface Surroundings {
  io: Io;
  overrides: Overrides;
  writer: Writer;
  abort: AbortController;
  /** After this call, the first Ctrl-C aborts the signal instead of ending the command. */
  signal(): AbortSignal;
  awaitProgram: Session["awaitProgram"];
  secrets: Secrets;
  changes: ReturnType<typeof createChanges>;
}

async function runCommand(
  command: Command,
  input: Input,
  globals: GlobalInput,
  {
    io,
    overrides,
    writer,
    abort,
    signal,
    awaitProgram,
    secrets,
    changes,
    path,
  }: Surroundings & { path: readonly string[] },
): Promise<void> {
  const [{ createSession }, { readGlobals }, { withProfileDefaults }] = await Promise.all([
    import("./session/create-session.js"),
    import("./session/globals.js"),
    import("./session/profile-defaults.js"),
  ]);
  const given = readGlobals(globals, command);
  assertWholeLetters(command, input);
  const folders = findFolders(io);
  // Scripts get JSON, regardless of the user's preferred format.
  const preferred =
    io.stdout.isTTY === true && given.output === undefined
      ? await (await import("./profiles/choose.js")).findPreferredOutput({ io, folders }, given.profile)
      : undefined;
  const flags: GlobalFlags =
    preferred === undefined ? given : { ...given, output: preferred, isOutputPreferred: true };
  const notes = createNotes(io, flags, secrets.mask);
  // Validate the expression before any input is read or any request is sent.
  const jq =
    flags.jq === undefined
      ? undefined
      : await (await import("./output/jq.js")).openJq(flags.jq, { lines: flags.output === "ndjson", io });
  const session = createSession({
    io,
    flags,
    notes,
    secrets,
    writer: command.verdict ? ignoreClosedPipe(writer) : abortOnClosedPipe(writer, abort),
    abortSignal: abort.signal,
    signal,
    awaitProgram,
    overrides,
    changes,
    jq,
    commandPath: path,
    commands: async () => (await import("./command-tree.js")).commandTree(catalog),
    parseLine: (words) => parseOnly(words, overrides.catalog ?? catalog, io),
  });
  try {
    await command.run(session, await withProfileDefaults(command, input, session));
  } finally {
    await session.close();
  }
}

/**
 * Refuses arguments that were not UTF-8. Node.js has replaced their invalid bytes with U+FFFD.
 * @throws usage error (2) that names the argument or the flag
 */
function assertWholeLetters(command: Command, input: Input): void {
  const refuse = (name: string) => {
    throw usageError(`${name} ${lostLettersReason}`);
  };
  for (const [index, value] of input.arguments.entries()) {
    const last = command.arguments?.at(-1);
    if (hasLostLetters(value)) refuse(`<${(command.arguments?.[index] ?? last)?.name ?? "argument"}>`);
  }
  for (const { name, value } of command.flags ?? [])
    if (
      value !== undefined &&
      input.has(name) &&
      [input.text(name) ?? [], input.texts(name)].flat().some(hasLostLetters)
    )
      refuse(`--${name}`);
}

/** Returns a writer that ignores a closed stdout, for commands whose exit code is their result. */
function ignoreClosedPipe(writer: Writer): Writer {
  return guardWriter(writer, (error) => {
    if (!(error instanceof PipeClosed)) throw error;
  });
}

function abortOnClosedPipe(writer: Writer, abort: AbortController): Writer {
  return guardWriter(writer, (error) => {
    if (error instanceof PipeClosed) abort.abort(error);
    throw error;
  });
}

/** @param onFailure throws the error to report */
function guardWriter(writer: Writer, onFailure: (error: unknown) => void): Writer {
  return {
    write: (text) => writer.write(text).catch(onFailure),
    writeDocument: (text) => writer.writeDocument(text).catch(onFailure),
    get isDisarmed() {
      return writer.isDisarmed;
    },
  };
}
