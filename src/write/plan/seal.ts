import type { Random } from "../../base/random.js";
import type { RunContext } from "../engine/context.js";
import type { PlanHeader } from "./format.js";
import { planTarget } from "./target.js";
import { type PlanDraft, type SealedPlan, writePlan } from "./write.js";

interface SealOptions {
  path: string;
  force: boolean;
  passphrase?: string | undefined;
  random: Random;
  /** Command as typed. */
  command: readonly string[];
  madeBy: string;
  keys?: PlanHeader["keys"];
}

/**
 * @param context.folder private directory for a temporary file
 * @throws see `writePlan`
 */
export async function sealPlan(
  context: Pick<RunContext, "client" | "signal" | "baseUrl" | "machineClock" | "folder">,
  { path, force, passphrase, random, command, madeBy, keys }: SealOptions,
  steps: PlanDraft["steps"],
): Promise<SealedPlan> {
  const { machineClock, signal, folder } = context;
  const header = {
    made_at: new Date(machineClock.now()).toISOString(),
    made_by: madeBy,
    command: [...command],
    target: await planTarget(context),
    ...(keys === undefined ? {} : { keys }),
  };
  const waiting = { clock: machineClock, signal };
  return writePlan(path, { header, steps }, { force, passphrase, random, temporaryFolder: folder, waiting });
}
