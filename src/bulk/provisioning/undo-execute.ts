import { failureDetail } from "../engine/failure.js";
import { createPatience } from "../engine/patience.js";
import type { RunContext } from "../engine/run.js";
import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { planItemOf } from "./items.js";
import { type Noting, type Sender, send } from "./send.js";
import { settleLost } from "./settle.js";
import { keptReason } from "./undo-plan.js";

/** How often a deletion whose answer was lost is sent again. */
const maximumTries = 8;

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
  const sender: Sender = { context, patience, pace };
  let done = journal.count("done") + journal.count("rejected");
  const settled = (results: Result[]) => {
    journal.record(results, []);
    done += results.length;
    listener.advanced({ done, intervalMilliseconds: pace.intervalMilliseconds });
  };
  for (const { item } of of("customer")) settled([await deleteOne(sender, journal, item)]);
  for (const { item, planned: msp } of of("msp")) {
    const result = await deleteOne(sender, journal, item);
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

/** What a refusal says of the organization. */
const refused: Readonly<Record<number, string>> = { 400: "failed", 404: "gone", 409: "changed" };

/**
 * Deletes one organization. After an answer that was lost the same is sent again, since a list proves nothing (T4): what
 * is not found any more was deleted by the first.
 */
async function deleteOne(sender: Sender, journal: Journal, item: Item): Promise<Result> {
  const { context } = sender;
  const { number, target = "" } = item;
  const path = { organizationId: target };
  const note: Noting = {
    sending: () => journal.record([], [number]),
    lost: (cause) => journal.record([{ number, state: "unknown", detail: failureDetail(cause) }], []),
    again: () => journal.record([{ number, state: "planned" }], []),
  };
  for (let tries = 1; ; tries += 1) {
    const { error } = await send(sender, "orgs.delete", { path }, note);
    if (error === undefined || (tries > 1 && error.status === 404)) return { number, state: "done", target };
    if (error.outcome !== "unknown") {
      const detail = { ...nameOf(item), ...failureDetail(error) };
      return { number, state: "rejected", outcome: refused[error.status ?? 0] ?? "failed", detail };
    }
    if (tries === maximumTries) throw error;
    await settleLost(context, 1);
    note.again();
  }
}

/** The report tells what a deletion was about. */
export function nameOf(item: Item): { kind: string; external_id: string } {
  const { kind, externalId } = planItemOf(item);
  return { kind, external_id: externalId };
}
