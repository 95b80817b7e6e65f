import { ClientError } from "../../../client/errors.js";
import type { RunAdapter } from "../../../write/engine/adapter.js";
import type { RunContext } from "../../../write/engine/context.js";
import { failureDetail, withoutId } from "../../../write/engine/judgement.js";
import { BulkError } from "../../../write/errors.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import type { Journal } from "../../../write/journal/journal.js";
import { applyAdapter } from "../../../write/plan/adapter.js";
import { recordOf } from "../../../write/values.js";
import { compareAgain } from "../planning/plan.js";
import type { HeldKeys } from "./keys.js";

interface ImportRun {
  adapter: ImportAdapter;
  groupId: string;
  keys: HeldKeys;
  /** Whether the rows were just compared with the group as read twice. */
  isCompared: boolean;
}

/**
 * Creates the adapter of an import, which sends the planned rows. Rows don't depend on each other and were
 * compared right before the first write, so the adapter does not read it again.
 */
export function importRun(
  context: RunContext,
  journal: Journal,
  { adapter, groupId, keys, isCompared }: ImportRun,
): RunAdapter {
  const compare = async () => {
    const watch = (await keys.of(journal))?.watch;
    await compareAgain(context, journal, adapter, groupId, undefined, watch);
  };
  const base = applyAdapter(context, journal, new Map());
  const { needs: _, decided: __, prepare: ___, takeHidden: ____, ...sending } = base;
  return {
    ...sending,
    toResult({ number, target, detail }, data) {
      const { id } = recordOf(data);
      const written = target ?? (typeof id === "string" && id !== "" ? id : undefined);
      if (written === undefined) return withoutId(number, recordOf(detail));
      return { number, state: "done", target: written, answer: recordOf(data) };
    },
    async refused({ number, action }, error) {
      // If a create fails with 404, the group may be missing, which affects every row; if an update fails, only
      // the resource is missing.
      if (error.status === 404 && action === "create") await assertGroup(context, journal, groupId);
      return { number, state: "rejected", outcome: "failed", detail: failureDetail(error) };
    },
    ...(isCompared ? {} : { compareAgain: compare }),
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
      `the group "${String(journal.setting("group_name"))}" was deleted, including all contacts that the run had imported`,
      "import into another group, or create the group again with --create-group; to delete this run: `voxctl runs discard`",
      { cause: error },
    );
  }
}
