import { parseTime } from "../../../base/time-text.js";
import type { Known } from "../../../write/existing.js";
import { type Existing, type ExistingItem, readings } from "../../../write/existing.js";
import type { Fields } from "../../../write/fields.js";
import { fingerprintOf, isAlike, isSame, pick } from "../../../write/fields.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import {
  isKept,
  type OnMatch,
  type ReplaceRules,
  type RowProblem,
  withRules,
} from "../../../write/input-row.js";
import type { NewItem } from "../../../write/journal/item.js";
import { isInScope, type Reading, readResource } from "../../../write/remote.js";
import type { Check } from "../contract-check.js";
import { changesOf } from "./changes.js";
import type { Owners } from "./owners.js";
import { buildReplacement } from "./replace.js";

export interface DecideContext {
  read: Reading;
  adapter: ImportAdapter;
  existing: Existing;
  /** Whether the group is empty and no earlier writes to it are known. Every row then creates a resource. */
  isGroupEmpty: boolean;
  /** Undefined if the group doesn't exist yet or was created for this run. */
  groupId: string | undefined;
  onMatch: OnMatch;
  /**
   * Whether the group was read twice. A resource that only one of the two reads returned is then read by ID.
   */
  isSecondReading: boolean;
  check: Check;
  /**
   * Assignment of resources to rows; undefined unless the run replaces resources or rows have their own keys.
   */
  owners: Owners | undefined;
  createdAt: ((id: string) => string | undefined) | undefined;
  /** Called for a row that must be decided again, because a different row matches its resource exactly. */
  displaced(row: number): void;
}

export interface DecidedRow {
  number: number;
  line: number;
  fields: Fields;
  detail?: unknown;
  /** Undefined unless the run replaces resources. */
  rules?: ReplaceRules | undefined;
}

export interface Decision {
  item: NewItem;
  differingName?: string | undefined;
  problems?: readonly RowProblem[];
}

/** Finds the row's resource by the ID that an earlier run stored, or by keys such as phone numbers. */
export async function decideRow(context: DecideContext, row: DecidedRow): Promise<Decision> {
  const { adapter, existing, onMatch } = context;
  const { number, line, fields } = row;
  const input = row.rules === undefined ? fields : withRules(fields, row.rules);
  const create: Decision = {
    item: {
      number,
      line,
      state: "planned",
      outcome: "created",
      action: "create",
      body: row.rules === undefined ? fields : withoutEmpty(fields, row.rules),
      input: row.rules === undefined ? undefined : input,
      detail: row.detail,
    },
  };
  if (onMatch === "create" || context.isGroupEmpty) return create;
  const { owners } = context;
  owners?.release(number);
  const matches = await matchesOf(context, number, fields);
  const match = matches[0];
  if (match === undefined) return create;
  if (matches.length > 1 && (owners?.hasKeys === true || areDistinct(context, fields, matches)))
    return ambiguous(row, matches);
  owners?.take(match.id, number);
  const known = existing.known(match.id);
  // A different name doesn't matter if the row's own key identifies the contact.
  const isAddressed = owners?.knownId(number) === match.id;
  const differingName = isAddressed ? undefined : adapter.findDifferingName(fields, match.value);
  const detailWith = (shown: Fields) => ({
    ...shown,
    ...(typeof row.detail === "object" ? row.detail : {}),
    ...(differingName === undefined ? {} : { other_name: differingName }),
  });
  const unchanged = (
    target: string,
    memory: { input: Fields; answer: Fields } | undefined,
    differs: readonly string[] = [],
  ): Decision => ({
    item: {
      number,
      line,
      state: "skipped",
      outcome: "unchanged",
      target,
      detail: { ...detailWith(adapter.shown(fields)), ...(differs.length === 0 ? {} : { differs }) },
      ...memory,
    },
    differingName,
  });
  const meaningful = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => typeof value !== "string" || !adapter.mayBeNothing(value)),
  );
  if (onMatch === "skip") {
    // Don't read fields that the list omits, because the item is not changed.
    const listed = Object.fromEntries(
      Object.entries(meaningful).filter(([field]) => !adapter.unlisted.includes(field)),
    );
    const differs = Object.entries(changesOf(match.value, listed, known) ?? {})
      .filter(([field, value]) => !isAlike(field, value, match.value[field]))
      .map(([field]) => field);
    return unchanged(match.id, known && { input: known.input, answer: known.answer }, differs);
  }
  const now = await completed(context, match);
  const changesTo = (value: Fields, memory: Known | undefined) =>
    row.rules === undefined
      ? changesOf(value, meaningful, memory)
      : buildReplacement(value, meaningful, row.rules, memory);
  const changes = changesTo(now, known);
  if (changes === undefined) return unchanged(match.id, { input, answer: now });
  // If another matching resource already equals the row, no update is needed.
  for (const candidate of owners === undefined ? matches.slice(1) : []) {
    const answer = await completed(context, candidate);
    if (changesTo(answer, existing.known(candidate.id)) === undefined)
      return unchanged(candidate.id, { input, answer });
  }
  const problems = context.check(changes);
  if (problems.length > 0) return { ...create, problems };
  existing.replace(match.id, { ...now, ...changes }, adapter.keysOf({ ...now, ...changes }).indexed);
  return {
    item: {
      number,
      line,
      state: "planned",
      outcome: "updated",
      action: "update",
      target: match.id,
      body: changes,
      before: now,
      input,
      detail: detailWith(adapter.named(fields)),
    },
    differingName,
  };
}

/**
 * Returns whether a row's keys belong to different resources, for example the phone number to one contact and
 * the email to another. An update would give one resource a key of the other resource.
 */
function areDistinct(
  { adapter, existing }: DecideContext,
  fields: Fields,
  matches: readonly ExistingItem[],
): boolean {
  const lookupKeys = new Set(adapter.keysOf(fields).lookup[0]);
  const shared = matches.map(
    ({ id, value }) =>
      new Set(keysWith(adapter, value, existing.known(id)).filter((key) => lookupKeys.has(key))),
  );
  return shared.some((keys, at) =>
    shared
      .slice(at + 1)
      .some(
        (otherKeys) =>
          [...keys].some((key) => !otherKeys.has(key)) && [...otherKeys].some((key) => !keys.has(key)),
      ),
  );
}

function ambiguous({ number, line, detail, fields }: DecidedRow, matches: readonly ExistingItem[]): Decision {
  const candidates = matches.map(({ id }) => id);
  const reason = `matches ${candidates.length} contacts: ${candidates.join(", ")}`;
  return {
    item: {
      number,
      line,
      state: "skipped",
      outcome: "ambiguous",
      input: fields,
      detail: { ...(typeof detail === "object" ? detail : {}), reason, candidates },
    },
  };
}

/** Removes empty fields, so that the service applies its defaults. */
function withoutEmpty(fields: Fields, { keeps }: ReplaceRules): Fields {
  const isEmpty = (value: unknown) => value === "" || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => isKept(value, keeps[field]) || !isEmpty(value)),
  );
}

/** Maximum number of matching resources that are compared with a row. */
export const mostAlike = 20;

/** The best match comes first. */
async function matchesOf(context: DecideContext, row: number, fields: Fields): Promise<ExistingItem[]> {
  const { adapter, existing, owners } = context;
  const free = (items: readonly ExistingItem[]) =>
    owners === undefined
      ? [...items]
      : sortOldestFirst(
          items.filter(({ id }) => owners.isFree(id, row)),
          context.createdAt,
        );
  // The row's own key identifies a resource even if all other values changed.
  const addressed = owners?.knownId(row);
  const own = addressed === undefined ? [] : [addressed];
  for (const id of owners?.hasKeys === true ? own : sortSentFirst(context, fields)) {
    if (addressed === undefined && owners?.isFree(id, row) === false) continue;
    const own = existing.get(id);
    const [existingItem] =
      own === undefined ? [await readKnown(context, id)] : await confirmed(context, [own]);
    if (existingItem !== undefined) return [existingItem];
  }
  const [surest = [], alike] = adapter.keysOf(fields).lookup;
  const exact = sortSameNameFirst(adapter, fields, free(await findConfirmed(context, surest)));
  if (alike === undefined) return exact;
  if (exact.length > 0) {
    for (const { id, claimedBy = 0 } of exact) {
      existing.claim(id, 0);
      if (claimedBy > 0 && claimedBy !== row) context.displaced(claimedBy);
    }
    return exact;
  }
  // Two rows that differ only in spelling must not match the same resource.
  const unclaimed = (await findConfirmed(context, alike)).filter(
    ({ claimedBy }) => claimedBy === undefined || claimedBy === row,
  );
  const [first] = unclaimed;
  if (first !== undefined) existing.claim(first.id, row);
  return unclaimed;
}

/**
 * Resources from an identical row come first, so that rows that differ only in spelling keep their resources.
 */
function sortSentFirst({ adapter, existing }: DecideContext, fields: Fields): readonly string[] {
  const ids = existing.knownFrom(fingerprintOf(adapter.fields, fields));
  if (ids.length < 2) return ids;
  const isSent = (id: string) => {
    const sent = existing.known(id)?.input;
    return Object.entries(fields).every(([field, value]) => isSame(value, sent?.[field]));
  };
  return ids.toSorted((left, right) => Number(isSent(right)) - Number(isSent(left)));
}

/** Contacts with the same phone number but different names may be relatives. */
function sortSameNameFirst(adapter: ImportAdapter, fields: Fields, items: ExistingItem[]): ExistingItem[] {
  if (items.length < 2) return items;
  const isDifferent = ({ value }: ExistingItem) => adapter.findDifferingName(fields, value) !== undefined;
  return items.toSorted((left, right) => Number(isDifferent(left)) - Number(isDifferent(right)));
}

/** Keeps the order if an item's creation time is unknown. */
function sortOldestFirst(
  items: ExistingItem[],
  createdAt: ((id: string) => string | undefined) | undefined,
): ExistingItem[] {
  const timeOf = ({ id }: ExistingItem) => parseTime(createdAt?.(id) ?? "");
  return items.some((item) => Number.isNaN(timeOf(item)))
    ? items
    : items.toSorted((left, right) => timeOf(left) - timeOf(right));
}

/**
 * Finds the resources with these keys. If the group's list contains none, searches the resources that earlier
 * runs wrote and reads each match by ID.
 */
async function findConfirmed(context: DecideContext, keys: readonly string[]): Promise<ExistingItem[]> {
  const { existing } = context;
  const items = await confirmed(context, existing.find(keys, mostAlike));
  if (items.length > 0) return items;
  const unread = [];
  for (const id of existing.knownUnread(keys, mostAlike)) unread.push(await readKnown(context, id));
  return unread.filter((item) => item !== undefined);
}

/** If the group was read twice and only one of the two reads returned an item, reads the item by ID. */
async function confirmed(context: DecideContext, items: readonly ExistingItem[]): Promise<ExistingItem[]> {
  if (!context.isSecondReading) return [...items];
  const remaining: ExistingItem[] = [];
  for (const item of items) {
    const now = item.readings === readings.both ? item : await readKnown(context, item.id);
    if (now !== undefined) remaining.push(now);
  }
  return remaining;
}

async function readKnown(
  { read, adapter, existing, groupId }: DecideContext,
  id: string,
): Promise<ExistingItem | undefined> {
  const record = groupId === undefined ? null : await readResource(read, adapter.type, id);
  if (record === null || groupId === undefined || !isInScope(record, { group_id: groupId })) {
    existing.forget(id);
    return undefined;
  }
  const value = pick(record, adapter.fields);
  const keys = keysWith(adapter, value, existing.known(id));
  existing.add({ id, value, keys, reading: readings.both, isOlder: true });
  return existing.get(id);
}

/** Returns the keys of a resource, from its current fields and from the fields that an earlier run sent. */
export function keysWith(adapter: ImportAdapter, value: Fields, known: Known | undefined): string[] {
  const sent = known === undefined ? [] : adapter.keysOf(known.input).indexed;
  return [...adapter.keysOf(value).indexed, ...sent];
}

/**
 * Returns an item's fields, including fields that list responses omit. If the item was deleted, returns only
 * the fields from the list.
 */
async function completed({ read, adapter }: DecideContext, { id, value }: ExistingItem): Promise<Fields> {
  if (adapter.unlisted.length === 0) return value;
  const record = await readResource(read, adapter.type, id);
  return record === null ? value : pick(record, adapter.fields);
}
