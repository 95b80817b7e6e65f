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

export type Thing = Readonly<Record<string, unknown>>;

export interface Organization {
  /** The service's time, in milliseconds. */
  readonly now: number;
  /** The things of a resource; none where it was not read. */
  things(resource: LintedResource): readonly Thing[];
  /** The thing of this id, where it was read. */
  find(resource: LintedResource, id: string): Thing | undefined;
  /** Is this field of a thing known? A file that does not name a field does not manage it. */
  says(thing: Thing, field: string): boolean;
  /** Proven by a get (T4): nothing has this id any more. */
  isGone(resource: LintedResource, id: string): boolean;
}

/** A field that holds text; empty where it holds none. */
export function text(thing: Thing | undefined, field: string): string {
  const value = thing?.[field];
  return typeof value === "string" ? value : "";
}

/** A field that holds a list of texts. */
export function texts(thing: Thing | undefined, field: string): string[] {
  const value = thing?.[field];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

/** A field that holds a list of objects. */
export function objects(thing: Thing | undefined, field: string): Thing[] {
  const value = thing?.[field];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function object(thing: Thing | undefined, field: string): Thing | undefined {
  const value = thing?.[field];
  return isRecord(value) ? value : undefined;
}

/** T9: an id may be a number. */
export function idOf(thing: Thing): string {
  const { id } = thing;
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}

/** The name that a person knows a thing by. */
export function labelOf(thing: Thing): string {
  const person = `${text(thing, "first_name")} ${text(thing, "last_name")}`.trim();
  return text(thing, "name") || text(thing, "term") || text(thing, "token") || person || idOf(thing);
}

/** Text as it is compared: a deployment may store it with other spaces and letters (T3). */
export function plain(value: string): string {
  return value.normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase();
}

/** The instant that a field tells, in milliseconds. */
export function instant(thing: Thing | undefined, field: string): number | undefined {
  const time = parseTime(text(thing, field));
  return Number.isNaN(time) ? undefined : time;
}

/**
 * An organization of things that were read.
 * @param isWhole every field of them was; of a folder only those that its files name
 */
export function organizationOf(
  now: number,
  things: ReadonlyMap<string, readonly Thing[]>,
  { gone = new Set(), isWhole = true }: { gone?: ReadonlySet<string>; isWhole?: boolean } = {},
): Organization {
  const byId = new Map<string, Map<string, Thing>>();
  for (const [resource, rows] of things) byId.set(resource, new Map(rows.map((row) => [idOf(row), row])));
  return {
    now,
    things: (resource) => things.get(resource) ?? [],
    find: (resource, id) => byId.get(resource)?.get(id),
    says: (thing, field) => isWhole || field in thing,
    isGone: (resource, id) => gone.has(goneKey(resource, id)),
  };
}

export function goneKey(resource: LintedResource, id: string): string {
  return `${resource}/${id}`;
}
