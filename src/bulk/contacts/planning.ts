import { contractCheck } from "../contract-check.js";
import type { RowList, RunContext } from "../engine/context.js";
import type { Journal } from "../journal/journal.js";
import { batches, textLength } from "../values.js";
import type { ExistingContacts } from "./existing-contacts.js";
import { pageSize, readGroup } from "./group.js";
import type { MatchKey } from "./identity.js";
import type { ContactInput } from "./input.js";

import { isUsable, type OnMatch, planRow } from "./plan.js";

const rowsPerCommit = 1_000;
const rowsNamed = 10;

export interface PlanOptions {
  input: ContactInput;
  /** Undefined: there is nothing in it to read. */
  groupId: string | undefined;
  match: readonly MatchKey[];
  onMatch: OnMatch;
}

/** Counts rows, and names the first of them. */
function createRowList(): RowList & { add(number: number): void } {
  const first: number[] = [];
  let count = 0;
  return {
    first,
    get count() {
      return count;
    },
    add(number) {
      count += 1;
      if (first.length < rowsNamed) first.push(number);
    },
  };
}

/** Which rows can be imported, as far as one can know before. */
export async function* usableContacts(
  input: ContactInput,
  world: string | null,
): AsyncGenerator<boolean, void> {
  const create = await contractCheck("contacts.create", world);
  for await (const { read } of input.rows()) yield isUsable(read, create);
}

/** Reads group and file, and decides for every row what is to be done with it, before anything is sent. */
export async function planFile(
  { client, signal, listener, requestStats }: RunContext,
  journal: Journal,
  existing: ExistingContacts,
  { input, groupId, match, onMatch }: PlanOptions,
): Promise<void> {
  let contacts = 0;
  if (groupId !== undefined) {
    for await (const page of batches(readGroup(client, groupId), pageSize)) {
      journal.database.transaction(() => page.forEach(existing.add));
      contacts += page.length;
      listener.reading(contacts);
      signal.throwIfAborted();
    }
  }
  const checks = {
    create: await contractCheck("contacts.create", requestStats.world),
    update: await contractCheck("contacts.update", requestStats.world),
  };
  let rows = 0;
  const left = createRowList();
  const renamed = createRowList();
  for await (const batch of batches(input.rows(), rowsPerCommit, ({ row }) => textLength(row.values))) {
    journal.database.transaction(() => {
      for (const { row, read } of batch) {
        const { item, otherName } = planRow(row, read, existing, { match, onMatch, checks });
        journal.insert(item);
        if (otherName !== undefined) (item.action === "update" ? renamed : left).add(row.number);
      }
    });
    rows += batch.length;
    listener.planning(rows);
    signal.throwIfAborted();
  }
  if (left.count + renamed.count > 0) listener.otherNames({ left, renamed });
}
