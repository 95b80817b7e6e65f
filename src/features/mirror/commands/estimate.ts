import { formatThousands } from "../../../base/text.js";
import type { Connection, Session } from "../../../cli/session/session.js";
import type { MirrorRequest } from "../../../contract/mirror.js";
import type { ReadEstimate } from "../index.js";
import { createReadingClient } from "./fill.js";
import type { CollectFlags } from "./flags.js";
import { formatEstimate } from "./mirror-summary.js";

/** Estimates how many reads a mirror requires and how long they take. Sends one read per list. */
export async function estimateMirror(
  session: Session,
  connection: Connection,
  request: MirrorRequest,
  { readShare }: CollectFlags,
): Promise<ReadEstimate> {
  const { estimateReads } = await import("../index.js");
  const { client, stats } = await createReadingClient(connection, request.surface);
  return estimateReads({ client, stats, signal: session.signal, readShare }, request);
}

export async function showEstimate({ output }: Session, estimate: ReadEstimate): Promise<void> {
  if (output.format !== "table") return output.item(estimate);
  const lists = estimate.lists.map(
    ({ list, rows, more }) => `${list} ${formatThousands(rows)}${more ? " or more" : ""}`,
  );
  await output.lines([`Estimate: ${formatEstimate(estimate)}`, `  ${lists.join(" · ")}`]);
}
