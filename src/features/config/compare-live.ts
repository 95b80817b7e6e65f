/** Compares resources with the same key in two organizations. */
import { canonical } from "./canonical.js";
import { liveValue, nothing, specOf } from "./codec.js";
import type { Decision, ObjectChange } from "./decision.js";
import { fileValue, NotWritable } from "./file-values.js";

export interface LiveDifference {
  different: { key: string; fields: string[] }[];
  only_here: string[];
  only_there: string[];
}

export function compareLive(left: Decision, right: Decision): LiveDifference {
  const leftChanges = boundOf(left);
  const rightChanges = boundOf(right);
  const different = [...leftChanges].flatMap(([key, change]) => {
    const rightChange = rightChanges.get(key);
    if (rightChange === undefined) return [];
    const fields = [...new Set([...change.file.keys(), ...rightChange.file.keys()])].filter(
      (field) => comparable(change, field, left) !== comparable(rightChange, field, right),
    );
    return fields.length === 0 ? [] : [{ key, fields }];
  });
  return {
    different,
    only_here: [...leftChanges.keys()].filter((key) => !rightChanges.has(key)),
    only_there: [...rightChanges.keys()].filter((key) => !leftChanges.has(key)),
  };
}

function boundOf({ changes }: Decision): Map<string, ObjectChange> {
  return new Map(
    changes.flatMap((change) =>
      change.line !== undefined && change.record !== undefined ? [[change.object.key, change]] : [],
    ),
  );
}

/** Returns text with keys instead of IDs, because IDs differ between organizations. */
function comparable(
  { object, record, live }: ObjectChange,
  field: string,
  { live: lists, references }: Decision,
): string {
  const spec = specOf(object.spec, field);
  if (spec === undefined || record === undefined || !(spec.form === "voice" || spec.to !== undefined))
    return live.get(field) ?? nothing;
  const value = liveValue(record, spec.api);
  try {
    const converted = fileValue(spec, value, lists, references);
    return canonical(
      "exact",
      Array.isArray(converted) ? converted.map((entry) => JSON.stringify(entry)).sort() : converted,
    );
  } catch (error) {
    if (!(error instanceof NotWritable)) throw error;
    return canonical("exact", value);
  }
}
