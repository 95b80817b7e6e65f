import { resolve } from "node:path";
import { readPassphrase } from "../../../cli/bulk/plan-file.js";
import type { Argument, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { Plan } from "../../../write/plan/read.js";

export const planArgument: Argument = {
  name: "plan",
  description: "Plan file; .gz files are decompressed",
};

/** @throws usage error (2) if the variable with the passphrase is not set; BulkError from `openPlan` */
export async function openPlanFile(session: Session, input: Input): Promise<Plan> {
  const { openPlan } = await import("../../../write/plan/index.js");
  const [file = ""] = input.arguments;
  return openPlan(resolve(session.io.cwd, file), { passphrase: readPassphrase(session, input) });
}
