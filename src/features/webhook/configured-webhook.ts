import { type Fields, getText, isFields } from "../../base/fields.js";
import type { Client } from "../../client/types.js";

export interface ConfiguredWebhook {
  client: Client;
  id: string;
  name: string;
  phoneNumber: string;
  /** Null if the assistant has no webhook. */
  webhook: Fields | null;
}

/** `signal` is optional, so that the function works while the command is stopping. */
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
