import { CliError, exits } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Session } from "../../../cli/session/session.js";
import { ClientError } from "../../../client/errors.js";
import { environmentName } from "../../../contract/environment-variables.js";
import {
  type Attachment,
  dropAttachment,
  formatRestoreCommand,
  isAttended,
  readAttachments,
} from "../attachments.js";
import { restoreWebhook } from "../restore-webhook.js";

export const restore: Command = {
  name: "restore",
  summary: "Restore webhooks that an interrupted `listen` changed",
  description:
    "Restores the previous URL of each webhook that `voxctl webhook listen --attach` changed. A webhook that another user has changed since then is not restored.",
  examples: [{ command: "voxctl webhook restore" }],
  async run(session) {
    const connection = await session.connect({ mutates: true, restoresWebhooks: true });
    const baseUrl = connection.baseUrl("public");
    const all = await readAttachments(session.folders);
    const attached = all.filter((attachment) => attachment.base_url === baseUrl);
    for (const attachment of all.filter((candidate) => candidate.base_url !== baseUrl))
      session.notes.warn(
        `the webhook of "${attachment.assistant}" belongs to another service; restore it: ${formatRestoreCommand(attachment)}`,
      );
    const attended = attached.filter(isAttended);
    for (const { assistant, pid } of attended)
      session.notes.note(`process ${pid} is using the webhook of "${assistant}" and will restore it on exit`);
    const results = [];
    for (const attachment of attached.filter((candidate) => !attended.includes(candidate))) {
      const result = await restoreWebhook(session.folders, connection.client, attachment).catch(
        async (cause: unknown) => {
          if (cause instanceof ClientError && cause.status === 404)
            return releaseMissing(session, attachment);
          if (cause instanceof ClientError && cause.outcome === "none") throw cause;
          throw new CliError({
            exit: exits.unknown,
            code: "not_restored",
            message: `could not confirm that the webhook of "${attachment.assistant}" was restored: ${cause instanceof Error ? cause.message : cause}`,
            hint: "to check and retry, run the same command again",
            outcome: "unknown",
            cause,
          });
        },
      );
      if (result === undefined) continue;
      results.push({
        assistant: attachment.assistant,
        id: attachment.assistant_id,
        url: attachment.former?.url ?? null,
        result,
      });
    }
    await session.output.list(results, {
      columns: [
        { header: "ASSISTANT", value: "assistant" },
        { header: "ID", value: "id", keep: true },
        { header: "RESULT", value: "result", keep: true },
        { header: "URL", value: "url" },
      ],
      ...(all.length === 0 ? { empty: "no webhooks to restore" } : {}),
    });
  },
};

/**
 * Keeps the record if another profile wrote it, because the assistant may belong to an organization that this
 * profile's key can't access.
 */
async function releaseMissing(session: Session, attachment: Attachment): Promise<"gone" | undefined> {
  const { name } = (await session.connect()).profile;
  if (name === attachment.profile && name !== environmentName) {
    await dropAttachment(session.folders, attachment);
    return "gone";
  }
  session.notes.warn(
    `assistant "${attachment.assistant}" doesn't exist in this organization; restore its webhook: ${formatRestoreCommand(attachment)}`,
  );
  return undefined;
}
