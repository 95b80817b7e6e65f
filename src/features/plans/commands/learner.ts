import { join } from "node:path";
import { rememberedFile } from "../../../cli/profiles/rehearsal-file.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { Learn } from "../../../write/plan/task.js";

/** Stores the keys of applied sync plans in their key maps. */
export async function createPlanLearner(
  { folders, io }: Session,
  { baseUrl, machineClock }: RunContext,
): Promise<Learn> {
  const { createLearner } = await import("../../sync/index.js");
  return createLearner({
    baseUrl,
    folder: join(folders.data, "sync"),
    now: () => machineClock.now(),
    remembered: (path) => rememberedFile(io.env, path),
  });
}
