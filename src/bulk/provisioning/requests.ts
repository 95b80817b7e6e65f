import { organizationId } from "../../client/ids.js";
import type { CallInput } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import { withoutId } from "../engine/judgement.js";
import type { Item, Result } from "../journal/item.js";
import type { PlanItem } from "./compare.js";

/**
 * Returns the request that creates, changes or deletes the resource of an item.
 * @param planned the item, and the licenses that share its request
 * @param msp id of its MSP as text, and in its original type: some services accept only numbers (T9)
 */
export function requestOf(
  { action, target: organizationId = "" }: Item,
  planned: readonly [PlanItem, ...PlanItem[]],
  msp: { id: string; sentId: unknown },
): { operation: OperationName; input: CallInput } {
  const [first] = planned;
  if (first.type === "license") {
    const body = { licenses: upsertsOf(planned) };
    return { operation: "licenses.upsert", input: { path: { organizationId: msp.id }, body } };
  }
  const path = { organizationId };
  if (action === "delete") return { operation: "orgs.delete", input: { path } };
  if (action === "update")
    return {
      operation: "licenses.reassign",
      input: { path, body: { externalLicenseId: first.change?.license } },
    };
  return { operation: "orgs.create", input: { body: bodyOf(first, msp.sentId) } };
}

/** The licenses of one request, each once: to create them, or with their changes. */
export function upsertsOf(planned: readonly PlanItem[]): object[] {
  const upserts = new Map<string, object>();
  for (const { externalId, product, change } of planned) {
    const fields = change ?? (product === null ? {} : { product });
    upserts.set(externalId, { externalLicenseId: externalId, ...upserts.get(externalId), ...fields });
  }
  return [...upserts.values()];
}

/** The body that creates an organization. */
export function bodyOf({ type, name, externalId, license, product }: PlanItem, msp: unknown): object {
  if (type === "customer") {
    return {
      type,
      name,
      parentOrganizationId: msp,
      externalOrganizationId: externalId,
      externalLicenseId: license,
    };
  }
  return {
    type,
    name,
    externalOrganizationId: externalId,
    license: { externalLicenseId: license, ...(product === null ? {} : { product }) },
  };
}

/** Reads the response to such a request and keeps the fields of the organization in it (T1). */
export function buildDoneResult(
  { number, action, target = "" }: Item,
  { type, externalId }: PlanItem,
  data: unknown,
): Result {
  if (type === "license") return { number, state: "done", target: externalId };
  if (action === "delete") return { number, state: "done", target };
  const id = action === "create" ? organizationId(data) : target;
  return id === undefined ? withoutId(number) : { number, state: "done", target: id, answer: data };
}
