import { formatThousands } from "../../base/text.js";
import type { PlanItem, ProvisioningResult } from "../../features/provision/index.js";
import type { Session } from "../session/session.js";
import { assertAllDone } from "./outcome.js";
import { formatDeviations, formatReassigned } from "./provisioning-text.js";
import { noteUndo } from "./run-notes.js";
import { formatSeconds, isTableOutput } from "./summary.js";

export const itemFields = ["kind", "external_id", "msp", "name", "license", "product", "differences"];

export function toShownItem(item: PlanItem) {
  const {
    type: kind,
    externalId,
    msp,
    name,
    license,
    product,
    differences,
    remedies,
    status,
    change,
    from,
  } = item;
  return {
    ...{ kind, external_id: externalId, msp, name, license, product, differences },
    ...(remedies.length === 0 ? {} : { remedies }),
    ...(status === undefined ? {} : { status }),
    ...(change === undefined ? {} : { change, from }),
  };
}

const results: Readonly<Partial<Record<PlanItem["action"], string>>> = {
  create: "created",
  change: "changed",
  delete: "deleted",
};

/**
 * @param shown spec entries that the user has already seen
 * @throws CliError if an organization differs from the spec
 */
export async function showProvisioned(
  session: Session,
  { summary, items }: ProvisioningResult,
  shown: readonly PlanItem[] = [],
): Promise<void> {
  const { run_id, outcomes, requests, rate_limited, seconds, report } = summary;
  const { created = 0, exists: existing = 0, differs: differing = 0, conflicts: conflicting = 0 } = outcomes;
  const { failed = 0, updated = 0, reassigned = 0, deleted = 0, left = 0 } = outcomes;
  const changed = updated + reassigned;
  const counts = { created, existing, differing, conflicting, failed, changed, deleted, left };
  const written = created + changed + deleted;
  const result = { run_id, ...counts, requests, rate_limited, seconds };
  const moved = reassigned === 0 ? "" : `, reassigned the ${formatReassigned(reassigned)}`;
  const isTable = isTableOutput(session);
  if (isTable) {
    if (written + failed === 0 && requests <= 1) {
      session.notes.note(
        differing + conflicting + left === 0
          ? "All organizations already exist. No changes were made."
          : "There is nothing to create. No changes were made.",
      );
    } else
      await session.output.lines([
        `Created ${formatThousands(created)}, updated ${formatThousands(updated)}${moved}, deleted ${formatThousands(deleted)}, unchanged ${formatThousands(existing)} in ${formatSeconds(seconds)}.`,
      ]);
  } else {
    const { countedItems } = await import("../../features/provision/index.js");
    const counted = new Set(countedItems(items));
    const ended = items.map((item) => ({
      result: counted.has(item) ? (results[item.action] ?? item.action) : "changed_again",
      ...toShownItem(item),
    }));
    await session.output.item({ ...result, report, items: ended });
  }
  if (written > 0 && run_id !== null) {
    const { isAnyUndoable } = await import("../../features/provision/index.js");
    if (isAnyUndoable(items)) noteUndo(session, "undo this run", run_id);
    else session.notes.note("This run can't be undone.");
  }
  assertAsSpecified(session, items, { isPartly: written > 0, shown });
  session.signal.throwIfAborted();
}

/**
 * Omits differences that the user has already seen in a table.
 * @param isPartly whether anything was written
 * @throws CliError with exit code 68 if the service rejected a request, 10 if the spec doesn't match
 */
export function assertAsSpecified(
  session: Session,
  items: readonly PlanItem[],
  { isPartly, shown }: { isPartly: boolean; shown: readonly PlanItem[] },
): void {
  const deviating = items.filter(({ action }) => deviatingActions.has(action));
  const count = (name: PlanItem["action"]) => deviating.filter(({ action }) => action === name).length;
  const outcomes = {
    ...{ differs: count("differs"), conflicts: count("conflicts"), failed: count("failed") },
    left: count("left"),
  };
  const seen = new Set(isTableOutput(session) ? shown.map(formatEntry) : []);
  const listed = deviating.filter((item) => !seen.has(formatEntry(item)));
  assertAllDone(outcomes, {
    message: () => formatDeviations(deviating),
    details: listed.map((item) => ({ path: [item.externalId], message: formatDifferences(item) })),
    isPartly,
    hint: outcomes.failed > 0 ? "fix the organization spec and run the command again" : undefined,
  });
}

const deviatingActions: ReadonlySet<PlanItem["action"]> = new Set(["differs", "conflicts", "failed", "left"]);

function formatEntry({ type, externalId, action }: PlanItem): string {
  return `${action} ${type} ${externalId}`;
}

function formatDifferences({ differences, remedies }: PlanItem): string {
  const remedy = remedies.filter((text) => text !== "").join("; ");
  return `${differences.join("; ")}${remedy === "" ? "" : ` (${remedy})`}`;
}
