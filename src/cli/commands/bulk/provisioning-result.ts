import type { PlanItem, ProvisionEnd } from "../../../bulk/provisioning/index.js";
import { CliError, exits } from "../../errors/errors.js";
import type { Session } from "../../session/session.js";
import { unlikeText } from "./provisioning-text.js";

export const itemFields = ["kind", "external_id", "msp", "name", "license", "product", "differences"];

/** In the plan's own words. */
export function shownItem({ kind, externalId, msp, name, license, product, differences }: PlanItem) {
  return { kind, external_id: externalId, msp, name, license, product, differences };
}

/**
 * After a run: what was created, what was there, what differs.
 * @throws CliError where something is not as the plan says
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
  };
  const result = { run_id, ...counts, requests, rate_limited, seconds };
  if (session.output.format === "table") {
    if (counts.created + counts.failed === 0 && requests <= 1) {
      session.notes.note(
        counts.differing + counts.conflicting === 0
          ? "everything is there already; nothing was sent"
          : "nothing is to be created; nothing was sent",
      );
    }
    await session.output.item(result);
  } else {
    const ended = items.map((item) => ({
      result: item.action === "create" ? "created" : item.action,
      ...shownItem(item),
    }));
    await session.output.item({ ...result, report, items: ended });
  }
  throwUnlike(items, counts.created > 0 ? "done" : "none");
  session.signal.throwIfAborted();
}

/**
 * @param outcome of the command, whatever differs
 * @throws CliError: partly done (68) where the service refused something, else differences (10)
 */
export function throwUnlike(items: readonly PlanItem[], outcome: "none" | "done"): void {
  const unlike = items.filter(({ action }) => action !== "create" && action !== "exists");
  if (unlike.length === 0) return;
  const isRefused = unlike.some(({ action }) => action === "failed");
  throw new CliError({
    exit: isRefused ? exits.partlyDone : exits.differences,
    code: isRefused ? "partly_done" : "differences",
    message: unlikeText(unlike),
    details: unlike.map((item) => ({ path: [item.externalId], message: item.differences.join("; ") })),
    outcome,
    ...(isRefused ? { hint: "mend the plan and run it again" } : {}),
  });
}
