import { ClientError } from "../../client/errors.js";
import type { Pace } from "../../client/types.js";
import { failureDetail } from "../engine/failure.js";
import { createPatience, type Patience } from "../engine/patience.js";
import type { RunContext } from "../engine/run.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { findOrganization } from "./inventory.js";
import { planItemOf } from "./items.js";
import { settleLost } from "./settle.js";
import { keptReason } from "./undo-plan.js";

/** How often a deletion whose answer was lost is looked for and sent again. */
const maximumTries = 4;

/**
 * Sends what an undo has planned: customers first, then their MSPs, each with its licenses (v2.delete.msp).
 * @throws the signal's reason, or the ClientError that every further request would meet; it can be gone on with
 */
export async function deletePlanned(context: RunContext, { journal }: { journal: Journal }): Promise<void> {
  const { client, clock, signal, listener } = context;
  const planned = [...journal.inState("planned", 0, Number.MAX_SAFE_INTEGER)].map((item) => ({
    item,
    planned: planItemOf(item),
  }));
  const of = (kind: string) => planned.filter((one) => one.planned.kind === kind);
  const pace = client.paced("orgs.delete", { expected: of("customer").length + of("msp").length });
  const patience = createPatience({ clock, signal, onPause: listener.pausing });
  let done = journal.count("done") + journal.count("rejected");
  const settled = (results: Result[]) => {
    journal.record(results, []);
    done += results.length;
    listener.advanced({ done, intervalMilliseconds: pace.intervalMilliseconds });
  };
  for (const { item } of of("customer")) settled([await deleteOne(context, journal, item, pace, patience)]);
  for (const { item, planned: msp } of of("msp")) {
    const result = await deleteOne(context, journal, item, pace, patience);
    const licenses = of("license").filter((one) => one.planned.msp === msp.externalId);
    const isGone = result.state === "done" || (result.state === "rejected" && result.outcome === "gone");
    const ended = licenses.map(({ item: license }): Result => {
      const { number } = license;
      const detail = { ...nameOf(license), reason: keptReason };
      return isGone
        ? { number, state: "done", target: license.target ?? "" }
        : { number, state: "settled", outcome: "kept", detail };
    });
    settled([result, ...ended]);
  }
}

/** Deletes one organization; after an answer that was lost it is looked for. */
async function deleteOne(
  context: RunContext,
  journal: Journal,
  item: Item,
  pace: Pace,
  patience: Patience,
): Promise<Result> {
  const { client, signal } = context;
  const { number, target = "" } = item;
  const { externalId } = planItemOf(item);
  for (let tries = 1; ; ) {
    await patience.wait();
    const turn = await pace.turn();
    if (signal.aborted) {
      turn.release();
      throw signal.reason;
    }
    journal.record([], [number]);
    try {
      await client.call("orgs.delete", { path: { organizationId: target } }, { turn });
      patience.succeeded();
      return { number, state: "done", target };
    } catch (error) {
      turn.release();
      if (!(error instanceof ClientError)) throw error;
      const reject = (outcome: string): Result => ({
        number,
        state: "rejected",
        outcome,
        detail: { ...nameOf(item), ...failureDetail(error) },
      });
      if (error.kind === "api" && error.outcome !== "unknown") {
        if (error.status === 404) return reject("gone");
        if (error.status === 409) return reject("changed");
        if (error.status === 400) return reject("failed");
      }
      const lost = error.outcome === "unknown";
      const detail = failureDetail(error);
      journal.record([lost ? { number, state: "unknown", detail } : { number, state: "planned" }], []);
      if (!lost && error.kind !== "network") throw error;
      patience.failed(error);
      if (!lost) continue;
      await settleLost(context, 1);
      const found = await findOrganization(client, externalId, { signal });
      if (found?.id !== target) return { number, state: "done", target };
      if (tries === maximumTries) throw error;
      tries += 1;
    }
  }
}

/** The report tells what a deletion was about. */
export function nameOf(item: Item): { kind: string; external_id: string } {
  const { kind, externalId } = planItemOf(item);
  return { kind, external_id: externalId };
}
