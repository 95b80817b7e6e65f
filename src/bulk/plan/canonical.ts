/**
 * The fields of a thing that a plan compares, and under which name it is shown: one entry per resource that can be
 * created.
 * Everything that hashes a thing for a plan goes through here.
 */
import { createHash } from "node:crypto";
import { ExactNumber } from "../../base/exact-json.js";
import { recordOf } from "../values.js";

/** How plans look at the things of one resource. */
interface PlannedResource {
  /** Fields that the service assigns, beside those of every resource. */
  readonly assigned?: readonly string[];
  /** The field that narrows the list in which a created thing appears; the whole list where there is none. */
  readonly scope?: "group_id" | "type";
  /** The field by which it is known, where that is not `name`. */
  readonly nameField?: string;
  /** The service keeps names unique, so a create is looked for by its name alone. */
  readonly uniqueName?: true;
  /** Fields that only a get shows. */
  readonly unlisted?: readonly string[];
  /** The name that a person knows it by. */
  readonly label: (value: Readonly<Record<string, unknown>>) => string;
}

const named = (value: Readonly<Record<string, unknown>>) => textOf(value["name"]);

/** "optik-lange, Optik Lange": names of organizations are not unique. */
const organizationLabel = (value: Readonly<Record<string, unknown>>) =>
  [textOf(value["externalOrganizationId"]), textOf(value["name"])].filter((text) => text !== "").join(", ");

/** By the resource's name in the contract. */
const plannedResources: Readonly<Record<string, PlannedResource>> = {
  contacts: {
    scope: "group_id",
    label: ({ first_name, last_name }) => `${textOf(first_name)} ${textOf(last_name)}`.trim(),
  },
  groups: { scope: "type", uniqueName: true, label: named },
  knowledge: { scope: "group_id", assigned: ["sync_status"], unlisted: ["text"], label: named },
  prompts: { assigned: ["rating"], label: named },
  assistants: { assigned: ["phone_number", "carrier"], label: named },
  forwardings: { scope: "group_id", label: named },
  glossary: { scope: "group_id", nameField: "term", label: ({ term }) => textOf(term) },
  pronunciation: { scope: "group_id", nameField: "token", label: ({ token }) => textOf(token) },
  calendars: { uniqueName: true, label: named },
  tools: { uniqueName: true, label: named },
  calls: { label: ({ to, target_phone }) => textOf(to) || textOf(target_phone) },
  orgs: { label: organizationLabel },
  licenses: { label: organizationLabel },
  partners: { label: named },
  customers: { label: named },
};

/** Assigned by the service to things of every resource. */
const assignedAlways = ["id", "created_at", "updated_at", "has_secret", "has_password"];

/**
 * The list in which what is created shows: `contacts?group_id=65f1…`.
 * @returns undefined where it lies in what is yet to be made, and of what is not looked for
 */
export function scopeOf(resource: string, body: unknown): string | undefined {
  if (resource === "calls") return undefined;
  const field = plannedResources[resource]?.scope;
  const value = field === undefined ? undefined : recordOf(body)[field];
  if (field === undefined || value === undefined) return resource;
  return typeof value === "string" ? `${resource}?${field}=${encodeURIComponent(value)}` : undefined;
}

/** Is a thing of this resource known by its name alone? */
export function uniqueNameOf(resource: string): boolean {
  return plannedResources[resource]?.uniqueName === true;
}

/** The field by which a thing of this resource is known. */
export function nameFieldOf(resource: string): string {
  return plannedResources[resource]?.nameField ?? "name";
}

/** T5a: does the interface promise to refuse a second thing of the same name (public.operations.11)? */
export function isNameProven(resource: string): boolean {
  return resource === "calendars";
}

/** Fields of a resource that lists leave out. */
export function unlistedOf(resource: string): readonly string[] {
  return plannedResources[resource]?.unlisted ?? [];
}

/** The fields that the service assigns to things of a resource, beside those of all. */
export function assignedOf(resource: string): ReadonlySet<string> {
  return new Set([...assignedAlways, ...(plannedResources[resource]?.assigned ?? [])]);
}

/** The resource of an operation: `contacts` of `contacts.create`. */
export function resourceOf(operation: string): string {
  if (operation === "calls.recording.delete") return "recordings";
  return operation.split(".")[0] ?? operation;
}

/** "Anna Weiß", the thing's own name; empty where it has none. */
export function labelOf(resource: string, value: unknown): string {
  return plannedResources[resource]?.label(recordOf(value)) ?? "";
}

/**
 * A value as JSON by RFC 8785 (members ordered by their names' UTF-16 units, no white space), with its texts in NFC,
 * so that equal things have equal texts.
 */
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

/** The fields of a thing that a plan compares: those that are shown, without what the service assigns. */
function comparedFields(resource: string, value: unknown): Readonly<Record<string, unknown>> {
  const assigned = assignedOf(resource);
  return withoutSecretMarks(
    Object.fromEntries(Object.entries(recordOf(digitsOf(value))).filter(([name]) => !assigned.has(name))),
  );
}

/** Whether a credential is stored stands inside a webhook's `auth`, too. */
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

/** The first 32 hexadecimal digits of the SHA-256 of a thing's compared fields, as an answer showed them. */
export function fingerprintOf(resource: string, value: unknown): string {
  return hashOf(canonicalJson(withoutEmpty(comparedFields(resource, value))));
}

/**
 * The same for what a create sends: these fields of a thing, normalized, since a deployment may store them in another
 * spelling (T3). Its scope is left out, because it is looked for within it; so are secrets, which no answer shows.
 */
export function createdFingerprint(resource: string, fields: readonly string[], value: unknown): string {
  const record = recordOf(value);
  const scope = plannedResources[resource]?.scope;
  const picked = fields.filter((field) => field !== scope).map((field) => [field, record[field]]);
  return hashOf(
    canonicalJson(normalized(withoutEmpty(comparedFields(resource, Object.fromEntries(picked))))),
  );
}

/** Are these the same to the service? A field without a value may be answered as null, as "" or not at all. */
export function isSameValue(left: unknown, right: unknown): boolean {
  return (
    left === right ||
    canonicalJson(withoutEmpty(digitsOf(left))) === canonicalJson(withoutEmpty(digitsOf(right)))
  );
}

/** A number that a double can't hold (T9) is its digits: so a plan's file and journals have it. */
function digitsOf(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.digits;
  if (Array.isArray(value)) return value.map(digitsOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, digitsOf(inner)]));
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

/** White space, case, and the order of lists, which a deployment may change (T3). */
function normalized(value: unknown): unknown {
  if (typeof value === "string") {
    const text = value.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
    return /^\+?[\d\s()./-]{6,}$/.test(text) ? text.replace(/\D/g, "") : text;
  }
  if (Array.isArray(value)) {
    const entries = value.map(normalized);
    return entries.every((entry) => typeof entry === "string") ? entries.sort() : entries;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, normalized(inner)]));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
