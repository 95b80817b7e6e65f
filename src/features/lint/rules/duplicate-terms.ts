import type { Flaw, LintRule } from "../lint-rule.js";
import { getId, getText, normalizeText, type ResourceRecord } from "../organization.js";

export const glossaryDouble: LintRule = {
  id: "glossary-double",
  severity: "warning",
  summary: "A glossary defines each term only once",
  resource: "glossary",
  check: ({ records }) => findDuplicates(records("glossary"), "term", "glossary"),
};

export const pronunciationDouble: LintRule = {
  id: "pronunciation-double",
  severity: "warning",
  summary: "A group has only one pronunciation rule for each word",
  resource: "pronunciation",
  check: ({ records }) => findDuplicates(records("pronunciation"), "token", "pronunciation"),
};

/** Finds items with the same name in a group. If all fields are equal, the later item can be deleted. */
function* findDuplicates(records: readonly ResourceRecord[], name: string, noun: string): Generator<Flaw> {
  const known = new Map<string, ResourceRecord[]>();
  for (const record of records) {
    const term = normalizeText(getText(record, name));
    // The documents don't specify the field names, so a term may be missing. Don't compare such items.
    if (term === "") continue;
    const key = `${getText(record, "group_id")} ${term}`;
    const former = known.get(key);
    if (former === undefined) {
      known.set(key, [record]);
      continue;
    }
    const equal = former.find((candidate) => isEqual(candidate, record));
    former.push(record);
    yield {
      record,
      message: equal
        ? `is a duplicate of ${getId(equal)}`
        : `has the same ${name} as ${getId(former[0] ?? record)}, but different values`,
      help: `voxctl ${noun} delete ${getId(record)}`,
      ...(equal ? { fix: { action: "delete" as const } } : {}),
    };
  }
}

const ownFields = new Set(["id", "created_at", "updated_at"]);

function isEqual(left: ResourceRecord, right: ResourceRecord): boolean {
  // Compare all other fields, even unknown ones, because the later item will be deleted.
  return Object.keys({ ...left, ...right }).every(
    (field) =>
      ownFields.has(field) || JSON.stringify(left[field] ?? null) === JSON.stringify(right[field] ?? null),
  );
}
