/**
 * An organization as the rules look at it: its things as they were read, whatever more or less a deployment sends of
 * them.
 */

import { parseTime } from "../base/time-text.js";
import { isRecord } from "../client/parsing.js";

/** The part of an organization that is read. */
export const lintedResources = [
  "assistants",
  "prompts",
  "voices",
  "knowledge",
  "groups",
  "forwardings",
  "glossary",
  "pronunciation",
  "calendars",
  "tools",
  "contacts",
] as const;
export type LintedResource = (typeof lintedResources)[number];

export type ResourceRecord = Readonly<Record<string, unknown>>;

export interface Organization {
  /** The service's time, in milliseconds. */
  readonly now: number;
  /** The things of a resource; none where it was not read. */
  records(resource: LintedResource): readonly ResourceRecord[];
  /** The thing of this id, where it was read. */
  find(resource: LintedResource, id: string): ResourceRecord | undefined;
  /** Is this field of a thing known? A file that does not name a field does not manage it. */
  isFieldKnown(record: ResourceRecord, field: string): boolean;
  /** Proven by a get (T4): nothing has this id any more. */
  isGone(resource: LintedResource, id: string): boolean;
}

/** A field that holds text; empty where it holds none. */
export function getText(record: ResourceRecord | undefined, field: string): string {
  const value = record?.[field];
  return typeof value === "string" ? value : "";
}

/** A field that holds a list of texts. */
export function getTexts(record: ResourceRecord | undefined, field: string): string[] {
  const value = record?.[field];
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
}

/** A field that holds a list of objects. */
export function getObjects(record: ResourceRecord | undefined, field: string): ResourceRecord[] {
  const value = record?.[field];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function getObject(record: ResourceRecord | undefined, field: string): ResourceRecord | undefined {
  const value = record?.[field];
  return isRecord(value) ? value : undefined;
}

/** T9: an id may be a number. */
export function getId(record: ResourceRecord): string {
  const { id } = record;
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}

/** The name that a person knows a thing by. */
export function getLabel(record: ResourceRecord): string {
  const person = `${getText(record, "first_name")} ${getText(record, "last_name")}`.trim();
  return (
    getText(record, "name") || getText(record, "term") || getText(record, "token") || person || getId(record)
  );
}

/** Text as it is compared: a deployment may store it with other spaces and letters (T3). */
export function normalizeText(value: string): string {
  return value.normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase();
}

/** The instant that a field tells, in milliseconds. */
export function getInstant(record: ResourceRecord | undefined, field: string): number | undefined {
  const time = parseTime(getText(record, field));
  return Number.isNaN(time) ? undefined : time;
}

/**
 * An organization of things that were read.
 * @param isWhole every field of them was; of a folder only those that its files name
 */
export function createOrganization(
  now: number,
  records: ReadonlyMap<string, readonly ResourceRecord[]>,
  { gone = new Set(), isWhole = true }: { gone?: ReadonlySet<string>; isWhole?: boolean } = {},
): Organization {
  const byId = new Map<string, Map<string, ResourceRecord>>();
  for (const [resource, rows] of records) byId.set(resource, new Map(rows.map((row) => [getId(row), row])));
  return {
    now,
    records: (resource) => records.get(resource) ?? [],
    find: (resource, id) => byId.get(resource)?.get(id),
    isFieldKnown: (record, field) => isWhole || field in record,
    isGone: (resource, id) => gone.has(buildGoneKey(resource, id)),
  };
}

export function buildGoneKey(resource: LintedResource, id: string): string {
  return `${resource}/${id}`;
}
