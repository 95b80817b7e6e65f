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

/** A thing that is about to be deleted was read no longer ago than this. */
const freshMilliseconds = 60_000;

interface AdapterOptions {
  /** The inventory of a moment ago. */
  known?: Inventory | undefined;
  /**
   * The steps that an item needs, in a run whose requests are the steps of a plan's file; lines are their numbers.
   */
  needsOf?: ((item: Item) => readonly number[]) | undefined;
}

/**
 * Does what is planned, in the order of the run: creates an MSP, its licenses, its customers, and changes and deletes
 * what converging asks for. Cut anywhere and started again it ends in the same tree: external ids are unique
 * (v2.duplicate), so nothing can come twice, and what is there is compared, not created again. A request that the
 * service refuses concerns its own item, and what needs it.
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
    // T4a: what the run has made is gone only when that is proven.
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
      // What is prepared next asks the journal.
      settle();
      const missing = needsOf?.(item).find((line) => !items.isStepDone(line));
      return blockedResult(items.of(item), missing);
    },
    ended: items.keep,
    async prepare(item) {
      const { step, planned } = items.of(item);
      // A4: a plan's file says what an organization holds that is given another license.
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
      // T5a: the same once more tells. External ids are unique: a conflict proves that it is there.
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
    // It was deleted by an earlier request whose answer was lost.
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
  } else if (error.status === 404) return keptResult("is gone");
  const outcome = error.status === 409 ? "conflicts" : "failed";
  return { number, state: "rejected", outcome, detail: failureDetail(error) };
}

/** An organization that is there after its create was refused. */
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
  // Without an earlier request that was lost it was made by another user: an undo must not take it for the run's.
  return attempts > 0
    ? { number, state: "done", target }
    : { number, state: "skipped", outcome: "exists", detail: undefined, target };
}

/**
 * The result of an item without a request: what it needs came to nothing.
 * @param missing the step that it needs, and that was not done
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
  // An organization that was not given another license holds its own: to disable that would block it.
  if (planned.change?.status === "disabled" && freeing.some(hasFailed)) {
    const reason = "is still held by an organization that could not be given another one";
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
