import * as z from "zod";
import type { Client } from "../../client/types.js";
import { identityOf } from "../journal/identity.js";
import type { Item, NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { batches } from "../values.js";
import { createExistingContacts, type ExistingContacts } from "./existing-contacts.js";
import { pageSize, readGroup } from "./group.js";
import {
  changesOf,
  fingerprintOf,
  type GroupContact,
  groupContact,
  keysOf,
  type MatchKey,
} from "./identity.js";

/** The options of a run that say how it compares, as its journal has them; nothing else is needed of its command. */
const Comparing = z.object({
  match: z.array(z.enum(["phone", "email", "name"])),
  on_match: z.enum(["skip", "update"]),
});

/**
 * Compares the rows that a run has still to send with the group as it is now: while it stood still, another run or a
 * person may have written the same. A run that compares nothing (`--on-match create`) is left as it is.
 */
export async function compareAgain(
  client: Client,
  journal: Journal,
  groupId: string,
  signal: AbortSignal,
): Promise<void> {
  const options = Comparing.safeParse(identityOf(journal)?.options).data;
  if (!options) return;
  const existing = createExistingContacts(journal.database, options.match);
  for await (const page of batches(readGroup(client, groupId), pageSize)) {
    journal.database.transaction(() => {
      // What this run made or changed itself is no news.
      for (const contact of page) if (!journal.hasDone(contact.id)) existing.add(contact);
    });
    signal.throwIfAborted();
  }
  let after = 0;
  for (;;) {
    const items = journal.planned(after, 500);
    const last = items.at(-1);
    if (!last) return;
    after = last.number;
    journal.database.transaction(() => {
      for (const item of items) {
        const decided = decideAgain(item, existing, options);
        if (decided) journal.replan(decided);
      }
    });
  }
}

/** What is to be done with a row now; undefined where nothing has changed for it. */
function decideAgain(
  item: Item,
  existing: ExistingContacts,
  { match, on_match }: { match: readonly MatchKey[]; on_match: "skip" | "update" },
): NewItem | undefined {
  const row = groupContact({ ...fieldsOf(item.body), id: item.target ?? "new" });
  if (!row) return undefined;
  if (item.action === "create") {
    const member = existing.find(keysOf(row, match).wanted);
    return member && decidedBy(item, member, on_match === "update" ? changesOf(member, row) : undefined);
  }
  const member = item.target === undefined ? undefined : existing.get(item.target);
  const before = groupContact({ ...fieldsOf(item.before), id: item.target ?? "" });
  // Gone, or as it was: the request itself tells, or holds.
  if (!member || !before || fingerprintOf(member) === fingerprintOf(before)) return undefined;
  // Fields that the change leaves alone are empty in it, and an empty one changes nothing.
  const wanted = { ...row, first_name: row.first_name === "" ? member.first_name : row.first_name };
  return decidedBy(item, member, changesOf(member, wanted));
}

function decidedBy(item: Item, member: GroupContact, changes: ReturnType<typeof changesOf>): NewItem {
  const { number, line } = item;
  const { id, ...before } = member;
  if (changes === undefined) {
    return {
      number,
      line,
      state: "skipped",
      outcome: "unchanged",
      target: id,
      detail: { contact: fieldsOf(item.body) },
    };
  }
  return {
    number,
    line,
    state: "planned",
    outcome: "updated",
    action: "update",
    target: id,
    body: changes,
    before,
  };
}

function fieldsOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
