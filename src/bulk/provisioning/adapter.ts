import type { ClientError } from "../../client/errors.js";
import { organizationId, sentOrganizationId } from "../../client/ids.js";
import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import { failureDetail } from "../engine/judgement.js";
import { resend } from "../engine/requeue.js";
import { type Item, isFinal, type Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { organizationDifferences, type PlanItem } from "./compare.js";
import { findOrganization, type Inventory, type KnownOrganization, readInventory } from "./inventory.js";
import { itemsIn, planItemOf, stepOf } from "./items.js";
import { judgedChange, licensesGiven, refreshItems } from "./judge.js";
import { type KnownItem, KnownItems } from "./known-items.js";
import type { ProvisionPlan } from "./plan.js";

/** What is about to be deleted was read no longer ago than this. */
const freshMilliseconds = 60_000;

interface AdapterOptions {
  /** The inventory of a moment ago. */
  known?: Inventory | undefined;
  /**
   * Of a run whose requests are the steps of a plan's file: the steps that an item needs. Its lines are their numbers.
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
  plan: ProvisionPlan,
  { known, needsOf }: AdapterOptions = {},
): RunAdapter {
  let last = known;
  /** The ids of organizations as they came: some services take numbers back as numbers only (T9). */
  const sentIds = new Map<string, unknown>();
  const see = ({ id, sentId }: Pick<KnownOrganization, "id" | "sentId">) => void sentIds.set(id, sentId);
  known?.organizations.forEach(see);
  let readAt = known === undefined ? undefined : context.clock.now();
  const items = new KnownItems(journal);
  /** Undefined for an MSP, which needs none. */
  const mspOf = ({ kind, msp }: PlanItem) => (kind === "msp" ? undefined : items.creating("msp", msp));
  const licenseOf = ({ kind, license }: PlanItem) =>
    kind === "customer" && license !== null ? items.creating("license", license) : undefined;
  const now = async () => {
    // T4a: what the run has made is gone only when that is proven.
    const targets = [...items.all()]
      .filter(({ state, planned }) => state === "done" && planned.kind !== "license")
      .map(({ planned }) => planned.externalId);
    last = await readInventory(context, plan, { targets, earlier: last });
    last.organizations.forEach(see);
    readAt = context.clock.now();
    return last;
  };
  /** An organization that was not given another license holds its own: to disable that would block it. */
  const holdingOf = ({ externalId, change }: PlanItem) =>
    change?.status === "disabled" ? items.freeingLicense(externalId).find(hasFailed) : undefined;
  return {
    paces: "orgs.create",
    width: 1,
    plannedRequests: () => requestsOf(items.all()),
    // In the run's order: the service shows organizations in the order in which they were created, and a license has to
    // be free before it is given away.
    needs({ number }) {
      const open = items.openBefore(number);
      return open === undefined ? [] : [open];
    },
    batchKey: (item) => {
      const { kind, msp, externalId, change } = items.of(item).planned;
      if (kind !== "license") return undefined;
      if (needsOf !== undefined) return `step ${item.line}`;
      if (change?.status !== "disabled") return msp;
      // Those that depend on another item go by themselves.
      return items.freeingLicense(externalId).length > 0 ? undefined : `${msp} disabled`;
    },
    decided(item) {
      const { number, step, planned } = items.of(item);
      const missing = needsOf?.(item).find((line) => !items.isStepDone(line));
      if (missing !== undefined) {
        const detail = { reason: `it needs step ${missing}, which was not done`, blocked: true };
        return items.keep({ number, state: "rejected", outcome: "conflicts", detail });
      }
      if (holdingOf(planned) !== undefined) {
        const reason = "is still held by an organization that could not be given another one";
        return items.keep({ number, state: "skipped", outcome: "left", detail: { reason } });
      }
      if (step === "delete") return undefined;
      const blocked = blockedResult(item, planned, mspOf(planned), licenseOf(planned));
      return blocked && items.keep(blocked);
    },
    async prepare(item) {
      const { step, planned } = items.of(item);
      // A4: a plan's file says what an organization holds that is given another license.
      const isLooked = needsOf !== undefined && step === "change" && planned.kind !== "license";
      if (step !== "delete" && !isLooked) return undefined;
      const isFresh = readAt !== undefined && context.clock.now() < readAt + freshMilliseconds;
      const inventory = isFresh && last !== undefined ? last : await now();
      const given = isLooked ? licensesGiven(itemsIn(journal)) : new Map();
      const judged = judgedChange(item, inventory, { journal, given });
      return judged && items.keep(judged);
    },
    request: (batch) => {
      const planned = batch.map((item) => items.of(item).planned);
      const [first] = planned;
      const [{ target: organizationId = "" }] = batch;
      const mspId = (first && mspOf(first)?.target) ?? "";
      if (first?.kind === "license") {
        return {
          operation: "licenses.upsert",
          input: { path: { organizationId: mspId }, body: { licenses: upsertsOf(planned) } },
        };
      }
      if (first?.action === "delete")
        return { operation: "orgs.delete", input: { path: { organizationId } } };
      if (first?.action === "change") {
        const body = { externalLicenseId: first.change?.license };
        return { operation: "licenses.reassign", input: { path: { organizationId }, body } };
      }
      return {
        operation: "orgs.create",
        input: { body: first && bodyOf(first, sentIds.get(mspId) ?? mspId) },
      };
    },
    answered(item, data) {
      const { number, target } = item;
      const { step, planned } = items.of(item);
      if (step === "delete") return items.keep({ number, state: "done", target: target ?? "" });
      if (target !== undefined && step === "change") {
        const answer = planned.kind === "license" ? undefined : data;
        return items.keep({ number, state: "done", target, answer });
      }
      const id = organizationId(data);
      if (id !== undefined) see({ id, sentId: sentOrganizationId(data) });
      return items.keep(answered(item, planned, id, data));
    },
    async refused(item, error) {
      const { number } = item;
      const { step, planned } = items.of(item);
      if (step !== "create") return items.keep(await refusedChange(context, item, error));
      if (error.status === 409 && planned.kind !== "license") {
        const found = await findOrganization(context, planned.externalId, { isThere: true });
        if (found !== undefined) {
          see(found);
          return items.keep(foundResult(item, planned, found));
        }
      }
      const outcome = error.status === 409 ? "conflicts" : "failed";
      return items.keep({ number, state: "rejected", outcome, detail: failureDetail(error) });
    },
    async lookUp() {
      // T5a: the same once more tells. External ids are unique: a conflict proves that it is there.
      for (const item of eachIn(journal, "unknown"))
        if (!isFinal(item)) journal.record([items.keep(resend(item))], []);
    },
    async compareAgain() {
      for (const result of refreshItems(journal, plan, await now())) items.keep(result);
    },
  };
}

function hasFailed({ state, outcome }: KnownItem): boolean {
  return state === "rejected" || outcome === "left";
}

/** The licenses of one request, each once: to make them, or with what changes of them. */
export function upsertsOf(planned: readonly PlanItem[]): object[] {
  const upserts = new Map<string, object>();
  for (const { externalId, product, change } of planned) {
    const fields = change ?? (product === null ? {} : { product });
    upserts.set(externalId, { externalLicenseId: externalId, ...upserts.get(externalId), ...fields });
  }
  return [...upserts.values()];
}

/** What a refusal of a change or a delete means. */
async function refusedChange(context: RunContext, item: Item, error: ClientError): Promise<Result> {
  const { number, target = "", attempts } = item;
  const planned = planItemOf(item);
  const left = (reason: string): Result => ({
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
    if (error.status === 409) return left(error.message);
  } else if (error.status === 409 && planned.kind !== "license") {
    const found = await findOrganization(context, planned.externalId, { isThere: true });
    const isHeld = found?.id === target && found.license === planned.change?.license;
    // A license that is assigned to it already can't be assigned: an earlier request did that.
    if (isHeld && attempts > 0) return { number, state: "done", target };
    if (isHeld) return { number, state: "skipped", outcome: "exists", detail: undefined };
  } else if (error.status === 404) return left("is gone");
  const outcome = error.status === 409 ? "conflicts" : "failed";
  return { number, state: "rejected", outcome, detail: failureDetail(error) };
}

/** What has to be through before an item of this number. */
export function openBefore(journal: Journal, number: number): readonly number[] {
  const open = journal.openBefore(number);
  return open === undefined ? [] : [open];
}

/** What creates an organization. */
export function bodyOf({ kind: type, name, externalId, license, product }: PlanItem, msp: unknown): object {
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

function answered(
  { number }: Item,
  { kind, externalId }: PlanItem,
  id: string | undefined,
  data: unknown,
): Result {
  const target = kind === "license" ? externalId : id;
  // Without an id in the answer it has to be looked for.
  return target === undefined
    ? { number, state: "unknown", detail: { reason: "the answer holds no id" } }
    : { number, state: "done", target, ...(kind === "license" ? {} : { answer: data }) };
}

/** An organization that is there after its create was refused. */
function foundResult({ number, attempts }: Item, planned: PlanItem, found: KnownOrganization): Result {
  const differences = organizationDifferences(found, {
    type: planned.kind,
    name: planned.name ?? "",
    license: planned.license ?? "",
  });
  const target = found.id;
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

/** The result of an item whose MSP or license could not be created. */
function blockedResult(
  { number }: Item,
  planned: PlanItem,
  msp: KnownItem | undefined,
  license: KnownItem | undefined,
): Result | undefined {
  const conflicts = (one: KnownItem | undefined) => one?.outcome === "conflicts";
  const reason =
    msp?.state === "rejected" || conflicts(msp)
      ? `its MSP ${planned.msp} could not be created`
      : conflicts(license)
        ? `its license ${planned.license} can't be created`
        : undefined;
  return reason === undefined
    ? undefined
    : { number, state: "rejected", outcome: "conflicts", detail: { reason } };
}

/** How many requests are planned: the licenses of an MSP share one. */
function requestsOf(items: Iterable<KnownItem>): number {
  const planned = [...items].filter(({ state }) => state === "planned").map((item) => item.planned);
  const organizations = planned.filter(({ kind }) => kind !== "license");
  const isDisabling = ({ change }: PlanItem) => change?.status === "disabled";
  const upserts = new Set(
    planned
      .filter(({ kind }) => kind === "license")
      .map((item) => `${item.msp}${isDisabling(item) ? " disabled" : ""}`),
  );
  return organizations.length + upserts.size;
}
