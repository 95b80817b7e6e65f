/** Fields of things as files, the API and the lock have them. */
import { recordOf } from "../bulk/values.js";
import { canonical, hashOf } from "./canonical.js";
import type { Applied } from "./compare.js";
import type { ConfigObject } from "./folder/objects.js";
import type { KeptHashes, LockLine } from "./lock.js";
import { isFields } from "./overlays.js";
import { resourceTypes } from "./resource-types/index.js";
import type { FieldSpec, ResourceSpec, ResourceTypeName } from "./resource-types/resource-type.js";

/** U8: stands for a header's secret value where headers are compared: it is there, and no more is said. */
const secretMark = { secret: true };

/** The field of the headers that a secret `headers.NAME` is one of; undefined of other secrets. */
export function headersOf({ fields }: ResourceSpec, secret: string): FieldSpec | undefined {
  return fields.find(({ isHeaders, name }) => isHeaders === true && secret.startsWith(`${name}.`));
}

/** The value of a header as an answer shows it, by the secret's name `headers.NAME`. */
export function headerIn(
  record: Readonly<Record<string, unknown>>,
  { api, name }: FieldSpec,
  secret: string,
): string | undefined {
  const headers = liveValue(record, api);
  const value = isFields(headers) ? headers[secret.slice(name.length + 1)] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Headers without the values that are secrets. */
function withoutSecrets(value: unknown, isSecret: (header: string, inner: unknown) => boolean): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([header, inner]) => [header, isSecret(header, inner) ? secretMark : inner]),
  );
}

/** The things that references stand for, on one target. */
export interface References {
  /** The key to which a thing is bound. */
  keyOf(resource: string, id: string): string | undefined;
  /** The id of a thing outside the folder, by its exact name. */
  idOfLive(resourceType: ResourceTypeName, name: string): string | undefined;
  idOfVoice(name: string): string | undefined;
}

/** The hash of no value. */
export const nothing = hashOf(canonical("exact", null));

/** The resource that a reference to a kind leads to: things that lie in groups are referred to by their groups. */
export function resourceOf(resourceType: ResourceTypeName): string {
  return (resourceTypes[resourceType].group ?? resourceTypes[resourceType].item).resource;
}

/** The group that an item lies in is compared as a field of it (A5). */
export const groupField = "group";

/** Is it that field? A file of a group and its items names the group itself so (N1). */
export function isGroupOfItem(spec: ResourceSpec, field: string): boolean {
  return field === groupField && specOf(spec, field) === undefined;
}

/** A field's value in the API's form, read at its dotted path. */
export function liveValue(record: Readonly<Record<string, unknown>>, api: string): unknown {
  let current: unknown = record;
  for (const part of api.split(".")) current = isFields(current) ? current[part] : undefined;
  return current;
}

/** The hashes of a thing's fields as its file declares them. */
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
 * The hashes of a thing's fields as an answer showed them: of all that the spec or the lock names.
 * @param secrets of the file and the lock: headers among them are compared as secrets are
 */
export function liveHashes(
  { spec, resourceType }: Pick<ConfigObject, "spec" | "resourceType">,
  record: Readonly<Record<string, unknown>>,
  references: References,
  more: Iterable<string> = [],
  secrets: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const field of spec.fields) {
    if (field.form === "secret") continue;
    const shown = liveValue(record, field.api);
    const value =
      field.isHeaders === true
        ? withoutSecrets(shown, (header) => secrets.has(`${field.name}.${header}`))
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
  // Its content is compared field by field.
  if (isWhole) return "present";
  if (form === "voice") return `id:${String(value)}`;
  if (to === undefined) return value;
  const toComparable = (id: unknown) => references.keyOf(resourceOf(to), String(id)) ?? `id:${String(id)}`;
  return Array.isArray(value) ? value.map(toComparable) : toComparable(value);
}

/** The names of the secrets of a thing, in its file and in the lock. */
export function secretNames(
  object: Pick<ConfigObject, "secrets"> | undefined,
  line: Pick<LockLine, "secrets"> | undefined,
): Set<string> {
  return new Set([...(object?.secrets.keys() ?? []), ...Object.keys(line?.secrets ?? {})]);
}

/** The knowledge of a line of the lock, as hashes. */
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

/** The key that a field of an object refers to, where it is a single one: the lock shows it (L1). */
export function referenceKeyOf(object: ConfigObject, field: string): string | undefined {
  if (field === groupField) return object.group;
  if (object.sealed.has(field)) return undefined;
  const value = object.fields.get(field);
  return specOf(object.spec, field)?.form === "reference" && typeof value === "string" ? value : undefined;
}

/** A thing's own name, as a file or an answer has it. */
export function nameOf(object: Pick<ConfigObject, "fields" | "spec" | "key">): string {
  const name = object.fields.get(object.spec.nameField);
  // L4: an item without a name is known by its key.
  return typeof name === "string" && name !== "" ? name : (object.key.split("#")[1] ?? "");
}

export function liveNameOf({ fields, nameField }: ResourceSpec, record: unknown): string {
  const api = fields.find(({ name }) => name === nameField)?.api ?? "name";
  const name = liveValue(recordOf(record), api);
  return typeof name === "string" ? name : "";
}
