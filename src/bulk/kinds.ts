import type { Client } from "../client/types.js";
import { importKind } from "./contacts/kind.js";
import { reversibleContacts } from "./contacts/reversible.js";
import type { Reversible } from "./engine/reversal.js";
import type { Kind } from "./engine/run.js";
import { itemKindOf } from "./items/kinds.js";
import { itemRequests } from "./items/requests.js";
import { reversibleItems } from "./items/reversible.js";
import type { Journal } from "./journal/journal.js";

/** How a run of this kind goes on without its input; undefined for one that needs its own command. */
export function requestsOf(
  kind: string,
  client: Client,
): ((journal: Journal, groupId: string) => Kind) | undefined {
  if (kind === "contacts") return (journal, groupId) => importKind(client, journal, groupId);
  const items = itemKindOf(kind);
  return items && ((journal, groupId) => itemRequests(items, client, journal, groupId));
}

/** How a run of this kind is undone; undefined for one that can't be. */
export function reversibleOf(kind: string, client: Client, groupId: string): Reversible | undefined {
  if (kind === "contacts") return reversibleContacts(client, groupId);
  const items = itemKindOf(kind);
  return items && reversibleItems(items, client, groupId);
}
