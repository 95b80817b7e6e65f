// An attachment is an assistant whose webhook temporarily points at this machine. The attachment's file
// contains the previous webhook.

import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { parseJsonSafely } from "../../base/json.js";
import { makePrivateFolder, writePrivateFile } from "../../base/private-file.js";
import { isAlive } from "../../base/processes.js";
import { buildFlagWords, formatCommandLine } from "../../base/shell-words.js";
import { environmentName } from "../../contract/environment-variables.js";
import { once } from "../../contract/once.js";

type Folders = Readonly<{ data: string }>;

const Attachment = once(() =>
  z.object({
    version: z.literal(1),
    profile: z.string(),
    base_url: z.string(),
    assistant_id: z.string(),
    assistant: z.string(),
    /** Null if the assistant had no webhook. */
    former: z.object({ enabled: z.boolean(), url: z.string().nullable() }).nullable(),
    url: z.string(),
    /** ID of the process that will restore the webhook. */
    pid: z.int(),
    at: z.string(),
  }),
);

export type Attachment = z.output<ReturnType<typeof Attachment>>;

function attachmentsFolder({ data }: Folders): string {
  return join(data, "webhooks");
}

const fileOf = (folders: Folders, { assistant_id }: Pick<Attachment, "assistant_id">) =>
  join(attachmentsFolder(folders), `${assistant_id.replace(/[^\w-]/g, "_")}.json`);

/** Call this function before the webhook is changed, because the previous webhook could be lost. */
export async function keepAttachment(folders: Folders, attachment: Attachment): Promise<void> {
  await makePrivateFolder(attachmentsFolder(folders));
  await writePrivateFile(fileOf(folders, attachment), `${JSON.stringify(attachment, null, 2)}\n`, {
    replace: true,
  });
}

export async function dropAttachment(folders: Folders, attachment: Attachment): Promise<void> {
  await rm(fileOf(folders, attachment), { force: true });
}

/** Without `baseUrl`, returns the attachments of all services. Skips unreadable files. */
export async function readAttachments(folders: Folders, baseUrl?: string): Promise<Attachment[]> {
  const folder = attachmentsFolder(folders);
  const names = await readdir(folder).catch(() => []);
  const attachments: Attachment[] = [];
  for (const name of names.filter((fileName) => fileName.endsWith(".json")).sort()) {
    const text = await readFile(join(folder, name), "utf8").catch(() => "");
    const parsed = Attachment().safeParse(parseJsonSafely(text));
    if (parsed.success && (baseUrl === undefined || parsed.data.base_url === baseUrl))
      attachments.push(parsed.data);
  }
  return attachments;
}

export function formatRestoreCommand({ profile }: Pick<Attachment, "profile">): string {
  const flags = profile === environmentName ? [] : buildFlagWords("profile", profile);
  return `\`${formatCommandLine(["webhook", "restore", ...flags])}\``;
}

export function isAttended({ pid }: Attachment): boolean {
  return isAlive(pid);
}
