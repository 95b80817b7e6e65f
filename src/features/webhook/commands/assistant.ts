import { type Fields, getText, isFields } from "../../../base/fields.js";
import { assistant as referable } from "../../../cli/session/references/assistant.js";
import { resolveReference } from "../../../cli/session/references/references.js";
import type { Session } from "../../../cli/session/session.js";
import type { Client } from "../../../client/types.js";

/** An assistant and its webhook, as returned by the service. */
export interface ConfiguredWebhook {
  client: Client;
  id: string;
  name: string;
  phoneNumber: string;
  /** Null if the assistant has no webhook. */
  webhook: Fields | null;
}

/**
 * Reads the assistant that a flag names.
 * @throws not found (4), usage error (2) if several have this name
 */
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

/** Reads the webhook by assistant ID. Without a signal it also works while the command ends. */
export async function readAssistantById(
  client: Client,
  id: string,
  signal?: AbortSignal,
): Promise<ConfiguredWebhook> {
  const { data } = await client.call(
    "assistants.get",
    { path: { assistant_id: id } },
    signal ? { signal } : {},
  );
  const row = isFields(data) ? data : {};
  const webhook = row["pre_call_webhook"];
  return {
    client,
    id,
    name: getText(row, "name"),
    phoneNumber: getText(row, "phone_number"),
    webhook: isFields(webhook) ? webhook : null,
  };
}
