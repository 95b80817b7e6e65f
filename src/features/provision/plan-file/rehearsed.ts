import { BulkError } from "../../../write/errors.js";
import { isSameValue } from "../../../write/plan/canonical.js";
import type { PlanStep } from "../../../write/plan/format.js";
import { recordOf } from "../../../write/values.js";
import type { PlanItem } from "../compare.js";
import type { Change } from "../differences.js";
import type { Inventory } from "../inventory.js";
import type { OrderedItem } from "../steps.js";
import { nothingEarlier, type Request, stepOf } from "./steps.js";

/**
 * `before` and `after` contain the resources that the write may have changed, by path such as
 * `licenses/elbe-001`.
 */
interface OrganizationWrite {
  operation: string;
  path: string;
  body: unknown;
  effect: boolean;
  createdId: string | null;
  before: unknown;
  after: unknown;
}

/**
 * Returns the steps for the writes of a rehearsal, in order. Omits writes without an effect.
 * @param inventory inventory before the rehearsal, for the preconditions
 * @throws BulkError `not_sealable` if a write depends on an earlier write in a way that a plan can't express
 */
export function rehearsedOrganizationSteps(
  writes: Iterable<OrganizationWrite>,
  inventory: Inventory,
): PlanStep[] {
  const known = createKnown(inventory);
  const earlier = nothingEarlier(inventory);
  const steps: PlanStep[] = [];
  for (const write of writes) {
    if (!write.effect) continue;
    const changed = findChangedPaths(write);
    if (changed.length === 0) continue;
    const request = requestOf(write, known);
    steps.push(stepOf(request, steps.length + 1, earlier));
    known.learn(write, changed);
    for (const resourcePath of changed) earlier.changed.add(known.nameOf(resourcePath));
  }
  return steps;
}

function createKnown({ organizations }: Inventory) {
  const externalIds = new Map(
    [...organizations.values()].map((organization) => [organization.id, organization.externalId]),
  );
  const made = new Set<string>();
  const changed = new Set<string>();
  return {
    externalId: (id: string) => externalIds.get(id) ?? id,
    nameOf(resourcePath: string): string {
      const id = resourcePath.slice(resourcePath.indexOf("/") + 1);
      return resourcePath.startsWith("licenses/") ? id : (externalIds.get(id) ?? id);
    },
    /** @throws BulkError */
    assertOfBase(write: OrganizationWrite, id: string): void {
      const isChanged = write.operation === "orgs.delete" && changed.has(`orgs/${id}`);
      if (!made.has(id) && !isChanged) return;
      throw new BulkError(
        "not_sealable",
        `${write.operation}: organization ${externalIds.get(id) ?? id} was ${made.has(id) ? "created" : "changed"} earlier in this rehearsal, and one plan can't contain both steps`,
        "rehearse the commands separately, with one plan each",
      );
    },
    learn({ createdId, after }: OrganizationWrite, resourcePaths: readonly string[]): void {
      for (const resourcePath of resourcePaths) changed.add(resourcePath);
      if (createdId === null) return;
      made.add(createdId);
      const { externalOrganizationId } = recordOf(recordOf(after)[`orgs/${createdId}`]);
      externalIds.set(createdId, String(externalOrganizationId));
    },
  };
}
type Known = ReturnType<typeof createKnown>;

function findChangedPaths({ before, after }: OrganizationWrite): string[] {
  const [was, is] = [recordOf(before), recordOf(after)];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].filter((name) => !isSameValue(was[name] ?? null, is[name] ?? null));
}

const nothing: Pick<PlanItem, "differences" | "remedies" | "name" | "license" | "product"> = {
  differences: [],
  remedies: [],
  name: null,
  license: null,
  product: null,
};

function requestOf(write: OrganizationWrite, known: Known): Request {
  const body = recordOf(write.body);
  if (write.operation === "orgs.create") return [{ item: created(body, known), line: 0, target: undefined }];
  const parts = write.path.split("/");
  const id = decodeURIComponent(parts.at(write.operation === "orgs.delete" ? -1 : -2) ?? "");
  if (write.operation === "licenses.upsert") return licenseItems(write, known.externalId(id));
  known.assertOfBase(write, id);
  const was = recordOf(recordOf(write.before)[`orgs/${id}`]);
  const type = was["type"] === "msp" ? "msp" : "customer";
  const externalId = known.externalId(id);
  const msp = type === "msp" ? externalId : known.externalId(String(was["parentOrganizationId"]));
  const held = textOf(was["externalLicenseId"]);
  const about = { ...nothing, type, externalId, msp } as const;
  if (write.operation === "orgs.delete")
    return [{ item: { ...about, action: "delete", license: held }, line: 0, target: id }];
  const license = textOf(body["externalLicenseId"]) ?? "";
  return [
    {
      item: { ...about, action: "change", license, change: { license }, from: { license: held } },
      line: 0,
      target: id,
    },
  ];
}

function created(body: Readonly<Record<string, unknown>>, known: Known): PlanItem {
  const externalId = String(body["externalOrganizationId"]);
  const name = textOf(body["name"]);
  const about = { ...nothing, action: "create", externalId, name } as const;
  if (body["type"] === "msp") {
    const { externalLicenseId, product } = recordOf(body["license"]);
    return {
      ...about,
      type: "msp",
      msp: externalId,
      license: textOf(externalLicenseId),
      product: textOf(product),
    };
  }
  const msp = known.externalId(String(body["parentOrganizationId"]));
  return { ...about, type: "customer", msp, license: textOf(body["externalLicenseId"]) };
}

function licenseItems({ body, before, after }: OrganizationWrite, msp: string): Request {
  const [was, is] = [recordOf(before), recordOf(after)];
  const { licenses } = recordOf(body);
  const items = (Array.isArray(licenses) ? licenses : []).flatMap((entry): OrderedItem[] => {
    const { externalLicenseId, product, status } = recordOf(entry);
    const externalId = String(externalLicenseId);
    const name = `licenses/${externalId}`;
    const former = recordOf(was[name]);
    if (isSameValue(was[name] ?? null, is[name] ?? null)) return [];
    const newStatus = status === "available" || status === "disabled" ? status : undefined;
    const change: Change = {
      ...(typeof product === "string" ? { product } : {}),
      ...(newStatus === undefined ? {} : { status: newStatus }),
    };
    const about = { ...nothing, type: "license", externalId, msp } as const;
    if (was[name] === null || was[name] === undefined)
      return [
        {
          item: { ...about, action: "create", product: textOf(product), change },
          line: 0,
          target: undefined,
        },
      ];
    const from = {
      ...(change.product === undefined ? {} : { product: textOf(former["product"]) }),
      ...(change.status === undefined ? {} : { status: String(former["status"]) }),
    };
    return [{ item: { ...about, action: "change", change, from }, line: 0, target: externalId }];
  });
  const [first, ...moreItems] = items;
  if (first) return [first, ...moreItems];
  throw new BulkError(
    "not_sealable",
    `licenses.upsert for ${msp} changed licenses that are not in its request`,
  );
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
