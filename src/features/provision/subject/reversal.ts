import type { ClientError } from "../../../client/errors.js";
import type { RunContext } from "../../../write/engine/context.js";
import { failureDetail } from "../../../write/engine/judgement.js";
import { isAlike } from "../../../write/fields.js";
import { type Item, itemOf, type Result } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { itemsIn } from "../../../write/journal/outcome.js";
import { recordOf } from "../../../write/values.js";
import { findOrganization, type Inventory, type KnownOrganization, organizationOf } from "../inventory.js";
import { aboutOf } from "../items.js";
import { namesOf } from "../prune.js";
import { differencesOf, isGivenByRun, licenseOf, sentLicense } from "./judge.js";

/** Returns undefined to send the undo request. */
export function judgeReversal(item: Item, inventory: Inventory, journal: Journal): Result | undefined {
  switch (item.action) {
    case "create":
      return judgeRecreation(item, inventory);
    case "delete":
      return judgeDeletion(item, inventory, journal);
    default:
      return aboutOf(item).kind === "license"
        ? judgeLicense(item, inventory, journal)
        : judgeReassignment(item, inventory, journal);
  }
}

function changedResult({ number, detail }: Item, reason: string, outcome = "changed"): Result {
  return { number, state: "rejected", outcome, detail: { ...recordOf(detail), reason } };
}

function goneResult({ number, detail }: Item): Result {
  return { number, state: "rejected", outcome: "gone", detail };
}

function judgeRecreation(item: Item, { organizations }: Inventory): Result | undefined {
  const { kind, external_id } = aboutOf(item);
  const existing = kind === "license" ? undefined : organizations.get(external_id);
  if (existing === undefined) return undefined;
  return item.attempts > 0
    ? { number: item.number, state: "done", target: existing.id }
    : changedResult(item, "an organization with this external ID exists again");
}

function judgeDeletion(item: Item, inventory: Inventory, journal: Journal): Result | undefined {
  const about = aboutOf(item);
  const { number, target = "", attempts } = item;
  const existing = inventory.organizations.get(about.external_id);
  // The organization was deleted. Its external ID may belong to another organization now.
  if (existing?.id !== target) return attempts > 0 ? { number, state: "done", target } : goneResult(item);
  const isOwn = existing.license != null && isGivenByRun(journal, target, existing.license);
  const differences = differencesOf(about, isOwn ? { ...existing, license: undefined } : existing);
  // Compare with the response to the create, because the service may have normalized values.
  const recorded = organizationOf(item.answer);
  const reasons = [
    ...differences.map(({ text }) => text),
    ...(recorded === undefined ? [] : changedFields(recorded, existing)),
  ];
  if (reasons.length > 0) return changedResult(item, reasons.join("; "));
  return about.kind === "msp" ? judgeUse(item, existing, inventory, journal) : undefined;
}

function changedFields(recorded: KnownOrganization, now: KnownOrganization): string[] {
  const changed: string[] = [];
  if (recorded.name !== undefined && now.name !== undefined && recorded.name !== now.name)
    changed.push(`is named "${now.name}", was "${recorded.name}"`);
  if (recorded.status !== undefined && now.status !== undefined && recorded.status !== now.status)
    changed.push(`is ${now.status}, was ${recorded.status}`);
  if (recorded.parentId !== undefined && now.parentId !== undefined && recorded.parentId !== now.parentId)
    changed.push("belongs to a different MSP");
  return changed;
}

/**
 * Returns the result for an MSP that must be kept, because customers or licenses of other users would be
 * deleted with it (v2.delete.msp).
 */
function judgeUse(
  item: Item,
  { id }: KnownOrganization,
  { organizations, licenses }: Inventory,
  journal: Journal,
): Result | undefined {
  const stay = [...organizations.values()].filter(
    (customer) => customer.parentId === id && !isDeleted(journal, customer.id),
  );
  if (stay.length > 0) {
    const reason = `has customers that will be kept: ${namesOf(stay.map(({ externalId }) => externalId))}`;
    return changedResult(item, reason, "kept");
  }
  const { external_id, license } = aboutOf(item);
  const ofRun = [...itemsIn(journal)]
    .map(aboutOf)
    .filter(({ kind, msp }) => kind === "license" && msp === external_id);
  const known = new Set([license, ...ofRun.map((about) => about.external_id)]);
  const unmanaged = [...(licenses.get(id)?.keys() ?? [])].filter((owned) => !known.has(owned));
  return unmanaged.length > 0
    ? changedResult(item, `has licenses that the run did not add: ${namesOf(unmanaged)}`)
    : undefined;
}

function isDeleted({ database }: Journal, id: string): boolean {
  const row = database
    .prepare(
      "SELECT 1 FROM items WHERE target = ? AND action = 'delete' AND (state <> 'rejected' OR outcome = 'gone') LIMIT 1",
    )
    .get(id);
  return row !== undefined;
}

function judgeReassignment(item: Item, { organizations }: Inventory, journal: Journal): Result | undefined {
  const { number, target = "", attempts } = item;
  const existing = organizations.get(aboutOf(item).external_id);
  if (existing?.id !== target) return goneResult(item);
  const { license } = existing;
  if (license === undefined) return undefined;
  const isRestored = license === recordOf(item.body)["externalLicenseId"];
  if (isRestored && attempts > 0) return { number, state: "done", target };
  if (!isRestored && isGivenByRun(journal, target, license)) return undefined;
  return changedResult(
    item,
    `was changed after the run: it now has ${license === null ? "no license" : `license ${license}`}`,
  );
}

function judgeLicense(item: Item, inventory: Inventory, journal: Journal): Result | undefined {
  const { target = "" } = item;
  const existing = licenseOf(aboutOf(item), inventory);
  if (existing === undefined) return goneResult(item);
  const { product, status } = existing;
  const sent = sentLicense(item);
  // Accept the values from before and after the run, because part of the license may already be restored.
  const values = updatesOf(journal, target).flatMap((update) => [
    sentLicense(update),
    recordOf(update.before),
  ]);
  const isOurs = (field: string, isNow: (value: unknown) => boolean) =>
    sent[field] === undefined || values.some((value) => value[field] !== undefined && isNow(value[field]));
  const isDisabled = status === "disabled";
  if (status !== undefined && !isOurs("status", (value) => (value === "disabled") === isDisabled))
    return changedResult(item, `was changed after the run: it is now ${status}`);
  if (product !== undefined && !isOurs("product", (value) => isAlike("product", product, value)))
    return changedResult(
      item,
      `was changed after the run: it now has ${product ? `product ${product}` : "no product"}`,
    );
  return undefined;
}

function updatesOf({ database }: Journal, target: string): Item[] {
  return database
    .prepare("SELECT * FROM items WHERE target = ? AND action = 'update'")
    .all(target)
    .map(itemOf);
}

const refusals: Readonly<Record<number, string>> = { 404: "gone", 409: "changed" };

/** Returns undefined if the item counts as failed. */
export async function refusedReversal(
  context: RunContext,
  item: Item,
  error: ClientError,
): Promise<Result | undefined> {
  const { number, target = "", action, attempts } = item;
  const { kind, external_id } = aboutOf(item);
  // An earlier request without a response may have deleted the organization.
  if (action === "delete" && error.status === 404 && attempts > 0) return { number, state: "done", target };
  if (action !== "delete" && kind !== "license" && error.status === 409 && attempts > 0) {
    const license = recordOf(item.body)["externalLicenseId"];
    const existing = await findOrganization(context, external_id, action === "create" ? undefined : license);
    const isDone = action === "create" || existing?.license === license;
    if (existing !== undefined && isDone) return { number, state: "done", target: existing.id };
  }
  const outcome = action === "create" ? undefined : refusals[error.status ?? 0];
  if (outcome === undefined) return undefined;
  const detail = { ...recordOf(item.detail), ...failureDetail(error) };
  return { number, state: "rejected", outcome, detail };
}
