/**
 * The organization that lint rules check. Its records may have undocumented fields or lack documented ones.
 */

import { isFields } from "../../base/fields.js";

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
  /** Returns the resources of a type; empty if the type was not read. */
  records(resource: LintedResource): readonly ResourceRecord[];
  /** Returns the resource that has this ID; undefined if it was not read. */
  find(resource: LintedResource, id: string): ResourceRecord | undefined;
  /** Returns whether a field's value is known. False for a field that a configuration file omits. */
  isFieldKnown(record: ResourceRecord, field: string): boolean;
  /** Returns whether a read by ID confirmed that the resource was deleted. */
  isGone(resource: LintedResource, id: string): boolean;
}

/** Returns the text in a field; an empty string if the field has no text. */
export function getText(record: ResourceRecord | undefined, field: string): string {
  const value = record?.[field];
  return typeof value === "string" ? value : "";
}

export function getTexts(record: ResourceRecord | undefined, field: string): string[] {
  const value = record?.[field];
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
}

export function getObjects(record: ResourceRecord | undefined, field: string): ResourceRecord[] {
  const value = record?.[field];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function getObject(record: ResourceRecord | undefined, field: string): ResourceRecord | undefined {
  const value = record?.[field];
  return isFields(value) ? value : undefined;
}

/** A service may return an ID as a number. */
export function getId(record: ResourceRecord): string {
  const { id } = record;
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}

export function getLabel(record: ResourceRecord): string {
  const person = `${getText(record, "first_name")} ${getText(record, "last_name")}`.trim();
  return (
    getText(record, "name") || getText(record, "term") || getText(record, "token") || person || getId(record)
  );
}

/** Normalizes a string for comparison, because a service may change white space and letter case. */
export function normalizeText(value: string): string {
  return value.normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase();
}

/** @param isWhole whether all fields are known; false for a directory */
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
