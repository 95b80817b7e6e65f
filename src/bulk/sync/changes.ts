import { type Fields, normalized, normalizedText } from "../fields.js";
import { eachIn } from "../journal/outcome.js";
import { labelOf } from "../plan/canonical.js";
import { excerpt, recordOf } from "../values.js";
import type { SyncPlan } from "./plan.js";

/**
 * Yields the changes, one line each: `~` an updated contact, `+` a created one, `-` a deleted one. If a
 * contact is deleted and another with its name is created, because no row matched its new number, both are
 * one line, `-/+` (S4).
 */
export function* changeLines(plan: SyncPlan, most: number): Generator<string, void> {
  let count = 0;
  const isFull = () => {
    count += 1;
    return count > most;
  };
  const labelled = (fields: Fields) => labelOf(plan.resource, fields);
  const nameOf = (fields: Fields) => normalizedText(labelled(fields));
  const { textOf } = plan.subject;
  const going = new Map<string, Fields>();
  for (const { record, reason } of plan.unmatched()) {
    if (reason === undefined && going.size <= 10 * most) going.set(nameOf(record), record);
  }
  for (const { action, body, before } of eachIn(plan.journal, "planned")) {
    const fields = recordOf(body);
    if (action === "update") {
      if (isFull()) return;
      yield `~ ${labelled(recordOf(before))}  ${differences(recordOf(before), fields)}`;
    } else if (action === "create") {
      if (isFull()) return;
      const former = going.get(nameOf(fields));
      going.delete(nameOf(fields));
      yield former === undefined
        ? `+ ${textOf(fields)}`
        : `-/+ ${labelled(fields)}  ${differences(former, { ...emptyLists(former), ...fields })}`;
    }
  }
  for (const record of going.values()) {
    if (isFull()) return;
    yield `- ${textOf(record)}`;
  }
}

/** A created resource has only its own entries. */
function emptyLists(record: Fields): Fields {
  return Object.fromEntries(
    Object.entries(record).flatMap(([field, value]) => (Array.isArray(value) ? [[field, []]] : [])),
  );
}

/** `last_name: Weiß → Weiss, phone_numbers: -+491… ++492…` */
function differences(before: Fields, after: Fields): string {
  return Object.entries(after)
    .flatMap(([field, value]) => {
      const old = before[field];
      if (!Array.isArray(value)) {
        if (normalized(field, old) === normalized(field, value) && old === value) return [];
        return [`${field}: ${inLine(old)} → ${inLine(value)}`];
      }
      const entries: unknown[] = Array.isArray(old) ? old : [];
      const parts = [
        ...entries.filter((entry) => !value.includes(entry)).map((entry) => `-${String(entry)}`),
        ...value.filter((entry) => !entries.includes(entry)).map((entry) => `+${String(entry)}`),
      ];
      return parts.length === 0 ? [] : [`${field}: ${parts.join(" ")}`];
    })
    .join(", ");
}

function inLine(value: unknown): string {
  if (typeof value === "object" && value !== null) return "…";
  return excerpt(String(value ?? "").replace(/\s+/g, " "));
}
