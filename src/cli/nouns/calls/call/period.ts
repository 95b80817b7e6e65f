import { type Fields, isFields } from "../../../../base/fields.js";
import { parseTime } from "../../../../base/time-text.js";
import type { Client } from "../../../../client/types.js";
import { usageError } from "../../../errors/errors.js";
import type { Flag, Input } from "../../../session/input.js";
import { assistant } from "../../../session/references/assistant.js";
import { resolveReference } from "../../../session/references/references.js";
import type { Session } from "../../../session/session.js";
import { readEnd, readTime } from "../../../session/times.js";

const pageSize = 200;

export const periodFlags: readonly Flag[] = [
  {
    name: "from",
    value: "time",
    description:
      "Only calls created at or after this time, such as 2026-11-01 (UTC), 2026-11-01T09:30:00+01:00, today, or 7d for the last 7 days",
  },
  {
    name: "to",
    value: "time",
    description: "Only calls created up to this time; a date includes the whole day (UTC)",
    default: "now",
  },
  { name: "assistant", value: "name|id", description: "Only this assistant's calls" },
];

/**
 * Lists the calls newest first.
 * @throws usage error (2) without --from
 */
export async function listCallsOfPeriod(
  session: Session,
  client: Client,
  input: Input,
): Promise<AsyncGenerator<Fields, void>> {
  const from = input.text("from");
  if (from === undefined)
    throw usageError("missing required flag: --from", { hint: "use a date such as 2026-11-01, or 7d" });
  const now = async () => (await session.connect()).clock.now();
  const to = input.text("to");
  const named = input.text("assistant");
  const query = {
    created_from: await readTime(from, "--from", now),
    created_to: to === undefined ? undefined : await readEnd(to, "--to", now),
    assistant_id:
      named === undefined
        ? undefined
        : await resolveReference(client, assistant, named, "--assistant", session),
  };
  // If --to is a date, `created_to` is the start of the next day, because the period includes the whole day.
  if (parseTime(query.created_from) >= parseTime(query.created_to ?? ""))
    throw usageError(`invalid --to ${to}: expected a time after --from ${from}`);
  if (parseTime(query.created_from) > session.serviceNow())
    session.notes.warn(`--from ${query.created_from} is in the future, so no calls match`);
  const [begin, end] = [toUtc(query.created_from), query.created_to && toUtc(query.created_to)];
  session.notes.note(`Calls from ${begin} to ${end ?? "now"} (UTC)`);
  return filterByPeriod(client, query, session.signal);
}

function toUtc(time: string): string {
  return new Date(time).toISOString().replace(".000Z", "Z");
}

/** Yields only the calls of the period, because a service may ignore the request's filter. */
async function* filterByPeriod(
  client: Client,
  query: { created_from: string; created_to: string | undefined; assistant_id: string | undefined },
  signal: AbortSignal,
): AsyncGenerator<Fields, void> {
  const [least, most] = [parseTime(query.created_from), parseTime(query.created_to ?? "")];
  // `complete` reads the pages again, because a change during the listing could hide a call.
  for await (const row of client.items("calls.list", { query }, { signal, pageSize, complete: true })) {
    if (!isFields(row)) continue;
    const created = row["created_at"];
    const at = typeof created === "string" ? parseTime(created) : Number.NaN;
    if (at < least || at >= most) continue;
    if (
      query.assistant_id !== undefined &&
      (row["assistant_id"] ?? query.assistant_id) !== query.assistant_id
    )
      continue;
    yield row;
  }
}
