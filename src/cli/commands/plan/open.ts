/** Arguments and flags for the plan file of a command. */
import { resolve } from "node:path";
import type { Plan } from "../../../bulk/plan/read.js";
import type { Argument, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { readPassphrase } from "../bulk/plan-file.js";

export const planArgument: Argument = {
  name: "plan",
  description: "Plan file; .gz files are decompressed",
};

/** @throws usage error (2) if the passphrase variable is not set; BulkError from `openPlan` */
export async function openPlanFile(session: Session, input: Input): Promise<Plan> {
  const { openPlan } = await import("../../../bulk/plan/index.js");
  const [file = ""] = input.arguments;
  return openPlan(resolve(session.io.cwd, file), { passphrase: readPassphrase(session, input) });
}
