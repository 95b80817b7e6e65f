import type { NewItem } from "../journal/item.js";
import type { SourceRow } from "../sources/types.js";
import { recordOf } from "../values.js";
import {
  changesOf,
  fingerprintOf,
  hasOtherName,
  keysOf,
  type MatchKey,
  type Name,
  nameText,
} from "./identity.js";
import type { Members } from "./members.js";
import type { ImportContact, ReadContact } from "./rows.js";

export type OnMatch = "skip" | "update" | "create";

/** What is to be done with a row, and how the one is named that it was taken for, where that is another name. */
export interface PlannedRow {
  item: NewItem;
  otherName?: string;
}

/** What is to be done with a row: decided once, before anything is sent. */
export function planRow(
  row: SourceRow,
  read: ReadContact,
  members: Members,
  { match, onMatch }: { match: readonly MatchKey[]; onMatch: OnMatch },
): PlannedRow {
  const place = { number: row.number, line: row.line };
  if ("problems" in read) {
    const [first] = read.problems;
    const detail = {
      ...first,
      ...(read.problems.length > 1 ? { problems: read.problems } : {}),
      // Everything there was: a broken record's cells need not fit the header.
      ...(row.problem === undefined
        ? { record: Object.fromEntries(row.names.map((name, index) => [name, row.values[index] ?? ""])) }
        : { cells: row.values }),
    };
    return { item: { ...place, state: "settled", outcome: "invalid", detail } };
  }
  const { contact } = read;
  const create = (): PlannedRow => ({
    item: {
      ...place,
      state: "planned",
      outcome: "created",
      action: "create",
      body: bodyOf(contact),
      fingerprint: fingerprintOf(contact),
    },
  });
  /** An item about something that may be somebody else: number or e-mail agree, the name need not. */
  const about = (other: Name, item: Omit<NewItem, "number" | "line">): PlannedRow => {
    if (!hasOtherName(contact, other)) return { item: { ...place, ...item } };
    const otherName = nameText(other);
    return {
      item: { ...place, ...item, detail: { ...recordOf(item.detail), other_name: otherName } },
      otherName,
    };
  };
  if (onMatch === "create") return create();

  const { indexed, wanted } = keysOf(contact, match);
  const earlier = members.earlierRow(wanted);
  members.addRow({ ...contact, number: row.number }, indexed);
  if (earlier !== undefined) {
    const detail = { of: earlier.number, contact };
    return about(earlier, { state: "settled", outcome: "duplicate", detail });
  }
  const member = members.find(wanted);
  if (member === undefined) return create();
  const changes = onMatch === "update" ? changesOf(member, contact) : undefined;
  if (changes === undefined) {
    const detail = { contact };
    return about(member, { state: "settled", outcome: "unchanged", target: member.id, detail });
  }
  members.replace({ ...member, ...changes });
  const { id, ...before } = member;
  return about(member, {
    state: "planned",
    outcome: "updated",
    action: "update",
    target: id,
    body: changes,
    before,
  });
}

/** The fields of a create. Empty ones are left to the service. */
function bodyOf(contact: ImportContact): Partial<ImportContact> & { first_name: string } {
  return {
    first_name: contact.first_name,
    ...(contact.last_name === "" ? {} : { last_name: contact.last_name }),
    ...(contact.phone_numbers.length === 0 ? {} : { phone_numbers: contact.phone_numbers }),
    ...(contact.emails.length === 0 ? {} : { emails: contact.emails }),
  };
}
