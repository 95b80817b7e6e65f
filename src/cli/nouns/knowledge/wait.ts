import { type Clock, stopwatch } from "../../../base/clock.js";
import { type Fields, getText, getValueAt, isFields } from "../../../base/fields.js";
import { formatCount } from "../../../base/text.js";
import { ClientError } from "../../../client/errors.js";
import { readThroughOutage } from "../../../client/outage.js";
import type { Client } from "../../../client/types.js";
import { settleFlag } from "../../bulk/bulk-flags.js";
import { getSettleTime } from "../../bulk/run.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { parseDuration } from "../../session/globals.js";
import { groupOf } from "../../session/references/group.js";
import { knowledgeItem } from "../../session/references/knowledge.js";
import { type Referable, resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { durationText, formatInterruption } from "../../terminal/progress.js";
import { createSpinner } from "../../terminal/spinner.js";

const defaultTimeout = "5m";
const firstPauseMilliseconds = 1_000;
const longestPauseMilliseconds = 5_000;

export const waitForKnowledge: Command = {
  name: "wait",
  summary: "Wait until knowledge items are indexed",
  description:
    "Waits until the specified items, the items in a group, or all items are synced or failed. A list might not include " +
    "new items immediately, so voxctl repeats the read until the --settle time has passed. Exits with code 8 on a timeout, and with code 11 " +
    "if an item failed.",
  arguments: [{ name: "item", description: "Name or ID", optional: true, variadic: true }],
  flags: [
    { name: "group", value: "name|id", description: "Wait for all items in this group" },
    { name: "for", value: "duration", description: "Longest time to wait", default: defaultTimeout },
    { ...settleFlag, description: "Longest time that a list can be outdated after a write" },
  ],
  examples: [
    { command: "voxctl knowledge wait --group Behandlungen --for 2m" },
    {
      command: "voxctl knowledge wait Implantate Kinder",
      note: "Exits with code 0 if both items are synced",
    },
  ],
  verdict: true,
  async run(session, input) {
    const group = input.text("group");
    if (group !== undefined && input.arguments.length > 0) {
      throw usageError("<item> and --group can't be combined");
    }
    const timeout = parseDuration(input.text("for") ?? defaultTimeout, "--for");
    const settle = input.text("settle");
    const given = settle === undefined ? undefined : parseDuration(settle, "--settle");
    const { client, clock, emulator } = await session.connect();
    const inProcess = emulator !== undefined;
    const begun = stopwatch(clock);
    const waiting: Waiting = {
      session,
      client,
      clock,
      begun,
      timeout,
      // Call `isEmulator` late, because only a response shows whether the service is an emulator.
      isListCurrentAt: (time) =>
        time - begun >= (given ?? getSettleTime({ inProcess, isEmulator: session.isEmulator })),
    };
    const ids: string[] = [];
    for (const name of input.arguments) ids.push(await resolveLate(waiting, knowledgeItem, name, "<item>"));
    const groupId =
      group === undefined ? undefined : await resolveLate(waiting, groupOf("knowledges"), group, "--group");
    const read =
      ids.length > 0
        ? () => readItems(client, ids, session.signal)
        : createListReader(client, groupId, session.signal);
    const { items, isWhole } = await poll(waiting, read, ids.length > 0);
    await session.output.list(items.map(toRow), {
      columns: [
        { header: "ID", value: "id", keep: true },
        { header: "NAME", value: "name" },
        { header: "INDEX", value: "sync_status.state", as: "status", keep: true },
        { header: "ERROR", value: "sync_status.error", optional: true },
      ],
      fields: ["id", "name", "sync_status"],
      empty: "no knowledge items",
    });
    assertSynced(items, isWhole, Math.min(stopwatch(clock) - begun, timeout));
  },
};

interface Waiting {
  session: Session;
  client: Client;
  clock: Clock;
  begun: number;
  /** Maximum time to wait, in milliseconds. */
  timeout: number;
  /** Returns whether a list that was read at this time contains every item that existed before the wait. */
  isListCurrentAt(time: number): boolean;
}

/**
 * Repeats the search until the list is current, because an outdated list may lack a new item.
 * @throws the errors of `resolveReference`
 */
async function resolveLate(
  { session, client, clock, begun, timeout, isListCurrentAt }: Waiting,
  referable: Referable,
  name: string,
  flag: string,
): Promise<string> {
  const options = { signal: session.signal, names: session.names };
  for (let pause = firstPauseMilliseconds; ; pause = increasePause(pause)) {
    const readAt = stopwatch(clock);
    try {
      return await readThroughOutage(
        () => resolveReference(client, referable, name, flag, options),
        createOutage({ session, clock, begun, timeout }),
      );
    } catch (error) {
      const isMissing = error instanceof CliError && error.code === "not_found";
      if (!isMissing || isListCurrentAt(readAt) || readAt - begun >= timeout) throw error;
      if (pause === firstPauseMilliseconds)
        session.notes.note(`${error.message}; trying again, because the list may be outdated…`);
      await clock.sleep(Math.min(pause, timeout), session.signal);
    }
  }
}

function createOutage({
  session,
  clock,
  begun,
  timeout,
}: Pick<Waiting, "session" | "clock" | "begun" | "timeout">): Parameters<typeof readThroughOutage>[1] {
  return {
    clock,
    signal: session.signal,
    deadline: begun + timeout,
    onOutage: (error) =>
      session.notes.note(formatInterruption(error.message, "retrying until the --for time limit")),
  };
}

function increasePause(pause: number): number {
  return Math.min(pause * 1.5, longestPauseMilliseconds);
}

async function poll(
  { session, clock, begun, timeout, isListCurrentAt }: Waiting,
  read: () => Promise<Fields[]>,
  isNamed: boolean,
): Promise<{ items: Fields[]; isWhole: boolean }> {
  const spinner = await createSpinner(session);
  let pause = firstPauseMilliseconds;
  try {
    for (;;) {
      const readAt = stopwatch(clock);
      const items = await readThroughOutage(read, createOutage({ session, clock, begun, timeout }));
      const isWhole = isNamed || isListCurrentAt(readAt);
      const waited = stopwatch(clock) - begun;
      if ((isWhole && items.every(isOver)) || waited >= timeout) return { items, isWhole };
      spinner.show(`${formatProgress(items)} · ${durationText(waited)}`);
      await clock.sleep(Math.min(pause, timeout - waited), session.signal);
      pause = increasePause(pause);
    }
  } finally {
    spinner.end();
  }
}

async function readItems(client: Client, ids: readonly string[], signal: AbortSignal): Promise<Fields[]> {
  const items: Fields[] = [];
  for (const id of ids) {
    const { data } = await client.call("knowledge.get", { path: { knowledge_item_id: id } }, { signal });
    if (isFields(data)) items.push(data);
  }
  return items;
}

/** If an item disappears from the list, reads the item by ID: only a 404 proves that it was deleted. */
function createListReader(
  client: Client,
  groupId: string | undefined,
  signal: AbortSignal,
): () => Promise<Fields[]> {
  const query = groupId === undefined ? {} : { group_id: groupId };
  const known = new Set<string>();
  return async () => {
    const items = new Map<string, Fields>();
    for await (const item of client.items("knowledge.list", { query }, { signal, pageSize: 200 })) {
      // Filter the rows here, because a service may ignore the request's filter.
      if (isFields(item) && (groupId === undefined || item["group_id"] === groupId))
        items.set(getText(item, "id"), item);
    }
    for (const id of known) {
      if (items.has(id)) continue;
      const item = await readItem(client, id, signal);
      if (item === undefined || (groupId !== undefined && item["group_id"] !== groupId)) known.delete(id);
      else items.set(id, item);
    }
    for (const id of items.keys()) known.add(id);
    return [...items.values()];
  };
}

async function readItem(client: Client, id: string, signal: AbortSignal): Promise<Fields | undefined> {
  try {
    const { data } = await client.call("knowledge.get", { path: { knowledge_item_id: id } }, { signal });
    return isFields(data) ? data : undefined;
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}

function getState(item: Fields): string {
  const state = getValueAt(item, "sync_status.state");
  return typeof state === "string" ? state : "";
}

// The state "failed" is final, and an unknown state counts as pending (public.states.failed).
function isOver(item: Fields): boolean {
  return getState(item) === "synced" || getState(item) === "failed";
}

function toRow(item: Fields): Fields {
  return { id: item["id"], name: item["name"], sync_status: item["sync_status"] };
}

function formatProgress(items: readonly Fields[]): string {
  const states = new Map<string, number>();
  for (const item of items) states.set(getState(item), (states.get(getState(item)) ?? 0) + 1);
  const synced = states.get("synced") ?? 0;
  states.delete("synced");
  const otherStates = [...states].map(([state, count]) => `, ${count} ${state}`).join("");
  return `${synced} of ${formatCount(items.length, "item")} indexed${otherStates}`;
}

function assertSynced(items: readonly Fields[], isWhole: boolean, waited: number): void {
  const open = items.filter((item) => !isOver(item));
  const failed = items.filter((item) => getState(item) === "failed");
  if (open.length > 0) {
    throw new CliError({
      exit: exits.pending,
      code: "still_pending",
      message: `timed out after ${durationText(waited)}: ${formatProgress(items)}`,
      retryable: true,
      // public.states.queue
      hint: "wait longer with --for, or index an item again: `voxctl knowledge update ID --data '{}'`",
    });
  }
  if (!isWhole) {
    throw new CliError({
      exit: exits.pending,
      code: "still_pending",
      message: `timed out after ${durationText(waited)}: ${formatProgress(items)}, but the list may be incomplete`,
      retryable: true,
      hint: "use a longer --for, or a shorter --settle",
    });
  }
  if (failed.length === 0) return;
  const names = failed.slice(0, 5).map((item) => `"${getText(item, "name")}"`);
  throw new CliError({
    exit: exits.endedBadly,
    code: "indexing_failed",
    message: `indexing failed for ${names.join(", ")}${failed.length > names.length ? ` and ${failed.length - names.length} more` : ""}`,
    hint: "change the item, or index it again: `voxctl knowledge update ID --data '{}'`",
  });
}
