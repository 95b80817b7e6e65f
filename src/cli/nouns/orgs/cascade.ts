import { formatCount, inflect } from "../../../base/text.js";
import { createClient } from "../../../client/client.js";
import { readWithProgress } from "../../../features/provision/commands/provision.js";
import type { Inventory, KnownOrganization } from "../../../features/provision/index.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import { assertAllDone } from "../../bulk/outcome.js";
import { withRefusals } from "../../bulk/refusals.js";
import { getSettleTime, withBulkRun } from "../../bulk/run.js";
import { noteUndo } from "../../bulk/run-notes.js";
import { formatSeconds, isTableOutput, summaryView } from "../../bulk/summary.js";
import { createBulkTarget, getRunsFolder } from "../../bulk/target.js";
import { printRequests, resolvePlannedPath } from "../../derive/requests.js";
import { notFoundError, usageError } from "../../errors/errors.js";
import type { Input } from "../../session/input.js";
import { organization } from "../../session/references/organization.js";
import { resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";

/**
 * `voxctl orgs delete MSP --cascade`: deletes the customers and then the MSP, in a run.
 * @throws usage error (2) for a customer, partly done (68)
 */
export async function deleteWithCustomers(session: Session, input: Input): Promise<void> {
  const [value = ""] = input.arguments;
  if (value === "") throw usageError("<organization> is empty");
  const dryRun = input.on("dry-run") === true;
  const { signal, flags } = session;
  const connection = await session.connect({ mutates: !dryRun, quiet: true });
  const target = await createBulkTarget(session, connection, getRunsFolder(session), "distributor-v2");
  const bulk = await import("../../../features/provision/index.js");
  const { bulkClientOptions, createRequestStats } = await import("../../../write/index.js");
  const client = createClient(
    bulkClientOptions(connection.clientOptions, createRequestStats(), {
      signal,
      maxWaitMilliseconds: flags.maxWaitMilliseconds,
    }),
  );
  const id = await resolveReference(client, organization, value, "<organization>", session);
  const inventory = await readWithProgress(session, connection, (listener) =>
    bulk.readInventory(
      {
        ...{ client, clock: connection.clock, signal, listener },
        get settleMilliseconds() {
          return getSettleTime(target);
        },
      },
      bulk.emptySpec,
      { findMoreMsps: async (organizations) => [findMsp(organizations, id, value)] },
    ),
  );
  const planned = bulk.planCascade(inventory, id);
  if (dryRun) {
    const requests = planned.items.map(async ({ target: organizationId = "" }) => ({
      method: "DELETE",
      path: await resolvePlannedPath(session, "orgs.delete", { organizationId }),
    }));
    return printRequests(session, await Promise.all(requests));
  }
  const msp = findMsp(inventory.organizations, id, value);
  const owned = inventory.licenses.get(id)?.size ?? 0;
  await session.confirm(formatQuestion(msp, planned.items.length - 1, owned), { loses: true });
  const command = `orgs delete ${value} --cascade`;
  await withRefusals(async () => {
    const summary = await withBulkRun(target, { command }, async (context) => {
      // Send a read request, whose response identifies the run's emulator state.
      await context.client.call("orgs.list", {}, { signal });
      return bulk.provision(context, {
        ...{ spec: bulk.emptySpec, file: command, profile: connection.profile.name, command: "orgs delete" },
        ...{ newRun: true, known: { inventory, planned }, convergence: null, random: session.random },
      });
    });
    await showDeleted(session, summary);
  });
}

/** @throws not found (4), usage error (2) for a customer */
function findMsp(organizations: Inventory["organizations"], id: string, value: string): KnownOrganization {
  const known = [...organizations.values()].find((candidate) => candidate.id === id);
  if (known === undefined) throw notFoundError(`organization "${value}" not found`);
  if (known.parentId !== undefined || (known.type ?? "msp") !== "msp")
    throw usageError(`--cascade requires an MSP, but "${value}" is a customer`, {
      hint: `delete it alone: \`voxctl orgs delete ${value}\``,
    });
  return known;
}

function formatQuestion(
  { externalId, name }: KnownOrganization,
  customers: number,
  licenses: number,
): string {
  const msp = name === undefined ? externalId : `${externalId} "${name}"`;
  return `Delete MSP ${msp} with ${formatCount(customers, "customer")} and ${formatCount(licenses, "license")}? Their contents will be deleted and their API keys will stop working.`;
}

async function showDeleted(session: Session, summary: WriteSummary): Promise<void> {
  const { run_id, rows, outcomes, requests, rate_limited, seconds, report } = summary;
  const { deleted = 0 } = outcomes;
  const not_deleted = rows - deleted;
  const result = { run_id, deleted, not_deleted, requests, rate_limited, seconds, report };
  if (isTableOutput(session))
    await session.output.lines([
      `Deleted ${formatCount(deleted, "organization")} in ${formatSeconds(seconds)}.`,
    ]);
  else await session.output.item(result, summaryView);
  if (run_id !== null) noteUndo(session, "create them again with new IDs", run_id);
  assertAllDone(
    { remaining: not_deleted },
    {
      message: () =>
        `${formatCount(not_deleted, "organization")} of ${rows} ${inflect(not_deleted, "was", "were")} not deleted`,
      isPartly: deleted > 0,
      hint: `see ${report}`,
    },
  );
  session.signal.throwIfAborted();
}
