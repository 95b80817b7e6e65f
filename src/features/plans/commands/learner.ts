import { join } from "node:path";
import { rememberedFile } from "../../../cli/profiles/rehearsal-file.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { Learn } from "../../../write/plan/task.js";
import type { ResumeKeys } from "../../import/imports/keys.js";

/** Creates the function that stores the keys of an applied sync plan in its group's key map. */
export async function createPlanLearner(session: Session, context: RunContext): Promise<Learn> {
  const { createLearner } = await import("../../sync/index.js");
  return createLearner(getKeyMapLocation(session, context));
}

/** Creates the function that `runs resume` uses to open the key map of an import. */
export async function createImportKeysResumer(session: Session, context: RunContext): Promise<ResumeKeys> {
  const { createKeysResumer } = await import("../../sync/index.js");
  const { importAdapterOf } = await import("../../import/adapters.js");
  return createKeysResumer(getKeyMapLocation(session, context), importAdapterOf);
}

export function getKeyMapLocation(
  { folders, io }: Session,
  { baseUrl, machineClock, sharedBlobs }: RunContext,
) {
  return {
    baseUrl,
    folder: join(folders.data, "sync"),
    blobs: sharedBlobs,
    now: () => machineClock.now(),
    remembered: (path: string) => rememberedFile(io.env, path),
  };
}
