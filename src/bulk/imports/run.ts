import { ClientError } from "../../client/errors.js";
import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import { failureDetail, withoutId } from "../engine/judgement.js";
import { BulkError } from "../errors.js";
import type { ImportAdapter } from "../group/adapter.js";
import { readItem, remoteItem } from "../group/remote.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { resolveUnconfirmedSteps } from "../plan/unconfirmed-steps.js";
import { compareAgain } from "../planning/plan.js";
import { recordOf } from "../values.js";

/** The adapter of an import: sends its creates and updates, and resolves those without a response. */
export function importRun(
  context: RunContext,
  journal: Journal,
  adapter: ImportAdapter,
  groupId: string,
): RunAdapter {
  const { operations, parameter, unlisted } = adapter;
  return {
    paces: operations.create,
    keepsCanary: true,
    request: ([{ action, target = "", body }]) =>
      action === "update"
        ? { operation: operations.update, input: { path: { [parameter]: target }, body } }
        : { operation: operations.create, input: { body: { group_id: groupId, ...recordOf(body) } } },
    toResult: writtenResult,
    async refused(item, error) {
      // On a create, the group may be missing, which affects every row; on an update, only the resource
      // itself.
      if (error.status === 404 && item.action === "create") await assertGroup(context, journal, groupId);
      return failedResult(item, error);
    },
    lookUp: () => resolveUnconfirmedSteps(context, journal),
    compareAgain: () => compareAgain(context, journal, adapter, groupId),
    ...(unlisted.length === 0
      ? {}
      : {
          // Read fields that a response does not show by a get (T1).
          async complete({ target = "" }: Item) {
            return (await readItem(context, adapter, target))?.record;
          },
        }),
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
      `the group "${String(journal.setting("group_name"))}" was deleted with everything that the run had imported into it`,
      "import into another group, or create this one again with --create-group; to remove this run, use `voxctl runs discard`",
      { cause: error },
    );
  }
}

/** Returns the stored state according to the response to the write (T1). */
function writtenResult({ number, target, detail }: Item, data: unknown): Result {
  const id = target ?? remoteItem(data)?.id;
  if (id === undefined) return withoutId(number, recordOf(detail));
  return { number, state: "done", target: id, answer: recordOf(data) };
}

function failedResult({ number }: Item, error: ClientError): Result {
  return { number, state: "rejected", outcome: "failed", detail: failureDetail(error) };
}
