export type Shown = Readonly<Record<string, unknown>>;

export interface Change {
  resource: string;
  id: string;
  action: "created" | "updated" | "deleted" | "erased";
  fields: Readonly<Record<string, { before: unknown; after: unknown }>>;
}

/** Fields whose values the service sets. Some of them change without a write. */
const passing = new Set(["updated_at", "sync_status", "rating"]);

/** Returns the fields that differ, except the fields whose values the service sets. */
export function findChangedFields(before: Shown, after: Shown): Change["fields"] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter(
    (name) => !passing.has(name) && toStableJson(before[name]) !== toStableJson(after[name]),
  );
  return Object.fromEntries(
    changed.map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );
}

/** Sorts field names, and treats null like a missing field. */
export function toStableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toStableJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined && member !== null)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${toStableJson(member)}`);
  return `{${members.join(",")}}`;
}

export function toFields(value: unknown): Shown {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
