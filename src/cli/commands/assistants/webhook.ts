import type { Client } from "../../../client/types.js";
import { dryRunFlag, printRequests } from "../../derive/requests.js";
import { usageError } from "../../errors/errors.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import { type Fields, getText, isFields } from "../../output/fields.js";
import type { Command, CommandGroup } from "../../session/command.js";
import { readHeaderLine } from "../../session/header-line.js";
import type { Input } from "../../session/input.js";
import { assistant as referable } from "../../session/references/assistant.js";
import { resolveReference } from "../../session/references/references.js";
import { readSecretSource, secretFlag } from "../../session/secret-source.js";
import type { Session } from "../../session/session.js";

const assistantArgument = { name: "assistant", description: "its name or id" };
const authTypes = ["none", "bearer", "basic", "api_key"] as const;

interface Target {
  client: Client;
  id: string;
  name: string;
  /** The webhook as it is, or null. */
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

/** Returns the updated webhook. */
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

/** The flag that sets what is at a path of the body. */
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
  if (!isFields(webhook) && session.output.format === "table") session.notes.note("no pre-call webhook");
  else await session.output.item(webhook ?? null);
}

async function dryRun(session: Session, { id }: Target, webhook: Fields | null): Promise<void> {
  const body = { pre_call_webhook: webhook };
  await printRequests(session, [{ method: "PATCH", path: `/assistants/${id}`, body }]);
}

const setWebhook: Command = {
  name: "set",
  summary: "Set an assistant's pre-call webhook, or change parts of it",
  description:
    "What is not given stays as it is. A new one is switched on. The secret comes from a prompt, standard input, a file or the environment. Nothing is called by saving it.",
  arguments: [assistantArgument],
  flags: [
    { name: "url", value: "address", description: "the address that is asked, http or https" },
    {
      name: "enabled",
      description: "switch it on; --no-enabled keeps everything, but is not asked",
      negatable: true,
    },
    {
      name: "header",
      value: "name: value",
      description: 'Header of the request; replaces all existing headers; "" removes them',
      repeatable: true,
    },
    {
      name: "auth",
      value: "type",
      description: "Authentication of the request; a new type requires a new secret, none removes both",
      choices: authTypes,
    },
    { name: "username", value: "name", description: "with --auth basic" },
    { name: "header-name", value: "name", description: "with --auth api_key: the header that carries it" },
    secretFlag,
    dryRunFlag,
  ],
  examples: [
    {
      command: "voxctl assistants webhook set Empfang --url https://crm.example/hook --auth bearer",
      note: "asks for the secret",
    },
    {
      command:
        "voxctl assistants webhook set Empfang --auth basic --username praxis --secret env:CRM_PASSWORD",
    },
    { command: 'voxctl assistants webhook set Empfang --header "X-Site: Berlin" --header "X-Team: 3"' },
    { command: "voxctl assistants webhook set Empfang --no-enabled", note: "pause it" },
  ],
  async run(session, input) {
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
      // public.webhook.url, D-webhook: an enabled webhook names its address in every PATCH.
      ...(enabled && typeof storedUrl === "string" ? { url: storedUrl } : {}),
      ...changes,
      ...(auth === undefined ? {} : { auth }),
    };
    if (enabled && !("url" in webhook)) throw usageError("--url: an enabled webhook needs its address");
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

/** `auth` as it is to be sent; undefined leaves it as it is. A secret that a new type needs is asked for. */
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
    throw usageError("--auth: say which type of auth it is", { hint: `One of ${authTypes.join(", ")}` });
  }
  const credential = type === "basic" ? "password" : "secret";
  if (type === "none") {
    if (secret !== undefined) throw usageError("--auth none takes no secret");
    return { type };
  }
  const isNew = type !== getText(stored, "type");
  // public.operations.7f, 7g: the same type keeps its secret, another one needs a new.
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

const clearWebhook: Command = {
  name: "clear",
  summary: "Take an assistant's pre-call webhook away, its secret too",
  description: "voxctl assistants webhook set --no-enabled only pauses it, and keeps everything.",
  arguments: [assistantArgument],
  flags: [dryRunFlag],
  examples: [{ command: "voxctl assistants webhook clear Empfang --yes" }],
  async run(session, input) {
    const dry = input.on("dry-run") === true;
    if (!dry) await session.assertConfirmable();
    const target = await readTarget(session, input, { mutates: !dry });
    if (dry) {
      await dryRun(session, target, null);
      return;
    }
    await session.confirm(`Clear the pre-call webhook of assistant "${target.name}" and its credentials?`);
    const webhook = await patch(session, target, null);
    // The response has the current value (T1).
    const isCleared = !isFields(webhook);
    const was =
      target.webhook === null
        ? "there was none"
        : `it was ${getText(target.webhook, "url") || "without an address"}`;
    session.notes.note(
      isCleared
        ? `the pre-call webhook of assistant "${target.name}" is cleared, with its credentials; ${was}`
        : `the service still shows a pre-call webhook of assistant "${target.name}"`,
    );
    await session.output.item({ id: target.id, pre_call_webhook: webhook ?? null, cleared: isCleared });
  },
};

export const webhookCommands: CommandGroup = {
  name: "webhook",
  summary: "Manage the pre-call webhook of an assistant",
  description:
    "The service calls the webhook for each incoming call. The response replaces @preCallData in the prompt.",
  commands: [setWebhook, clearWebhook],
};
