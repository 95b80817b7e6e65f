import { isFields } from "../../base/fields.js";
import { parseTime } from "../../base/time-text.js";
import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import type { OperationName } from "../../contract/wire.js";
import type { ReportedCall } from "./figures.js";

type Fields = Readonly<Record<string, unknown>>;

export interface Reading {
  client: Client;
  signal: AbortSignal;
}

interface Judge {
  isOver(call: Fields): boolean;
  isAnswered(call: Fields): boolean;
}

const pageSize = 200;

/**
 * `from` (inclusive) and `to` (exclusive) are creation times in milliseconds.
 * @throws ClientError
 */
export async function readCalls(
  { client, signal }: Reading,
  { from, to, assistantId }: { from: number; to: number; assistantId?: string | undefined },
  judge: Judge,
): Promise<ReportedCall[]> {
  const query = {
    created_from: new Date(from).toISOString(),
    created_to: new Date(to).toISOString(),
    assistant_id: assistantId,
  };
  const calls: ReportedCall[] = [];
  for await (const row of client.items("calls.list", { query }, { signal, pageSize, complete: true })) {
    if (!isFields(row)) continue;
    const at = parseTime(String(row["created_at"]));
    // The service may ignore the time filter.
    if (Number.isNaN(at) || at < from || at >= to) continue;
    calls.push({
      assistantId: String(row["assistant_id"]),
      direction: textOf(row["direction"]),
      status: textOf(row["status"]) ?? "unknown",
      at,
      seconds: getSeconds(row),
      isOver: judge.isOver(row),
      isAnswered: judge.isAnswered(row),
    });
  }
  return calls;
}

/** Returns undefined if the API key may not read the list. */
export async function readAll(
  { client, signal }: Reading,
  operation: OperationName,
): Promise<Fields[] | undefined> {
  const records: Fields[] = [];
  try {
    for await (const row of client.items(operation, {}, { signal, pageSize }))
      if (isFields(row)) records.push(row);
  } catch (error) {
    if (!(error instanceof ClientError) || (error.status !== 402 && error.status !== 403)) throw error;
    return undefined;
  }
  return records;
}

/** Computes a missing duration from the call's start and end. */
function getSeconds(call: Fields): number | undefined {
  const duration = call["duration_seconds"];
  if (typeof duration === "number") return duration;
  const [start, end] = [parseTime(String(call["started_at"])), parseTime(String(call["ended_at"]))];
  return Number.isNaN(start) || Number.isNaN(end) ? undefined : Math.max(0, Math.round((end - start) / 1000));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
