import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { writePrivateFile } from "../../base/private-file.js";
import type { RunContext } from "../engine/context.js";
import { keyMapPath } from "./key-map.js";
import type { SyncTask } from "./task.js";

/** A run of a group that may not have finished: its plan file and the requested options. */
interface PendingRun {
  planFile: string;
  /** Stores the options of this run. */
  keepIntent(): Promise<void>;
  /** Returns whether the stored run had the same options. */
  hasSameIntent(): Promise<boolean>;
  /** The run has finished, or was never started. */
  forget(): Promise<void>;
}

/** The run that is kept of a task's group. */
export function pendingRun(
  { baseUrl }: Pick<RunContext, "baseUrl">,
  task: SyncTask,
  folder: string,
): PendingRun {
  const at = { baseUrl, groupId: task.groupId, folder };
  const planFile = keyMapPath(at, "plan");
  const intentFile = keyMapPath(at, "intent");
  return {
    planFile,
    keepIntent: () => writePrivateFile(intentFile, intentOf(task), { replace: true }),
    async hasSameIntent() {
      const kept = await readFile(intentFile, "utf8").catch(() => undefined);
      return kept === intentOf(task);
    },
    async forget() {
      await rm(intentFile, { force: true });
      await rm(planFile, { force: true });
    },
  };
}

/** The intent of a run: another file, or another word on deleting, is another intent. */
function intentOf({ subject, madeAt: _, protectFile, file: __, groupName: ___, ...flags }: SyncTask): string {
  const files = { digest: subject.digest, protect: protectFile?.digest };
  return createHash("sha256")
    .update(JSON.stringify({ ...flags, ...files }))
    .digest("hex");
}
