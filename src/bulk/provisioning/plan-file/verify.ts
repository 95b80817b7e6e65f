import type { RunContext } from "../../engine/context.js";
import type { Item } from "../../journal/item.js";
import type { Journal } from "../../journal/journal.js";
import { itemsIn } from "../../journal/outcome.js";
import { recordOf } from "../../values.js";
import type { PlanItem } from "../compare.js";
import { type Inventory, type KnownOrganization, organizationOf, readInventory } from "../inventory.js";
import { planItemOf, stepOf } from "../items.js";
import { KeptPlan } from "../plan.js";

interface Otherwise {
  field: string;
  expected: unknown;
  found: unknown;
}

/** A9: notes what the service stored otherwise than it was sent; with `--verify` as everything is at the end. */
export async function noteStoredOtherwise(context: RunContext, journal: Journal): Promise<void> {
  const plan = KeptPlan.parse(journal.setting("plan"));
  const now = journal.setting("verify") === true ? await readInventory(context, plan) : undefined;
  const last = new Map<string, number>();
  for (const { target, number, state } of itemsIn(journal))
    if (target !== undefined && state === "done") last.set(target, number);
  const noted: { item: Item; otherwise: Otherwise[] }[] = [];
  for (const item of itemsIn(journal)) {
    if (item.state !== "done") continue;
    const planned = planItemOf(item);
    const otherwise = [
      ...differences(planned, organizationOf(item.answer)),
      // Only what became of it last can still be seen.
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

/** The fields of an organization that an answer shows otherwise than they were sent. */
function differences({ name, license, change }: PlanItem, found: KnownOrganization | undefined): Otherwise[] {
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

function verified(item: Item, planned: PlanItem, { organizations, licenses }: Inventory): Otherwise[] {
  const { kind, externalId, msp, change } = planned;
  const isDeleted = stepOf(item) === "delete";
  if (kind !== "license") {
    const found = organizations.get(externalId);
    const isThere = found?.id === item.target;
    if (isThere !== isDeleted) return isDeleted ? [] : differences(planned, found);
    return [{ field: "", expected: isDeleted ? "gone" : "there", found: isThere ? "there" : "gone" }];
  }
  const owned = licenses.get(organizations.get(msp)?.id ?? "");
  if (owned === undefined) return [];
  const found = owned.get(externalId);
  if (found === undefined) return [{ field: "", expected: "there", found: "gone" }];
  const wantsDisabled = change?.status === "disabled";
  const isOther =
    change?.status !== undefined &&
    found.status !== undefined &&
    (found.status === "disabled") !== wantsDisabled;
  return isOther ? [{ field: "status", expected: change.status, found: found.status }] : [];
}
