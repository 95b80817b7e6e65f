import { addTo } from "../../base/lists.js";
import { parseTime } from "../../base/time-text.js";
import { type Fields, normalized } from "../../write/fields.js";
import type { RemoteItem } from "../../write/remote.js";
import { contactAdapter } from "../import/contacts/adapter.js";
import { contactFields } from "../import/contacts/headers.js";
import { contactOf, hasDifferentName, type MatchKey, nameText } from "../import/contacts/identity.js";

export type Prefer = "oldest" | "newest" | "fullest";

export type KeyedContact = RemoteItem & { key?: string | undefined };

export interface DedupeRules {
  match: readonly MatchKey[];
  prefer: Prefer;
  merges: boolean;
  /** Whether to also merge contacts with different names, such as members of a family. */
  mergesShared: boolean;
  /** Whether to also delete duplicates that have fields unknown to voxctl. */
  dropsUnknown: boolean;
}

interface Left {
  item: KeyedContact;
  reason: "has_other_values" | "unknown_fields" | "too_many_values";
}

export interface Cluster {
  members: readonly KeyedContact[];
  kept: KeyedContact;
  changes: Fields | undefined;
  deleted: readonly KeyedContact[];
  left: readonly Left[];
}

/** Contacts that share a number or an email but have different names or keys. */
export interface Shared {
  items: readonly KeyedContact[];
}

/** Maximum number of phone numbers, and of emails, in a contact (D-contact). */
const mostEntries = 10;
const lists = ["phone_numbers", "emails"] as const;
const knownFields = new Set<string>([...contactFields, "id", "group_id", "created_at", "updated_at"]);

export function clustersOf(
  contacts: readonly KeyedContact[],
  rules: DedupeRules,
): { clusters: Cluster[]; shared: Shared[] } {
  const clusters: Cluster[] = [];
  const shared: Shared[] = [];
  for (const members of groupAlike(contacts, rules.match)) {
    const people = byPerson(members, rules);
    if (people.length > 1) shared.push({ items: people.flatMap(([first]) => first ?? []) });
    for (const same of people) if (same.length > 1) clusters.push(clusterOf(same, rules));
  }
  return { clusters, shared };
}

/** Groups contacts that share a match key, such as a number, directly or through other contacts. */
function groupAlike(contacts: readonly KeyedContact[], match: readonly MatchKey[]): KeyedContact[][] {
  const adapter = contactAdapter(match);
  const parents = contacts.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== undefined && parents[root] !== root) root = parents[root] ?? root;
    parents[index] = root;
    return root;
  };
  const holders = new Map<string, number[]>();
  const keys = contacts.map(({ record }) => adapter.keysOf(record));
  for (const [index, { indexed }] of keys.entries()) {
    for (const key of indexed) addTo(holders, key, index);
  }
  for (const [index, { lookup }] of keys.entries()) {
    for (const candidate of (lookup[0] ?? []).flatMap((key) => holders.get(key) ?? [])) {
      const [leftRoot, rightRoot] = [rootOf(index), rootOf(candidate)];
      // Use the first contact as the root, so that the list order is kept.
      if (leftRoot !== rightRoot) parents[Math.max(leftRoot, rightRoot)] = Math.min(leftRoot, rightRoot);
    }
  }
  const groups = new Map<number, KeyedContact[]>();
  for (const [index, contact] of contacts.entries()) {
    const root = rootOf(index);
    addTo(groups, root, contact);
  }
  return [...groups.values()].filter((members) => members.length > 1);
}

/**
 * Splits contacts into one group per person. A different key means a different person; so does a different
 * name if `mergesShared` is false.
 */
function byPerson(members: readonly KeyedContact[], { mergesShared }: DedupeRules): KeyedContact[][] {
  const people: KeyedContact[][] = [];
  for (const member of members) {
    const name = contactOf(member.record);
    const same = people.find((person) =>
      person.every(
        ({ record, key = member.key }) =>
          // If a contact with a different key were deleted, the next sync would create it again, because its
          // row is still in the file.
          (member.key === undefined || key === member.key) &&
          (mergesShared || !hasDifferentName(contactOf(record), name)),
      ),
    );
    if (same === undefined) people.push([member]);
    else same.push(member);
  }
  return people;
}

function clusterOf(members: readonly KeyedContact[], rules: DedupeRules): Cluster {
  const [kept, ...duplicates] = preferred(members, rules.prefer);
  if (kept === undefined) throw new TypeError("a cluster has no members");
  const merged: Record<string, unknown> = {};
  const value = (field: string) => merged[field] ?? kept.record[field];
  const deleted: KeyedContact[] = [];
  const left: Left[] = [];
  for (const item of duplicates) {
    if (!rules.dropsUnknown && hasUnknownFields(item.record)) {
      left.push({ item, reason: "unknown_fields" });
      continue;
    }
    const added = additions(item.record, value);
    const isTooMuch = lists.some((field) => (added[field]?.length ?? 0) > mostEntries);
    if (!rules.merges && Object.keys(added).length > 0) left.push({ item, reason: "has_other_values" });
    else if (isTooMuch) left.push({ item, reason: "too_many_values" });
    else {
      Object.assign(merged, added);
      deleted.push(item);
    }
  }
  return { members, kept, changes: Object.keys(merged).length === 0 ? undefined : merged, deleted, left };
}

function additions(
  record: Fields,
  value: (field: string) => unknown,
): Partial<Record<string, readonly unknown[] | string>> {
  const added: Partial<Record<string, readonly unknown[] | string>> = {};
  for (const field of lists) {
    const own: unknown = value(field);
    const entries: unknown[] = Array.isArray(own) ? own : [];
    const forms = new Set(entries.map((entry) => normalized(field, entry)));
    const more = contactOf(record)[field].filter((entry) => !forms.has(normalized(field, entry)));
    if (more.length > 0) added[field] = [...entries, ...more];
  }
  const last = value("last_name");
  const lastName = contactOf(record).last_name;
  if ((last === undefined || last === null || last === "") && lastName !== "") added["last_name"] = lastName;
  return added;
}

function hasUnknownFields(record: Fields): boolean {
  return Object.entries(record).some(
    ([field, value]) => !knownFields.has(field) && normalized(field, value) !== "",
  );
}

/** Puts the contact to keep first. Without creation times, the order of the list decides. */
function preferred(members: readonly KeyedContact[], prefer: Prefer): KeyedContact[] {
  const timeOf = ({ record }: RemoteItem) => parseTime(String(record["created_at"] ?? ""));
  const fullness = ({ record }: RemoteItem) => {
    const { first_name, last_name, phone_numbers, emails } = contactOf(record);
    return (
      phone_numbers.length + emails.length + [first_name, last_name].filter((text) => text !== "").length
    );
  };
  const hasTimes = members.every((member) => !Number.isNaN(timeOf(member)));
  const byAge = hasTimes ? members.toSorted((left, right) => timeOf(left) - timeOf(right)) : [...members];
  if (prefer === "newest") return byAge.reverse();
  return prefer === "oldest" ? byAge : byAge.toSorted((left, right) => fullness(right) - fullness(left));
}

/** Formats a contact, such as "Anna Weiß +491… a@b.de (65f1…, key 4711)". */
export function contactLine({ id, record, key }: KeyedContact): string {
  const contact = contactOf(record);
  const ids = key === undefined ? id : `${id}, key ${key}`;
  return [nameText(contact), ...contact.phone_numbers, ...contact.emails, `(${ids})`].join(" ");
}
