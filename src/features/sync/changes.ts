import { type Fields, normalized, normalizedText } from "../../write/fields.js";
import { eachPlanned } from "../../write/journal/outcome.js";
import { labelOf } from "../../write/plan/canonical.js";
import { excerpt, recordOf } from "../../write/values.js";
import type { SyncPlan } from "./plan.js";

/**
 * Yields one line per change: `-` for a deleted contact, `~` for an updated contact, `+` for a created
 * contact. If a created contact has the name of a deleted contact, one line with `-/+` replaces their lines.
 */
export function* changeLines(plan: SyncPlan, most: number): Generator<string, void> {
  let count = 0;
  const isFull = () => {
    count += 1;
    return count > most;
  };
  const labeled = (fields: Fields) => labelOf(plan.adapter.type, fields);
  const nameOf = (fields: Fields) => normalizedText(labeled(fields));
  const { textOf } = plan.subject;
  const going = new Map<string, Fields>();
  for (const { record, reason } of plan.unmatched()) {
    if (reason === undefined && going.size <= 10 * most) going.set(nameOf(record), record);
  }
  const replaced = takeReplaced(plan, going, nameOf);
  for (const record of going.values()) {
    if (isFull()) return;
    yield `- ${textOf(record)}`;
  }
  for (const { body, before } of eachPlanned(plan.journal, "update")) {
    if (isFull()) return;
    yield `~ ${labeled(recordOf(before))}  ${differences(recordOf(before), recordOf(body))}`;
  }
  for (const { body } of eachPlanned(plan.journal, "create")) {
    if (isFull()) return;
    const fields = recordOf(body);
    const former = replaced.get(nameOf(fields));
    replaced.delete(nameOf(fields));
    yield former === undefined
      ? `+ ${textOf(fields)}`
      : `-/+ ${labeled(fields)}  ${differences(former, { ...emptyLists(former), ...fields })}`;
  }
}

function takeReplaced(
  { journal }: SyncPlan,
  going: Map<string, Fields>,
  nameOf: (fields: Fields) => string,
): Map<string, Fields> {
  const replaced = new Map<string, Fields>();
  if (going.size === 0) return replaced;
  for (const { body } of eachPlanned(journal, "create")) {
    const name = nameOf(recordOf(body));
    const former = going.get(name);
    if (former === undefined) continue;
    replaced.set(name, former);
    going.delete(name);
  }
  return replaced;
}

/**
 * Returns an empty list for each list field of a deleted contact, so that the `-/+` line also shows entries
 * that the created contact lacks.
 */
function emptyLists(record: Fields): Fields {
  return Object.fromEntries(
    Object.entries(record).flatMap(([field, value]) => (Array.isArray(value) ? [[field, []]] : [])),
  );
}

/**
 * Formats changed fields, such as `last_name: Weiß → Weiss, phone_numbers: +491… → +492…`. If a list only
 * gained or lost entries, each entry has a plus or minus sign.
 */
function differences(before: Fields, after: Fields): string {
  return Object.entries(after)
    .flatMap(([field, value]) => {
      const old = before[field];
      if (!Array.isArray(value)) {
        if (normalized(field, old) === normalized(field, value) && old === value) return [];
        return [`${field}: ${inLine(old)} → ${inLine(value)}`];
      }
      const entries: unknown[] = Array.isArray(old) ? old : [];
      const removed = entries.filter((entry) => !value.includes(entry)).map(String);
      const added = value.filter((entry) => !entries.includes(entry)).map(String);
      if (removed.length > 0 && added.length > 0)
        return [`${field}: ${removed.join(" ")} → ${added.join(" ")}`];
      const parts = [...removed.map((entry) => `-${entry}`), ...added.map((entry) => `+${entry}`)];
      return parts.length === 0 ? [] : [`${field}: ${parts.join(" ")}`];
    })
    .join(", ");
}

function inLine(value: unknown): string {
  if (typeof value === "object" && value !== null) return "…";
  return excerpt(String(value ?? "").replace(/\s+/g, " "));
}
