import { join } from "node:path";
import type { RunContext } from "../../../bulk/engine/context.js";
import type { Learn } from "../../../bulk/plan/task.js";
import { rememberedFile } from "../../profiles/rehearsal-file.js";
import type { Session } from "../../session/session.js";

/** Stores the keys of applied sync plans in their key maps. */
export async function createPlanLearner(
  { folders, io }: Session,
  { baseUrl, machineClock }: RunContext,
): Promise<Learn> {
  const { createLearner } = await import("../../../bulk/sync/index.js");
  return createLearner({
    baseUrl,
    folder: join(folders.data, "sync"),
    now: () => machineClock.now(),
    remembered: (path) => rememberedFile(io.env, path),
  });
}
