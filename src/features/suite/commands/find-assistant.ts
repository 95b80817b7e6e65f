import { assistant as referable } from "../../../cli/session/references/assistant.js";
import { isId, resolveReference } from "../../../cli/session/references/references.js";
import type { Session } from "../../../cli/session/session.js";
import type { Client } from "../../../client/types.js";
import { E164 } from "../../../contract/primitives.js";

export type CallingAssistant = { assistant_id: string } | { assistant_phone: string };

/** Looks up each name only once. */
export function createAssistantFinder(
  client: Client,
  session: Session,
): (named: string) => Promise<CallingAssistant> {
  const known = new Map<string, Promise<string>>();
  return async (named) => {
    if (E164.safeParse(named).success) return { assistant_phone: named };
    if (isId(named)) return { assistant_id: named };
    const id = known.get(named) ?? resolveReference(client, referable, named, "assistant", session);
    known.set(named, id);
    return { assistant_id: await id };
  };
}
