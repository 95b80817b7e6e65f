import type { Clock } from "../../base/clock.js";
import type { Client } from "../../client/types.js";
import { durationText } from "../bulk-progress.js";
import type { Command } from "../command.js";
import { CliError, exits, usageError } from "../errors.js";
import { parseDuration } from "../globals.js";
import { type Fields, isFields, valueAt } from "../output/fields.js";
import { groupOf } from "../presentation/groups.js";
import { knowledgeItem } from "../presentation/knowledge.js";
import { textIn } from "../presentation/presentation.js";
import { resolveReference } from "../references.js";
import type { Session } from "../session.js";
import { createSpinner } from "../spinner.js";
import { counted } from "../text.js";

const defaultPatience = "5m";
const firstPauseMilliseconds = 1_000;
const longestPauseMilliseconds = 5_000;

export const waitForKnowledge: Command = {
  name: "wait",
  summary: "Wait until knowledge items are indexed",
  description:
    "Asks again and again until each item is synced or failed: the items named, those of a group, or all. Ends with 8 " +
    "when the time is up, and with 11 when one failed.",
  arguments: [{ name: "item", description: "its name or id", optional: true, variadic: true }],
  flags: [
    { name: "group", value: "name|id", description: "all items of this group" },
    { name: "for", value: "duration", description: "how long to wait at most", default: defaultPatience },
  ],
  examples: [
    { command: "voxctl knowledge wait --group Behandlungen --for 2m" },
    {
      command: "voxctl knowledge wait Implantate Kinder",
      note: "in a script: exit 0 means that both are synced",
    },
  ],
  async run(session, input) {
    const group = input.text("group");
    if (group !== undefined && input.arguments.length > 0) {
      throw usageError("name items or give --group, not both");
    }
    const patience = parseDuration(input.text("for") ?? defaultPatience, "--for");
    const { client, clock } = await session.connect();
    const ids: string[] = [];
    for (const name of input.arguments) {
      ids.push(await resolveReference(client, knowledgeItem, name, "<item>", session));
    }
    const groupId =
      group === undefined
        ? undefined
        : await resolveReference(client, groupOf("knowledges"), group, "--group", session);
    const read = () =>
      ids.length > 0 ? readItems(client, ids, session.signal) : readList(client, groupId, session.signal);
    const { items, waited } = await poll(read, session, clock, patience);
    await session.output.list(items.map(shown), {
      columns: [
        { header: "ID", value: "id", keep: true },
        { header: "NAME", value: "name" },
        { header: "INDEX", value: "sync_status.state", as: "status", keep: true },
        { header: "ERROR", value: "sync_status.error", optional: true },
      ],
      fields: ["id", "name", "sync_status"],
      empty: "no knowledge items",
    });
    refuseUnsynced(items, Math.min(waited, patience));
  },
};

async function poll(
  read: () => Promise<Fields[]>,
  session: Session,
  clock: Clock,
  patience: number,
): Promise<{ items: Fields[]; waited: number }> {
  const spinner = await createSpinner(session);
  const begun = clock.now();
  let pause = firstPauseMilliseconds;
  try {
    for (;;) {
      const items = await read();
      const waited = clock.now() - begun;
      if (items.every(isOver) || waited >= patience) return { items, waited };
      spinner.say(`${summary(items)} · ${durationText(waited)}`);
      await clock.sleep(Math.min(pause, patience - waited), session.signal);
      pause = Math.min(pause * 1.5, longestPauseMilliseconds);
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

async function readList(client: Client, groupId: string | undefined, signal: AbortSignal): Promise<Fields[]> {
  const items: Fields[] = [];
  const query = groupId === undefined ? {} : { group_id: groupId };
  for await (const item of client.items("knowledge.list", { query }, { signal, pageSize: 200 })) {
    // A filter is never trusted.
    if (isFields(item) && (groupId === undefined || item["group_id"] === groupId)) items.push(item);
  }
  return items;
}

function stateOf(item: Fields): string {
  const state = valueAt(item, "sync_status.state");
  return typeof state === "string" ? state : "";
}

// public.states.failed: failed is terminal. A state that nobody knows is waited on.
function isOver(item: Fields): boolean {
  return stateOf(item) === "synced" || stateOf(item) === "failed";
}

function shown(item: Fields): Fields {
  return { id: item["id"], name: item["name"], sync_status: item["sync_status"] };
}

/** "8 of 11 indexed, 2 syncing, 1 failed" */
function summary(items: readonly Fields[]): string {
  const states = new Map<string, number>();
  for (const item of items) states.set(stateOf(item), (states.get(stateOf(item)) ?? 0) + 1);
  const synced = states.get("synced") ?? 0;
  states.delete("synced");
  const others = [...states].map(([state, count]) => `, ${count} ${state}`).join("");
  return `${synced} of ${counted(items.length, "item")} indexed${others}`;
}

function refuseUnsynced(items: readonly Fields[], waited: number): void {
  const open = items.filter((item) => !isOver(item));
  const failed = items.filter((item) => stateOf(item) === "failed");
  if (open.length > 0) {
    throw new CliError({
      exit: exits.pending,
      code: "still_pending",
      message: `after ${durationText(waited)}: ${summary(items)}`,
      retryable: true,
      // public.states.queue
      hint: "wait longer with --for; what was lost on the way to the index is asked for again by voxctl knowledge update ID --data '{}'",
    });
  }
  if (failed.length === 0) return;
  const names = failed.slice(0, 5).map((item) => `"${textIn(item, "name")}"`);
  throw new CliError({
    exit: exits.endedBadly,
    code: "indexing_failed",
    message: `indexing failed for ${names.join(", ")}${failed.length > names.length ? ` and ${failed.length - names.length} more` : ""}`,
    hint: "a changed item is indexed anew, an unchanged one by voxctl knowledge update ID --data '{}'",
  });
}
