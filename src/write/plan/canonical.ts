import { createHash } from "node:crypto";
import { ExactNumber } from "../../base/exact-json.js";
import { mapInner } from "../../base/fields.js";
import { recordOf } from "../values.js";

interface PlannedResource {
  /** Fields that the service assigns to resources of this type, in addition to `assignedAlways`. */
  readonly assigned?: readonly string[];
  /** Field that filters the list in which a created resource appears. Undefined if the list has no filter. */
  readonly scope?: "group_id" | "type";
  /** Field with the resource's name (default: `name`). */
  readonly nameField?: string;
  /** Whether the service guarantees unique names. A created resource can then be found by its name. */
  readonly uniqueName?: true;
  /** Fields that only a get returns. */
  readonly unlisted?: readonly string[];
  /** Returns the name to show to the user (default: the `name` field). */
  readonly label?: (value: Readonly<Record<string, unknown>>) => string;
}

function firstText(value: unknown): string {
  return Array.isArray(value) ? textOf(value[0]) : "";
}

const named = (value: Readonly<Record<string, unknown>>) => textOf(value["name"]);

/** Organizations may have equal names, so add the external id: "optik-lange, Optik Lange". */
const organizationLabel = (value: Readonly<Record<string, unknown>>) =>
  [textOf(value["externalOrganizationId"]), textOf(value["name"])].filter((text) => text !== "").join(", ");

const plannedResources: Readonly<Record<string, PlannedResource>> = {
  contacts: {
    scope: "group_id",
    label: ({ first_name, last_name, phone_numbers, emails }) =>
      `${textOf(first_name)} ${textOf(last_name)}`.trim() || firstText(phone_numbers) || firstText(emails),
  },
  groups: { scope: "type", uniqueName: true },
  knowledge: { scope: "group_id", assigned: ["sync_status"], unlisted: ["text"] },
  prompts: { assigned: ["rating"] },
  assistants: { assigned: ["phone_number", "carrier"] },
  forwardings: { scope: "group_id" },
  glossary: { scope: "group_id", nameField: "term", label: ({ term }) => textOf(term) },
  pronunciation: { scope: "group_id", nameField: "token", label: ({ token }) => textOf(token) },
  calendars: { uniqueName: true },
  tools: { uniqueName: true },
  calls: { label: ({ to, target_phone }) => textOf(to) || textOf(target_phone) },
  orgs: { label: organizationLabel },
  licenses: { label: organizationLabel },
};

const assignedAlways = ["id", "created_at", "updated_at", "has_secret", "has_password"];

/**
 * Returns the list in which a created resource appears, such as `contacts?group_id=65f1…`.
 * @returns undefined for a new group's resources and for calls
 */
export function scopeOf(resource: string, body: unknown): string | undefined {
  if (resource === "calls") return undefined;
  const field = plannedResources[resource]?.scope;
  const value = field === undefined ? undefined : recordOf(body)[field];
  if (field === undefined || value === undefined) return resource;
  return typeof value === "string" ? `${resource}?${field}=${encodeURIComponent(value)}` : undefined;
}

export function uniqueNameOf(resource: string): boolean {
  return plannedResources[resource]?.uniqueName === true;
}

export function nameFieldOf(resource: string): string {
  return plannedResources[resource]?.nameField ?? "name";
}

/**
 * Returns whether the API guarantees that it rejects a second resource with the same name
 * (public.operations.11).
 */
export function isNameProven(resource: string): boolean {
  return resource === "calendars";
}

export function unlistedOf(resource: string): readonly string[] {
  return plannedResources[resource]?.unlisted ?? [];
}

export function assignedOf(resource: string): ReadonlySet<string> {
  return new Set([...assignedAlways, ...(plannedResources[resource]?.assigned ?? [])]);
}

export function resourceOf(operation: string): string {
  if (operation === "calls.recording.delete") return "recordings";
  return operation.split(".")[0] ?? operation;
}

/** Returns a name such as "Anna Weiß"; an empty string if the resource has no name. */
export function labelOf(resource: string, value: unknown): string {
  const { label = named } = plannedResources[resource] ?? {};
  return label(recordOf(value));
}

/** Returns canonical JSON (RFC 8785) with strings in NFC. Equal resources have equal JSON. */
function canonicalJson(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.normalize("NFC"));
  if (Array.isArray(value)) return `[${value.map((entry) => canonicalJson(entry ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

/** Returns the fields that plans compare: all fields of a response except those that the service assigns. */
function comparedFields(resource: string, value: unknown): Readonly<Record<string, unknown>> {
  const assigned = assignedOf(resource);
  return withoutSecretMarks(
    Object.fromEntries(Object.entries(recordOf(digitsOf(value))).filter(([name]) => !assigned.has(name))),
  );
}

/** Removes `has_secret` and `has_password`, also from nested objects such as a webhook's `auth`. */
function withoutSecretMarks(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "has_secret" && name !== "has_password")
      .map(([name, inner]) => [
        name,
        typeof inner === "object" && inner !== null && !Array.isArray(inner)
          ? withoutSecretMarks(recordOf(inner))
          : inner,
      ]),
  );
}

/** Returns the first 32 hexadecimal digits of the SHA-256 hash of the compared fields. */
export function fingerprintOf(resource: string, value: unknown): string {
  return hashOf(canonicalJson(withoutEmpty(comparedFields(resource, value))));
}

/**
 * Returns a fingerprint of the fields that a create sends. Normalizes the values, because a deployment may
 * change the spelling. Omits secrets and the field that determines the list.
 */
export function createdFingerprint(resource: string, fields: readonly string[], value: unknown): string {
  const record = recordOf(value);
  const scope = plannedResources[resource]?.scope;
  const picked = fields.filter((field) => field !== scope).map((field) => [field, record[field]]);
  return hashOf(
    canonicalJson(normalized(withoutEmpty(comparedFields(resource, Object.fromEntries(picked))))),
  );
}

/**
 * Returns whether two values mean the same to the service. The service may return an empty field as null, as
 * "" or not at all.
 */
export function isSameValue(left: unknown, right: unknown): boolean {
  return (
    left === right ||
    canonicalJson(withoutEmpty(digitsOf(left))) === canonicalJson(withoutEmpty(digitsOf(right)))
  );
}

/** Converts numbers that a double can't represent exactly to strings, as in plan files of earlier versions. */
function digitsOf(value: unknown): unknown {
  return value instanceof ExactNumber ? value.digits : mapInner(value, digitsOf);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function withoutEmpty(value: unknown): unknown {
  if (value === null || value === "") return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  if (typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, withoutEmpty(inner)])
      .filter(([, inner]) => inner !== undefined),
  );
}

/** Normalizes what a deployment may change: white space, case and the order of lists. */
function normalized(value: unknown): unknown {
  if (typeof value === "string") {
    const text = value.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
    return /^\+?[\d\s()./-]{6,}$/.test(text) ? text.replace(/\D/g, "") : text;
  }
  if (Array.isArray(value)) {
    const entries = value.map(normalized);
    return entries.every((entry) => typeof entry === "string") ? entries.sort() : entries;
  }
  return mapInner(value, normalized);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
