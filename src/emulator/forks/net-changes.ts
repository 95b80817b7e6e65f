import type { RecordedWrite } from "../kernel/recorder.js";
import { type Change, findChangedFields, toFields } from "./changes.js";

interface Span {
  before: unknown;
  after: unknown;
}

/** If a resource was deleted with its group, only the resource's ID was recorded. */
const unknownFields = {};

/** Doesn't read the fork's tables, because they are compared with the result. */
export function computeNetChanges(writes: Iterable<RecordedWrite>): Map<string, Change> {
  const spans = new Map<string, Span & { resource: string; id: string }>();
  const erased = new Map<string, Change>();
  const extend = (resource: string, id: string, { before, after }: Span) => {
    const name = `${resource}/${id}`;
    const known = spans.get(name);
    if (known) known.after = after;
    else spans.set(name, { resource, id, before, after });
  };
  for (const write of writes) {
    if (!write.effect) continue;
    const { operation, createdId, before, after, cascaded } = write;
    const [resource = "", verb] = operation.split(".");
    if (resource === "orgs" || resource === "licenses") {
      for (const [name, span] of toResourceSpans(before, after)) {
        const slash = name.indexOf("/");
        extend(name.slice(0, slash), name.slice(slash + 1), span);
      }
      continue;
    }
    const id = createdId ?? write.path.split("/").at(operation === "calls.recording.delete" ? -2 : -1) ?? "";
    if (operation === "calls.recording.delete")
      erased.set(`recordings/${id}`, { resource: "recordings", id, action: "erased", fields: {} });
    else
      extend(resource, decodeURIComponent(id), {
        before,
        after: verb === "delete" ? null : (after ?? unknownFields),
      });
    for (const [member, ids] of Object.entries(cascaded))
      for (const memberId of ids) extend(member, memberId, { before: unknownFields, after: null });
  }
  const changes = new Map<string, Change>(erased);
  for (const [name, { resource, id, before, after }] of spans) {
    const change = toChange(before, after);
    if (change !== undefined) changes.set(name, { resource, id, ...change });
  }
  return changes;
}

function toResourceSpans(before: unknown, after: unknown): [name: string, span: Span][] {
  const [was, is] = [toFields(before), toFields(after)];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].map((name) => [name, { before: was[name] ?? null, after: is[name] ?? null }]);
}

function toChange(before: unknown, after: unknown): Pick<Change, "action" | "fields"> | undefined {
  if (before === null) return after === null ? undefined : { action: "created", fields: {} };
  if (after === null) return { action: "deleted", fields: {} };
  const fields = findChangedFields(toFields(before), toFields(after));
  return Object.keys(fields).length > 0 ? { action: "updated", fields } : undefined;
}
