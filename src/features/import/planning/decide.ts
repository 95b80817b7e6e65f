import { parseTime } from "../../../base/time-text.js";
import type { Known } from "../../../write/existing.js";
import { type Existing, type ExistingItem, readings } from "../../../write/existing.js";
import type { Fields } from "../../../write/fields.js";
import { fingerprintOf, isSame, pick } from "../../../write/fields.js";
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

/** Context for deciding what to do with each row. */
export interface DecideContext {
  read: Reading;
  adapter: ImportAdapter;
  existing: Existing;
  /** Whether the group has no resources, so that every row creates one. */
  isGroupEmpty: boolean;
  /** Undefined if the group doesn't exist yet. Nothing is read then. */
  groupId: string | undefined;
  onMatch: OnMatch;
  /**
   * Whether the group was read a second time. If so, resources that only one of the reads returned are read
   * by ID.
   */
  isSecondReading: boolean;
  /** Returns why the service would reject an update. */
  check: Check;
  /** Set if the run replaces resources, or if rows have their own keys. */
  owners: Owners | undefined;
  createdAt: ((id: string) => string | undefined) | undefined;
  /**
   * Called for a row that matched a resource only by a similar spelling. The row must be decided again, because another
   * row matches the resource exactly.
   */
  displaced(row: number): void;
}

/** A row, prepared for the decision. */
export interface DecidedRow {
  number: number;
  line: number;
  fields: Fields;
  detail?: unknown;
  /** Set if the run replaces resources. */
  rules?: ReplaceRules | undefined;
}

export interface Decision {
  item: NewItem;
  /** Name of the matching resource, if the row has a different one. */
  differingName?: string | undefined;
  /** Why the service would reject the change. */
  problems?: readonly RowProblem[];
}

/**
 * Decides what to do with a row that does not repeat an earlier one. Resources that earlier runs wrote are matched by
 * ID, all others by their keys.
 */
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
  // If the row's own key identifies the contact, a different name doesn't matter.
  const isAddressed = owners?.knownId(number) === match.id;
  const differingName = isAddressed ? undefined : adapter.findDifferingName(fields, match.value);
  const detailWith = (shown: Fields) => ({
    ...shown,
    ...(typeof row.detail === "object" ? row.detail : {}),
    ...(differingName === undefined ? {} : { other_name: differingName }),
  });
  const unchanged = (target: string, memory: { input: Fields; answer: Fields } | undefined): Decision => ({
    item: {
      number,
      line,
      state: "skipped",
      outcome: "unchanged",
      target,
      detail: detailWith(adapter.shown(fields)),
      ...memory,
    },
    differingName,
  });
  if (onMatch === "skip") return unchanged(match.id, known && { input: known.input, answer: known.answer });
  const now = await completed(context, match);
  const meaningful = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => typeof value !== "string" || !adapter.mayBeNothing(value)),
  );
  const changesTo = (value: Fields, memory: Known | undefined) =>
    row.rules === undefined
      ? changesOf(value, meaningful, memory)
      : buildReplacement(value, meaningful, row.rules, memory);
  const changes = changesTo(now, known);
  if (changes === undefined) return unchanged(match.id, { input, answer: now });
  // Several resources may have the same key. If one of them already equals the row, no request is needed.
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
 * Returns whether a row matches two different resources: each has a key of the row that the other lacks. An update
 * would give one of them the other's key.
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

/** Skips a row that matches several distinct resources. */
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

/** Removes empty fields, so that the service applies its defaults. Keeps those that the service requires. */
function withoutEmpty(fields: Fields, { keeps }: ReplaceRules): Fields {
  const isEmpty = (value: unknown) => value === "" || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => isKept(value, keeps[field]) || !isEmpty(value)),
  );
}

/** Maximum number of resources to read for a shared key. */
const mostAlike = 20;

/** Returns the resources that a row may match, best match first. */
async function matchesOf(context: DecideContext, row: number, fields: Fields): Promise<ExistingItem[]> {
  const { adapter, existing, owners } = context;
  const free = (items: readonly ExistingItem[]) =>
    owners === undefined
      ? [...items]
      : sortOldestFirst(
          items.filter(({ id }) => owners.isFree(id, row)),
          context.createdAt,
        );
  // A known key identifies a resource even if most of the row changed.
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
  // If several rows differ only in spelling, at most one of them can match the resource.
  const unclaimed = (await findConfirmed(context, alike)).filter(
    ({ claimedBy }) => claimedBy === undefined || claimedBy === row,
  );
  const [first] = unclaimed;
  if (first !== undefined) existing.claim(first.id, row);
  return unclaimed;
}

/**
 * Returns the resources that earlier runs wrote from similar rows. A resource from an identical row comes first. Rows
 * that differ only in spelling thus keep their resources.
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

/**
 * Contacts that share a number may be relatives. A contact with the row's name therefore comes before an older contact.
 */
function sortSameNameFirst(adapter: ImportAdapter, fields: Fields, items: ExistingItem[]): ExistingItem[] {
  if (items.length < 2) return items;
  const isDifferent = ({ value }: ExistingItem) => adapter.findDifferingName(fields, value) !== undefined;
  return items.toSorted((left, right) => Number(isDifferent(left)) - Number(isDifferent(right)));
}

/**
 * Sorts items by their creation time. Keeps their order if the service does not return all creation times.
 */
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
 * Returns the group's resources that have one of these keys. If the group's list has none, reads by ID those
 * that earlier runs wrote.
 */
async function findConfirmed(context: DecideContext, keys: readonly string[]): Promise<ExistingItem[]> {
  const { existing } = context;
  const items = await confirmed(context, existing.find(keys, mostAlike));
  if (items.length > 0) return items;
  const unread = [];
  for (const id of existing.knownUnread(keys, mostAlike)) unread.push(await readKnown(context, id));
  return unread.filter((item) => item !== undefined);
}

/**
 * After the group was read a second time, reads by ID each item that only one of the reads returned. Removes
 * items that no longer exist.
 */
async function confirmed(context: DecideContext, items: readonly ExistingItem[]): Promise<ExistingItem[]> {
  if (!context.isSecondReading) return [...items];
  const remaining: ExistingItem[] = [];
  for (const item of items) {
    const now = item.readings === readings.both ? item : await readKnown(context, item.id);
    if (now !== undefined) remaining.push(now);
  }
  return remaining;
}

/** Reads an item by ID; returns undefined if the group no longer has it. */
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

/** Returns the keys of a resource's current fields and of the fields that an earlier run sent. */
export function keysWith(adapter: ImportAdapter, value: Fields, known: Known | undefined): string[] {
  const sent = known === undefined ? [] : adapter.keysOf(known.input).indexed;
  return [...adapter.keysOf(value).indexed, ...sent];
}

/** Adds the fields that list responses omit. Returns the item unchanged if it has since been deleted. */
async function completed({ read, adapter }: DecideContext, { id, value }: ExistingItem): Promise<Fields> {
  if (adapter.unlisted.length === 0) return value;
  const record = await readResource(read, adapter.type, id);
  return record === null ? value : pick(record, adapter.fields);
}
