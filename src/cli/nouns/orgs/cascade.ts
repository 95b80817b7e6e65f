import { formatCount, inflect } from "../../../base/text.js";
import { createClient } from "../../../client/client.js";
import type { Client } from "../../../client/types.js";
import { readWithProgress } from "../../../features/provision/commands/provision.js";
import type {
  Inventory,
  KnownOrganization,
  Planned,
  ProvisioningResult,
} from "../../../features/provision/index.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import { lostCalls } from "../../bulk/lost-calls.js";
import { assertAllDone } from "../../bulk/outcome.js";
import { toShownItem } from "../../bulk/provisioning-result.js";
import { formatSpecLines } from "../../bulk/provisioning-text.js";
import { withRefusals } from "../../bulk/refusals.js";
import { getSettleTime, withBulkRun } from "../../bulk/run.js";
import { noteRecreation } from "../../bulk/run-notes.js";
import { formatSeconds, isTableOutput, summaryView } from "../../bulk/summary.js";
import { type BulkTarget, createBulkTarget, getRunsFolder } from "../../bulk/target.js";
import { printRequests, resolvePlannedPath } from "../../derive/requests.js";
import { CliError, exits, notFoundError, usageError } from "../../errors/errors.js";
import type { Input } from "../../session/input.js";
import { organization } from "../../session/references/organization.js";
import { resolveReference } from "../../session/references/references.js";
import type { Connection, Session } from "../../session/session.js";

interface Cascade {
  msp: KnownOrganization;
  inventory: Inventory;
  planned: Planned;
}

/**
 * `voxctl orgs delete MSP --cascade`: first deletes the customers, then the MSP. Resumes an interrupted run.
 * @throws usage error (2) for a customer, partly done (68)
 */
export async function deleteWithCustomers(session: Session, input: Input): Promise<void> {
  const [value = ""] = input.arguments;
  if (value === "") throw usageError("<organization> is empty");
  const dryRun = input.on("dry-run") === true;
  const connection = await session.connect({ mutates: !dryRun, quiet: true });
  const target = await createBulkTarget(session, connection, getRunsFolder(session), "distributor-v2");
  const file = `orgs delete ${value} --cascade`;
  const bulk = await import("../../../features/provision/index.js");
  const run = (work: (context: RunContext) => Promise<WriteSummary | undefined>) =>
    withRefusals(async () => {
      const result = await withBulkRun(target, { command: file }, async (context) => {
        // Send a read request first, because the run needs the emulator state's ID from its response.
        await context.client.call("orgs.list", {}, { signal: session.signal });
        const summary = await work(context);
        return summary && bulk.readProvisioned(context, summary);
      });
      if (result !== undefined) await showDeleted(session, result);
    });
  const found = await readCascade(session, connection, target, value).catch(async (error: unknown) => {
    if (dryRun || !(error instanceof CliError) || error.exit !== exits.notFound) throw error;
    let isFound = false;
    await run(async (context) => {
      const unfinished = await bulk.findUnfinishedCascade(context, file);
      isFound = unfinished !== undefined;
      return unfinished && bulk.resumeProvisioning(context, unfinished);
    });
    if (!isFound) throw error;
  });
  if (found === undefined) return;
  await warnOfLost(session, found);
  if (dryRun) return showPlanned(session, found);
  const { msp, inventory, planned } = found;
  for (const line of formatDeletions(planned)) session.notes.note(line);
  const question = `Delete ${formatExtent(found)}? Their contents will be deleted and their API keys will stop working. ${lostCalls}`;
  await session.confirm(question, { loses: true });
  await run((context) =>
    bulk.provision(context, {
      ...{ spec: bulk.emptySpec, file, profile: connection.profile.name, command: "orgs delete" },
      ...{
        newRun: false,
        known: { inventory, planned },
        options: { cascade: msp.id },
        random: session.random,
      },
    }),
  );
}

/** @throws not found (4), usage error (2) for a customer */
async function readCascade(
  session: Session,
  connection: Connection,
  target: BulkTarget,
  value: string,
): Promise<Cascade> {
  const { signal, flags } = session;
  const { planCascade, readInventory, emptySpec } = await import("../../../features/provision/index.js");
  const { bulkClientOptions, createRequestStats } = await import("../../../write/index.js");
  const client: Client = createClient(
    bulkClientOptions(connection.clientOptions, createRequestStats(), {
      signal,
      maxWaitMilliseconds: flags.maxWaitMilliseconds,
    }),
  );
  const id = await resolveReference(client, organization, value, "<organization>", session);
  const inventory = await readWithProgress(session, connection, (listener) =>
    readInventory(
      {
        ...{ client, clock: connection.clock, signal, listener },
        get settleMilliseconds() {
          return getSettleTime(target);
        },
      },
      emptySpec,
      { findMoreMsps: async (organizations) => [findMsp(organizations, id, value)] },
    ),
  );
  const msp = findMsp(inventory.organizations, id, value);
  return { msp, inventory, planned: planCascade(inventory, id) };
}

/** @throws not found (4), usage error (2) for a customer */
function findMsp(organizations: Inventory["organizations"], id: string, value: string): KnownOrganization {
  const known = [...organizations.values()].find((candidate) => candidate.id === id);
  if (known === undefined) throw notFoundError(`organization "${value}" not found`);
  if (known.parentId !== undefined || (known.type ?? "msp") !== "msp")
    throw usageError(`--cascade requires an MSP, but "${value}" is a customer`, {
      hint: `delete the customer without --cascade: \`voxctl orgs delete ${value}\``,
    });
  return known;
}

function formatDeletions({ items }: Planned): string[] {
  return formatSpecLines(
    items.map(({ item }) => item),
    { showEqual: true },
  );
}

async function showPlanned(session: Session, cascade: Cascade): Promise<void> {
  const { planned } = cascade;
  if (isTableOutput(session)) {
    await session.output.lines([...formatDeletions(planned), `Will delete ${formatExtent(cascade)}.`]);
    session.notes.note("Dry run: no changes were made.");
    return;
  }
  const requests = planned.items.map(async ({ item, target: organizationId = "" }) => ({
    method: "DELETE",
    path: await resolvePlannedPath(session, "orgs.delete", { organizationId }),
    ...toShownItem(item),
  }));
  await printRequests(session, await Promise.all(requests));
}

function formatExtent({ msp: { id, externalId, name }, inventory, planned }: Cascade): string {
  const customers = formatCount(planned.items.length - 1, "customer");
  const licenses = formatCount(inventory.licenses.get(id)?.size ?? 0, "license");
  return `MSP ${externalId}${name === undefined ? "" : ` "${name}"`} with ${customers} and ${licenses}`;
}

/** Warns about organizations that an undo can't create again. */
async function warnOfLost({ notes }: Session, { msp, planned }: Cascade): Promise<void> {
  const { findLost } = await import("../../../features/provision/index.js");
  const { length } = findLost(planned.items.map(({ item }) => item));
  if (length === 0) return;
  notes.warn(
    msp.license == null
      ? "the MSP has no license, so neither it nor its customers can be recreated"
      : `${formatCount(length, "customer")} can't be recreated: ${inflect(length, "it has", "they have")} no license`,
  );
}

async function showDeleted(session: Session, { summary, items }: ProvisioningResult): Promise<void> {
  const { run_id, rows, outcomes, requests, rate_limited, seconds, report } = summary;
  const { deleted = 0 } = outcomes;
  const not_deleted = rows - deleted;
  const result = { run_id, deleted, not_deleted, requests, rate_limited, seconds, report };
  if (isTableOutput(session))
    await session.output.lines([
      `Deleted ${formatCount(deleted, "organization")} in ${formatSeconds(seconds)}.`,
    ]);
  else await session.output.item(result, summaryView);
  const { findLost } = await import("../../../features/provision/index.js");
  if (run_id !== null && findLost(items).length < deleted)
    noteRecreation(session, deleted, "organization", run_id);
  assertAllDone(
    { remaining: not_deleted },
    {
      message: () =>
        `${not_deleted} of ${formatCount(rows, "organization")} ${inflect(not_deleted, "was", "were")} not deleted`,
      isPartly: deleted > 0,
      hint: `see ${report}`,
    },
  );
  session.signal.throwIfAborted();
}
