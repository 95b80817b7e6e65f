import { inParallel } from "../../../base/in-parallel.js";
import { CliError, exits, refusedError, usageError } from "../../../cli/errors/errors.js";
import { toClientExit } from "../../../cli/errors/exit-codes.js";
import type { Session } from "../../../cli/session/session.js";
import { ClientError } from "../../../client/errors.js";
import type { MemberEnd, MemberRow } from "../index.js";
import type { MemberAccess } from "./member-access.js";
import type { Member } from "./open-members.js";

const concurrentReads = 8;

/** The oldest group identifies the organization. */
export interface MemberCheck {
  oldestGroup: string | null;
  problem: CliError | undefined;
}

export async function checkMembers(
  session: Session,
  members: readonly Member[],
): Promise<Map<string, MemberCheck>> {
  const checks = new Map<string, MemberCheck>();
  await inParallel(members, concurrentReads, async (member) => {
    checks.set(member.name, await checkMember(session, member, session.signal));
  });
  return checks;
}

async function checkMember(
  session: Session,
  { name, access, problem }: Pick<Member, "name" | "access" | "problem">,
  signal: AbortSignal,
): Promise<MemberCheck> {
  if (access === undefined) return { oldestGroup: null, problem };
  const { findOldestGroup } = await import("../../../write/oldest-group.js");
  const connection = await session.reach(access.profile);
  try {
    return { oldestGroup: await findOldestGroup({ client: connection.client, signal }), problem: undefined };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ClientError)) throw error;
    const { code, message } = error;
    return {
      oldestGroup: null,
      problem: new CliError({
        exit: toClientExit(error),
        code,
        message: `${name}: ${message}`,
        cause: error,
      }),
    };
  } finally {
    await connection.close();
  }
}

/**
 * Checks that a member's key still belongs to the same organization.
 * @returns the member's result if the command must not run
 */
export async function findOtherOrganization(
  session: Session,
  { name, oldestGroup }: Pick<MemberRow, "name" | "oldestGroup">,
  access: MemberAccess,
  interrupt: AbortSignal,
): Promise<MemberEnd | undefined> {
  if (oldestGroup === null) return undefined;
  const check = await checkMember(session, { name, access, problem: undefined }, interrupt);
  const { exit, message, code } =
    check.problem ??
    refusedError(
      "wrong_target",
      "its key now belongs to a different organization than at the start of the run",
    );
  if (check.problem === undefined && check.oldestGroup === oldestGroup) return undefined;
  return { exit, error: message, code, summary: null, runs: [] };
}

/**
 * Returns an error for each member whose oldest group is also that of an earlier member: both belong to the
 * same organization.
 */
export function findSharedOrganizations(
  members: readonly Member[],
  checks: ReadonlyMap<string, MemberCheck>,
): CliError[] {
  const seen = new Map<string, string>();
  return members.flatMap(({ name, access }) => {
    const oldestGroup = checks.get(name)?.oldestGroup ?? null;
    // Groups in new emulator databases have the same IDs, although each database is a different organization.
    if (oldestGroup === null || access?.profile.type === "offline") return [];
    const earlier = seen.get(oldestGroup);
    seen.set(oldestGroup, earlier ?? name);
    return earlier === undefined
      ? []
      : [
          usageError(
            `members ${earlier} and ${name} are the same organization: both have group ${oldestGroup}`,
          ),
        ];
  });
}

/**
 * Throws one error that lists all errors. If their exit codes differ, its exit code is 2.
 * @throws CliError
 */
export function throwAll(errors: readonly CliError[], summary: string): void {
  const [first] = errors;
  if (first === undefined) return;
  if (errors.length === 1) throw first;
  const isCommon = errors.every(({ exit }) => exit === first.exit);
  throw new CliError({
    exit: isCommon ? first.exit : exits.usage,
    code: isCommon ? first.code : "usage",
    message: `${errors.length} ${summary}; nothing was sent`,
    details: errors.map(({ message }) => ({ path: [], message })),
  });
}
