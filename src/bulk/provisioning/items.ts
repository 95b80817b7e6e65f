import * as z from "zod";
import type { Item, NewItem } from "../journal/item.js";
import type { PlanItem } from "./compare.js";
import type { OrderedItem } from "./steps.js";

/** The journal form of an item, with the terms of the spec and the results file. */
const Body = z.object({
  kind: z.enum(["msp", "license", "customer"]),
  external_id: z.string(),
  msp: z.string(),
  name: z.string().nullable(),
  license: z.string().nullable(),
  product: z.string().nullable(),
  /** Journals of earlier versions know creates only. */
  step: z.enum(["create", "change", "delete"]).default("create"),
  status: z.string().optional(),
  change: z
    .object({
      product: z.string().optional(),
      status: z.enum(["available", "disabled"]).optional(),
      license: z.string().optional(),
    })
    .optional(),
  from: z
    .object({
      product: z.string().nullish(),
      status: z.string().optional(),
      license: z.string().nullish(),
    })
    .optional(),
});
/** The licenses that go with an MSP that is deleted. */
export const LicensesBefore = z.object({
  licenses: z.array(
    z.object({ id: z.string(), product: z.string().nullish(), status: z.string().optional() }),
  ),
});
const Detail = z.object({ reason: z.string(), remedy: z.string().optional() });

/** The action of an item, regardless of its outcome. */
export function stepOf({ body }: Pick<Item, "body">): "create" | "change" | "delete" {
  return Body.parse(body).step;
}

/** The demands of the spec with their results: `create` for items that the run created or will create. */
export function planItemOf({ body, detail, state, outcome }: Item): PlanItem {
  const { external_id: externalId, kind: type, step, change, from, ...fields } = Body.parse(body);
  const { reason, remedy } = Detail.safeParse(detail).data ?? {};
  const ended =
    state === "skipped" || state === "rejected" ? endings.find((action) => action === outcome) : undefined;
  return {
    ...fields,
    ...(change === undefined ? {} : { change: withoutUndefined(change) }),
    ...(from === undefined ? {} : { from: withoutUndefined(from) }),
    type,
    externalId,
    action: ended ?? step,
    differences: ended !== undefined && reason !== undefined ? [reason] : [],
    remedies: ended !== undefined && remedy !== undefined ? [remedy] : [],
  };
}

function withoutUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], undefined> };
}

const endings = ["exists", "differs", "conflicts", "failed", "left", "gone"] as const;
const outcomes = { create: "created", change: "changed", delete: "deleted" } as const;
const actions = { create: "create", change: "update", delete: "delete" } as const;

export function newItemOf({ item, line, target, licenses }: OrderedItem, number: number): NewItem {
  const { action, type, externalId: external_id, msp, name, license, product, differences, remedies } = item;
  const { status, change, from } = item;
  const step = action === "change" || action === "delete" ? action : "create";
  const isPlanned = action === "create" || step !== "create";
  const about = { kind: type, external_id, msp, name, license, product };
  const remedy = remedies.filter((text) => text !== "").join("; ");
  return {
    number,
    line,
    state: isPlanned ? "planned" : "skipped",
    outcome: isPlanned ? outcomes[step] : action,
    action: actions[step],
    target: action === "create" ? undefined : target,
    body: step === "create" ? about : { ...about, step, status, change, from },
    fingerprint: `${type} ${external_id}`,
    before: licenses === undefined ? undefined : { licenses },
    detail:
      differences.length > 0
        ? { reason: differences.join("; "), ...(remedy === "" ? {} : { remedy }) }
        : undefined,
  };
}

/** The outcome of an item once it is done. */
export function outcomeOf(item: Pick<Item, "body">): string {
  return outcomes[stepOf(item)];
}
