import { BulkError } from "../errors.js";
import type { PlanHeader } from "./format.js";

/** The interfaces that a plan can be for. */
export type PlanSurface = "public" | "distributor-v2";

/** The interface that a plan's steps are requests to. */
export function surfaceOf({ target }: Pick<PlanHeader, "target">): PlanSurface {
  return target.surface === organizationSurface ? organizationSurface : "public";
}

/** @throws BulkError `plan_of_other_surface` */
export function assertSurface({ id, header }: { id: string; header: PlanHeader }): void {
  const { surface = "public" } = header.target;
  if (surface === "public" || surface === organizationSurface) return;
  throw new BulkError(
    "plan_of_other_surface",
    `the plan ${id} is for the interface ${surface}, which no plan can be for`,
    "plans hold what the Public API or the distributor API v2 creates, changes and deletes",
  );
}

const organizationSurface = "distributor-v2";
