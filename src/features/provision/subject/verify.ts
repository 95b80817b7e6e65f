/** Finds values that the service normalized. */
import type { RunContext } from "../../../write/engine/context.js";
import type { Item, Result } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { eachIn } from "../../../write/journal/outcome.js";
import { recordOf } from "../../../write/values.js";
import type { Inventory, KnownOrganization } from "../inventory.js";
import { aboutOf } from "../items.js";
import { sentLicense } from "./judge.js";
import { readOfRun } from "./read-of-run.js";

interface NormalizedField {
  field: string;
  expected: unknown;
  found: unknown;
}

/** Adds to a result the fields of the response that differ from the sent values. */
export function withNormalizedFields(
  result: Extract<Result, { state: "done" }>,
  item: Item,
  found: KnownOrganization | undefined,
): Result {
  const fields = findNormalizedFields(item, found);
  if (fields.length === 0) return result;
  return { ...result, detail: { ...recordOf(item.detail), stored_otherwise: fields } };
}

/** Compares the final state of all resources that a run wrote with the sent values. */
export async function verifyOrganizations(context: RunContext, journal: Journal): Promise<void> {
  const now = await readOfRun(context, journal, undefined);
  const last = new Map<string, number>();
  for (const { target, number } of eachIn(journal, "done"))
    if (target !== undefined) last.set(target, number);
  for (const item of eachIn(journal, "done")) {
    const { number, target = "" } = item;
    // Compare only the last change to each resource; earlier values were overwritten.
    const fields = last.get(target) === number ? verified(item, now) : [];
    if (fields.length === 0) continue;
    const { stored_otherwise: earlier, ...detail } = recordOf(item.detail);
    const stored_otherwise = [...(Array.isArray(earlier) ? earlier : []), ...fields];
    journal.record([{ number, state: "done", target, detail: { ...detail, stored_otherwise } }], []);
  }
}

/** Returns the fields of an organization that differ from the sent values. */
function findNormalizedFields(item: Item, found: KnownOrganization | undefined): NormalizedField[] {
  if (found === undefined) return [];
  const { name, license } = aboutOf(item);
  return [
    ...(name !== null && found.name !== undefined && found.name !== name
      ? [{ field: "name", expected: name, found: found.name }]
      : []),
    ...(license !== null && found.license !== undefined && found.license !== license
      ? [{ field: "externalLicenseId", expected: license, found: found.license }]
      : []),
  ];
}

function verified(item: Item, { organizations, licenses }: Inventory): NormalizedField[] {
  const { kind, external_id, msp } = aboutOf(item);
  const isDeleted = item.action === "delete";
  if (kind !== "license") {
    const existing = organizations.get(external_id);
    const isExisting = existing?.id === item.target;
    if (isExisting !== isDeleted) return isDeleted ? [] : findNormalizedFields(item, existing);
    return [{ field: "", expected: isDeleted ? "gone" : "there", found: isExisting ? "there" : "gone" }];
  }
  const owned = licenses.get(organizations.get(msp)?.id ?? "");
  if (owned === undefined) return [];
  const existing = owned.get(external_id);
  if (existing === undefined) return [{ field: "", expected: "there", found: "gone" }];
  const { status } = sentLicense(item);
  const isDifferent =
    status !== undefined &&
    existing.status !== undefined &&
    (existing.status === "disabled") !== (status === "disabled");
  return isDifferent ? [{ field: "status", expected: status, found: existing.status }] : [];
}
