/** The items of an organization run: steps, and spec entries that need no step. */
import * as z from "zod";
import { BulkError } from "../../write/errors.js";
import type { Item, NewItem } from "../../write/journal/item.js";
import type { PlanStep } from "../../write/plan/format.js";
import { fillPlaceholders } from "../../write/plan/references.js";
import { recordOf } from "../../write/values.js";
import type { PlanItem } from "./compare.js";
import type { OrderedItem } from "./steps.js";

/** The organization or license of an item, in the terms of the spec and the results file. */
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
    "use the version that started the run, or delete the run: `voxctl runs discard`",
  );
}

/** Returns whether an item has a request; spec entries that already match or can't be created have none. */
export function hasStep({ input }: Pick<NewItem, "input">): boolean {
  return recordOf(input)["step"] !== undefined;
}

const Detail = z.object({ reason: z.string(), remedy: z.string().optional() });
const endings = ["exists", "differs", "conflicts", "failed", "left", "gone"] as const;
const itemActions = { create: "create", update: "change", delete: "delete" } as const;

/** Converts an item to a spec entry with its result; `create` if the run created or will create the item. */
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

/** The part of a step for one organization or license. */
export interface StepPart {
  about: About;
  action: "create" | "update" | "delete";
  target: string | undefined;
  /** The corresponding part of the request body. */
  body: Readonly<Record<string, unknown>> | undefined;
  before: unknown;
}

interface Placed {
  number: number;
  line: number;
  /** Numbers of the items that must be done before this one is sent. */
  requires: readonly number[];
  /** Items with the same value share one request. */
  share: string | undefined;
  /** Returns the number of the item that creates the organization of a step. */
  numberOf(step: number): number | undefined;
}

const outcomes = { create: "created", update: "updated", delete: "deleted" } as const;

/** Creates the item for a part of a step; references to steps become numbers of items. */
export function stepItem(
  { op, path }: Pick<PlanStep, "op" | "path">,
  { about, action, target, body, before }: StepPart,
  { number, line, requires, share, numberOf }: Placed,
): NewItem {
  const refer = (value: unknown) =>
    value === undefined
      ? undefined
      : recordOf(
          fillPlaceholders(value, {
            reference: (step) => ({ $ref: numberOf(step) ?? step }),
            secret: () => undefined,
          }),
        );
  const { name, license, product } = about;
  const step: PlanStep = { step: number, op, path: refer(path), body: refer(body), undo: "none" };
  return {
    number,
    line,
    state: "planned",
    outcome: outcomes[action],
    action,
    target,
    body: action === "create" ? { name, license, product } : shownChange(body),
    before,
    input: { step, resource: op.slice(0, op.indexOf(".")), requires, share, about },
    detail: detailOf(about),
  };
}

/** Returns the changed fields of an update for the results file. */
function shownChange(body: StepPart["body"]): unknown {
  const { licenses } = body ?? {};
  if (!Array.isArray(licenses)) return body;
  const { externalLicenseId: _, ...changes } = recordOf(licenses[0]);
  return changes;
}

/** Returns the fields that identify an organization or license in the results file. */
export function detailOf({ kind, external_id, msp }: About): Pick<About, "kind" | "external_id" | "msp"> {
  return { kind, external_id, msp };
}

/** Creates the item for a spec entry without a request, which already matches, differs or can't be created. */
export function noteItem({ item, line, target }: OrderedItem, number: number): NewItem {
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

export function toAbout(item: PlanItem): About {
  const { type: kind, externalId: external_id, msp, name, license, product, status, change, from } = item;
  return { kind, external_id, msp, name, license, product, status, change, from };
}
