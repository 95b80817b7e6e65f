import { ClientError } from "../../../client/errors.js";
import type { RunContext } from "../../../write/engine/context.js";
import { BulkError } from "../../../write/errors.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import type { Journal } from "../../../write/journal/journal.js";
import { forwardCourse, refusedResult } from "../../../write/plan/forward.js";
import { resources } from "../../../write/resources.js";
import type { Subject } from "../../../write/subject.js";
import { compareAgain } from "../planning/plan.js";
import type { HeldKeys } from "./keys.js";

interface ImportRun {
  adapter: ImportAdapter;
  groupId: string;
  keys: HeldKeys;
}

/**
 * Resources are not read again before each write, because the import compares all of them right before the
 * first write.
 */
export function importedResources({ adapter, groupId, keys }: ImportRun): Subject {
  return {
    ...resources,
    course(sending) {
      const { context, journal } = sending;
      const { findNormalized: _, judge: __, ...course } = forwardCourse(sending);
      return {
        ...course,
        async refused(item, planned, error) {
          // If a create fails with 404, the group may have been deleted. All other rows would then also fail.
          if (error.status === 404 && item.action === "create") await assertGroup(context, journal, groupId);
          return refusedResult(sending, item, planned, { error, missing: "failed" });
        },
        async compareAgain() {
          const watch = (await keys.of(journal))?.watch;
          await compareAgain(context, journal, adapter, groupId, undefined, watch);
        },
      };
    },
  };
}

/** @throws BulkError `group_gone` */
async function assertGroup({ client, signal }: RunContext, journal: Journal, groupId: string): Promise<void> {
  try {
    await client.call("groups.get", { path: { group_id: groupId } }, { signal });
  } catch (error) {
    if (!(error instanceof ClientError) || error.status !== 404) throw error;
    throw new BulkError(
      "group_gone",
      `the group "${String(journal.setting("group_name"))}" was deleted, together with everything that the run imported`,
      `import into another group, or create the group again with --create-group; to delete this run, use \`voxctl runs discard ${String(journal.setting("id"))}\``,
      { cause: error },
    );
  }
}
