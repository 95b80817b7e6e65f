import { isAlike } from "../fields.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { itemsIn } from "../journal/outcome.js";
import { compareSpec, type Freed, keyOf, type PlanItem } from "./compare.js";
import type { Inventory } from "./inventory.js";
import { newItemOf, planItemOf, stepOf } from "./items.js";
import type { OrganizationSpec } from "./organization-spec.js";
import { namesOf } from "./prune.js";

/** While a run frees licenses, a held license is not a conflict yet: the service decides. */
const maybeFreed: Freed = { isLicenseFreed: () => true, isDeleted: () => true };

/**
 * Updates a run with the current state before it sends anything. Items sent without a response are done if
 * they exist; missing items will be created, regardless of the journal; items that another user has changed
 * since then are kept.
 * @param isConcerned selects items by number; all by default
 * @returns the recorded result
 */
export function refreshItems(
  journal: Journal,
  spec: OrganizationSpec,
  inventory: Inventory,
  isConcerned?: (number: number) => boolean,
): readonly Result[] {
  /** A change that the run itself makes to an item after creating it is not a difference. */
  const changed = new Set<string>();
  let frees = false;
  const items = [...itemsIn(journal)];
  for (const item of items) {
    if (stepOf(item) !== "create") frees = true;
    if (stepOf(item) === "change") changed.add(keyOf(planItemOf(item)));
  }
  const { msps } = compareSpec(spec, inventory, frees ? maybeFreed : undefined);
  const now = new Map(
    msps
      .flatMap(({ msp, licenses, customers }) => [msp, ...licenses, ...customers])
      .map((item): [string, PlanItem] => {
        const key = keyOf(item);
        const isOurs = item.action === "differs" && changed.has(key);
        return [key, isOurs ? { ...item, action: "exists", differences: [], remedies: [] } : item];
      }),
  );
  const given = frees ? licensesGiven(items) : new Map();
  const results: Result[] = [];
  for (const known of items) {
    if (known.state === "skipped" || isConcerned?.(known.number) === false) continue;
    const planned = planItemOf(known);
    const demand = now.get(keyOf(planned));
    const result =
      stepOf(known) === "create"
        ? demand && judgedDemand(known, demand, inventory)
        : judgedChange(known, inventory, { journal, given });
    if (result) results.push(result);
  }
  journal.record(results, []);
  return results;
}

function judgedDemand(known: Item, demand: PlanItem, { organizations }: Inventory): Result | undefined {
  const { number, state, attempts } = known;
  const { type, externalId } = demand;
  const id = type === "license" ? externalId : organizations.get(externalId)?.id;
  if (demand.action === "create") return state === "planned" ? undefined : { number, state: "planned" };
  // An earlier request without a response has created it.
  const isOwn = state === "unknown" || (state === "planned" && attempts > 0);
  if (isOwn && demand.action === "exists") return { number, state: "done", target: id ?? "" };
  if (state !== "unknown" && state !== "planned") return undefined;
  const { outcome, detail } = newItemOf({ item: demand, line: known.line, target: id }, number);
  return { number, state: "skipped", outcome, detail, target: id };
}

/**
 * Returns the result of a change or delete that is already made or no longer required; otherwise undefined.
 */
export function judgedChange(
  item: Item,
  inventory: Inventory,
  { journal, given }: { journal: Journal; given: ReadonlyMap<string, ReadonlySet<string | null>> },
): Result | undefined {
  const { number, state, target = "", attempts } = item;
  const planned = planItemOf(item);
  if (state !== "planned" && state !== "unknown") return undefined;
  const keptResult = (reason: string): Result => ({
    number,
    state: "skipped",
    outcome: "left",
    detail: { reason },
  });
  const existsResult = (): Result =>
    // An earlier request without a response has made the change.
    state === "unknown" || attempts > 0
      ? { number, state: "done", target }
      : { number, state: "skipped", outcome: "exists", detail: undefined };
  const { type, externalId, msp, change = {} } = planned;
  const own = inventory.organizations.get(externalId);
  if (stepOf(item) === "delete") {
    // The service reports what no longer exists (T4).
    if (own === undefined || own.id !== target) return undefined;
    const reason = describeChanges(planned, own) ?? findUnmanagedReason(own.id, inventory, journal);
    return reason === undefined ? undefined : keptResult(reason);
  }
  if (type !== "license") {
    if (own?.license === undefined) return undefined;
    if (own.license === change.license) return existsResult();
    return given.get(target)?.has(own.license)
      ? undefined
      : keptResult(`now has the license ${own.license ?? "none"}`);
  }
  const mspId = inventory.organizations.get(msp)?.id ?? "";
  const license = inventory.licenses.get(mspId)?.get(externalId);
  if (license === undefined) return undefined;
  const isSame =
    change.status === undefined
      ? license.product !== undefined && isAlike("product", license.product, change.product)
      : license.status !== undefined && (license.status === "disabled") === (change.status === "disabled");
  return isSame ? existsResult() : undefined;
}

/** Changes by other users since the confirmation are kept (T6). */
function describeChanges(
  { name, license, status }: PlanItem,
  now: { name: string | undefined; license: string | null | undefined; status: string | undefined },
): string | undefined {
  const reasons = [
    ...(name !== null && now.name !== undefined && !isAlike("name", name, now.name)
      ? [`is named "${now.name}" by now`]
      : []),
    ...(now.license !== undefined && now.license !== license
      ? [`now has the license ${now.license ?? "none"}`]
      : []),
    ...(status !== undefined && now.status !== undefined && now.status !== status
      ? [`is ${now.status} by now`]
      : []),
  ];
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

/** v2.delete.msp: customers that came since the run was planned. */
function findUnmanagedReason(
  mspId: string,
  { organizations }: Inventory,
  journal: Journal,
): string | undefined {
  const stay = [...organizations.values()].filter(
    ({ id, parentId }) => parentId === mspId && !journal.knowsTarget(id),
  );
  return stay.length === 0
    ? undefined
    : `has customers that stay: ${namesOf(stay.map(({ externalId }) => externalId))}`;
}

/**
 * The licenses that each organization holds before, during and after the reassignments of this run, by
 * organization id.
 */
export function licensesGiven(items: Iterable<Item>): Map<string, Set<string | null>> {
  const all = new Map<string, Set<string | null>>();
  for (const item of items) {
    const { target } = item;
    const { type, change, from } = planItemOf(item);
    if (target === undefined || type === "license" || stepOf(item) !== "change") continue;
    const given = all.get(target) ?? new Set();
    all.set(target, given.add(change?.license ?? null).add(from?.license ?? null));
  }
  return all;
}
