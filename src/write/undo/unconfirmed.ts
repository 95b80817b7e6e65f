import type { Database } from "../../base/database.js";
import { lookUpLost } from "../adapter.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { createExpectations } from "../plan/expectations.js";
import type { Sending, Unconfirmed } from "../subject.js";
import { recordOf } from "../values.js";
import { backwardCourse } from "./backward.js";

export function collectUnconfirmed(): Unconfirmed & { see(undo: Journal): void } {
  const parts = new Set<string>();
  const otherIds = new Set<string>();
  return {
    parts,
    otherIds,
    see(undo) {
      for (const { target = "" } of undo.done()) otherIds.add(target);
      let isOpen = false;
      for (const { action, detail } of eachIn(undo, "unknown")) {
        const { undoes } = recordOf(detail);
        if (action !== "create" || typeof undoes !== "string") continue;
        parts.add(undoes);
        isOpen = true;
      }
      if (isOpen) for (const id of createExpectations(undo.database).alike()) otherIds.add(id);
    },
  };
}

/**
 * An item with one matching resource is done. Without a match, the item is sent again. With several matches,
 * the item stays unconfirmed. Must be called before the comparison, which would treat these resources as
 * another user's.
 */
export async function resolveUnconfirmed(sending: Sending, { parts, otherIds }: Unconfirmed): Promise<void> {
  const { journal } = sending;
  const numbers: number[] = [];
  for (const { number, action, detail } of eachIn(journal, "planned")) {
    if (action !== "create" || !parts.has(String(recordOf(detail)["undoes"]))) continue;
    journal.record([{ number, state: "unknown", detail }], []);
    numbers.push(number);
  }
  if (numbers.length === 0) return;
  keepAlike(journal.database, otherIds);
  await lookUpLost(sending, backwardCourse(sending));
  for (const number of numbers) {
    const item = journal.item(number);
    if (item?.state === "unknown" && recordOf(item.detail)["candidates"] === undefined)
      journal.record([{ number, state: "planned" }], []);
  }
}

function keepAlike(database: Database, ids: ReadonlySet<string>): void {
  const expectations = createExpectations(database);
  database.transaction(() => {
    for (const id of ids) expectations.keepAlike(id);
  });
}
