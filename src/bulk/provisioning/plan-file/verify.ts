import type { RunContext } from "../../engine/context.js";
import type { Item } from "../../journal/item.js";
import type { Journal } from "../../journal/journal.js";
import { itemsIn } from "../../journal/outcome.js";
import { recordOf } from "../../values.js";
import type { PlanItem } from "../compare.js";
import { type Inventory, type KnownOrganization, organizationOf, readInventory } from "../inventory.js";
import { planItemOf, stepOf } from "../items.js";
import { StoredSpec } from "../organization-spec.js";

interface NormalizedField {
  field: string;
  expected: unknown;
  found: unknown;
}

/** Records the values that the service normalized (A9); with `--verify`, the final state of everything. */
export async function noteNormalizedFields(context: RunContext, journal: Journal): Promise<void> {
  const plan = StoredSpec.parse(journal.setting("plan"));
  const now = journal.setting("verify") === true ? await readInventory(context, plan) : undefined;
  const last = new Map<string, number>();
  for (const { target, number, state } of itemsIn(journal))
    if (target !== undefined && state === "done") last.set(target, number);
  const noted: { item: Item; otherwise: NormalizedField[] }[] = [];
  for (const item of itemsIn(journal)) {
    if (item.state !== "done") continue;
    const planned = planItemOf(item);
    const otherwise = [
      ...differences(planned, organizationOf(item.answer)),
      // Only the last change to a resource can still be seen.
      ...(now === undefined || last.get(item.target ?? "") !== item.number
        ? []
        : verified(item, planned, now)),
    ];
    if (otherwise.length > 0) noted.push({ item, otherwise });
  }
  journal.database.transaction(() => {
    for (const { item, otherwise } of noted) {
      const { number, target = "" } = item;
      const detail = { ...recordOf(item.detail), stored_otherwise: otherwise };
      journal.apply({ number, state: "done", target, detail });
    }
  });
}

/** Returns the fields of an organization whose response differs from the sent values. */
function differences(
  { name, license, change }: PlanItem,
  found: KnownOrganization | undefined,
): NormalizedField[] {
  if (found === undefined) return [];
  const sent = change?.license ?? license;
  return [
    ...(name !== null && found.name !== undefined && found.name !== name
      ? [{ field: "name", expected: name, found: found.name }]
      : []),
    ...(sent !== null && found.license !== undefined && found.license !== sent
      ? [{ field: "externalLicenseId", expected: sent, found: found.license }]
      : []),
  ];
}

function verified(item: Item, planned: PlanItem, { organizations, licenses }: Inventory): NormalizedField[] {
  const { type, externalId, msp, change } = planned;
  const isDeleted = stepOf(item) === "delete";
  if (type !== "license") {
    const existing = organizations.get(externalId);
    const isExisting = existing?.id === item.target;
    if (isExisting !== isDeleted) return isDeleted ? [] : differences(planned, existing);
    return [{ field: "", expected: isDeleted ? "gone" : "there", found: isExisting ? "there" : "gone" }];
  }
  const owned = licenses.get(organizations.get(msp)?.id ?? "");
  if (owned === undefined) return [];
  const existing = owned.get(externalId);
  if (existing === undefined) return [{ field: "", expected: "there", found: "gone" }];
  const wantsDisabled = change?.status === "disabled";
  const isDifferent =
    change?.status !== undefined &&
    existing.status !== undefined &&
    (existing.status === "disabled") !== wantsDisabled;
  return isDifferent ? [{ field: "status", expected: change.status, found: existing.status }] : [];
}
