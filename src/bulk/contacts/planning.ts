import type { RowList, RunContext } from "../engine/run.js";
import type { Journal } from "../journal/journal.js";
import { batches } from "../values.js";
import { pageSize, readGroup } from "./group.js";
import type { MatchKey } from "./identity.js";
import type { ContactInput } from "./input.js";
import type { Members } from "./members.js";
import { type OnMatch, planRow } from "./plan.js";

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

/** Reads group and file, and decides for every row what is to be done with it, before anything is sent. */
export async function planFile(
  { client, signal, listener }: RunContext,
  journal: Journal,
  members: Members,
  { input, groupId, match, onMatch }: PlanOptions,
): Promise<void> {
  let contacts = 0;
  if (groupId !== undefined) {
    for await (const page of batches(readGroup(client, groupId), pageSize)) {
      journal.database.transaction(() => page.forEach(members.add));
      contacts += page.length;
      listener.reading(contacts);
      signal.throwIfAborted();
    }
  }
  let rows = 0;
  const left = createRowList();
  const renamed = createRowList();
  for await (const batch of batches(input.rows(), rowsPerCommit)) {
    journal.database.transaction(() => {
      for (const { row, read } of batch) {
        const { item, otherName } = planRow(row, read, members, { match, onMatch });
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
