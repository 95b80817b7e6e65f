import { getText, isFields } from "../../base/fields.js";
import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import { type Attachment, dropAttachment } from "./attachments.js";
import { readAssistantById } from "./configured-webhook.js";

/** Result for an assistant's webhook: restored, or kept because another user changed it. */
export type RestoreResult = "restored" | "kept";

/**
 * Restores an assistant's webhook. Keeps a webhook whose URL was changed, because another user edited it. Uses no
 * signal, so that it works while the command is stopping.
 * @throws the client's error, and keeps the attachment
 */
export async function restoreWebhook(
  folders: Parameters<typeof dropAttachment>[0],
  client: Client,
  attachment: Attachment,
): Promise<RestoreResult> {
  const { webhook } = await readAssistantById(client, attachment.assistant_id);
  const isOurs = webhook !== null && getText(webhook, "url") === attachment.url;
  if (isOurs) await patchWebhook(client, attachment.assistant_id, attachment.former);
  await dropAttachment(folders, attachment);
  return isOurs ? "restored" : "kept";
}

/**
 * Changes the URL and the enabled state of a webhook. Credentials and headers are not sent, so they stay unchanged
 * (public.operations.7).
 * @throws the client's error
 */
export async function patchWebhook(
  client: Client,
  id: string,
  webhook: { enabled: boolean; url: string | null; auth?: { type: "none" } } | null,
): Promise<string | undefined> {
  const send = () =>
    client.call("assistants.update", { path: { assistant_id: id }, body: { pre_call_webhook: webhook } });
  const { data } = await send().catch((error: unknown) => {
    // Retry once, because another change may have been made at the same time. For an enterprise assistant, every
    // attempt returns 409.
    if (error instanceof ClientError && error.status === 409) return send();
    throw error;
  });
  const shown = isFields(data) ? data["pre_call_webhook"] : undefined;
  return isFields(shown) ? getText(shown, "url") : undefined;
}
