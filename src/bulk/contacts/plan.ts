import type { Check } from "../contract-check.js";
import type { NewItem } from "../journal/item.js";
import type { SourceRow } from "../sources/types.js";
import { recordOf } from "../values.js";
import type { ExistingContacts } from "./existing-contacts.js";
import {
  changesOf,
  fingerprintOf,
  hasOtherName,
  keysOf,
  type MatchKey,
  type Name,
  nameText,
} from "./identity.js";
import { type ImportContact, isContactField, type ReadContact, type RowProblem } from "./rows.js";

export type OnMatch = "skip" | "update" | "create";

/** What is to be done with a row, and how the one is named that it was taken for, where that is another name. */
export interface PlannedRow {
  item: NewItem;
  otherName?: string;
}

interface PlanRules {
  match: readonly MatchKey[];
  onMatch: OnMatch;
  /** What the service would refuse. */
  checks: { create: Check; update: Check };
}

/** Can a contact of this row be made, as far as one can know before? */
export function isUsable(read: ReadContact, create: Check): boolean {
  return "contact" in read && problemsOf(create, bodyOf(read.contact)).length === 0;
}

function problemsOf(check: Check, fields: Readonly<Record<string, unknown>>): RowProblem[] {
  return check(fields).map(({ field, value, reason }) => ({
    field: isContactField(field) ? field : "row",
    value,
    reason,
  }));
}

/** What is to be done with a row: decided once, before anything is sent. */
export function planRow(
  row: SourceRow,
  read: ReadContact,
  existing: ExistingContacts,
  { match, onMatch, checks }: PlanRules,
): PlannedRow {
  const place = { number: row.number, line: row.line };
  const invalid = (problems: readonly RowProblem[]): PlannedRow => {
    const detail = {
      ...problems[0],
      ...(problems.length > 1 ? { problems } : {}),
      // Everything there was: a broken record's cells need not fit the header.
      ...(row.problem === undefined
        ? { record: Object.fromEntries(row.names.map((name, index) => [name, row.values[index] ?? ""])) }
        : { cells: row.values }),
    };
    return { item: { ...place, state: "skipped", outcome: "invalid", detail } };
  };
  if ("problems" in read) return invalid(read.problems);
  const { contact } = read;
  const refused = problemsOf(checks.create, bodyOf(contact));
  if (refused.length > 0) return invalid(refused);
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
  const earlier = existing.earlierRow(wanted);
  existing.addRow({ ...contact, number: row.number }, indexed);
  if (earlier !== undefined) {
    const detail = { of: earlier.number, contact };
    return about(earlier, { state: "skipped", outcome: "duplicate", detail });
  }
  const member = existing.find(wanted);
  if (member === undefined) return create();
  const changes = onMatch === "update" ? changesOf(member, contact) : undefined;
  if (changes === undefined) {
    const detail = { contact };
    return about(member, { state: "skipped", outcome: "unchanged", target: member.id, detail });
  }
  // Together with what the contact has, the row's may be too many.
  const tooMuch = problemsOf(checks.update, changes);
  if (tooMuch.length > 0) return invalid(tooMuch);
  existing.replace({ ...member, ...changes });
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
