import { getSettleTime } from "../../../cli/bulk/run.js";
import { createBulkTarget, getRunsFolder } from "../../../cli/bulk/target.js";
import type { Connection, Session } from "../../../cli/session/session.js";
import { createClient } from "../../../client/client.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import type { PlanApi } from "../../../write/plan/plan-api.js";
import type { Plan } from "../../../write/plan/read.js";
import type { FailedStep } from "../../../write/plan/sorted.js";
import type { ApplyTask } from "../../../write/plan/task.js";

export type CheckContext = Pick<
  RunContext,
  "client" | "clock" | "signal" | "baseUrl" | "folder" | "settleMilliseconds"
>;

export interface PlanOperations {
  api: PlanApi;
  /** Yields the preconditions that are not met, in step order. */
  check(plan: Plan, context: CheckContext): AsyncIterable<FailedStep>;
  apply(context: RunContext, task: ApplyTask): Promise<WriteSummary>;
  /** Sends a request, because only a response contains an emulator's ID. */
  greet(context: Pick<RunContext, "client" | "signal">): Promise<unknown>;
}

/** @throws BulkError `plan_of_other_api` */
export async function getPlanOperations(plan: Plan): Promise<PlanOperations> {
  const { applyPlan, checkPlan, planApiOf } = await import("../../../write/plan/index.js");
  // Throws if the plan contains an unsupported operation.
  plan.needs();
  const api = planApiOf(plan.header);
  if (api === "public") {
    return {
      api,
      check: (checkedPlan, { folder, ...context }) =>
        checkPlan(checkedPlan, { ...context, temporaryFolder: folder }),
      apply: applyPlan,
      greet: ({ client, signal }) => client.call("ping", {}, { signal }),
    };
  }
  const { checkOrganizations, organizationsOf } = await import("../../provision/index.js");
  return {
    api,
    check: checkOrganizations,
    apply: (context, task) => applyPlan(context, task, organizationsOf()),
    greet: ({ client, signal }) => client.call("orgs.list", {}, { signal }),
  };
}

/** Creates a context for reads outside a run. Its client waits for rate limits. */
export async function createCheckContext(
  session: Session,
  connection: Connection,
  api: PlanApi,
): Promise<CheckContext & Pick<RunContext, "requestStats">> {
  const { bulkClientOptions, createRequestStats } = await import("../../../write/index.js");
  const { signal } = session;
  const { maxWaitMilliseconds } = session.flags;
  const target = await createBulkTarget(session, connection, getRunsFolder(session), api, {
    isSending: false,
  });
  const requestStats = createRequestStats();
  const options = bulkClientOptions(connection.clientOptions, requestStats, {
    signal,
    maxWaitMilliseconds,
  });
  return {
    client: createClient(options),
    clock: connection.clock,
    ...{ signal, requestStats },
    baseUrl: target.baseUrl,
    folder: target.folder,
    get settleMilliseconds() {
      return getSettleTime(target);
    },
  };
}

/**
 * Returns the result of the run that applied the plan; undefined if no such run has finished. Searches again
 * after the first request: an emulator's ID is known only from a response.
 * @param options.link makes the journal file from --journal the run's journal; if set, the search starts only
 * after the first request
 */
export async function findApplied(
  context: Pick<RunContext, "client" | "signal" | "folder" | "baseUrl" | "requestStats">,
  plan: Plan,
  { greet, link }: Pick<PlanOperations, "greet"> & { link?: (() => Promise<void>) | undefined },
): Promise<WriteSummary | undefined> {
  const { findAppliedRunAt } = await import("../../../write/plan/index.js");
  const { folder, baseUrl, requestStats } = context;
  const find = () => findAppliedRunAt(folder, { baseUrl, emulatorId: requestStats.emulatorId }, plan);
  const before = link === undefined ? await find() : undefined;
  if (before !== undefined) return before;
  await greet(context);
  await link?.();
  return find();
}

export function countUnapplied({ outcomes }: WriteSummary): number {
  const { drifted = 0, blocked = 0, failed = 0, skipped = 0 } = outcomes;
  return drifted + blocked + failed + skipped;
}
