import * as z from "zod";
import { addTo } from "../../base/lists.js";
import { BulkError } from "../../write/errors.js";
import type { Item, NewItem } from "../../write/journal/item.js";
import type { PlanStep } from "../../write/plan/format.js";
import { fillPlaceholders, referencesOf } from "../../write/plan/references.js";
import { recordOf } from "../../write/values.js";
import { countedItems, type PlanItem } from "./compare.js";
import { upsertsOf } from "./requests.js";
import type { OrderedItem } from "./steps.js";

const About = z.object({
  kind: z.enum(["msp", "license", "customer"]),
  external_id: z.string(),
  msp: z.string(),
  name: z.string().nullable(),
  license: z.string().nullable(),
  product: z.string().nullable(),
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
export type About = z.output<typeof About>;

/** @throws BulkError `run_of_other_version` */
export function aboutOf({ input }: Pick<NewItem, "input">): About {
  const about = About.safeParse(recordOf(input)["about"]);
  if (about.success) return about.data;
  throw new BulkError(
    "run_of_other_version",
    "the run was written by a different version of voxctl",
    "use the version that started the run",
  );
}

/** Spec entries that already match, or that can't be created, have no step. */
export function hasStep({ input }: Pick<NewItem, "input">): boolean {
  return recordOf(input)["step"] !== undefined;
}

const Detail = z.object({ reason: z.string(), remedy: z.string().optional() });
const endings = ["exists", "differs", "conflicts", "failed", "left", "gone"] as const;
const itemActions = { create: "create", update: "change", delete: "delete" } as const;

export function planItemOf(item: Item): PlanItem {
  const { kind: type, external_id: externalId, change, from, ...fields } = aboutOf(item);
  const { reason, remedy } = Detail.safeParse(item.detail).data ?? {};
  const hasEnded = item.state === "skipped" || item.state === "rejected";
  const ended = hasEnded ? endings.find((action) => action === item.outcome) : undefined;
  return {
    ...fields,
    ...(change === undefined ? {} : { change: withoutUndefined(change) }),
    ...(from === undefined ? {} : { from: withoutUndefined(from) }),
    type,
    externalId,
    action: ended ?? itemActions[item.action ?? "create"],
    differences: ended !== undefined && reason !== undefined ? [reason] : [],
    remedies: ended !== undefined && remedy !== undefined ? [remedy] : [],
  };
}

function withoutUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/**
 * A step has an item for each of its organizations and licenses.
 * @param steps steps of the items that have a request
 */
export function toItems(
  ordered: readonly OrderedItem[],
  steps: ReadonlyMap<OrderedItem, PlanStep>,
): NewItem[] {
  const numbers = new Map<number, number[]>();
  for (const [index, entry] of ordered.entries()) {
    const step = steps.get(entry);
    if (step !== undefined) addTo(numbers, step.step, index + 1);
  }
  const counted = new Set(countedItems(ordered.map(({ item }) => item)));
  return ordered.map((entry, index) => {
    const step = steps.get(entry);
    if (step === undefined) return noteItem(entry, index + 1);
    const item = stepItem(entry, step, index + 1, numbers);
    return counted.has(entry.item) ? item : { ...item, outcome: "updated_again" };
  });
}

const actions = { create: "create", change: "update", delete: "delete" } as const;
const outcomes = { create: "created", update: "updated", delete: "deleted" } as const;

/** Replaces references to steps with references to items. */
function stepItem(
  { item, line, target }: OrderedItem,
  { step: stepNumber, op, ...request }: PlanStep,
  number: number,
  numbers: ReadonlyMap<number, readonly number[]>,
): NewItem {
  const refer = (value: unknown) =>
    value === undefined
      ? undefined
      : recordOf(
          fillPlaceholders(value, {
            reference: (step) => ({ $ref: numbers.get(step)?.[0] ?? step }),
            secret: () => undefined,
          }),
        );
  const about = toAbout(item);
  const { type, name, license, product, from } = item;
  const action = actions[item.action === "change" || item.action === "delete" ? item.action : "create"];
  const isLicense = type === "license";
  const body = isLicense ? { licenses: upsertsOf([item]) } : request.body;
  const step: PlanStep = { step: number, op, path: refer(request.path), body: refer(body), undo: "none" };
  const former = action === "update" ? { externalLicenseId: from?.license ?? null } : request.before;
  return {
    number,
    line,
    state: "planned",
    outcome: item.change?.license === undefined ? outcomes[action] : "reassigned",
    action,
    target: action === "create" ? undefined : target,
    body: action === "create" ? { name, license, product } : shownChange(body),
    before: isLicense ? from : former,
    input: {
      step,
      resource: op.slice(0, op.indexOf(".")),
      requires: referencesOf({ ...request }).flatMap((needed) => numbers.get(needed) ?? []),
      share: isLicense ? `step ${stepNumber}` : undefined,
      about,
    },
    detail: detailOf(about),
  };
}

function shownChange(body: PlanStep["body"]): unknown {
  const { licenses } = body ?? {};
  if (!Array.isArray(licenses)) return body;
  const { externalLicenseId: _, ...changes } = recordOf(licenses[0]);
  return changes;
}

export function detailOf({ kind, external_id, msp }: About): Pick<About, "kind" | "external_id" | "msp"> {
  return { kind, external_id, msp };
}

function noteItem({ item, line, target }: OrderedItem, number: number): NewItem {
  const about = toAbout(item);
  const { name, license, product } = about;
  const { differences, remedies } = item;
  const remedy = remedies.filter((text) => text !== "").join("; ");
  return {
    number,
    line,
    state: "skipped",
    outcome: item.action,
    action: "create",
    target,
    body: { name, license, product },
    input: { about },
    detail: {
      ...detailOf(about),
      ...(differences.length === 0 ? {} : { reason: differences.join("; ") }),
      ...(differences.length === 0 || remedy === "" ? {} : { remedy }),
    },
  };
}

function toAbout(item: PlanItem): About {
  const { type: kind, externalId: external_id, msp, name, license, product, status, change, from } = item;
  return { kind, external_id, msp, name, license, product, status, change, from };
}
