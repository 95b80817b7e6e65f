import { waitForAbort } from "../../../base/abort.js";
import { messageOf } from "../../../base/error-code.js";
import { getText, isFields } from "../../../base/fields.js";
import { isLoopback } from "../../../base/loopback.js";
import { CliError, exits, refusedError, usageError } from "../../../cli/errors/errors.js";
import { parseDuration } from "../../../cli/session/globals.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { durationText } from "../../../cli/terminal/progress.js";
import { ClientError } from "../../../client/errors.js";
import {
  type Attachment,
  formatRestoreCommand,
  isAttended,
  keepAttachment,
  readAttachments,
} from "../attachments.js";
import { type ConfiguredWebhook, readAssistantById } from "../configured-webhook.js";
import { findAddressProblem, type Probe } from "../probe.js";
import { patchWebhook, restoreWebhook } from "../restore-webhook.js";
import { readAssistant } from "./assistant.js";
import { parseAddressFlag } from "./response-options.js";

export const attachFlags: readonly Flag[] = [
  {
    name: "attach",
    value: "assistant",
    description: "Point this assistant's webhook at the receiver until the command exits",
  },
  {
    name: "public-url",
    value: "url",
    description: "With --attach: public URL of your tunnel; not required for an emulator",
    requires: "attach",
  },
  {
    name: "for",
    value: "duration",
    description: "With --attach: time after which the webhook is restored",
    default: "30m",
    requires: "attach",
  },
];

export interface Attaching {
  configured: ConfiguredWebhook;
  probe: Probe;
  /** Undefined if the service runs on this machine. */
  publicUrl: URL | undefined;
  milliseconds: number;
}

const silenceMilliseconds = 120_000;

/**
 * Returns undefined without --attach.
 * @throws usage error (2), refused error (12) if confirmation is impossible
 */
export async function readAttaching(session: Session, input: Input): Promise<Attaching | undefined> {
  const named = input.text("attach");
  const publicUrl = parseAddressFlag(input.text("public-url"), "--public-url");
  if (named === undefined) return undefined;
  if (publicUrl?.protocol === "http:" && !isLoopback(publicUrl.hostname))
    throw usageError(
      "--public-url must use https, because callers' numbers and the webhook's credential are sent to it",
    );
  if (publicUrl === undefined && !(await isServiceLocal(session)))
    throw usageError("missing required flag: --public-url", {
      hint: "start a tunnel to the port of the receiver and pass its URL with --public-url",
    });
  await session.assertConfirmable({ loses: false });
  const configured = await readAssistant(session, named, "--attach", { mutates: true });
  return {
    configured,
    probe: {
      path: `/.voxctl/${session.random.bytes(12).toString("hex")}`,
      expectedText: session.random.bytes(12).toString("hex"),
    },
    publicUrl,
    milliseconds: parseDuration(input.text("for") ?? "30m", "--for"),
  };
}

async function isServiceLocal(session: Session): Promise<boolean> {
  const baseUrl = (await session.connect()).baseUrl("public");
  return baseUrl !== undefined && isLoopback(new URL(baseUrl).hostname);
}

/**
 * Points an assistant's webhook at this receiver until the command ends. Always tries to restore the webhook.
 * @throws refused (12) if the URL doesn't lead to this receiver or the webhook is already attached; unknown (75)
 * if the webhook was not restored
 */
export async function whileAttached(
  session: Session,
  attaching: Attaching,
  { url, until, requests }: { url: string; until: AbortSignal; requests: () => number },
): Promise<void> {
  const { configured, probe, publicUrl } = attaching;
  const address = publicUrl?.href ?? url;
  await assertLeadsHere(address, probe, until);
  // The receiver may stop before it is attached, for example after the request of --once.
  if (until.aborted && !session.signal.aborted) return;
  await confirmAttaching(session, attaching, address);
  // Read the webhook again, because it may change while voxctl waits for the confirmation.
  const current = await readAssistantById(configured.client, configured.id, session.signal);
  const attachment = await attach(session, current, address);
  const over = new AbortController();
  try {
    session.notes.note(
      `the webhook of "${configured.name}" points at ${address} until this command exits, for at most ${durationText(attaching.milliseconds)}`,
    );
    void endAfter(session, attaching.milliseconds, over);
    void hintAtSilence(session, requests, over.signal);
    await waitForAbort(AbortSignal.any([until, over.signal]));
  } finally {
    over.abort();
    await detach(session, configured, attachment);
  }
}

/** @throws refused (12) if the address doesn't lead to this receiver */
async function assertLeadsHere(address: string, probe: Probe, until: AbortSignal): Promise<void> {
  const trouble = await findAddressProblem(address, probe, until);
  if (until.aborted) return;
  if (trouble !== undefined)
    throw refusedError(
      "webhook_unreachable",
      `${address} does not lead to this receiver: ${trouble}. No changes were made`,
    );
}

async function confirmAttaching(
  session: Session,
  { configured, milliseconds }: Attaching,
  address: string,
): Promise<void> {
  const { host } = new URL(address);
  await session.confirm(
    `Point the webhook of assistant "${configured.name}" (${configured.phoneNumber || "no number"}) at ${host} for ${durationText(milliseconds)}? ` +
      "During this time, this machine handles the assistant's webhook requests, and the webhook's credential and the callers' numbers pass through that host.",
    { loses: false },
  );
}

async function attach(session: Session, configured: ConfiguredWebhook, url: string): Promise<Attachment> {
  const { client, id, name, webhook } = configured;
  const connection = await session.connect({ mutates: true });
  const baseUrl = connection.baseUrl("public") ?? "";
  const [stale] = (await readAttachments(session.folders, baseUrl)).filter(
    ({ assistant_id }) => assistant_id === id,
  );
  if (stale)
    throw isAttended(stale)
      ? refusedError(
          "webhook_attached",
          `the webhook of "${name}" is in use by process ${stale.pid}, which will restore it on exit`,
        )
      : refusedError(
          "webhook_attached",
          `the webhook of "${name}" has been attached since ${stale.at} and was not restored`,
          `restore it: ${formatRestoreCommand(stale)}`,
        );
  const storedUrl = webhook === null ? "" : getText(webhook, "url");
  const attachment: Attachment = {
    version: 1,
    profile: connection.profile.name,
    base_url: baseUrl,
    assistant_id: id,
    assistant: name,
    former: isFields(webhook)
      ? { enabled: webhook["enabled"] === true, url: storedUrl === "" ? null : storedUrl }
      : null,
    url,
    pid: process.pid,
    at: new Date(session.clock.now()).toISOString(),
  };
  await keepAttachment(session.folders, attachment);
  try {
    const shown = await patchWebhook(client, id, {
      enabled: true,
      url,
      ...(webhook === null ? { auth: { type: "none" } } : {}),
    });
    // Store the URL from the response: the service may normalize the URL, and `webhook restore` compares with
    // the normalized URL.
    if (shown !== undefined && shown !== "" && shown !== url) {
      attachment.url = shown;
      await keepAttachment(session.folders, attachment);
    }
  } catch (error) {
    // Restore the webhook, because the service may have applied the change even if the response was lost.
    const isPending = !(error instanceof ClientError) || error.outcome === "unknown";
    await restoreWebhook(session.folders, client, attachment, { isPending }).catch(() => {});
    throw error;
  }
  return attachment;
}

async function detach(
  session: Session,
  { client, name }: ConfiguredWebhook,
  attachment: Attachment,
): Promise<void> {
  const what = await restoreWebhook(session.folders, client, attachment).catch((cause: unknown) => {
    const why = messageOf(cause);
    throw new CliError({
      exit: exits.unknown,
      code: "not_restored",
      message: `could not confirm that the webhook of "${name}" was restored: ${why}`,
      hint: `restore it: ${formatRestoreCommand(attachment)}`,
      outcome: "unknown",
      cause,
    });
  });
  if (what === "restored") session.notes.note(`restored the webhook of "${name}"`);
  else session.notes.warn(`the webhook of "${name}" was changed by another user, so it was not restored`);
}

async function endAfter(session: Session, milliseconds: number, over: AbortController): Promise<void> {
  await session.clock.sleep(milliseconds, over.signal).then(
    () => {
      session.notes.note("the time limit of --for was reached");
      over.abort();
    },
    () => {},
  );
}

async function hintAtSilence(session: Session, requests: () => number, over: AbortSignal): Promise<void> {
  await session.clock.sleep(silenceMilliseconds, over).then(
    () => {
      if (requests() === 0)
        session.notes.note(
          "no request yet: call the assistant's number. `voxctl calls trigger` places outbound calls, which don't use the webhook",
        );
    },
    () => {},
  );
}
