import type { Database } from "../../base/database.js";
import type { RunContext } from "../engine/context.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { recordOf } from "../values.js";
import { createExpectations } from "./expectations.js";
import { resolveUnconfirmedSteps } from "./unconfirmed-steps.js";

/** What earlier undos of a run have sent to create again, and never learned the fate of. */
export interface Unconfirmed {
  /** The parts of the run that they are about. */
  parts: ReadonlySet<string>;
  /** Things that are none of these: they were there before, or are known to be others. */
  otherIds: ReadonlySet<string>;
}

/** Collects what is undecided over the journals of earlier undos. */
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
 * T5: what an earlier undo has sent, and could not decide about, is looked for before it is created: it may have
 * arrived since. What is found is done, what is not is sent, and where more things are like it than were sent it stays
 * open. Before anything else is read: what is there now may be what the earlier undo made.
 */
export async function resolveUnconfirmed(
  context: RunContext,
  journal: Journal,
  { parts, otherIds }: Unconfirmed,
): Promise<void> {
  const numbers: number[] = [];
  for (const { number, action, detail } of eachIn(journal, "planned")) {
    if (action !== "create" || !parts.has(String(recordOf(detail)["undoes"]))) continue;
    journal.record([{ number, state: "unknown", detail }], []);
    numbers.push(number);
  }
  if (numbers.length === 0) return;
  keepAlike(journal.database, otherIds);
  await resolveUnconfirmedSteps(context, journal);
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
