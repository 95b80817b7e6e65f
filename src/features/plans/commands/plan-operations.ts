/** Selects the operations of the plan commands, depending on the plan's API. */

import { getSettleTime } from "../../../cli/bulk/run.js";
import { createBulkTarget, getRunsFolder } from "../../../cli/bulk/target.js";
import type { Connection, Session } from "../../../cli/session/session.js";
import { createClient } from "../../../client/client.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import type { Failure } from "../../../write/plan/expectations.js";
import type { PlanApi } from "../../../write/plan/plan-api.js";
import type { Plan } from "../../../write/plan/read.js";
import type { ApplyTask } from "../../../write/plan/task.js";

/** The parts of a run's context that are needed to check a plan. */
export type CheckContext = Pick<
  RunContext,
  "client" | "clock" | "signal" | "baseUrl" | "folder" | "settleMilliseconds"
>;

export interface PlanOperations {
  api: PlanApi;
  /** Yields the preconditions that are not met, in the order of the steps. */
  check(plan: Plan, context: CheckContext): AsyncIterable<Failure>;
  apply(context: RunContext, task: ApplyTask): Promise<WriteSummary>;
  /** Sends the first request. Its response identifies the emulator. */
  greet(context: RunContext): Promise<unknown>;
}

/** @throws BulkError `plan_of_other_surface` */
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
