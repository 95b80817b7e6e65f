/**
 * The fields of a resource that a plan compares, and its display name: an entry for each resource that differs from
 * others.
 * All fingerprints of resources in a plan are computed here.
 */
import { createHash } from "node:crypto";
import { ExactNumber } from "../../base/exact-json.js";
import { recordOf } from "../values.js";

/** How plans handle the resources of one type. */
interface PlannedResource {
  /** Fields that the service assigns, in addition to those of every resource. */
  readonly assigned?: readonly string[];
  /** The field that filters the list in which a created resource appears; undefined for the whole list. */
  readonly scope?: "group_id" | "type";
  /** The field that contains its name, if it is not `name`. */
  readonly nameField?: string;
  /** The service keeps names unique, so a create is looked for by its name alone. */
  readonly uniqueName?: true;
  /** Fields that only a get shows. */
  readonly unlisted?: readonly string[];
  /** The name that is shown to the user, if it is not the field `name`. */
  readonly label?: (value: Readonly<Record<string, unknown>>) => string;
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

/** Fields that the service assigns in every resource. */
const assignedAlways = ["id", "created_at", "updated_at", "has_secret", "has_password"];

/**
 * The list in which the created resource appears: `contacts?group_id=65f1…`.
 * @returns undefined if its group is not created yet, or if it is not searched for
 */
export function scopeOf(resource: string, body: unknown): string | undefined {
  if (resource === "calls") return undefined;
  const field = plannedResources[resource]?.scope;
  const value = field === undefined ? undefined : recordOf(body)[field];
  if (field === undefined || value === undefined) return resource;
  return typeof value === "string" ? `${resource}?${field}=${encodeURIComponent(value)}` : undefined;
}

/** Returns whether resources of this type are identified by their name alone. */
export function uniqueNameOf(resource: string): boolean {
  return plannedResources[resource]?.uniqueName === true;
}

/** The field that identifies a resource of this type. */
export function nameFieldOf(resource: string): string {
  return plannedResources[resource]?.nameField ?? "name";
}

/**
 * Returns whether the API guarantees to refuse a second resource with the same name (T5a,
 * public.operations.11).
 */
export function isNameProven(resource: string): boolean {
  return resource === "calendars";
}

/** Fields of a resource that lists omit. */
export function unlistedOf(resource: string): readonly string[] {
  return plannedResources[resource]?.unlisted ?? [];
}

/** The fields that the service assigns to resources of a type, in addition to those of all types. */
export function assignedOf(resource: string): ReadonlySet<string> {
  return new Set([...assignedAlways, ...(plannedResources[resource]?.assigned ?? [])]);
}

/** The resource of an operation: `contacts` of `contacts.create`. */
export function resourceOf(operation: string): string {
  if (operation === "calls.recording.delete") return "recordings";
  return operation.split(".")[0] ?? operation;
}

/** "Anna Weiß": the resource's own name; empty if it has none. */
export function labelOf(resource: string, value: unknown): string {
  const { label = named } = plannedResources[resource] ?? {};
  return label(recordOf(value));
}

/**
 * Returns a value as JSON by RFC 8785 (members sorted by UTF-16 units, no white space), with texts in NFC, so
 * that equal resources have equal texts.
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

/**
 * The fields of a resource that a plan compares: those that are shown, without the fields that the service
 * assigns.
 */
function comparedFields(resource: string, value: unknown): Readonly<Record<string, unknown>> {
  const assigned = assignedOf(resource);
  return withoutSecretMarks(
    Object.fromEntries(Object.entries(recordOf(digitsOf(value))).filter(([name]) => !assigned.has(name))),
  );
}

/** Whether a credential is stored is also shown inside the `auth` of a webhook. */
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

/**
 * The first 32 hexadecimal digits of the SHA-256 of a resource's compared fields, according to a response.
 */
export function fingerprintOf(resource: string, value: unknown): string {
  return hashOf(canonicalJson(withoutEmpty(comparedFields(resource, value))));
}

/**
 * Returns the fingerprint of the fields that a create sends, normalized because a deployment may change their
 * spelling (T3). Omits the scope, which is already given, and secrets, which no response shows.
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
 * Returns whether two values are equal for the service. A field without a value may be shown as null, as ""
 * or not at all.
 */
export function isSameValue(left: unknown, right: unknown): boolean {
  return (
    left === right ||
    canonicalJson(withoutEmpty(digitsOf(left))) === canonicalJson(withoutEmpty(digitsOf(right)))
  );
}

/** A number that a double can't represent (T9) is stored as its digits, as in plan files and journals. */
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
