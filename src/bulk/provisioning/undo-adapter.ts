import { sentOrganizationId } from "../../client/ids.js";
import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import { failureDetail } from "../engine/judgement.js";
import { requeue, resend, retryLost } from "../engine/requeue.js";
import { type Item, isFinal, type NewItem, type Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { itemsIn } from "../journal/outcome.js";
import { findOrganization, type Inventory } from "./inventory.js";
import { planItemOf, toAbout } from "./items.js";
import { buildDoneResult, requestOf } from "./requests.js";
import { createSentIds } from "./subject/sent-ids.js";
import { type IsUndone, keptReason, planReversals, type Reversal, readForUndo } from "./undo-plan.js";

/** The meaning of a refusal for the organization. */
const refused: Readonly<Record<number, string>> = { 404: "gone", 409: "changed" };

/**
 * Undoes one item after the other, in order: customers are deleted before their MSP, and licenses with it
 * (v2.delete.msp).
 */
export function undoAdapter(
  context: RunContext,
  original: Journal,
  journal: Journal,
  seen: Inventory | undefined,
): RunAdapter {
  let known = seen;
  const sentIds = createSentIds();
  const see = (inventory: Inventory | undefined) => {
    known = inventory;
    for (const organization of inventory?.organizations.values() ?? []) sentIds.see(organization);
  };
  see(seen);
  const msps = new Map<string, number>();
  for (const item of itemsIn(journal)) {
    const { type, msp } = planItemOf(item);
    if (type === "msp" && item.action !== "update") msps.set(msp, item.number);
  }
  const mspItem = (msp: string) => journal.item(msps.get(msp) ?? 0);
  /** Set for an MSP that exists or was created again. */
  const mspId = (msp: string) => {
    const item = mspItem(msp);
    const again = item?.action === "create" ? item.target : undefined;
    return again ?? known?.organizations.get(msp)?.id ?? "";
  };
  return {
    paces: "orgs.delete",
    inOrder: true,
    plannedRequests: () => journal.count("planned"),
    batchKey(item) {
      const { type, msp } = planItemOf(item);
      return type === "license" && item.action === "create" ? msp : undefined;
    },
    decided(item, settle) {
      // The journal is queried for the result of the MSP's item.
      settle();
      return decidedByMsp(item, mspItem(planItemOf(item).msp));
    },
    request([item, ...moreItems]) {
      const planned = planItemOf(item);
      const id = mspId(planned.msp);
      return requestOf(item, [planned, ...moreItems.map(planItemOf)], { id, sentId: sentIds.formOf(id) });
    },
    toResult(item, data) {
      const planned = planItemOf(item);
      const result = buildDoneResult(item, planned, data);
      if (planned.type !== "license" && item.action === "create" && result.state === "done")
        sentIds.see({ id: result.target, sentId: sentOrganizationId(data) });
      return result;
    },
    async refused(item, error) {
      const { number, target = "", attempts } = item;
      const planned = planItemOf(item);
      const isCustomer = planned.type === "customer" && item.action === "create";
      if (isCustomer && sentIds.isWorthNumber(mspId(planned.msp), error)) return requeue(item);
      // An earlier request without a response deleted the organization.
      if (item.action === "delete" && error.status === 404 && attempts > 0)
        return { number, state: "done", target };
      if (item.action !== "delete" && planned.type !== "license" && error.status === 409 && attempts > 0) {
        const organization = await findOrganization(context, planned.externalId, { isExpected: true });
        const isDone = item.action === "create" || organization?.license === planned.change?.license;
        if (organization !== undefined && isDone) return { number, state: "done", target: organization.id };
      }
      const outcome = refused[error.status ?? 0] ?? "failed";
      return {
        number,
        state: "rejected",
        outcome: item.action === "create" ? "failed" : outcome,
        detail: { ...nameOf(planned), ...failureDetail(error) },
      };
    },
    async lookUp() {
      // A list proves nothing, but sending the same request again does (T4).
      retryLost(journal, resend);
    },
    async compareAgain() {
      // An item that this undo has reverted is not judged again.
      const through = new Map<number, boolean>();
      for (const item of itemsIn(journal))
        through.set(undoneNumber(item), item.state === "done" || item.outcome === "gone");
      const isUndone: IsUndone = ({ number }) => through.get(number) !== false;
      const inventory = await readForUndo(original, context, isUndone, known);
      see(inventory);
      const now = new Map(
        planReversals(original, inventory, isUndone).map((reversal) => [
          keyOf(reversal.item.number, reversal.planned),
          reversal,
        ]),
      );
      for (const item of itemsIn(journal)) {
        const planned = planItemOf(item);
        const reversal = now.get(keyOf(undoneNumber(item), planned));
        // The MSP decides about a license; the next response decides about an earlier request.
        const isOpen = item.state === "planned" && item.attempts === 0;
        const isLicense = planned.type === "license" && item.action !== "update";
        if (reversal === undefined || !isOpen || isLicense) continue;
        const { state, outcome, detail } = newItemOf(reversal, item.number);
        if (state === "skipped") journal.record([{ number: item.number, state, outcome, detail }], []);
      }
    },
  };
}

function keyOf(number: number, { type, externalId }: { type: string; externalId: string }): string {
  return `${number} ${type} ${externalId}`;
}

/**
 * Licenses that the run created are deleted with their MSP; an item to create again needs its own license.
 */
function decidedByMsp(item: Item, msp: Item | undefined): Result | undefined {
  const { number, outcome } = item;
  const planned = planItemOf(item);
  if (item.action === "create" && planned.type !== "msp") {
    return msp?.state === "rejected"
      ? {
          number,
          state: "rejected",
          outcome: "failed",
          detail: { ...nameOf(planned), reason: `its MSP ${planned.msp} could not be created again` },
        }
      : undefined;
  }
  if (planned.type !== "license" || outcome !== "with_msp" || (msp !== undefined && !isFinal(msp)))
    return undefined;
  const isGone = msp === undefined || msp.state === "done" || msp.outcome === "gone";
  return isGone
    ? { number, state: "skipped", outcome: "with_msp", detail: nameOf(planned) }
    : { number, state: "skipped", outcome: "kept", detail: { ...nameOf(planned), reason: keptReason } };
}

const actions = { deleted: "delete", restored: "update", recreated: "create" } as const;

export function newItemOf({ item, planned, id, outcome, reason }: Reversal, number: number): NewItem {
  const isWritten = outcome === "deleted" || outcome === "restored" || outcome === "recreated";
  return {
    number,
    line: item.line,
    // The result of its MSP decides about a license.
    state: isWritten || outcome === "with_msp" ? "planned" : "skipped",
    outcome,
    action: isWritten ? actions[outcome] : "delete",
    target: outcome === "recreated" ? undefined : id,
    body: isWritten && outcome === "restored" ? planned.change : undefined,
    input: { about: toAbout(planned) },
    // Number of the run's item that this one reverts.
    fingerprint: String(item.number),
    detail: { ...nameOf(planned), ...(reason === undefined ? {} : { reason }) },
  };
}

/**
 * Returns the number of the run's item that an undo's item reverts; undos of earlier versions use the same
 * number.
 */
export function undoneNumber({ fingerprint, number }: Item): number {
  return /^\d+$/.test(fingerprint ?? "") ? Number(fingerprint) : number;
}

/** Name of the deleted item for the results. */
function nameOf({ type: kind, externalId }: Reversal["planned"]): { kind: string; external_id: string } {
  return { kind, external_id: externalId };
}
