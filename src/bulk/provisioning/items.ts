import * as z from "zod";
import type { Item, NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import type { MspItems, PlanItem } from "./compare.js";

/** As a journal keeps an item: in the plan's words, which are the report's, too. */
const Body = z.object({
  kind: z.enum(["msp", "license", "customer"]),
  external_id: z.string(),
  msp: z.string(),
  name: z.string().nullable(),
  license: z.string().nullable(),
  product: z.string().nullable(),
});
const Detail = z.object({ reason: z.string() });

/** The plan's demands with their results: `create` for things that the run made, or is still to make. */
export function planItemOf({ body, detail, state, outcome }: Item): PlanItem {
  const { external_id: externalId, ...fields } = Body.parse(body);
  const reason = Detail.safeParse(detail).data?.reason;
  const ended =
    state === "skipped" || state === "rejected" ? endings.find((action) => action === outcome) : undefined;
  return {
    ...fields,
    externalId,
    action: ended ?? "create",
    differences: ended !== undefined && reason !== undefined ? [reason] : [],
  };
}

const endings = ["exists", "differs", "conflicts", "failed"] as const;

function newItem(item: PlanItem, number: number, line: number, target: string | undefined): NewItem {
  const { action, kind, externalId: external_id, msp, name, license, product, differences } = item;
  return {
    number,
    line,
    state: action === "create" ? "planned" : "skipped",
    outcome: action === "create" ? "created" : action,
    action: "create",
    target,
    body: { kind, external_id, msp, name, license, product },
    fingerprint: `${kind} ${external_id}`,
    detail: differences.length > 0 ? { reason: differences.join("; ") } : undefined,
  };
}

/** A plan's items in the order of their journal: an MSP, its licenses, its customers, then the next MSP. */
export function newItemsOf(
  msps: readonly MspItems[],
  idOf: (externalId: string) => string | undefined,
): NewItem[] {
  const items: NewItem[] = [];
  const add = (item: PlanItem, { line }: { line: number }) => {
    const id = item.kind === "license" ? item.externalId : idOf(item.externalId);
    items.push(newItem(item, items.length + 1, line, item.action === "create" ? undefined : id));
  };
  for (const { planned, msp, licenses, customers } of msps) {
    add(msp, planned);
    for (const [index, item] of licenses.entries()) add(item, planned.licenses[index] ?? planned);
    for (const [index, item] of customers.entries()) add(item, planned.customers[index] ?? planned);
  }
  return items;
}

/**
 * Brings a run that was interrupted up to what is there now: what it sent without an answer was made where it is
 * there; what is missing is to be made, whatever the journal knew of it.
 */
export function refreshItems(journal: Journal, now: readonly NewItem[]): void {
  for (const item of now) {
    const known = journal.item(item.number);
    if (!known || known.state === "skipped") continue;
    const { number, outcome, detail, target } = item;
    if (item.state === "planned") {
      if (known.state !== "planned") journal.record([{ number, state: "planned" }], []);
    } else if (known.state === "unknown" && outcome === "exists") {
      journal.record([{ number, state: "done", target: target ?? "" }], []);
    } else if (known.state === "unknown" || known.state === "planned") {
      journal.record([{ number, state: "skipped", outcome, detail, target }], []);
    }
  }
}

/** Everything in a journal, in the plan's order. */
export function* itemsIn(journal: Journal): Generator<Item, void> {
  for (let number = 1; ; number += 1) {
    const item = journal.item(number);
    if (item === undefined) return;
    yield item;
  }
}
