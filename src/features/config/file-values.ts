/**
 * Converts live values to file values: IDs become resource keys or voice names. File values contain no
 * secrets.
 */
import { findExactNumber, stringifyExactJson } from "../../base/exact-json.js";
import { isFields } from "../../base/fields.js";
import { isEmpty } from "./canonical.js";
import type { References } from "./codec.js";
import { credentialName, findHeaderName, liveValue, resourceOf } from "./codec.js";
import { unfilledSource } from "./folder/unfilled.js";
import type { Live, LiveRecord } from "./live.js";
import { resourceTypes } from "./resource-types/index.js";
import type { FieldSpec, ResourceSpec } from "./resource-types/resource-type.js";
import { escapedText, filledValue } from "./variables.js";

/** Placeholder for a credential in a file. `config check` reports it until the user replaces it. */
const toBeFilledIn = { from: unfilledSource };

/** Thrown if a value can't be written to a file. The message gives the reason. */
export class NotWritable extends Error {
  override readonly name = "NotWritable";
}

/**
 * @param former value in the file before the change; its secret headers are kept
 * @throws NotWritable
 */
export function fileValue(
  field: FieldSpec,
  value: unknown,
  live: Live,
  references: References,
  former?: unknown,
): unknown {
  if (value === undefined || value === null) return null;
  if (field.form === "voice") {
    const name = live.voices.find(({ id }) => id === value)?.name;
    return name !== undefined && references.idOfVoice(name) === value ? name : { id: String(value) };
  }
  const { to } = field;
  if (to === undefined) {
    return field.isHeaders === true && isFields(value)
      ? fileHeaders(value, isFields(former) ? former : {})
      : escapedValue(value);
  }
  const toReference = (id: unknown): unknown => {
    const key = references.keyOf(resourceOf(to), String(id));
    if (key !== undefined) return key;
    const { item, group } = resourceTypes[to];
    const name = live.records((group ?? item).resource).get(String(id))?.["name"];
    if (typeof name !== "string" || references.idOfLive(to, name) !== String(id))
      throw new NotWritable(`no key or unique name found for the referenced id ${String(id)}`);
    return { live: name };
  };
  return Array.isArray(value) ? value.map(toReference) : toReference(value);
}

/** A placeholder replaces the value of each header whose name suggests a credential. */
function fileHeaders(
  value: Readonly<Record<string, unknown>>,
  former: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const header = findHeaderName(former, name) ?? name;
      if (isFields(former[header])) return [header, former[header]];
      return [header, credentialName.test(header) ? toBeFilledIn : escapedValue(inner)];
    }),
  );
}

export function findDroppedHeaders(value: unknown): string[] {
  if (!isFields(value)) return [];
  return Object.entries(value)
    .filter(([, inner]) => isFields(inner) && inner["from"] === toBeFilledIn.from)
    .map(([header]) => header);
}

export const looksLikeCredential =
  "the value looks like a credential; replace TODO in { from: env:TODO } with a variable name";

/**
 * Escapes a value, because `${` in a YAML string would start a variable.
 * @throws NotWritable
 */
function escapedValue(value: unknown): unknown {
  const path = findExactNumber(stringifyExactJson(value));
  if (path !== undefined) throw new NotWritable(`the number ${path.join(".")} has too many digits`);
  return filledValue(value, escapedText);
}

/** `left` lists the fields that can't be written. */
export function newFields(
  spec: ResourceSpec,
  record: LiveRecord,
  live: Live,
  references: References,
): { fields: Record<string, unknown>; left: { field: string; reason: string }[] } {
  const fields: Record<string, unknown> = {};
  const left: { field: string; reason: string }[] = [];
  for (const field of spec.fields) {
    if (field.isWhole) continue;
    const path = field.name.split(".");
    if (field.form === "secret") {
      if (isStoredSecret(record, field.name)) put(fields, path, toBeFilledIn);
      continue;
    }
    const value = liveValue(record, field.api);
    // Write a required text even if it is empty: without it, the file can't create the resource.
    if (isEmpty(value) && !(field.isRequired === true && value === "")) continue;
    try {
      const converted = fileValue(field, value, live, references);
      put(fields, path, converted);
      if (field.isHeaders === true)
        for (const header of findDroppedHeaders(converted))
          left.push({ field: `${field.name}.${header}`, reason: looksLikeCredential });
    } catch (error) {
      if (!(error instanceof NotWritable)) throw error;
      left.push({ field: field.name, reason: error.message });
    }
  }
  return { fields, left };
}

export function isStoredSecret(record: LiveRecord, name: string): boolean {
  const dot = name.lastIndexOf(".") + 1;
  return liveValue(record, `${name.slice(0, dot)}has_${name.slice(dot)}`) === true;
}

function put(fields: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = "", ...tail] = path;
  if (tail.length === 0) {
    fields[first] = value;
    return;
  }
  const inner = fields[first];
  const holder: Record<string, unknown> = isFields(inner) ? { ...inner } : {};
  put(holder, tail, value);
  fields[first] = holder;
}
