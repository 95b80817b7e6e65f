import type { Client } from "../../../client/types.js";
import type { Session } from "../session.js";
import { type Referable, type Referred, readAll } from "./references.js";

const mostRequests = 2;
const pageSize = 200;

/**
 * Reads names by ID, so that tables can show names instead of IDs. Returns undefined if the list is
 * unreadable or needs more than two requests.
 * @throws the signal's reason
 */
export async function readKnown(
  session: Session,
  client: Client,
  referable: Referable,
): Promise<Map<string, Referred> | undefined> {
  const known = new Map<string, Referred>();
  let isWhole = true;
  const onMore = () => {
    isWhole = false;
  };
  try {
    const pages = { pageSize, maximumPages: mostRequests, onMore };
    for await (const referred of readAll(client, referable, { signal: session.signal, pages }))
      known.set(referred.id, referred);
  } catch {
    session.signal.throwIfAborted();
    return undefined;
  }
  if (!isWhole) return undefined;
  for (const { id, name } of known.values()) session.names.set(id, name);
  return known;
}
