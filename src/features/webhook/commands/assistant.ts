import { assistant as referable } from "../../../cli/session/references/assistant.js";
import { resolveReference } from "../../../cli/session/references/references.js";
import type { Session } from "../../../cli/session/session.js";
import { type ConfiguredWebhook, readAssistantById } from "../configured-webhook.js";

/** @throws not found (4), usage error (2) if several assistants have this name */
export async function readAssistant(
  session: Session,
  named: string,
  flag: string,
  options: { mutates: boolean } = { mutates: false },
): Promise<ConfiguredWebhook> {
  const { client } = await session.connect(options);
  const id = await resolveReference(client, referable, named, flag, session);
  return readAssistantById(client, id, session.signal);
}
