import * as z from "zod";
import type { Client } from "../../client/types.js";
import { identityOf } from "../journal/identity.js";
import type { Item, NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { changesOf, completed, type ExistingItem, type ItemType, keyOf, readItems } from "./item-type.js";

/** The option of a run that says how it compares, as its journal has it. */
const Comparing = z.object({ on_match: z.enum(["skip", "update"]) });

/**
 * Compares the rows that a run has still to send with the group as it is now: while it stood still, another run or a
 * person may have written the same. A run that compares nothing (`--on-match create`) is left as it is.
 */
export async function compareAgain(
  type: ItemType,
  client: Client,
  journal: Journal,
  groupId: string,
  signal: AbortSignal,
): Promise<void> {
  const options = Comparing.safeParse(identityOf(journal)?.options).data;
  if (!options) return;
  const byKey = new Map<string, ExistingItem>();
  const byId = new Map<string, ExistingItem>();
  for await (const existing of readItems(client, type, groupId)) {
    signal.throwIfAborted();
    byId.set(existing.id, existing);
    // What this run made itself is no news.
    const key = keyOf(type, existing.fields);
    if (!journal.hasDone(existing.id) && !byKey.has(key)) byKey.set(key, existing);
  }
  const decide = async (item: Item): Promise<NewItem | undefined> => {
    const known =
      item.action === "create" ? byKey.get(keyOf(type, recordOf(item.body))) : byId.get(item.target ?? "");
    // Gone: the request itself tells.
    if (!known) return undefined;
    if (item.action === "create" && options.on_match === "skip") return unchanged(type, item, known);
    return decideUpdate(type, item, await completed(client, type, known));
  };
  let after = 0;
  for (;;) {
    const items = journal.planned(after, 200);
    const last = items.at(-1);
    if (!last) return;
    after = last.number;
    for (const item of items) {
      signal.throwIfAborted();
      const decided = await decide(item);
      if (decided) journal.replan(decided);
    }
  }
}

function decideUpdate(type: ItemType, item: Item, existing: ExistingItem): NewItem | undefined {
  const changes = changesOf(existing.fields, recordOf(item.body));
  if (changes === undefined) return unchanged(type, item, existing);
  const before = Object.fromEntries(Object.keys(changes).map((field) => [field, existing.fields[field]]));
  // As it was when the run was planned.
  if (item.action === "update" && changesOf(recordOf(item.before), before) === undefined) return undefined;
  const { number, line } = item;
  return {
    number,
    line,
    state: "planned",
    outcome: "updated",
    action: "update",
    target: existing.id,
    body: changes,
    before,
    detail: { [type.key]: existing.fields[type.key], ...recordOf(item.detail) },
  };
}

function unchanged(type: ItemType, { number, line, detail }: Item, existing: ExistingItem): NewItem {
  return {
    number,
    line,
    state: "skipped",
    outcome: "unchanged",
    target: existing.id,
    detail: { [type.key]: existing.fields[type.key], ...recordOf(detail) },
  };
}
