import { isFields } from "../../base/fields.js";
import { recordOf } from "../../write/values.js";
import { canonical, hashOf } from "./canonical.js";
import type { Applied } from "./compare.js";
import type { ConfigObject } from "./folder/objects.js";
import type { KeptHashes, LockLine } from "./lock.js";
import { resourceTypes } from "./resource-types/index.js";
import type { FieldSpec, ResourceSpec, ResourceTypeName } from "./resource-types/resource-type.js";

/** Replaces the value of a secret header, so that comparisons show only whether the header exists. */
const secretMark = { secret: true };

export function headersOf({ fields }: ResourceSpec, secret: string): FieldSpec | undefined {
  return fields.find(({ isHeaders, name }) => isHeaders === true && secret.startsWith(`${name}.`));
}

/** Returns the header's name as spelled in `headers`, because header names are case-insensitive. */
export function findHeaderName(headers: object, name: string): string | undefined {
  const lower = name.toLowerCase();
  return Object.keys(headers).find((header) => header.toLowerCase() === lower);
}

/** Returns the value of a secret header; `secret` is its name, such as `headers.NAME`. */
export function headerIn(
  record: Readonly<Record<string, unknown>>,
  { api, name }: FieldSpec,
  secret: string,
): string | undefined {
  const headers = liveValue(record, api);
  if (!isFields(headers)) return undefined;
  const value = headers[findHeaderName(headers, secret.slice(name.length + 1)) ?? ""];
  return typeof value === "string" ? value : undefined;
}

export const credentialName = /auth|key|token|secret/i;

/**
 * Returns the top-level fields with secret headers. Includes headers whose names suggest a credential: another
 * user may have set a secret that is not in the files.
 */
export function secretHolders(
  { fields }: ResourceSpec,
  secrets: ReadonlySet<string>,
  record: Readonly<Record<string, unknown>> | undefined,
): Set<string> {
  const isSecretHeader = secretHeaderTest(secrets);
  return new Set(
    fields.flatMap((field) => {
      const headers = field.isHeaders === true ? liveValue(record ?? {}, field.api) : undefined;
      const isSecret = (header: string) => credentialName.test(header) || isSecretHeader(field, header);
      const [holder = ""] = field.api.split(".");
      return isFields(headers) && Object.keys(headers).some(isSecret) ? [holder] : [];
    }),
  );
}

function secretHeaderTest(secrets: ReadonlySet<string>): (field: FieldSpec, header: string) => boolean {
  const lower = new Set([...secrets].map((secret) => secret.toLowerCase()));
  return ({ name }, header) => lower.has(`${name}.${header}`.toLowerCase());
}

function withoutSecrets(value: unknown, isSecret: (header: string, inner: unknown) => boolean): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([header, inner]) => [header, isSecret(header, inner) ? secretMark : inner]),
  );
}

export interface References {
  keyOf(resource: string, id: string): string | undefined;
  /** Returns undefined unless exactly one resource has this name. */
  idOfLive(resourceType: ResourceTypeName, name: string): string | undefined;
  idOfVoice(name: string): string | undefined;
}

export const nothing = hashOf(canonical("exact", null));

/** Returns the API resource that files refer to: for a type with groups, the group, not its items. */
export function resourceOf(resourceType: ResourceTypeName): string {
  return (resourceTypes[resourceType].group ?? resourceTypes[resourceType].item).resource;
}

/** Field name under which an item's group is compared with the live group. */
export const groupField = "group";

/** Returns whether a field is an item's group, rather than a field in the spec that is also named `group`. */
export function isGroupOfItem(spec: ResourceSpec, field: string): boolean {
  return field === groupField && specOf(spec, field) === undefined;
}

/** Returns the value at a dotted path (`api`). */
export function liveValue(record: Readonly<Record<string, unknown>>, api: string): unknown {
  let current: unknown = record;
  for (const part of api.split(".")) current = isFields(current) ? current[part] : undefined;
  return current;
}

export function fileHashes(object: ConfigObject, references: References): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const [field, value] of object.fields) {
    const spec = specOf(object.spec, field);
    hashes.set(field, hashOf(canonical(spec?.form ?? "exact", fileComparable(spec, value, references))));
  }
  if (object.group !== undefined) hashes.set(groupField, hashOf(canonical("reference", object.group)));
  return hashes;
}

export function specOf({ fields }: ResourceSpec, field: string): FieldSpec | undefined {
  return fields.find(({ name }) => name === field);
}

function fileComparable(spec: FieldSpec | undefined, value: unknown, references: References): unknown {
  if (spec?.form === "voice") {
    const id = isFields(value) ? value["id"] : references.idOfVoice(String(value));
    return id === undefined ? `voice ${JSON.stringify(value)}` : `id:${String(id)}`;
  }
  if (spec?.isHeaders === true) return withoutSecrets(value, (_, inner) => isFields(inner));
  const to = spec?.to;
  if (to === undefined || value === null) return value;
  const toComparable = (reference: unknown) => {
    if (!isFields(reference)) return String(reference).normalize("NFC");
    const id = references.idOfLive(to, String(reference["live"]));
    return id === undefined
      ? `live ${JSON.stringify(reference)}`
      : (references.keyOf(resourceOf(to), id) ?? `id:${id}`);
  };
  return Array.isArray(value) ? value.map(toComparable) : toComparable(value);
}

/**
 * Returns hashes for all fields in the spec or the lock entry.
 * @param secrets secrets in the file and the lock entry; for a secret header, the hash only shows whether the
 * header exists
 */
export function liveHashes(
  { spec, resourceType }: Pick<ConfigObject, "spec" | "resourceType">,
  record: Readonly<Record<string, unknown>>,
  references: References,
  more: Iterable<string> = [],
  secrets: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const hashes = new Map<string, string>();
  const isSecretHeader = secretHeaderTest(secrets);
  for (const field of spec.fields) {
    if (field.form === "secret") continue;
    const shown = liveValue(record, field.api);
    const value =
      field.isHeaders === true
        ? withoutSecrets(shown, (header) => isSecretHeader(field, header))
        : liveComparable(field, shown, references);
    hashes.set(field.name, hashOf(canonical(field.form, value)));
  }
  const group = record["group_id"];
  if (resourceType.group !== undefined && typeof group === "string" && spec.resource !== "groups")
    hashes.set(
      groupField,
      hashOf(canonical("reference", references.keyOf("groups", group) ?? `id:${group}`)),
    );
  for (const field of more)
    if (field.startsWith("extra."))
      hashes.set(field, hashOf(canonical("exact", liveValue(record, field.slice("extra.".length)))));
  return hashes;
}

function liveComparable({ form, to, isWhole }: FieldSpec, value: unknown, references: References): unknown {
  if (value === null || value === undefined) return null;
  // The object's members are separate fields, so compare only whether the object exists.
  if (isWhole) return "present";
  if (form === "voice") return `id:${String(value)}`;
  if (to === undefined) return value;
  const toComparable = (id: unknown) => references.keyOf(resourceOf(to), String(id)) ?? `id:${String(id)}`;
  return Array.isArray(value) ? value.map(toComparable) : toComparable(value);
}

export function secretNames(
  object: Pick<ConfigObject, "secrets"> | undefined,
  line: Pick<LockLine, "secrets"> | undefined,
): Set<string> {
  return new Set([...(object?.secrets.keys() ?? []), ...Object.keys(line?.secrets ?? {})]);
}

export function appliedOf({ applied }: LockLine): Map<string, Applied> {
  return new Map(Object.entries(applied).map(([field, value]) => [field, hashesOf(value)]));
}

function hashesOf(applied: KeptHashes): Applied {
  if (typeof applied === "string") {
    const hash = hashOf(canonical("reference", applied.slice(1)));
    return { sent: hash, returned: hash };
  }
  const [sent, returned] = applied;
  return { sent, returned };
}

export function referenceKeyOf(object: ConfigObject, field: string): string | undefined {
  if (field === groupField) return object.group;
  if (object.sealed.has(field)) return undefined;
  const value = object.fields.get(field);
  return specOf(object.spec, field)?.form === "reference" && typeof value === "string" ? value : undefined;
}

export function nameOf(object: Pick<ConfigObject, "fields" | "spec" | "key">): string {
  const name = object.fields.get(object.spec.nameField);
  return typeof name === "string" && name !== "" ? name : (object.key.split("#")[1] ?? "");
}

export function liveNameOf({ fields, nameField }: ResourceSpec, record: unknown): string {
  const api = fields.find(({ name }) => name === nameField)?.api ?? "name";
  const name = liveValue(recordOf(record), api);
  return typeof name === "string" ? name : "";
}
