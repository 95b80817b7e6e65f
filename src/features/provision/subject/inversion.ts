import * as z from "zod";
import { type Item, itemOf } from "../../../write/journal/item.js";
import type { Journal } from "../../../write/journal/journal.js";
import { eachIn } from "../../../write/journal/outcome.js";
import { createPlannedSteps, type PlannedStep } from "../../../write/plan/planned-steps.js";
import { sentOf } from "../../../write/plan/sent.js";
import { doneBackwards, type Part, type UndoScope } from "../../../write/undo/parts.js";
import { recordOf } from "../../../write/values.js";
import { type About, aboutOf, detailOf } from "../items.js";
import { sentLicense } from "./judge.js";

/**
 * Yields the undo's parts in reverse order of the run, so that customers are deleted before their MSPs.
 * Created licenses come last, because they are deleted only with their MSP (D-v2-delete).
 */
export function* organizationParts(original: Journal, scope: UndoScope): Generator<Part, void> {
  const plannedOf = createPlannedSteps(original);
  const mspOf = (item: Item) => sentOf(original, plannedOf(item)).path["organizationId"] ?? "";
  const recreated = new Set<string>();
  const lost = new Set<string>();
  /**
   * Parts that disable licenses again. They come after the parts that create the licenses' holders, because
   * disabling a license blocks its holder (v2.license.disable).
   */
  const disablings: Part[] = [];
  /** Licenses that the run disabled. The status of their holders can't be compared (v2.license.disable). */
  const disabled = new Set<unknown>();
  for (const item of doneBackwards(original)) {
    const part = partOf(item);
    if (item.action === "create") {
      if (part.about.kind !== "license") {
        const data = scope.currentState(part.resource, item.target ?? "", item.answer);
        const isBlocked = disabled.has(part.about.license);
        yield {
          ...{ ...part, outcome: "deleted" },
          data: isBlocked ? { ...recordOf(data), status: undefined } : data,
        };
      }
    } else if (item.action === "delete") {
      const before = Before.parse(item.before);
      const isOfLost = lost.has(before.parentOrganizationId ?? "");
      if (before.externalLicenseId == null || isOfLost) {
        lost.add(item.target ?? "");
        const whose = isOfLost ? "the customer's MSP" : "the organization";
        const reason = `${whose} had no license, and the API can't create an organization without a license`;
        yield { ...part, outcome: "failed", reason };
        continue;
      }
      recreated.add(item.target ?? "");
      const isWithMsp = recreated.has(before.parentOrganizationId ?? "");
      const status = statusParts(part, before, {
        isWithMsp,
        isUndone: scope.isUndone(part.part, item.target),
      });
      yield* status.early;
      yield* recreatedParts(item, part, { ...before, externalLicenseId: before.externalLicenseId });
      disablings.push(...status.late);
    } else {
      if (sentLicense(item)["status"] === "disabled") disabled.add(item.target);
      // A license that the run created has no former status.
      if (!isNewLicense(original, item)) yield updatePart(item, part, plannedOf(item), mspOf(item));
    }
  }
  yield* disablings;
  for (const item of eachIn(original, "done")) {
    if (item.action !== "create" || aboutOf(item).kind !== "license") continue;
    const goesWith = mspOf(item);
    const msp = findCreate(original, goesWith);
    const isUndone = msp !== undefined && scope.isUndone(String(msp.number), goesWith);
    const reason = "a license can be deleted only with its MSP, but the MSP will be kept";
    if (!isUndone) yield { ...partOf(item), outcome: "with_msp", goesWith, reason };
  }
}

function partOf(item: Item): Omit<Part, "outcome"> & { about: About } {
  const about = aboutOf(item);
  const resource = about.kind === "license" ? "licenses" : "orgs";
  return { part: String(item.number), item, resource, about, label: detailOf(about) };
}

function findCreate({ database }: Journal, id: string): Item | undefined {
  const row = database
    .prepare("SELECT * FROM items WHERE target = ? AND action = 'create' AND state = 'done' LIMIT 1")
    .get(id);
  return row === undefined ? undefined : itemOf(row);
}

/** Returns whether the run created the license of this item, alone or with its MSP (v2.create.msp). */
function isNewLicense({ database }: Journal, item: Item): boolean {
  const { kind, external_id, msp } = aboutOf(item);
  if (kind !== "license") return false;
  const row = database
    .prepare(
      `SELECT 1 FROM items WHERE action = 'create' AND state = 'done' AND json_extract(input, '$.about.msp') = ?2
      AND ((json_extract(input, '$.about.kind') = 'license' AND json_extract(input, '$.about.external_id') = ?1)
        OR (json_extract(input, '$.about.kind') = 'msp' AND json_extract(input, '$.about.license') = ?1)) LIMIT 1`,
    )
    .get(external_id, msp);
  return row !== undefined;
}

type Base = ReturnType<typeof partOf>;

function updatePart(item: Item, part: Base, { step }: PlannedStep, organizationId: string): Part {
  const written = recordOf(item.body);
  const before = recordOf(item.before);
  const request = { op: step.op, path: { organizationId } };
  if (part.about.kind !== "license") {
    const { externalLicenseId } = before;
    if (typeof externalLicenseId !== "string")
      return { ...part, outcome: "kept", reason: "the API can't remove a license from an organization" };
    return { ...part, outcome: "restored", request, body: { externalLicenseId }, written };
  }
  const { externalLicenseId, product, status } = sentLicense(item);
  const former = {
    ...(product === undefined || before["product"] == null ? {} : { product: before["product"] }),
    ...(status === undefined ? {} : { status: status === "disabled" ? "available" : "disabled" }),
  };
  if (Object.keys(former).length === 0)
    return { ...part, outcome: "kept", reason: "the API can't remove a license's product" };
  const body = { licenses: [{ externalLicenseId, ...former }] };
  return { ...part, outcome: "restored", request, body, written };
}

const Before = z.object({
  externalOrganizationId: z.string(),
  name: z.string().nullish(),
  status: z.string().nullish(),
  externalLicenseId: z.string().nullish(),
  parentOrganizationId: z.string().optional(),
  /** All licenses of an MSP; for a customer, only its license. */
  licenses: z
    .array(z.object({ id: z.string(), product: z.string().nullish(), status: z.string().nullish() }))
    .default([]),
});
type Before = z.output<typeof Before>;

/**
 * Returns the parts that restore the status of a deleted organization and its licenses. `early` enables a
 * license, because only an enabled license can be assigned. `late` disables licenses after their assignment,
 * because disabling a license blocks its holder (v2.license.disable).
 * @param options.isWithMsp whether the customer's MSP is also created again, with all its licenses
 * @param options.isUndone whether an earlier undo already created the organization again
 */
function statusParts(
  part: Base,
  { status, externalLicenseId, parentOrganizationId, licenses }: Before,
  { isWithMsp, isUndone }: { isWithMsp: boolean; isUndone: boolean },
): { early: Part[]; late: Part[] } {
  const isCustomer = part.about.kind === "customer";
  const disabled = licenses.filter((license) => license.status === "disabled");
  const isBlockedByLicense = disabled.some(({ id }) => id === externalLicenseId);
  const late: Part[] = [];
  if (status === "blocked" && !isBlockedByLicense)
    late.push({
      ...{ ...part, part: `${part.part}.status`, outcome: "failed" },
      reason:
        "the organization was blocked although its license was not disabled, and the API can't block it again",
    });
  const setStatus = (id: string, to: "available" | "disabled", from: string): Part => {
    const about = licenseAbout(part.about, id);
    return {
      ...{ ...part, part: `${part.part}.${id} ${to}`, item: { ...part.item, target: id }, about },
      ...{ outcome: "restored", resource: "licenses" },
      label: detailOf(about),
      request: {
        op: "licenses.upsert",
        path: { organizationId: isCustomer ? parentOrganizationId : part.item.target },
      },
      ...{ body: { licenses: [{ externalLicenseId: id, status: to }] }, written: { status: from } },
    };
  };
  if (isCustomer && (isWithMsp || externalLicenseId == null)) return { early: [], late };
  for (const { id } of disabled)
    late.push({
      ...setStatus(id, "disabled", "available"),
      ...{ share: `disabled licenses of ${part.about.msp}`, needs: part.item.target, isRepeated: !isUndone },
    });
  const isEnabledFirst = isCustomer && isBlockedByLicense && !isUndone;
  const early = isEnabledFirst
    ? [{ ...setStatus(String(externalLicenseId), "available", "disabled"), isRepeated: true }]
    : [];
  return { early, late };
}

function licenseAbout(about: About, id: string): About {
  return { ...about, kind: "license", external_id: id, name: null, license: null };
}

function* recreatedParts(
  item: Item,
  part: Base,
  {
    externalOrganizationId,
    name,
    externalLicenseId,
    parentOrganizationId,
    licenses,
  }: Before & { externalLicenseId: string },
): Generator<Part, void> {
  const recreated = { ...part, outcome: "recreated", recreates: item.target ?? "" } as const;
  const request = { op: "orgs.create" } as const;
  const named = { name: name ?? externalOrganizationId, externalOrganizationId };
  if (part.about.kind === "customer") {
    const body = { type: "customer", ...named, parentOrganizationId, externalLicenseId };
    yield { ...recreated, request, body };
    return;
  }
  const withProduct = ({ id, product }: { id: string; product?: string | null | undefined }) => ({
    externalLicenseId: id,
    ...(product == null ? {} : { product }),
  });
  const own = licenses.find(({ id }) => id === externalLicenseId) ?? { id: externalLicenseId };
  yield { ...recreated, request, body: { type: "msp", ...named, license: withProduct(own) } };
  const path = { organizationId: item.target };
  for (const [index, license] of licenses.filter(({ id }) => id !== externalLicenseId).entries()) {
    const about = licenseAbout(part.about, license.id);
    yield {
      ...{ ...part, part: `${part.part}.${index + 1}`, outcome: "recreated", resource: "licenses" },
      ...{ request: { op: "licenses.upsert", path }, body: { licenses: [withProduct(license)] } },
      ...{ share: `licenses of ${externalOrganizationId}`, about, label: detailOf(about) },
    };
  }
}
