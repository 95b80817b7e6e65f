/** Converts the steps of `orgs provision` to the items of its run. */
import { addTo } from "../../base/lists.js";
import type { NewItem } from "../../write/journal/item.js";
import type { PlanStep } from "../../write/plan/format.js";
import { keyOf, type PlanItem } from "./compare.js";
import { noteItem, type StepPart, stepItem, toAbout } from "./items.js";
import { upsertsOf } from "./requests.js";
import type { OrderedItem } from "./steps.js";

/**
 * Returns the items of a run, in order. An item requires the MSP and the license that the run creates for it. A
 * license is disabled only after its holders have a different license.
 * @param steps steps of the items with a request
 */
export function provisionItems(
  ordered: readonly OrderedItem[],
  steps: ReadonlyMap<OrderedItem, PlanStep>,
): NewItem[] {
  const creates = new Map<string, number>();
  const createdBy = new Map<number, number>();
  const freeing = new Map<string, number[]>();
  return ordered.map((entry, index) => {
    const number = index + 1;
    const step = steps.get(entry);
    if (step === undefined) return noteItem(entry, number);
    const { item, line } = entry;
    const { type, msp, license, externalId, change } = item;
    const parent = type === "msp" ? undefined : creates.get(keyOf({ type: "msp", externalId: msp }));
    const own =
      type === "customer" && license !== null && item.action === "create"
        ? creates.get(keyOf({ type: "license", externalId: license }))
        : undefined;
    const holders = change?.status === "disabled" ? (freeing.get(externalId) ?? []) : [];
    if (item.action === "create") {
      creates.set(keyOf(item), number);
      if (type !== "license") createdBy.set(step.step, number);
    }
    const freed = type === "license" ? undefined : item.from?.license;
    if (item.action === "change" && freed != null) addTo(freeing, freed, number);
    return stepItem(step, partOf(entry, step), {
      number,
      line,
      requires: [parent ?? [], own ?? [], holders].flat(),
      // Licenses that depend on other items get their own request.
      share: type === "license" && holders.length === 0 ? `step ${step.step}` : undefined,
      numberOf: (created) => createdBy.get(created),
    });
  });
}

function partOf({ item, target }: OrderedItem, step: PlanStep): StepPart {
  const about = toAbout(item);
  const action = actions[item.action === "change" || item.action === "delete" ? item.action : "create"];
  const part = { about, action, target: action === "create" ? undefined : target };
  if (item.type === "license") return { ...part, body: { licenses: upsertsOf([item]) }, before: item.from };
  if (action !== "update") return { ...part, body: step.body, before: step.before };
  return { ...part, body: step.body, before: { externalLicenseId: formerLicense(item) } };
}

const actions = { create: "create", change: "update", delete: "delete" } as const;

function formerLicense({ from }: PlanItem): string | null {
  return from?.license ?? null;
}
