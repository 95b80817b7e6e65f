import { getText, isFields } from "../../base/fields.js";
import type { Suggester } from "../../base/suggestions.js";
import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import type { RunContext } from "../../write/engine/context.js";
import type { createOldestGroup } from "../../write/oldest-group.js";
import { type CliError, notFoundError, usageError } from "../errors/errors.js";
import { groupOf } from "../session/references/group.js";
import { findByName, isId, readAll } from "../session/references/references.js";

type GroupType = Parameters<typeof groupOf>[0];

export interface TargetGroup {
  id: string;
  name: string;
}

/**
 * Returns the group with a name or ID; undefined if no group has the name.
 * @param nearest receives the names of the other groups, for suggestions
 * @throws usage error (2) for an ambiguous name or a group of a different type; not found (4) for an unknown
 * ID
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
        `invalid --group "${getText(group, "name")}": expected a group of type ${type}, but its type is ${match}`,
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

type GroupContext = Pick<
  RunContext,
  "client" | "clock" | "signal" | "folder" | "baseUrl" | "listener" | "requestStats"
> & {
  readonly settleMilliseconds: number;
};

/**
 * Finds a group that an earlier run created or wrote to. The service's list may still lack this group, or
 * show a normalized name.
 */
export async function findGroupOfRuns(
  { client, signal, folder, baseUrl }: GroupContext,
  name: string,
  type: GroupType,
): Promise<TargetGroup | undefined> {
  const { groupsWrittenTo, madeGroups, normalizedText } = await import("../../write/index.js");
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

/** How long to search for a group, in multiples of --settle: after a lost response, and after a 409. */
const searchWindows = { lost: 5, conflict: 1 };

interface WantedGroup {
  /** Name of the group in the request. */
  name: string;
  type: GroupType;
}

/**
 * Creates the group. If an earlier request for the group got no response, searches for the group instead, to
 * avoid a duplicate.
 * @param oldestGroup ID of the organization's oldest group; null if it has no groups
 */
export async function createGroup(
  context: GroupContext,
  { name, type }: WantedGroup,
  oldestGroup: string | null,
): Promise<TargetGroup & { isNew: boolean }> {
  if (isId(name))
    throw notFoundError(`group ${name} not found`, "to create a group, pass a name instead of an ID");
  const { forgetGroupAttempt, rememberGroupAttempt, sentGroupAttempt } = await import("../../write/index.js");
  const { client, clock, signal, folder, baseUrl, settleMilliseconds, requestStats } = context;
  const attempt = { baseUrl, type, name, oldestGroup };
  const sentAt = await sentGroupAttempt(folder, attempt);
  if (sentAt !== undefined && settleMilliseconds > 0) {
    const passed = Math.max(0, clock.now() - sentAt);
    const windows = Math.ceil(searchWindows.lost - passed / settleMilliseconds);
    const existing = await searchGroup(context, name, type, Math.max(0, windows));
    if (existing !== undefined) return { ...existing, isNew: false };
  }
  await rememberGroupAttempt(folder, attempt, clock.now());
  const requestsBefore = requestStats.requests;
  let cause: unknown;
  let windows = searchWindows.lost;
  try {
    const { data } = await client.call("groups.create", { body: { type, name } }, { signal });
    const group = isFields(data) ? data : {};
    const id = getText(group, "id");
    // Use the name from the response, because the service may normalize names.
    if (id !== "") return { id, name: getText(group, "name") || name, isNew: true };
  } catch (error) {
    const isRefused = error instanceof ClientError && error.outcome !== "unknown";
    if (isRefused || requestStats.requests === requestsBefore) await forgetGroupAttempt(folder, attempt);
    // Don't throw after a 409: the group exists, but the list may still lack it.
    if (!(error instanceof ClientError) || (isRefused && error.status !== 409)) throw error;
    if (isRefused) windows = searchWindows.conflict;
    cause = error;
  }
  const existing = await searchGroup(context, name, type, windows);
  if (existing !== undefined) return { ...existing, isNew: false };
  throw cause ?? notFoundError(`group "${name}" was created, but can't be found`);
}

/**
 * If voxctl sent a request to create this group, records the group, so that an undo can delete it. Other
 * members of a fleet may be creating groups with the same name in their organizations.
 * @param oldestGroup ID of the organization's oldest group; null if it is unknown
 */
export async function claimGroup(
  { client, signal, folder, baseUrl }: GroupContext,
  group: TargetGroup,
  { name, type }: WantedGroup,
  oldestGroup: string | null,
): Promise<void> {
  const bulk = await import("../../write/index.js");
  const wanted = { baseUrl, type, name };
  if (!(await bulk.hasGroupAttempts(folder, wanted))) return;
  const oldest = oldestGroup ?? (await bulk.findOldestGroup({ client, signal }));
  // If this group is the oldest, the organization had no groups when the request was sent.
  const attempt = { ...wanted, oldestGroup: oldest === group.id ? null : oldest };
  if ((await bulk.sentGroupAttempt(folder, attempt)) === undefined) return;
  await bulk.rememberMadeGroup(folder, { id: group.id, base_url: baseUrl, name: group.name });
  await bulk.forgetGroupAttempt(folder, attempt);
}

/**
 * Searches for a group several times, because the service's lists may still lack a new group.
 * @param windows how long to search, in multiples of the settle time
 */
async function searchGroup(
  { client, clock, signal, settleMilliseconds, listener }: GroupContext,
  name: string,
  type: GroupType,
  windows: number,
): Promise<TargetGroup | undefined> {
  for (let waited = 0; ; waited += 1) {
    const existing = await findSimilarGroup(client, name, type, { signal });
    if (existing !== undefined || waited === windows || settleMilliseconds === 0) return existing;
    listener.rereading(settleMilliseconds, `the group "${name}" is not in the list of groups yet`);
    await clock.sleep(settleMilliseconds, signal);
  }
}

const anyGroup = { list: "groups.list", noun: "group" } as const;

/**
 * Finds the group with this name. If no group has this name, accepts a single group with an equivalent name,
 * because the service may normalize names.
 * @param options.oldest receives each group, to find the oldest one
 * @throws usage error (2) if several groups have the name
 */
export async function findSimilarGroup(
  client: Client,
  name: string,
  type: GroupType,
  { signal, oldest }: { signal: AbortSignal; oldest?: ReturnType<typeof createOldestGroup> },
): Promise<TargetGroup | undefined> {
  const { normalizedText } = await import("../../write/index.js");
  const [exact, alike]: [TargetGroup[], TargetGroup[]] = [[], []];
  for await (const { id, name: groupName, row } of readAll(client, anyGroup, { signal })) {
    oldest?.consider(id, row);
    if ("type" in row && row["type"] !== type) continue;
    if (groupName === name) exact.push({ id, name: groupName });
    else if (normalizedText(groupName) === normalizedText(name)) alike.push({ id, name: groupName });
  }
  if (exact.length > 1) throw toAmbiguousNameError(name, exact);
  return exact[0] ?? (alike.length === 1 ? alike[0] : undefined);
}

function toAmbiguousNameError(name: string, groups: readonly { id: string }[]): CliError {
  const ids = groups.map(({ id }) => id).join(", ");
  return usageError(
    `ambiguous --group "${name}": ${groups.length} groups have this name; pass an ID: ${ids}`,
  );
}
