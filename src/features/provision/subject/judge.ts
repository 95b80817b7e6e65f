import { isAlike } from "../../../write/fields.js";
import type { Item, Result } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { doneBefore, itemsIn } from "../../../write/journal/outcome.js";
import { recordOf } from "../../../write/values.js";
import {
  customerDifferences,
  type Difference,
  licenseDifferences,
  organizationDifferences,
} from "../differences.js";
import type { Inventory, KnownLicense, KnownOrganization } from "../inventory.js";
import { type About, aboutOf, hasStep } from "../items.js";
import { namesOf } from "../prune.js";

/**
 * Updates a run's items to the current state before anything is sent. An unconfirmed item is done if its
 * organization exists. A done item whose organization is missing will be created again.
 */
export function refreshItems(
  journal: Journal,
  inventory: Inventory,
  items: Iterable<Item> = itemsIn(journal),
): void {
  const results = [...items].flatMap((item) => judgeItem(item, inventory, journal) ?? []);
  journal.record(results, []);
}

/**
 * Returns the result of an item that must not be sent, because its change was already made, is impossible or
 * is no longer needed; otherwise undefined.
 */
export function judgeItem(item: Item, inventory: Inventory, journal: Journal): Result | undefined {
  const { state, action } = item;
  if (!hasStep(item)) return undefined;
  const about = aboutOf(item);
  if (about.kind === "license") return judgeLicense(item, licenseOf(about, inventory), journal);
  const isOpen = state === "planned" || state === "unknown";
  if (action === "create") return isOpen || state === "done" ? judgeCreate(item, inventory) : undefined;
  if (!isOpen) return undefined;
  return action === "delete"
    ? judgeDelete(item, inventory, journal)
    : judgeReassignment(item, inventory, journal);
}

/** The item counts as done if this run has already sent its request; otherwise, it is skipped. */
function madeResult(item: Item, target: string): Result {
  const { number, state, attempts, detail } = item;
  return state === "unknown" || attempts > 0
    ? { number, state: "done", target }
    : { number, state: "skipped", outcome: "exists", detail, target };
}

function keptResult({ number, detail, target }: Item, reason: string): Result {
  return { number, state: "skipped", outcome: "left", detail: { ...recordOf(detail), reason }, target };
}

function judgeCreate(item: Item, inventory: Inventory): Result | undefined {
  const { number, state } = item;
  const about = aboutOf(item);
  const existing = inventory.organizations.get(about.external_id);
  if (existing === undefined) return state === "planned" ? undefined : { number, state: "planned" };
  return state === "done"
    ? undefined
    : createdResult(item, existing.id, demandDifferences(about, existing, inventory));
}

export function createdResult(item: Item, target: string, differences: readonly Difference[]): Result {
  if (differences.length === 0) return madeResult(item, target);
  const detail = {
    ...recordOf(item.detail),
    reason: differences.map(({ text }) => text).join("; "),
    remedy: differences.map(({ remedy }) => remedy).join("; "),
  };
  return { number: item.number, state: "skipped", outcome: "differs", detail, target };
}

export function differencesOf({ kind, name, license }: About, existing: KnownOrganization): Difference[] {
  return organizationDifferences(existing, { type: kind, name: name ?? "", license: license ?? "" });
}

function demandDifferences(about: About, existing: KnownOrganization, { organizations }: Inventory) {
  const { kind, external_id: externalId, msp, name, license } = about;
  if (kind === "msp") return differencesOf(about, existing);
  const customer = { at: externalId, line: 0, externalId, name: name ?? "", license: license ?? "" };
  const parent = { externalId: msp, id: organizations.get(msp)?.id };
  return customerDifferences(customer, existing, parent, organizations);
}

export function sentLicense({ input }: Pick<Item, "input">): Readonly<Record<string, unknown>> {
  const { licenses } = recordOf(recordOf(recordOf(input)["step"])["body"]);
  return recordOf(Array.isArray(licenses) ? licenses[0] : undefined);
}

export function licenseOf(
  { kind, external_id, msp }: About,
  { organizations, licenses }: Inventory,
): KnownLicense | undefined {
  if (kind !== "license") return undefined;
  return licenses.get(organizations.get(msp)?.id ?? "")?.get(external_id);
}

/** A license that another user changed is kept. */
export function judgeLicense(
  item: Item,
  known: KnownLicense | undefined,
  journal: Journal,
): Result | undefined {
  const { number, state, action, before, target } = item;
  const isLost = state === "unknown" || state === "done";
  if (known === undefined) return action === "create" && isLost ? { number, state: "planned" } : undefined;
  if (state !== "planned" && state !== "unknown") return undefined;
  const existing = applyOwnWrites(item, known, journal);
  const { product, status } = sentLicense(item);
  const isCreate = action === "create";
  const differences = licenseDifferences(
    {
      ...{ at: "", line: 0, id: existing.id },
      product: typeof product === "string" ? product : undefined,
      isDisabled: (isCreate || status !== undefined ? status : existing.status) === "disabled",
    },
    existing,
  );
  if (!isCreate) {
    const isUnknown =
      (product !== undefined && existing.product === undefined) ||
      (status !== undefined && existing.status === undefined);
    const { product: former = existing.product } = recordOf(before);
    if (isUnknown || (differences.length > 0 && isAlike("product", existing.product, former)))
      return undefined;
  }
  return createdResult(item, target ?? existing.id, differences);
}

/**
 * Returns a license with the values that earlier items wrote, because the service may still show former
 * values.
 */
function applyOwnWrites(item: Item, known: KnownLicense, journal: Journal): KnownLicense {
  const { msp } = aboutOf(item);
  const writes = [...doneBefore(journal, { ...item, target: known.id })]
    .filter((earlier) => aboutOf(earlier).kind === "license" && aboutOf(earlier).msp === msp)
    .map((earlier) => ({ before: recordOf(earlier.before), sent: sentLicense(earlier) }));
  const current = { ...known };
  for (const field of ["product", "status"] as const) {
    const changes = writes.filter(({ sent }) => typeof sent[field] === "string");
    const last = changes[0]?.sent[field];
    if (typeof last === "string" && changes.some(({ before }) => before[field] === known[field]))
      current[field] = last;
  }
  return current;
}

function judgeReassignment(item: Item, { organizations }: Inventory, journal: Journal): Result | undefined {
  const { target = "" } = item;
  const { license: now } = organizations.get(aboutOf(item).external_id) ?? {};
  if (now === undefined) return undefined;
  const { externalLicenseId } = recordOf(item.body);
  if (now === externalLicenseId) return madeResult(item, target);
  return isGivenByRun(journal, target, now)
    ? undefined
    : keptResult(item, now === null ? "now has no license" : `now has the license ${now}`);
}

/** Returns whether this run assigned the license to the organization or removed it from the organization. */
export function isGivenByRun({ database }: Journal, target: string, license: string | null): boolean {
  const row = database
    .prepare(
      "SELECT 1 FROM items WHERE target = ?1 AND action = 'update' AND (json_extract(body, '$.externalLicenseId') IS ?2 OR json_extract(before, '$.externalLicenseId') IS ?2) LIMIT 1",
    )
    .get(target, license);
  return row !== undefined;
}

function judgeDelete(item: Item, inventory: Inventory, journal: Journal): Result | undefined {
  const existing = inventory.organizations.get(aboutOf(item).external_id);
  // The organization no longer exists, so an unconfirmed delete has succeeded. Send any other delete: the
  // service then reports that the organization is missing.
  if (existing === undefined || existing.id !== item.target)
    return item.state === "unknown" ? madeResult(item, item.target ?? "") : undefined;
  const reason = describeChanges(item, existing) ?? findUnmanagedReason(existing.id, inventory, journal);
  return reason === undefined ? undefined : keptResult(item, reason);
}

function describeChanges({ before }: Item, now: KnownOrganization): string | undefined {
  const { name, externalLicenseId: license = null, status } = recordOf(before);
  const reasons = [
    ...(typeof name === "string" && now.name !== undefined && !isAlike("name", name, now.name)
      ? [`is now named "${now.name}"`]
      : []),
    ...(now.license !== undefined && now.license !== license
      ? [now.license === null ? "now has no license" : `now has the license ${now.license}`]
      : []),
    ...(typeof status === "string" && now.status !== undefined && now.status !== status
      ? [`is now ${now.status}`]
      : []),
  ];
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

/** Returns why an MSP must be kept: customers were added after the run was planned (v2.delete.msp). */
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
    : `has customers that will be kept: ${namesOf(stay.map(({ externalId }) => externalId))}`;
}
