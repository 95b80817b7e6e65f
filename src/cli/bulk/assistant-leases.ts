import { createHash } from "node:crypto";
import { getText, isFields } from "../../base/fields.js";
import type { Connection, Session } from "../session/session.js";
import { withRefusals } from "./refusals.js";
import { openRuns, optionsWithoutRequests } from "./store.js";
import { createBulkTarget, getRunsFolder } from "./target.js";

interface CallingAssistant {
  assistant_id?: unknown;
  assistant_phone?: unknown;
}

/**
 * Reserves the assistants for this machine while `work` runs, because an assistant can place only one call
 * per minute.
 * @param command name of this command, shown on machines that wait for the assistants
 */
export async function withAssistantLeases<T>(
  session: Session,
  connection: Connection,
  { command, assistants }: { command: string; assistants: readonly CallingAssistant[] },
  work: () => Promise<T>,
): Promise<T> {
  const runsFolder = getRunsFolder(session);
  const { store, baseUrl } = await createBulkTarget(session, connection, runsFolder, "public");
  if (store === undefined) return work();
  const { signal, flags, notes } = session;
  let opened: Awaited<ReturnType<typeof openRuns>> | undefined;
  try {
    await withRefusals(async () => {
      const { formatOwner } = await import("../../store/index.js");
      opened = await openRuns(store, runsFolder, {
        ...optionsWithoutRequests,
        ...{ baseUrl, signal, command, maxWaitMilliseconds: flags.maxWaitMilliseconds },
        onWait: (owner) => notes.note(`Waiting for ${formatOwner(owner)}…`),
      });
      const names = await createLeaseNames(connection, baseUrl, assistants, signal);
      for (const name of names) await opened.runs.lease(name);
    });
    return await work();
  } finally {
    await opened?.runs.close();
  }
}

/**
 * Returns the names of the leases, sorted so that two machines can't deadlock. Converts phone numbers to IDs,
 * because another command may specify the same assistant by ID.
 */
async function createLeaseNames(
  { client }: Connection,
  baseUrl: string,
  assistants: readonly CallingAssistant[],
  signal: AbortSignal,
): Promise<string[]> {
  const ids = new Map<unknown, string>();
  if (assistants.some(({ assistant_id: id }) => id === undefined))
    for await (const assistant of client.items("assistants.list", {}, { signal }))
      if (isFields(assistant)) ids.set(assistant["phone_number"], getText(assistant, "id"));
  const names = assistants.map(({ assistant_id: id, assistant_phone: phone }) => {
    const key = JSON.stringify([baseUrl, id ?? ids.get(phone) ?? phone]);
    return `assistant/${createHash("sha256").update(key).digest("hex").slice(0, 24)}`;
  });
  return [...new Set(names)].sort();
}
