import type { ClientError } from "../../client/errors.js";
import { sentOrganizationId } from "../../client/ids.js";
import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import { failureDetail } from "../engine/judgement.js";
import { requeue, resend, retryLost } from "../engine/requeue.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { itemsIn } from "../journal/outcome.js";
import type { PlanItem } from "./compare.js";
import { organizationDifferences } from "./differences.js";
import { findOrganization, type Inventory, type KnownOrganization, readInventory } from "./inventory.js";
import { planItemOf, stepOf } from "./items.js";
import { judgedChange, licensesGiven, refreshItems } from "./judge.js";
import { type KnownItem, KnownItems } from "./known-items.js";
import type { OrganizationSpec } from "./organization-spec.js";
import { buildDoneResult, requestOf } from "./requests.js";
import { createSentIds } from "./sent-ids.js";

/** A resource to delete was read at most this long ago. */
const freshMilliseconds = 60_000;

interface AdapterOptions {
  /** The inventory of a moment ago. */
  known?: Inventory | undefined;
  /** The steps that an item needs, in a run that applies a plan file; lines are step numbers. */
  needsOf?: ((item: Item) => readonly number[]) | undefined;
}

/**
 * Sends the planned items in the order of the run: creates an MSP, its licenses and its customers, and makes
 * the changes and deletes of converging. An interrupted run that is started again has the same result:
 * external ids are unique (v2.duplicate), so nothing is created twice, and existing organizations are only
 * compared. A refused request affects only its own item and the items that need it.
 */
export function provisioningAdapter(
  context: RunContext,
  journal: Journal,
  spec: OrganizationSpec,
  { known, needsOf }: AdapterOptions = {},
): RunAdapter {
  let last = known;
  const { see, formOf, isWorthNumber } = createSentIds();
  known?.organizations.forEach(see);
  let readAt = known === undefined ? undefined : context.clock.now();
  const items = new KnownItems(journal);
  const now = async () => {
    // An organization that the run created counts as deleted only if that is proven (T4a).
    const targets = [...items.all()]
      .filter(({ state, planned }) => state === "done" && planned.type !== "license")
      .map(({ planned }) => planned.externalId);
    last = await readInventory(context, spec, { targets, earlier: last });
    last.organizations.forEach(see);
    readAt = context.clock.now();
    return last;
  };
  return {
    paces: "orgs.create",
    // The service shows organizations in the order in which they were created, and a license has to be free before it is
    // given away.
    inOrder: true,
    plannedRequests: () => requestsOf(items.all()),
    batchKey: (item) => {
      const { planned, freeing } = items.of(item);
      const { type, msp, change } = planned;
      if (type !== "license") return undefined;
      if (needsOf !== undefined) return `step ${item.line}`;
      if (change?.status !== "disabled") return msp;
      // Those that depend on another item go by themselves.
      return freeing.length > 0 ? undefined : `${msp} disabled`;
    },
    decided(item, settle) {
      // The next item that is prepared queries the journal.
      settle();
      const missing = needsOf?.(item).find((line) => !items.isStepDone(line));
      return blockedResult(items.of(item), missing);
    },
    ended: items.keep,
    async prepare(item) {
      const { step, planned } = items.of(item);
      // The plan file states the current license of an organization that receives another one (A4).
      const isLooked = needsOf !== undefined && step === "change" && planned.type !== "license";
      if (step !== "delete" && !isLooked) return undefined;
      const isFresh = readAt !== undefined && context.clock.now() < readAt + freshMilliseconds;
      const inventory = isFresh && last !== undefined ? last : await now();
      const given = isLooked ? licensesGiven(itemsIn(journal)) : new Map();
      return judgedChange(item, inventory, { journal, given });
    },
    request([item, ...moreItems]) {
      const { planned, msp } = items.of(item);
      const id = msp?.target ?? "";
      const all = [planned, ...moreItems.map((next) => items.of(next).planned)] as const;
      return requestOf(item, all, { id, sentId: formOf(id) });
    },
    toResult(item, data) {
      const { step, planned } = items.of(item);
      const result = buildDoneResult(item, planned, data);
      if (planned.type !== "license" && step === "create" && result.state === "done")
        see({ id: result.target, sentId: sentOrganizationId(data) });
      return result;
    },
    async refused(item, error) {
      const { number } = item;
      const { step, planned, msp } = items.of(item);
      if (planned.type === "customer" && step === "create" && isWorthNumber(msp?.target ?? "", error))
        return requeue(item);
      if (step !== "create") return refusedChange(context, item, error);
      if (error.status === 409 && planned.type !== "license") {
        const organization = await findOrganization(context, planned.externalId, { isExpected: true });
        if (organization !== undefined) {
          see(organization);
          return buildExistingResult(item, planned, organization);
        }
      }
      const outcome = error.status === 409 ? "conflicts" : "failed";
      return { number, state: "rejected", outcome, detail: failureDetail(error) };
    },
    async lookUp() {
      // Send the same request again: external ids are unique, so a conflict proves that the item exists
      // (T5a).
      retryLost(journal, (item) => {
        const result = resend(item);
        items.keep(result);
        return result;
      });
    },
    async compareAgain() {
      refreshItems(journal, spec, await now()).forEach(items.keep);
    },
  };
}

function hasFailed({ state, outcome }: KnownItem): boolean {
  return state === "rejected" || outcome === "left";
}

/** Reads the refusal of a change or a delete as its result. */
async function refusedChange(context: RunContext, item: Item, error: ClientError): Promise<Result> {
  const { number, target = "", attempts } = item;
  const planned = planItemOf(item);
  const keptResult = (reason: string): Result => ({
    number,
    state: "skipped",
    outcome: "left",
    detail: { reason },
  });
  if (stepOf(item) === "delete") {
    // An earlier request without a response deleted it.
    if (error.status === 404 && attempts > 0) return { number, state: "done", target };
    if (error.status === 404) return { number, state: "skipped", outcome: "gone", detail: undefined };
    // v2.delete.msp: another user's customers came to be in it.
    if (error.status === 409) return keptResult(error.message);
  } else if (error.status === 409 && planned.type !== "license") {
    const organization = await findOrganization(context, planned.externalId, { isExpected: true });
    const isHeld = organization?.id === target && organization.license === planned.change?.license;
    // A license that is assigned to it already can't be assigned: an earlier request did that.
    if (isHeld && attempts > 0) return { number, state: "done", target };
    if (isHeld) return { number, state: "skipped", outcome: "exists", detail: undefined };
  } else if (error.status === 404) return keptResult("no longer exists");
  const outcome = error.status === 409 ? "conflicts" : "failed";
  return { number, state: "rejected", outcome, detail: failureDetail(error) };
}

/** Returns the result for an organization that exists although its create was refused. */
function buildExistingResult(
  { number, attempts }: Item,
  planned: PlanItem,
  organization: KnownOrganization,
): Result {
  const differences = organizationDifferences(organization, {
    type: planned.type,
    name: planned.name ?? "",
    license: planned.license ?? "",
  });
  const target = organization.id;
  if (differences.length > 0) {
    const detail = {
      reason: differences.map(({ text }) => text).join("; "),
      remedy: differences.map(({ remedy }) => remedy).join("; "),
    };
    return { number, state: "skipped", outcome: "differs", detail, target };
  }
  // Without an earlier lost request, another user created it: an undo must not delete it.
  return attempts > 0
    ? { number, state: "done", target }
    : { number, state: "skipped", outcome: "exists", detail: undefined, target };
}

/**
 * Returns the result of an item without a request, because a step that it needs failed.
 * @param missing the needed step that was not done
 */
function blockedResult(item: KnownItem, missing: number | undefined): Result | undefined {
  const { number, step, planned, msp, license, freeing } = item;
  const rejected = (detail: { reason: string; blocked?: true }): Result => ({
    number,
    state: "rejected",
    outcome: "conflicts",
    detail,
  });
  if (missing !== undefined)
    return rejected({ reason: `it needs step ${missing}, which was not done`, blocked: true });
  // An organization that did not receive another license keeps its own; disabling that license would block
  // it.
  if (planned.change?.status === "disabled" && freeing.some(hasFailed)) {
    const reason = "is still assigned to an organization that could not receive another license";
    return { number, state: "skipped", outcome: "left", detail: { reason } };
  }
  if (step === "delete") return undefined;
  if (msp?.state === "rejected" || msp?.outcome === "conflicts")
    return rejected({ reason: `its MSP ${planned.msp} could not be created` });
  return license?.outcome === "conflicts"
    ? rejected({ reason: `its license ${planned.license} can't be created` })
    : undefined;
}

/** How many requests are planned: the licenses of an MSP share one. */
function requestsOf(items: Iterable<KnownItem>): number {
  const planned = [...items].filter(({ state }) => state === "planned").map((item) => item.planned);
  const organizations = planned.filter(({ type }) => type !== "license");
  const upserts = new Set(
    planned
      .filter(({ type }) => type === "license")
      .map(({ msp, change }) => `${msp}${change?.status === "disabled" ? " disabled" : ""}`),
  );
  return organizations.length + upserts.size;
}
