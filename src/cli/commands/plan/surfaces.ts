/** The functions that commands about plans use of the interface that a plan is for. */
import type { RunContext } from "../../../bulk/engine/context.js";
import type { Failure } from "../../../bulk/plan/expectations.js";
import type { Plan } from "../../../bulk/plan/read.js";
import type { PlanSurface } from "../../../bulk/plan/surface.js";
import type { ApplySummary, ApplyTask } from "../../../bulk/plan/task.js";
import { createClient } from "../../../client/client.js";
import type { Connection, Session } from "../../session/session.js";
import { settleTime } from "../bulk/run.js";
import { bulkTarget, runsFolder } from "../bulk/target.js";

/** The needs of testing a plan's preconditions. */
export type CheckContext = Pick<
  RunContext,
  "client" | "clock" | "signal" | "baseUrl" | "folder" | "settleMilliseconds"
>;

export interface PlanOperations {
  surface: PlanSurface;
  /** The preconditions that don't hold, in the order of the steps. */
  check(plan: Plan, context: CheckContext): AsyncIterable<Failure>;
  apply(context: RunContext, task: ApplyTask): Promise<ApplySummary>;
  /** The result of a plan that was applied before, as far as that is known without a request. */
  appliedBefore(
    folder: string,
    service: { baseUrl: string; world: string | null },
    plan: Plan,
  ): Promise<ApplySummary | undefined>;
  /** Its answer names an emulator's world. */
  greet(context: RunContext): Promise<unknown>;
}

/** @throws BulkError `plan_of_other_surface` */
export async function operationsFor(plan: Plan): Promise<PlanOperations> {
  const { appliedBeforeAt, applyPlan, checkPlan, surfaceOf } = await import("../../../bulk/plan/index.js");
  // What no plan can do is refused.
  plan.needs();
  const surface = surfaceOf(plan.header);
  if (surface === "public") {
    return {
      surface,
      check: (one, { folder, ...context }) => checkPlan(one, { ...context, temporaryFolder: folder }),
      apply: applyPlan,
      appliedBefore: appliedBeforeAt,
      greet: ({ client, signal }) => client.call("ping", {}, { signal }),
    };
  }
  const { applyOrganizations, checkOrganizations, organizationsAppliedAt } = await import(
    "../../../bulk/provisioning/index.js"
  );
  return {
    surface,
    check: checkOrganizations,
    apply: applyOrganizations,
    appliedBefore: organizationsAppliedAt,
    greet: ({ client, signal }) => client.call("orgs.list", {}, { signal }),
  };
}

/** For reading without a run: a limit is waited for, as a run waits for it. */
export async function checkContext(
  session: Session,
  connection: Connection,
  surface: PlanSurface,
): Promise<CheckContext> {
  const { bulkClientOptions, createRequestStats } = await import("../../../bulk/index.js");
  const { signal } = session;
  const { maxWaitMilliseconds } = session.flags;
  const target = bulkTarget(session, connection, runsFolder(session), surface);
  const options = bulkClientOptions(connection.clientOptions, createRequestStats(), {
    signal,
    maxWaitMilliseconds,
  });
  return {
    client: createClient(options),
    clock: connection.clock,
    signal,
    baseUrl: target.baseUrl,
    folder: target.folder,
    get settleMilliseconds() {
      return settleTime(target);
    },
  };
}
