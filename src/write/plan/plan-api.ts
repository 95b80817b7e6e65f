import { BulkError } from "../errors.js";
import type { PlanHeader } from "./format.js";

export type PlanApi = "public" | "distributor-v2";

export function planApiOf({ target }: Pick<PlanHeader, "target">): PlanApi {
  return target.surface === organizationApi ? organizationApi : "public";
}

/** @throws BulkError `plan_of_other_api` */
export function assertPlanApi({ id, header }: { id: string; header: Pick<PlanHeader, "target"> }): void {
  const { surface = "public" } = header.target;
  if (surface === "public" || surface === organizationApi) return;
  throw new BulkError(
    "plan_of_other_api",
    `plan ${id} is for the ${surface} API, which plan files don't support`,
    "plan files support only changes made with the Public API or the distributor API v2",
  );
}

const organizationApi = "distributor-v2";
