import { getText, isFields } from "../../base/fields.js";
import { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import { type Attachment, dropAttachment } from "./attachments.js";
import { readAssistantById } from "./configured-webhook.js";

/** Result for an assistant's webhook: restored, or kept because another user changed it. */
export type RestoreResult = "restored" | "kept";

/**
 * Restores an assistant's webhook. Keeps a webhook whose URL was changed, because another user edited it.
 * Uses no signal, so that it works while the command is stopping.
 * @param options.isPending whether the request to attach may still take effect. If so, a webhook that
 * doesn't have the temporary URL stays listed for `webhook restore`.
 * @throws the client's error; the webhook then also stays listed
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

/** Returns whether two URLs are the same after a service has normalized one of them. */
function isSameUrl(left: string, right: string): boolean {
  const normalize = (url: string) => (URL.canParse(url) ? new URL(url).href.replace(/\/$/, "") : url);
  return normalize(left) === normalize(right);
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
