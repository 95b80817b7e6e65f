import { type Fields, getText, isFields } from "../../../base/fields.js";
import type { Client } from "../../../client/types.js";
import { dryRunFlag, printRequests } from "../../derive/requests.js";
import { usageError } from "../../errors/errors.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { Command, CommandGroup } from "../../session/command.js";
import { readHeaderLine } from "../../session/header-line.js";
import type { Input } from "../../session/input.js";
import { assistant as referable } from "../../session/references/assistant.js";
import { resolveReference } from "../../session/references/references.js";
import { readSecretSource, secretFlag } from "../../session/secret-source.js";
import type { Session } from "../../session/session.js";

const assistantArgument = { name: "assistant", description: "Name or ID" };
const authTypes = ["none", "bearer", "basic", "api_key"] as const;

interface Target {
  client: Client;
  id: string;
  name: string;
  webhook: Fields | null;
}

async function readTarget(session: Session, input: Input, options: { mutates: boolean }): Promise<Target> {
  const value = input.arguments[0] ?? "";
  if (value === "") throw usageError("<assistant> is empty");
  const { client } = await session.connect(options);
  const id = await resolveReference(client, referable, value, "<assistant>", session);
  const { data } = await client.call(
    "assistants.get",
    { path: { assistant_id: id } },
    { signal: session.signal },
  );
  const row = isFields(data) ? data : {};
  const webhook = row["pre_call_webhook"];
  return { client, id, name: getText(row, "name"), webhook: isFields(webhook) ? webhook : null };
}

async function patch(session: Session, target: Target, webhook: Fields | null): Promise<unknown> {
  const { data } = await target.client
    .call(
      "assistants.update",
      { path: { assistant_id: target.id }, body: { pre_call_webhook: webhook } },
      { signal: session.signal },
    )
    .catch((error: unknown) => {
      throw new FlaggedError(error, (at) => findFlagForPath(at));
    });
  return isFields(data) ? data["pre_call_webhook"] : undefined;
}

function findFlagForPath(path: readonly (string | number)[]): string | undefined {
  const field = String(path[1] === "auth" ? (path[2] ?? "auth") : path[1]);
  const flags: Readonly<Record<string, string>> = {
    url: "--url",
    headers: "--header",
    enabled: "--enabled",
    auth: "--auth",
    type: "--auth",
    username: "--username",
    header_name: "--header-name",
    secret: "--secret",
    password: "--secret",
  };
  return path[0] === "pre_call_webhook" && Object.hasOwn(flags, field) ? flags[field] : undefined;
}

async function show(session: Session, webhook: unknown): Promise<void> {
  if (!isFields(webhook) && session.output.format === "table")
    session.notes.note("The assistant has no pre-call webhook.");
  else await session.output.item(webhook ?? null);
}

async function dryRun(session: Session, { id }: Target, webhook: Fields | null): Promise<void> {
  const body = { pre_call_webhook: webhook };
  await printRequests(session, [{ method: "PATCH", path: `/assistants/${id}`, body }]);
}

const setWebhook: Command = {
  name: "set",
  summary: "Set or change an assistant's pre-call webhook",
  description:
    "Settings that you don't specify stay unchanged. A new webhook is enabled. The secret comes from a prompt, standard input, a file or the environment. Saving a webhook does not call it.",
  arguments: [assistantArgument],
  flags: [
    { name: "url", value: "url", description: 'URL of the webhook, http or https; "" removes the webhook' },
    {
      name: "enabled",
      description: "Enable the webhook; --no-enabled pauses it and keeps its settings",
      negatable: true,
    },
    {
      name: "header",
      value: "name: value",
      description: 'Request header; replaces all existing headers; "" removes all headers',
      repeatable: true,
    },
    {
      name: "auth",
      value: "type",
      description:
        'Type of authentication; a new type requires a new secret; "none" removes the type and the secret',
      choices: authTypes,
    },
    { name: "username", value: "name", description: "User name for --auth basic" },
    {
      name: "header-name",
      value: "name",
      description: "Name of the header that contains the key, for --auth api_key",
    },
    secretFlag,
    dryRunFlag,
  ],
  confirms: "removing the webhook",
  examples: [
    {
      command: "voxctl assistants webhook set Empfang --url https://crm.example/hook --auth bearer",
      note: "Set a webhook; voxctl asks for the secret",
    },
    {
      command:
        "voxctl assistants webhook set Empfang --auth basic --username praxis --secret env:CRM_PASSWORD",
    },
    { command: 'voxctl assistants webhook set Empfang --header "X-Site: Berlin" --header "X-Team: 3"' },
    { command: "voxctl assistants webhook set Empfang --no-enabled", note: "Pause the webhook" },
    {
      command: 'voxctl assistants webhook set Empfang --url "" --yes',
      note: "Remove the webhook and its credentials",
    },
  ],
  async run(session, input) {
    if (input.text("url") === "") return removeWebhook(session, input);
    const changes = readChanges(input);
    const source = input.text("secret");
    const secret = source === undefined ? undefined : await readSecretSource(session, source, "--secret");
    const dry = input.on("dry-run") === true;
    const target = await readTarget(session, input, { mutates: !dry });
    const auth = await readAuthChange(session, input, target.webhook, secret);
    const enabled = input.on("enabled") ?? (target.webhook ? target.webhook["enabled"] === true : true);
    const storedUrl = target.webhook?.["url"];
    const webhook = {
      enabled,
      // Every PATCH of an enabled webhook must contain its URL (public.webhook.url, D-webhook).
      ...(enabled && typeof storedUrl === "string" ? { url: storedUrl } : {}),
      ...changes,
      ...(auth === undefined ? {} : { auth }),
    };
    if (enabled && !("url" in webhook)) throw usageError("missing required flag: --url");
    if (dry) await dryRun(session, target, webhook);
    else await show(session, await patch(session, target, webhook));
  },
};

function readChanges(input: Input): Fields {
  const url = input.text("url");
  const headers = input.texts("header");
  return {
    ...(url === undefined ? {} : { url }),
    ...(headers.length === 0 ? {} : { headers: readHeaders(headers) }),
  };
}

function readHeaders(lines: readonly string[]): Fields | null {
  return lines.length === 1 && lines[0] === "" ? null : Object.fromEntries(lines.map(readHeaderLine));
}

/** Returns undefined to keep the current `auth`. Prompts for the secret if the type is new. */
async function readAuthChange(
  session: Session,
  input: Input,
  webhook: Fields | null,
  secret: string | undefined,
): Promise<Fields | undefined> {
  const stored = isFields(webhook?.["auth"]) ? webhook["auth"] : {};
  const username = input.text("username");
  const headerName = input.text("header-name");
  const given = input.text("auth");
  if (given === undefined && username === undefined && headerName === undefined && secret === undefined)
    return undefined;
  const type = given ?? getText(stored, "type");
  if (type === "" || (type === "none" && given === undefined)) {
    throw usageError(`missing required flag: --auth (${authTypes.join(", ")})`);
  }
  const credential = type === "basic" ? "password" : "secret";
  if (type === "none") {
    if (secret !== undefined) throw usageError("--auth none can't be combined with a secret");
    return { type };
  }
  const isNew = type !== getText(stored, "type");
  // With an unchanged type, the service keeps the secret; a new type requires one (public.operations.7f, 7g).
  const value = secret ?? (isNew ? await askSecret(session, credential) : undefined);
  return {
    type,
    ...(username === undefined ? {} : { username }),
    ...(headerName === undefined ? {} : { header_name: headerName }),
    ...(value === undefined ? {} : { [credential]: value }),
  };
}

async function askSecret(session: Session, credential: string): Promise<string> {
  if (!session.prompts.available) {
    throw usageError(`missing ${credential}: use --secret env:VARIABLE, file:FILE or -`);
  }
  const reply = await session.prompts.secret({ message: `${credential}:` });
  session.secrets.add(reply);
  if (reply === "") throw usageError(`the ${credential} is empty`);
  return reply;
}

async function removeWebhook(session: Session, input: Input): Promise<void> {
  const dry = input.on("dry-run") === true;
  if (!dry) await session.assertConfirmable();
  const target = await readTarget(session, input, { mutates: !dry });
  if (dry) {
    await dryRun(session, target, null);
    return;
  }
  await session.confirm(`Remove the pre-call webhook of assistant "${target.name}" and its credentials?`);
  const webhook = await patch(session, target, null);
  // Only the response shows whether the service removed the webhook.
  const isCleared = !isFields(webhook);
  const assistant = `assistant "${target.name}"`;
  const removed =
    target.webhook === null
      ? `No pre-call webhook was set for ${assistant}.`
      : `Removed the pre-call webhook of ${assistant} and its credentials (the URL was ${getText(target.webhook, "url") || "not set"}).`;
  session.notes.note(isCleared ? removed : `The service still shows a pre-call webhook for ${assistant}.`);
  await session.output.item({ id: target.id, pre_call_webhook: webhook ?? null, cleared: isCleared });
}

export const webhookCommands: CommandGroup = {
  name: "webhook",
  summary: "Manage an assistant's pre-call webhook",
  description:
    "The service calls the webhook for each incoming call. The response replaces @preCallData in the prompt.",
  commands: [setWebhook],
};
