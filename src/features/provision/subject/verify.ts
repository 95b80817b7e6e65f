import type { Item } from "../../../write/journal/item.js";
import { existenceOf } from "../../../write/plan/verify.js";
import type { NormalizedField } from "../../../write/subject.js";
import type { Inventory, KnownOrganization } from "../inventory.js";
import { aboutOf } from "../items.js";
import { sentLicense } from "./judge.js";

/** Returns the fields whose current value differs from the sent value, because the service normalized it. */
export function findNormalizedFields(item: Item, found: KnownOrganization | undefined): NormalizedField[] {
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

/** Returns undefined if the state was not read. */
export function compareWritten(
  item: Item,
  { organizations, licenses }: Inventory,
): NormalizedField[] | undefined {
  const { kind, external_id, msp } = aboutOf(item);
  const isDeleted = item.action === "delete";
  if (kind !== "license") {
    const existing = organizations.get(external_id);
    const isExisting = existing?.id === item.target;
    if (isExisting !== isDeleted) return isDeleted ? [] : findNormalizedFields(item, existing);
    return [existenceOf(isExisting)];
  }
  const owned = licenses.get(organizations.get(msp)?.id ?? "");
  if (owned === undefined) return undefined;
  const existing = owned.get(external_id);
  if (existing === undefined) return [existenceOf(false)];
  const { status } = sentLicense(item);
  const isDifferent =
    status !== undefined &&
    existing.status !== undefined &&
    (existing.status === "disabled") !== (status === "disabled");
  return isDifferent ? [{ field: "status", expected: status, found: existing.status }] : [];
}
