import { isFields, mapInner } from "../../base/fields.js";
import { textPartsOf } from "../../write/plan/references.js";
import { groupField, liveValue, specOf } from "./codec.js";
import type { Decision, ObjectChange } from "./decision.js";
import { fileValue, NotWritable } from "./file-values.js";

/** Converts IDs to keys, or to names if no key exists. */
export function shownLive(
  { live, references }: Pick<Decision, "live" | "references">,
  { object, record }: Pick<ObjectChange, "object" | "record">,
  field: string,
): unknown {
  if (record === undefined) return undefined;
  if (field === groupField && object.group !== undefined) {
    const id = record["group_id"];
    return references.keyOf("groups", String(id)) ?? id;
  }
  const spec = specOf(object.spec, field);
  if (spec === undefined) return liveValue(record, field.replace(/^extra\./, ""));
  const value = liveValue(record, spec.api);
  if (spec.to === undefined && spec.form !== "voice") return value;
  try {
    return fileValue(spec, value, live, references);
  } catch (error) {
    if (error instanceof NotWritable) return value;
    throw error;
  }
}

/** Shows environment references as in files: `${env.NAME}`. */
export function shownSealed(value: unknown): unknown {
  const parts = textPartsOf(value);
  if (parts !== undefined) return parts.map(shownSealed).join("");
  if (isFields(value) && "$secret" in value) return `\${${String(value["$secret"]).replace(":", ".")}}`;
  return mapInner(value, shownSealed);
}
