import { ClientError } from "../../client/errors.js";
import type { RunContext } from "../engine/context.js";
import { BulkError } from "../errors.js";
import { identityOf, type RunIdentity } from "../journal/identity.js";
import type { Journal } from "../journal/journal.js";
import { readLastRun } from "../journal/runs.js";
import { hasAnchor } from "./check.js";

const setting = "anchors";

export function keepAnchors(journal: Journal, anchors: readonly string[]): void {
  journal.setSetting(setting, anchors);
}

/**
 * A run's identity contains only the service, but a service has many organizations. In another organization,
 * the remaining steps would create the resources again.
 * @throws BulkError `run_elsewhere`; ClientError
 */
export async function assertSameOrganization(context: RunContext, identity: RunIdentity): Promise<void> {
  const run = await readLastRun(context.folder, identity, (journal, id) => ({
    id,
    anchors: journal.setting("finished_at") === undefined ? anchorsIn(journal) : [],
  }));
  if (run !== undefined) await assertReadable(context, run.id, run.anchors);
}

/**
 * Returns whether the key's organization has one of these groups or assistants. Also returns true if the key
 * lacks the permission to read them, because such a key can still belong to the organization.
 * @throws ClientError
 */
export async function isReadable(
  reading: Parameters<typeof hasAnchor>[0],
  anchors: readonly string[],
): Promise<boolean> {
  try {
    return await hasAnchor(reading, anchors);
  } catch (error) {
    if (error instanceof ClientError && error.status === 403) return true;
    throw error;
  }
}

/** @throws see `assertSameOrganization` */
export function assertSameOrganizationOf(context: RunContext, id: string, journal: Journal): Promise<void> {
  return assertReadable(context, id, anchorsIn(journal));
}

/** Omits resources that the run itself deletes, because they may already be missing. */
function anchorsIn(journal: Journal): string[] {
  const anchors = journal.setting(setting);
  // Runs with the distributor API store IDs of organizations instead.
  if (!Array.isArray(anchors) || identityOf(journal)?.kind !== "apply") return [];
  const deletion = journal.database.prepare("SELECT 1 FROM items WHERE action = 'delete' AND target = ?");
  return anchors.map(String).filter((anchor) => deletion.get(anchor) === undefined);
}

async function assertReadable(context: RunContext, id: string, anchors: readonly string[]): Promise<void> {
  if (anchors.length === 0 || (await isReadable(context, anchors))) return;
  throw new BulkError(
    "run_elsewhere",
    `run ${id} belongs to another organization: this key finds none of the run's groups and assistants (${anchors.join(", ")})`,
    `to resume the run, use a key of its organization; to discard the run, use \`voxctl runs discard ${id}\``,
  );
}
