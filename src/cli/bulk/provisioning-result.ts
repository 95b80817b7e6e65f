import type { PlanItem, ProvisionEnd } from "../../features/provision/index.js";
import { CliError, exits } from "../errors/errors.js";
import type { Session } from "../session/session.js";
import { formatDeviations } from "./provisioning-text.js";

export const itemFields = ["kind", "external_id", "msp", "name", "license", "product", "differences"];

/** Returns an item with the field names of the organization spec, without empty fields. */
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
 * Shows the result of a run: created, existing and differing organizations.
 * @throws CliError if an organization differs from the spec
 */
export async function showProvisioned(session: Session, end: ProvisionEnd): Promise<void> {
  const { items, run_id, requests, rate_limited, seconds, report } = end;
  const count = (action: PlanItem["action"]) => items.filter((item) => item.action === action).length;
  const counts = {
    created: count("create"),
    existing: count("exists"),
    differing: count("differs"),
    conflicting: count("conflicts"),
    failed: count("failed"),
    changed: count("change"),
    deleted: count("delete"),
    left: count("left"),
  };
  const written = counts.created + counts.changed + counts.deleted;
  const result = { run_id, ...counts, requests, rate_limited, seconds };
  if (session.output.format === "table") {
    if (written + counts.failed === 0 && requests <= 1) {
      session.notes.note(
        counts.differing + counts.conflicting + counts.left === 0
          ? "All organizations already exist. No changes were made."
          : "There is nothing to create. No changes were made.",
      );
    }
    await session.output.item(result);
  } else {
    const ended = items.map((item) => ({
      result: results[item.action] ?? item.action,
      ...toShownItem(item),
    }));
    await session.output.item({ ...result, report, items: ended });
  }
  assertAsSpecified(items, written > 0 ? "done" : "none");
  session.signal.throwIfAborted();
}

const deviatingActions: ReadonlySet<PlanItem["action"]> = new Set(["differs", "conflicts", "failed", "left"]);

/**
 * @param outcome outcome of the command
 * @throws CliError: partly done (68) if the service rejected a request, differences (10) if the spec doesn't match
 */
export function assertAsSpecified(items: readonly PlanItem[], outcome: "none" | "done"): void {
  const unlike = items.filter(({ action }) => deviatingActions.has(action));
  if (unlike.length === 0) return;
  const isRefused = unlike.some(({ action }) => action === "failed");
  throw new CliError({
    exit: isRefused ? exits.partlyDone : exits.differences,
    code: isRefused ? "partly_done" : "differences",
    message: formatDeviations(unlike),
    details: unlike.map((item) => ({ path: [item.externalId], message: formatDifferences(item) })),
    outcome,
    ...(isRefused ? { hint: "fix the organization spec and run the command again" } : {}),
  });
}

function formatDifferences({ differences, remedies }: PlanItem): string {
  const remedy = remedies.filter((text) => text !== "").join("; ");
  return `${differences.join("; ")}${remedy === "" ? "" : ` (${remedy})`}`;
}
