import { mkdir } from "node:fs/promises";
import { formatCount } from "../../../base/text.js";
import { CliError, exits } from "../../errors/errors.js";
import type { View } from "../../output/output.js";
import type { Command } from "../../session/command.js";
import { encryptFlag } from "../bulk/plan-file.js";
import { withRefusals } from "../bulk/refusals.js";
import { getRunsFolder } from "../bulk/target.js";
import { openPlanFile, planArgument } from "./open.js";
import { createCheckContext, getPlanOperations } from "./plan-operations.js";

const view: View = {
  columns: [
    { header: "STEP", value: "step", keep: true, align: "right" },
    { header: "RESOURCE", value: "resource", keep: true },
    { header: "WHY NOT", value: "reason" },
  ],
  empty: "every precondition holds",
  noun: "precondition that does not hold",
  plural: "preconditions that don't hold",
};

export const check: Command = {
  name: "check",
  summary: "Test whether a plan still fits what is there",
  description:
    "Reads what the plan's steps depend on, and sends nothing else. Ends with 10 where something differs; each difference " +
    "is printed with what the plan expects and what was found.",
  arguments: [planArgument],
  flags: [encryptFlag],
  examples: [{ command: "voxctl plan check kunden.plan" }],
  verdict: true,
  run: (session, input) =>
    withRefusals(async () => {
      const plan = await openPlanFile(session, input);
      const { check: findFailures, api } = await getPlanOperations(plan);
      const connection = await session.connect();
      await mkdir(getRunsFolder(session), { recursive: true, mode: 0o700 });
      const failures = findFailures(plan, await createCheckContext(session, connection, api));
      const count = await session.output.list(failures, view);
      if (count === 0) return;
      throw new CliError({
        exit: exits.differences,
        code: "plan_outdated",
        message: `${formatCount(count, "precondition")} of the plan ${plan.id} ${count === 1 ? "does" : "do"} not hold`,
        hint: "make a new plan from what is there now",
      });
    }),
};
