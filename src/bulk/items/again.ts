import * as z from "zod";
import type { Client } from "../../client/types.js";
import { identityOf } from "../journal/identity.js";
import type { Item, NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { changesOf, completed, type ItemKind, keyOf, type Member, readMembers } from "./kind.js";

/** The option of a run that says how it compares, as its journal has it. */
const Comparing = z.object({ on_match: z.enum(["skip", "update"]) });

/**
 * Compares the rows that a run has still to send with the group as it is now: while it stood still, another run or a
 * person may have written the same. Undefined for a run that compares nothing (`--on-match create`).
 */
export function compareAgain(
  kind: ItemKind,
  client: Client,
  journal: Journal,
  groupId: string,
): ((signal: AbortSignal) => Promise<void>) | undefined {
  const options = Comparing.safeParse(identityOf(journal)?.options).data;
  if (!options) return undefined;
  return async (signal) => {
    const byKey = new Map<string, Member>();
    const byId = new Map<string, Member>();
    for await (const member of readMembers(client, kind, groupId)) {
      signal.throwIfAborted();
      byId.set(member.id, member);
      // What this run made itself is no news.
      const key = keyOf(kind, member.fields);
      if (!journal.hasDone(member.id) && !byKey.has(key)) byKey.set(key, member);
    }
    const decide = async (item: Item): Promise<NewItem | undefined> => {
      const known =
        item.action === "create" ? byKey.get(keyOf(kind, recordOf(item.body))) : byId.get(item.target ?? "");
      // Gone: the request itself tells.
      if (!known) return undefined;
      if (item.action === "create" && options.on_match === "skip") return unchanged(kind, item, known);
      return decideUpdate(kind, item, await completed(client, kind, known));
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
  };
}

function decideUpdate(kind: ItemKind, item: Item, member: Member): NewItem | undefined {
  const changes = changesOf(member.fields, recordOf(item.body));
  if (changes === undefined) return unchanged(kind, item, member);
  const before = Object.fromEntries(Object.keys(changes).map((field) => [field, member.fields[field]]));
  // As it was when the run was planned.
  if (item.action === "update" && changesOf(recordOf(item.before), before) === undefined) return undefined;
  const { number, line } = item;
  return {
    number,
    line,
    state: "planned",
    outcome: "updated",
    action: "update",
    target: member.id,
    body: changes,
    before,
    detail: { [kind.key]: member.fields[kind.key], ...recordOf(item.detail) },
  };
}

function unchanged(kind: ItemKind, { number, line, detail }: Item, member: Member): NewItem {
  return {
    number,
    line,
    state: "settled",
    outcome: "unchanged",
    target: member.id,
    detail: { [kind.key]: member.fields[kind.key], ...recordOf(detail) },
  };
}
