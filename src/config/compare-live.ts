/** Compares two organizations by the keys of their things. */
import { canonical } from "./canonical.js";
import { liveValue, nothing, specOf } from "./codec.js";
import type { Decision, ObjectChange } from "./decision.js";
import { fileValue, NotWritable } from "./file-values.js";

export interface LiveDifference {
  different: { key: string; fields: string[] }[];
  only_here: string[];
  only_there: string[];
}

export function compareLive(here: Decision, there: Decision): LiveDifference {
  const ours = boundOf(here);
  const theirs = boundOf(there);
  const different = [...ours].flatMap(([key, change]) => {
    const other = theirs.get(key);
    if (other === undefined) return [];
    const fields = [...new Set([...change.file.keys(), ...other.file.keys()])].filter(
      (field) => comparable(change, field, here) !== comparable(other, field, there),
    );
    return fields.length === 0 ? [] : [{ key, fields }];
  });
  return {
    different,
    only_here: [...ours.keys()].filter((key) => !theirs.has(key)),
    only_there: [...theirs.keys()].filter((key) => !ours.has(key)),
  };
}

function boundOf({ changes }: Decision): Map<string, ObjectChange> {
  return new Map(
    changes.flatMap((change) =>
      change.line !== undefined && change.record !== undefined ? [[change.object.key, change]] : [],
    ),
  );
}

/** A value as files say it: ids mean nothing in another organization. */
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
    const said = fileValue(spec, value, lists, references);
    return canonical("exact", Array.isArray(said) ? said.map((one) => JSON.stringify(one)).sort() : said);
  } catch (error) {
    if (!(error instanceof NotWritable)) throw error;
    return canonical("exact", value);
  }
}
