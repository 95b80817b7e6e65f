/** Refuses plans with unintended changes. Pure. */
import { formatCount } from "../../base/text.js";
import { groupKeyOf } from "./binding.js";
import { groupField } from "./codec.js";
import type { Bound, Deletion, ObjectChange, PlanOptions, Refusal } from "./decision.js";
import type { Live } from "./live.js";
import type { LockLine } from "./lock.js";
import { findResourceType } from "./resource-types/index.js";

/** Number of deletions per resource type that are allowed without --max-delete, even above `defaultPercent`. */
const alwaysAllowed = 3;
const defaultPercent = 30;

export function boundOf(text: string): Bound | undefined {
  const [, digits, percent] = /^(\d+)(%?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return percent === "%" ? { percent: Number(digits) } : { count: Number(digits) };
}

function isOver(count: number, all: number, { count: most, percent }: Bound): boolean {
  if (most !== undefined) return count > most;
  return percent !== undefined && count * 100 > all * percent;
}

interface Touched {
  deletions: readonly Deletion[];
  changes: readonly ObjectChange[];
  lines: ReadonlyMap<string, LockLine>;
}

export function thresholdRefusals(
  { deletions, changes, lines }: Touched,
  options: Pick<PlanOptions, "maxDelete" | "maxUpdate">,
): Refusal[] {
  const count = (keys: Iterable<string>) => {
    const counts = new Map<string, number>();
    for (const key of keys) {
      const typeName = findResourceType(key)?.name ?? "";
      counts.set(typeName, (counts.get(typeName) ?? 0) + 1);
    }
    return counts;
  };
  const bound = count(lines.keys());
  const replaced = changes.filter(({ action }) => action === "replace").map(({ object }) => object.key);
  const deleted = count([...deletions.map(({ line }) => line.key), ...replaced]);
  const updated = count(changes.filter(({ action }) => action === "update").map(({ object }) => object.key));
  const refusals: Refusal[] = [];
  for (const [typeName, number] of deleted) {
    const all = bound.get(typeName) ?? 0;
    const { maxDelete } = options;
    const isTooMany =
      maxDelete === undefined
        ? number > alwaysAllowed && isOver(number, all, { percent: defaultPercent })
        : isOver(number, all, maxDelete);
    if (isTooMany) refusals.push(thresholdRefusal("deleted", typeName, number, all, maxDelete));
  }
  for (const [typeName, number] of updated) {
    const all = bound.get(typeName) ?? 0;
    if (options.maxUpdate !== undefined && isOver(number, all, options.maxUpdate))
      refusals.push(thresholdRefusal("updated", typeName, number, all, options.maxUpdate));
  }
  return refusals;
}

function thresholdRefusal(
  done: "deleted" | "updated",
  typeName: string,
  count: number,
  all: number,
  bound: Bound | undefined,
): Refusal {
  const percent = all === 0 ? 100 : Math.round((count * 100) / all);
  const limit =
    bound === undefined
      ? `${defaultPercent}%, at least ${alwaysAllowed}`
      : bound.count === undefined
        ? `${bound.percent}%`
        : String(bound.count);
  return {
    reason: "threshold",
    exit: 12,
    message: `${count} of ${all} ${typeName} would be ${done} (${percent}%), but the limit is ${limit}`,
    hint: `if this is correct, use --max-${done === "deleted" ? "delete" : "update"} ${count}`,
  };
}

/** Refuses to delete a group that would still contain items. */
export function groupRefusals(
  { deletions, changes }: Omit<Touched, "lines">,
  live: Live,
  contactsIn: ReadonlyMap<string, number>,
): Refusal[] {
  const refusals: Refusal[] = [];
  const going = new Set(deletions.map(({ record }) => String(record["id"])));
  const leaving = new Set(
    changes
      .filter(
        ({ object, sends, action }) =>
          object.group !== undefined && sends.has(groupField) && action !== "create",
      )
      .map(({ record }) => String(record?.["id"])),
  );
  const left = new Map<string, number>();
  for (const [, { type }] of live.records("groups"))
    left.set(String(type), (left.get(String(type)) ?? 0) + 1);
  for (const { object, action } of changes)
    if (action === "create" && object.spec.resource === "groups") {
      const type = String(object.spec.fixed?.["type"]);
      left.set(type, (left.get(type) ?? 0) + 1);
    }
  for (const { line, spec, record } of deletions) {
    if (spec.resource !== "groups") continue;
    const id = String(record["id"]);
    const type = String(record["type"]);
    left.set(type, (left.get(type) ?? 0) - 1);
    const resourceType = findResourceType(line.key);
    const members = resourceType?.group === undefined ? [] : [...live.records(resourceType.item.resource)];
    const unmanagedCount =
      members.filter(
        ([member, { group_id }]) => group_id === id && !going.has(member) && !leaving.has(member),
      ).length + (contactsIn.get(id) ?? 0);
    if (unmanagedCount > 0) {
      refusals.push({
        reason: "unmanaged_items",
        exit: 12,
        message: `cannot delete ${line.key}: it contains ${formatCount(unmanagedCount, "item")} that this plan does not delete`,
        hint: "move or delete these items first; to delete adopted items, use --prune=adopted",
      });
    }
  }
  for (const [type, number] of left)
    if (number < 1 && deletions.some(({ record }) => record["type"] === type))
      refusals.push({
        reason: "last_group",
        exit: 12,
        message: `the last group of type ${type} can't be deleted`,
      });
  return refusals;
}

/** Refuses to delete resources that other projects' assistants use. */
export function useRefusals({ deletions, changes, lines }: Touched, live: Live): Refusal[] {
  const managed = new Set([...lines.values()].map(({ id }) => id));
  // A replacement deletes the old resource.
  const replaced = changes.flatMap(({ action, line, record }) =>
    action === "replace" && line !== undefined && record !== undefined ? [{ line, record }] : [],
  );
  return [...deletions, ...replaced].flatMap(({ line, record }) => {
    const id = String(record["id"]);
    const users = [...live.records("assistants")].filter(
      ([user, fields]) => !managed.has(user) && usesResource(fields, id),
    );
    const [first] = users;
    if (first === undefined) return [];
    const name = String(first[1]["name"] ?? first[0]);
    return [
      {
        reason: "in_use" as const,
        exit: 12 as const,
        message: `cannot delete ${line.key}: it is used by assistant "${name}", which this project doesn't manage`,
      },
    ];
  });
}

export function usesResource(assistant: Readonly<Record<string, unknown>>, id: string): boolean {
  return Object.entries(assistant).some(
    ([field, value]) => field !== "id" && (value === id || (Array.isArray(value) && value.includes(id))),
  );
}

export function isWithin(key: string, only: readonly string[]): boolean {
  return only.some((selectedKey) => key === selectedKey || groupKeyOf(key) === selectedKey);
}
