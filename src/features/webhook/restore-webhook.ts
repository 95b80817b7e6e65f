import { getText, isFields } from "../../base/fields.js";
import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import { type Attachment, dropAttachment } from "./attachments.js";
import { readAssistantById } from "./configured-webhook.js";

/** `kept`: another user has changed the webhook. */
export type RestoreResult = "restored" | "kept";

/**
 * Restores a webhook unless another user changed its URL. Accepts no signal, because it runs while the
 * command is stopping.
 * @param options.isPending whether the service may still set the temporary URL later
 */
export async function restoreWebhook(
  folders: Parameters<typeof dropAttachment>[0],
  client: Client,
  attachment: Attachment,
  { isPending = false }: { isPending?: boolean } = {},
): Promise<RestoreResult> {
  const { webhook } = await readAssistantById(client, attachment.assistant_id);
  const isOurs = webhook !== null && isSameUrl(getText(webhook, "url"), attachment.url);
  if (isOurs) await patchWebhook(client, attachment.assistant_id, attachment.former);
  if (isOurs || !isPending) await dropAttachment(folders, attachment);
  return isOurs ? "restored" : "kept";
}

/** Returns whether two URLs are equal, except for normalization by a service. */
function isSameUrl(left: string, right: string): boolean {
  const normalize = (url: string) => (URL.canParse(url) ? new URL(url).href.replace(/\/$/, "") : url);
  return normalize(left) === normalize(right);
}

/**
 * Updates a webhook without sending credentials or headers, so that they stay unchanged
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
    // Retry once, because another change may cause the conflict. For an enterprise assistant, the retry also
    // fails with 409.
    if (error instanceof ClientError && error.status === 409) return send();
    throw error;
  });
  const shown = isFields(data) ? data["pre_call_webhook"] : undefined;
  return isFields(shown) ? getText(shown, "url") : undefined;
}
