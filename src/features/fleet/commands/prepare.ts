/** Prepares a fleet run. Sends only read requests. */
import { CliError, exits, refusedError, usageError } from "../../../cli/errors/errors.js";
import { refuseInRehearsal } from "../../../cli/profiles/rehearsal-file.js";
import { parseCount, parseWholeNumber } from "../../../cli/session/globals.js";
import type { Input, ParsedLine } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { divideIntoWaves, MembersFile, WaveRule } from "../index.js";
import { findCommandProblem, findFileProblem, findTargetProblem } from "./check-command.js";
import { checkMembers, findSharedOrganizations, type MemberCheck, throwAll } from "./check-members.js";
import { formatListCommand } from "./flags.js";
import { type Member, openFleet } from "./open-members.js";

export interface PlannedMember extends Member {
  words: readonly string[];
  line: ParsedLine;
}

export interface Prepared {
  settings: MembersFile;
  members: PlannedMember[];
  /** Members from a distributor's list that have no key. They are skipped. */
  withoutKey: Member[];
  checks: ReadonlyMap<string, MemberCheck>;
  path: readonly string[];
  hasCheckFlag: boolean;
}

/**
 * Finds the members, and checks each member's command and key.
 * @param toWords returns a member's command; undefined if the member is not part of the run
 * @throws CliError that lists all errors, with exit code 2 or 3; refused error (12) if --require-keys is set
 * and a key is missing
 */
export async function prepareFleet(
  session: Session,
  input: Input,
  toWords: (member: Member) => Promise<{ words: readonly string[]; problems: readonly string[] } | undefined>,
): Promise<Prepared> {
  refuseInRehearsal(session.io.env, "fleet");
  const { settings, members: opened } = await openFleet(session, input);
  const withoutKey = opened.filter(({ access, isListed }) => access === undefined && isListed);
  if (input.on("require-keys") === true && withoutKey.length > 0)
    throw refusedError("keys_missing", `no key for ${withoutKey.map(({ name }) => name).join(", ")}`);
  const errors: CliError[] = [];
  const members: PlannedMember[] = [];
  for (const member of opened) {
    if (withoutKey.includes(member)) continue;
    const filled = await toWords(member);
    if (filled === undefined) continue;
    if (member.problem !== undefined) errors.push(member.problem);
    const parsed = await parseMemberLine(session, member, filled);
    if ("errors" in parsed) errors.push(...parsed.errors);
    else members.push({ ...member, words: filled.words, line: parsed.line });
  }
  throwAll(dropRepeated(errors), "errors in the members or their commands");
  const [first] = members;
  if (first === undefined)
    throw usageError("no selected member can run", {
      hint: `to list the members and their keys, run \`${formatListCommand(input)}\``,
    });
  const checks = await checkMembers(session, members);
  const problems = [...checks.values()].flatMap(({ problem }) => problem ?? []);
  throwAll([...problems, ...findSharedOrganizations(members, checks)], "members can't be used");
  const { path, input: line } = first.line;
  return { settings, members, withoutKey, checks, path, hasCheckFlag: line.on("check") === true };
}

async function parseMemberLine(
  session: Session,
  member: Member,
  { words, problems }: { words: readonly string[]; problems: readonly string[] },
): Promise<{ line: ParsedLine } | { errors: CliError[] }> {
  const fail = (message: string, hint?: string) =>
    usageError(`${member.name}: ${message}`, hint === undefined ? {} : { hint });
  if (problems.length > 0) return { errors: problems.map((problem) => fail(problem)) };
  try {
    const line = await session.parseLine(words);
    const problem =
      findCommandProblem(line) ??
      findFileProblem(session, line) ??
      (await findTargetProblem(session, member, line));
    return problem === undefined ? { line } : { errors: [fail(problem)] };
  } catch (error) {
    if (error instanceof CliError && error.exit !== exits.usage) throw error;
    const hint = error instanceof CliError ? error.hint : undefined;
    const messages = await listMessages(error);
    return { errors: messages.map((message) => fail(message, hint)) };
  }
}

async function listMessages(error: unknown): Promise<string[]> {
  const { ConfigError, problemText } = await import("../../config/index.js");
  if (error instanceof ConfigError && error.problems.length > 0) return error.problems.map(problemText);
  return [error instanceof Error ? error.message.replace(/^error: /, "") : String(error)];
}

function dropRepeated(errors: readonly CliError[]): CliError[] {
  const texts = errors.map(({ message }) => message.slice(message.indexOf(": ") + 2));
  const isShared = errors.length > 1 && texts.every((text) => text === texts[0]);
  const hint = errors[0]?.hint;
  return isShared ? [usageError(texts[0] ?? "", hint === undefined ? {} : { hint })] : [...errors];
}

interface Limits {
  waves: readonly WaveRule[];
  allowed(selected: number): number;
  parallel: number;
}

/** Reads the limits from the flags and the members file. @throws usage error (2) */
export async function readLimits(
  input: Input,
  settings: Pick<MembersFile, "waves" | "maxFailures" | "parallel">,
): Promise<Limits> {
  const { parseAllowedFailures, parseWaves, singleWave } = await import("../index.js");
  const waves = input.text("waves");
  const failures = input.text("max-failures") ?? settings.maxFailures;
  const allowed = parseAllowedFailures(failures);
  if (allowed === undefined)
    throw usageError(
      `invalid --max-failures "${failures}": expected a number such as 3 or a percentage such as 2%`,
    );
  const parallel = input.text("parallel");
  return {
    waves:
      input.on("no-waves") === true
        ? singleWave
        : waves === undefined
          ? (settings.waves ?? singleWave)
          : parseWaves(waves),
    allowed,
    parallel: parallel === undefined ? settings.parallel : parseCount(parallel, "--parallel"),
  };
}

/** @throws usage error (2) if a member belongs to no wave */
export async function divideMembers(
  members: Parameters<typeof divideIntoWaves>[0],
  rules: readonly WaveRule[],
): Promise<Omit<ReturnType<typeof divideIntoWaves>, "remaining">> {
  const { divideIntoWaves: divide } = await import("../index.js");
  const { remaining, ...divided } = divide(members, rules);
  if (remaining.length > 0)
    throw usageError(`no wave contains ${remaining.join(", ")}`, {
      hint: "add a last wave named rest, which contains all remaining members",
    });
  return divided;
}

const largestExit = 255;

export function readOkExits(input: Input): number[] {
  return input.texts("ok-exit").map((text) => parseWholeNumber("ok-exit", text, 0, largestExit));
}
