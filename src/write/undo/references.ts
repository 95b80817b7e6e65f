import type { RunContext } from "../engine/context.js";
import type { Fields } from "../fields.js";
import type { Journal } from "../journal/journal.js";
import { listResources } from "../remote.js";
import { recordOf } from "../values.js";
import { sendOther } from "./other-writes.js";

/**
 * Replaces old IDs of recreated resources in assistants. Sends only fields with an old ID, so the update can
 * be repeated.
 * @returns the number of changed assistants
 * @throws ClientError; the signal's reason
 */
export async function updateReferences(context: RunContext, journal: Journal): Promise<number> {
  const { client, signal } = context;
  const newIds = newIdsIn(journal);
  if (newIds.size === 0) return 0;
  let updated = 0;
  for await (const { id, record } of listResources(context, "assistants", {})) {
    const changes = remapReferences(record, newIds);
    if (Object.keys(changes).length === 0) continue;
    await sendOther(context, journal, { operation: "assistants.update", id }, () =>
      client.call("assistants.update", { path: { assistant_id: id }, body: changes }, { signal }),
    );
    updated += 1;
  }
  return updated;
}

/**
 * Operations that create resources to which assistants can refer. There are few such resources, so their IDs
 * are kept in memory.
 */
const referredTo = new Set(["groups.create", "prompts.create", "calendars.create", "tools.create"]);

function newIdsIn(journal: Journal): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { detail, target = "" } of journal.done()) {
    const { was, op } = recordOf(detail);
    if (typeof was === "string" && typeof op === "string" && referredTo.has(op)) ids.set(was, target);
  }
  return ids;
}

function remapReferences(record: Fields, newIds: ReadonlyMap<string, string>): Fields {
  const changes: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(record)) {
    if (field.endsWith("_id") && typeof value === "string" && newIds.has(value))
      changes[field] = newIds.get(value);
    if (!field.endsWith("_ids") || !Array.isArray(value)) continue;
    if (value.some((id) => newIds.has(String(id))))
      changes[field] = value.map((id) => newIds.get(String(id)) ?? id);
  }
  return changes;
}
