import type { Io } from "../base/io.js";
import { hasLostLetters, lostLettersReason } from "../base/utf8.js";
import { catalogue } from "./catalogue.js";
import { topics } from "./commands/help/topics.js";
import { createChanges } from "./errors/changes.js";
import { type CliError, EndedByHand, interruptedError, ProgramEnded, usageError } from "./errors/errors.js";
import { buildErrorReport } from "./errors/exit-codes.js";
import { PipeClosed } from "./errors/pipe-closed.js";
import { lineError } from "./line-errors.js";
import { createWriter, type Writer } from "./output/writer.js";
import { findFolders, findUnwritableHint } from "./profiles/folders.js";
import {
  createProgram,
  expandJoinedFlags,
  findCommandWords,
  findWordIndexes,
  listLineOptions,
} from "./program.js";
import { type AliasedLine, removeOverridden } from "./remove-overridden.js";
import { writeReport } from "./report.js";
import { helpWidth } from "./root-help.js";
import type { Command, CommandGroup } from "./session/command.js";
import { type GlobalFlags, type GlobalInput, readErrorStyle } from "./session/globals.js";
import type { Input } from "./session/input.js";
import type { Overrides } from "./session/overrides.js";
import { createSecrets, type Secrets } from "./session/secrets.js";
import type { Session } from "./session/session.js";
import { createNotes } from "./terminal/notes.js";
import { createPaint, joined, styled, type Text, wantsColor } from "./terminal/paint.js";

/** Parses one command line and runs it. Returns the exit code. */
export async function run(given: readonly string[], io: Io, overrides: Overrides): Promise<number> {
  let style = readErrorStyle(given);
  const writer = createWriter(io);
  const abort = new AbortController();
  const secrets = createSecrets();
  const changes = createChanges();
  // The first signal lets a command that listens to it finish the current step. It ends other commands immediately,
  // such as a command that reads standard input. The second signal ends every command immediately, unless the command
  // waits for a program: npm forwards a Ctrl-C that the terminal has already sent, and the program needs time to clean
  // up. The third signal ends these commands too.
  let isHeard = false;
  let sparesProgram = false;
  let end = (_exit: number | Promise<never>) => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const stop = listenForSignals(io, (error) => {
    if (sparesProgram && abort.signal.aborted) {
      sparesProgram = false;
      createNotes(io, style, secrets.mask).note(
        "Waiting for the program to end. To end it now, press Ctrl-C again.",
      );
    } else if (abort.signal.aborted) end(error.exit);
    else if (!isHeard) end(Promise.reject(error));
    abort.abort(error);
  });
  const signal = () => {
    isHeard = true;
    return abort.signal;
  };
  const awaitProgram: Session["awaitProgram"] = async (work) => {
    sparesProgram = true;
    try {
      return await work();
    } finally {
      sparesProgram = false;
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

/** A line to run, and a text to print above its help. */
interface RunLine extends AliasedLine {
  about?: Text;
}

/** Replaces an alias with its command line. A command takes precedence over an alias with the same name. */
async function replaceAlias(argv: readonly string[], io: Io): Promise<RunLine> {
  const ofAlias = await findAliasHelp(argv, io);
  if (ofAlias) return ofAlias;
  const [index] = findWordIndexes(argv);
  const name = argv[index ?? argv.length];
  const asTyped = { words: moveHelpToFlag(await moveHelpToFront(argv)), from: 0, to: 0 };
  if (index === undefined || name === undefined || isCommand(name)) return asTyped;
  const { expandAlias, findAlias } = await import("./profiles/aliases.js");
  // If the file can't be read, report an unknown command.
  const line = await findAlias(name, findFolders(io)).catch(() => undefined);
  if (line === undefined) return asTyped;
  const behind = argv.slice(index + 1);
  if (hasHelpFlag(behind)) return buildAliasHelp(name, line);
  const { stored, typed } = expandAlias(name, line, behind);
  const words = [...argv.slice(0, index), ...stored, ...typed];
  const helped = moveHelpToFlag(words);
  // A line that requests help has no flags to override.
  if (helped !== words) return { words: helped, from: 0, to: 0 };
  return { words, from: index, to: index + stored.length };
}

/** Returns the help of the alias's command for `help ALIAS`. */
async function findAliasHelp([first, name]: readonly string[], io: Io): Promise<RunLine | undefined> {
  if (first !== "help" || name === undefined || isCommand(name) || Object.hasOwn(topics, name))
    return undefined;
  const { findAlias } = await import("./profiles/aliases.js");
  const line = await findAlias(name, findFolders(io)).catch(() => undefined);
  return line === undefined ? undefined : buildAliasHelp(name, line);
}

/** Returns the line that prints the help of an alias's command, after a line with the alias. */
async function buildAliasHelp(name: string, line: string): Promise<RunLine> {
  const { aliasWords } = await import("./profiles/aliases.js");
  const words = [...findCommandWords(aliasWords(line)), "--help"];
  return { words, from: 0, to: 0, about: styled`${name} is an alias for: voxctl ${line}\n\n` };
}

function hasHelpFlag(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end === -1 ? words.length : end).some((word) => word === "--help" || word === "-h");
}

function isCommand(word: string): boolean {
  return catalogue.commands.some(({ name, aliases }) => name === word || aliases?.includes(word));
}

/**
 * Converts `contacts help import`, the order of other programs, to `help contacts import`. Returns other lines
 * unchanged.
 */
async function moveHelpToFront(argv: readonly string[]): Promise<readonly string[]> {
  if (!argv.includes("help")) return argv;
  let group: CommandGroup = catalogue;
  for (const index of findWordIndexes(argv)) {
    const word = argv[index] ?? "";
    const node = group.commands.find(({ name, aliases }) => name === word || aliases?.includes(word));
    if (node === undefined)
      return word === "help" ? ["help", ...argv.slice(0, index), ...argv.slice(index + 1)] : argv;
    const command = "load" in node ? await node.load() : node;
    if (!("commands" in command)) return argv;
    group = command;
  }
  return argv;
}

/** Converts `help contacts list` to `contacts list --help`. */
function moveHelpToFlag(argv: readonly string[]): readonly string[] {
  const [first, second, ...remaining] = argv;
  if (argv.length === 0 || (first === "help" && findCommandWords(argv).length === 1)) return ["--help"];
  if (first !== "help" || second === undefined || second.startsWith("-") || Object.hasOwn(topics, second))
    return argv;
  // For an unknown word, the help command lists the topics.
  if (!isCommand(second)) return argv;
  return [second, ...remaining, "--help"];
}

async function execute(line: RunLine, surroundings: Surroundings): Promise<number> {
  const { io, overrides, writer } = surroundings;
  const words = findCommandWords(line.words);
  const has = (flag: string) => line.words.includes(flag);
  const text: Text[] = [];
  const program = await createProgram(overrides.catalogue ?? catalogue, words, {
    run: (command, input, globals) => runCommand(command, input, globals, surroundings),
    writeOut: (part) => text.push(part),
    writeErr: (part) => createNotes(io, readErrorStyle(line.words)).write(part),
    columns: helpWidth(io),
    paint: createPaint(wantsColor(io, io.stdout, !has("--no-color") && !has("--plain"))),
  });
  const helped = async () => {
    if (text.length > 0) await writer.write(joined([line.about ?? "", ...text]));
    return 0;
  };
  try {
    const expanded = { ...line, words: expandJoinedFlags(program, line.words, words) };
    await program.parseAsync(removeOverridden(expanded, listLineOptions(program, words)), { from: "user" });
  } catch (error) {
    if (isHelp(error)) return helped();
    const aliases = async () => (await import("./profiles/aliases.js")).aliasNames(findFolders(io));
    throw (await lineError(error, program, words, aliases)) ?? error;
  }
  return helped();
}

function isHelp(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "commander.helpDisplayed";
}

interface Surroundings {
  io: Io;
  overrides: Overrides;
  writer: Writer;
  abort: AbortController;
  /** Returns the abort signal for a command that handles it. */
  signal(): AbortSignal;
  awaitProgram: Session["awaitProgram"];
  secrets: Secrets;
  changes: ReturnType<typeof createChanges>;
}

async function runCommand(
  command: Command,
  input: Input,
  globals: GlobalInput,
  { io, overrides, writer, abort, signal, awaitProgram, secrets, changes }: Surroundings,
): Promise<void> {
  const [{ createSession }, { readGlobals }, { withProfileDefaults }] = await Promise.all([
    import("./session/create-session.js"),
    import("./session/globals.js"),
    import("./session/profile-defaults.js"),
  ]);
  const given = readGlobals(globals, command);
  assertWholeLetters(command, input);
  const folders = findFolders(io);
  // Scripts get JSON, regardless of the preferred format of the user.
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
    commands: async () => (await import("./command-tree.js")).commandTree(catalogue),
  });
  try {
    await command.run(session, await withProfileDefaults(command, input, session));
  } finally {
    await session.close();
  }
}

/**
 * Refuses arguments with invalid UTF-8. Node.js has replaced the invalid bytes with U+FFFD.
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

/** Lets a command whose purpose is the exit code continue after the reader closes stdout. */
function ignoreClosedPipe(writer: Writer): Writer {
  return guardWriter(writer, (error) => {
    if (!(error instanceof PipeClosed)) throw error;
  });
}

/** Ends the command when the reader closes stdout. */
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
