import type { RunContext } from "../../../bulk/engine/context.js";
import { ClientError } from "../../../client/errors.js";
import type { Client } from "../../../client/types.js";
import { type CliError, notFoundError, usageError } from "../../errors/errors.js";
import type { Suggester } from "../../errors/suggestions.js";
import { getText, isFields } from "../../output/fields.js";
import { groupOf } from "../../session/references/group.js";
import { findByName, isId, readAll } from "../../session/references/references.js";

type GroupType = Parameters<typeof groupOf>[0];

export interface TargetGroup {
  id: string;
  name: string;
}

/**
 * The group that `--group` names, by name or id; undefined where no group has the name.
 * `nearest` learns the names of the others.
 * @throws usage error (2) for a group that holds something else, or a name that several have; not found (4) for an id
 */
export async function findGroup(
  client: Client,
  value: string,
  type: GroupType,
  signal: AbortSignal,
  nearest?: Suggester,
): Promise<TargetGroup | undefined> {
  if (isId(value)) {
    const { data } = await client.call("groups.get", { path: { group_id: value } }, { signal });
    const group = isFields(data) ? data : {};
    const match = getText(group, "type");
    if (match !== "" && match !== type) {
      throw usageError(
        `--group: "${getText(group, "name")}" is a group of type ${match}; it has to be one of type ${type}`,
      );
    }
    return { id: value, name: getText(group, "name") || value };
  }
  const [match, ...duplicates] = await findByName(client, groupOf(type), value, {
    signal,
    ...(nearest ? { suggester: nearest } : {}),
  });
  if (match && duplicates.length > 0) throw toAmbiguousNameError(value, [match, ...duplicates]);
  return match && { id: match.id, name: match.name };
}

/** The parts of a run's context that are needed to find or make a group. */
type GroupContext = Pick<RunContext, "client" | "clock" | "signal" | "folder" | "baseUrl" | "listener"> & {
  readonly settleMilliseconds: number;
};

/**
 * The group of this name that an earlier run wrote into or made: a list may not show yet what was made a moment ago, and a
 * service may write a name otherwise than it was given (T2, T3).
 */
export async function findGroupOfRuns(
  { client, signal, folder, baseUrl }: GroupContext,
  name: string,
  type: GroupType,
): Promise<TargetGroup | undefined> {
  const { groupsWrittenTo, madeGroups, normalizedText } = await import("../../../bulk/runs.js");
  const written = await groupsWrittenTo(folder, baseUrl, name);
  for (const id of [...written, ...(await madeGroups(folder, baseUrl, name))]) {
    try {
      const { data } = await client.call("groups.get", { path: { group_id: id } }, { signal });
      const group = isFields(data) ? data : {};
      const isMatch =
        getText(group, "type") === type && normalizedText(getText(group, "name")) === normalizedText(name);
      if (isMatch) return { id, name: getText(group, "name") };
    } catch (error) {
      if (!(error instanceof ClientError) || error.status !== 404) throw error;
    }
  }
  return undefined;
}

/** How many settle times a group is looked for whose making was lost, and one that a 409 says is there. */
const searchWindows = { lost: 5, conflict: 1 };

/** Creates the group. After a lost response it searches for the group and never repeats the request unchecked. */
export async function createGroup(
  context: GroupContext,
  name: string,
  type: GroupType,
): Promise<TargetGroup & { isNew: boolean }> {
  if (isId(name)) throw notFoundError(`--group: there is no group ${name}`, "--create-group needs a name");
  const { client, clock, signal, settleMilliseconds, listener } = context;
  let cause: unknown;
  let windows = searchWindows.lost;
  try {
    const { data } = await client.call("groups.create", { body: { type, name } }, { signal });
    const group = isFields(data) ? data : {};
    const id = getText(group, "id");
    // Use the name from the response: the service may normalize it (T1).
    if (id !== "") return { id, name: getText(group, "name") || name, isNew: true };
  } catch (error) {
    // 409: another client was quicker, or a list does not show the group yet (T7).
    if (!(error instanceof ClientError) || (error.outcome !== "unknown" && error.status !== 409)) throw error;
    cause = error;
    if (error.outcome !== "unknown") windows = searchWindows.conflict;
  }
  for (let waited = 0; ; waited += 1) {
    const existing = await findSimilarGroup(client, name, type, signal);
    if (existing !== undefined) return { ...existing, isNew: false };
    if (waited === windows || settleMilliseconds === 0) break;
    listener.rereading(settleMilliseconds, `the group "${name}" is not in the list of groups yet`);
    await clock.sleep(settleMilliseconds, signal);
  }
  throw cause ?? notFoundError(`the group "${name}" was made, but is not to be found`);
}

/**
 * The one group of this name, or the only one whose name is written alike (T3): a service may have written it
 * otherwise.
 * @throws usage error (2) for a name that several have
 */
export async function findSimilarGroup(
  client: Client,
  name: string,
  type: GroupType,
  signal: AbortSignal,
): Promise<TargetGroup | undefined> {
  const { normalizedText } = await import("../../../bulk/runs.js");
  const [exact, alike]: [TargetGroup[], TargetGroup[]] = [[], []];
  for await (const { id, name: groupName } of readAll(client, groupOf(type), { signal })) {
    if (groupName === name) exact.push({ id, name: groupName });
    else if (normalizedText(groupName) === normalizedText(name)) alike.push({ id, name: groupName });
  }
  if (exact.length > 1) throw toAmbiguousNameError(name, exact);
  return exact[0] ?? (alike.length === 1 ? alike[0] : undefined);
}

function toAmbiguousNameError(name: string, groups: readonly { id: string }[]): CliError {
  const ids = groups.map(({ id }) => id).join(", ");
  return usageError(`--group: ${groups.length} groups are named "${name}"; give the id of one: ${ids}`);
}
