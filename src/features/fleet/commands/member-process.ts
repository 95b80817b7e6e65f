/** Runs a member's command as a separate process, so that a crash affects only this member. */
import * as z from "zod";
import { runGuarded } from "../../../base/guarded-program.js";
import { parseJsonSafely } from "../../../base/json.js";
import { exits, usageError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import { environmentVariables } from "../../../contract/environment-variables.js";
import type { MemberEnd } from "../index.js";
import type { MemberAccess } from "./member-access.js";
import { openLog } from "./member-logs.js";

/** Longest command output that the report includes, in characters. */
const longestSummary = 1_000_000;

interface MemberProcess {
  logFolder: string;
  /** `RUN/NAME`, to find the runs that the command creates; undefined if the command creates no run. */
  mark: string | undefined;
  name: string;
  words: readonly string[];
  access: MemberAccess;
  directory: string;
  variables?: Readonly<Record<string, string>>;
  keyVariables: ReadonlySet<string>;
  interrupt: AbortSignal;
  onProcess(pid: number): void;
  findRuns(): Promise<string[]>;
}

export async function runMemberProcess(session: Session, member: MemberProcess): Promise<MemberEnd> {
  const { logFolder, name, words, directory, interrupt, onProcess } = member;
  const own = session.ownProgram;
  if (own === undefined) throw usageError("`fleet` works only in the `voxctl` executable");
  const log = await openLog(session, logFolder, name);
  const written = { stdout: "", stderr: "" };
  const program = {
    program: own.program,
    args: [...own.args, ...(await listGlobalWords(session, member)), ...words],
    cwd: directory,
    env: createEnvironment(session, member),
  };
  const ended = await runGuarded(program, {
    signal: interrupt,
    getSignal: () => "SIGINT",
    onGuard: onProcess,
    onOutput(stream, text) {
      written[stream] += text;
      log.write(text);
    },
  });
  await log.close();
  if ("problem" in ended) throw usageError(`voxctl can't be started: ${ended.problem}`);
  return readEnd(session, member, ended.exit, written);
}

/**
 * `--yes` and `--confirm` are safe, because the user has confirmed the fleet run. A command that creates a
 * run gets `--output json`, so that its errors contain a code.
 */
async function listGlobalWords(session: Session, { words, access }: MemberProcess): Promise<string[]> {
  const { isJournaled } = await import("../index.js");
  const { globals, path } = await session.parseLine(words);
  const hasFormat =
    globals.text("output") !== undefined || globals.on("json") === true || globals.text("jq") !== undefined;
  const { production, name } = access.profile;
  return [
    ...(globals.on("yes") === true ? [] : ["--yes"]),
    ...(production ? [`--confirm=${name}`] : []),
    ...(hasFormat || !isJournaled(path) ? [] : ["--output", "json"]),
  ];
}

function createEnvironment(
  { io }: Session,
  { mark, access, keyVariables, variables }: MemberProcess,
): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...io.env };
  for (const { url, key } of Object.values(environmentVariables)) {
    delete env[url];
    delete env[key];
  }
  for (const name of ["VOXCTL_PROFILE", "VOXCTL_REQUIRE_PROFILE", ...keyVariables]) delete env[name];
  return { ...env, ...variables, ...access.variables, VOXCTL_FLEET_MEMBER: mark };
}

function findErrorText(lines: readonly string[]): string {
  const error = lines.findLast((line) => line.startsWith("error: "));
  return error?.slice("error: ".length) ?? lines.at(-1) ?? "";
}

const Failure = z.object({ error: z.looseObject({ code: z.string(), message: z.string() }) });

async function readEnd(
  session: Session,
  { findRuns }: MemberProcess,
  exit: number,
  written: { stdout: string; stderr: string },
): Promise<MemberEnd> {
  const { findRunId } = await import("../index.js");
  const { mask } = session.secrets;
  const text = mask(written.stdout);
  const summary = text.length > longestSummary ? null : (parseJsonSafely(text) ?? null);
  const lines = mask(written.stderr).trim().split("\n");
  const last = lines.at(-1) ?? "";
  const failure = exit === exits.success ? undefined : Failure.safeParse(parseJsonSafely(last)).data;
  const memberRun = findRunId(summary);
  // An interrupted command prints no summary. Look up its runs, so that they can be undone.
  const runs = memberRun !== undefined ? [memberRun] : exit === exits.success ? [] : await findRuns();
  return {
    ...{ exit, summary, runs },
    error: exit === exits.success ? null : (failure?.error.message ?? findErrorText(lines).slice(0, 500)),
    code: failure?.error.code ?? null,
  };
}
