import { getText, isFields } from "../../../base/fields.js";
import { formatCount, trimPeriod } from "../../../base/text.js";
import { ClientError } from "../../../client/errors.js";
import type { Client } from "../../../client/types.js";
import {
  ignoreNotFoundFlag,
  runIgnoringNotFound,
  shouldIgnoreNotFound,
} from "../../derive/ignore-not-found.js";
import { dryRunFlag, type PlannedRequest, printRequests } from "../../derive/requests.js";
import { sendDelete } from "../../derive/sent-delete.js";
import { CliError, exits, refusedError, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import { resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";

type PromptField = "prompt_id" | "email_prompt_id";

interface User {
  id: string;
  name: string;
  fields: readonly PromptField[];
}

export const deletePromptCommand: Command = {
  name: "delete",
  aliases: ["rm"],
  summary: "Delete a prompt",
  description:
    "voxctl doesn't delete a prompt that an assistant uses. To remove it from the assistants first, use --detach. The service itself protects only answering prompts, not email prompts.",
  arguments: [{ name: "prompt", description: "Name or ID" }],
  flags: [
    { name: "detach", description: "First remove the prompt from all assistants that use it" },
    ignoreNotFoundFlag,
    dryRunFlag,
  ],
  confirms: true,
  examples: [
    { command: "voxctl prompts delete 'Empfang 2024'" },
    { command: "voxctl prompts delete Empfang --detach --yes", note: "In a script" },
  ],
  run: (session, input) => runIgnoringNotFound(session, input, () => runDelete(session, input)),
};

async function runDelete(session: Session, input: Input): Promise<void> {
  const value = input.arguments[0] ?? "";
  if (value === "") throw usageError("<prompt> is empty");
  const dryRun = input.on("dry-run") === true;
  const detach = input.on("detach") === true;
  if (!dryRun && !shouldIgnoreNotFound(input)) await session.assertConfirmable();
  const connection = await session.connect({ mutates: !dryRun });
  const { client } = connection;
  const referable = { list: "prompts.list", noun: "prompt", distinction: "kind" } as const;
  const id = await resolveReference(client, referable, value, "<prompt>", session);
  const users = await findUsers(client, id, session.signal);
  if (!detach) assertUnused(users);
  if (dryRun) {
    await printRequests(session, [
      ...users.map(
        (user): PlannedRequest => ({
          method: "PATCH",
          path: `/assistants/${user.id}`,
          body: clearFields(user),
        }),
      ),
      { method: "DELETE", path: `/prompts/${id}` },
    ]);
    return;
  }
  await session.confirm(await formatPrompt(client, id, users, session));
  await detachAll(client, users, session);
  await sendDelete(connection, "prompts.delete", { prompt_id: id }, session);
  await session.output.item({ id, deleted: true });
}

async function findUsers(client: Client, promptId: string, signal: AbortSignal): Promise<User[]> {
  const users: User[] = [];
  for await (const row of client.items("assistants.list", {}, { signal, pageSize: 200 })) {
    if (!isFields(row)) continue;
    const fields = (["prompt_id", "email_prompt_id"] as const).filter((field) => row[field] === promptId);
    if (fields.length > 0) users.push({ id: getText(row, "id"), name: getText(row, "name"), fields });
  }
  return users;
}

function formatNames(users: readonly User[]): string {
  return users.map(({ name }) => `"${name}"`).join(", ");
}

const detachHint = "to remove the prompt from the assistants first, use --detach";

function assertUnused(users: readonly User[]): void {
  if (users.length === 0) return;
  // The service refuses to delete a prompt that an assistant's `prompt_id` refers to (public.operations.3a).
  const answering = users.filter(({ fields }) => fields.includes("prompt_id"));
  if (answering.length > 0) {
    throw new CliError({
      exit: exits.conflict,
      code: "conflict",
      message: `the prompt is the answering prompt of ${formatNames(answering)}`,
      hint: detachHint,
    });
  }
  // The service would delete the prompt and keep its ID in the assistants (public.operations.3b).
  throw refusedError("in_use", `the prompt is the email prompt of ${formatNames(users)}`, detachHint);
}

async function formatPrompt(
  client: Client,
  id: string,
  users: readonly User[],
  session: Session,
): Promise<string> {
  if (!session.prompts.available || session.flags.yes) return `Delete prompt (${id})?`;
  const { data } = await client.call("prompts.get", { path: { prompt_id: id } }, { signal: session.signal });
  const name = isFields(data) ? getText(data, "name") : "";
  const from = users.length === 0 ? "" : `Remove prompt "${name}" from ${formatNames(users)} and delete it`;
  return from === "" ? `Delete prompt "${name}" (${id})?` : `${from} (${id})?`;
}

function clearFields(user: User): Record<string, null> {
  return Object.fromEntries(user.fields.map((field) => [field, null]));
}

async function detachAll(client: Client, users: readonly User[], session: Session): Promise<void> {
  for (const [done, user] of users.entries()) {
    try {
      await client.call(
        "assistants.update",
        { path: { assistant_id: user.id }, body: clearFields(user) },
        { signal: session.signal },
      );
    } catch (error) {
      // If the outcome of the request is unknown, throw the original error.
      if (done === 0 || !(error instanceof ClientError) || error.outcome === "unknown") throw error;
      throw new CliError({
        exit: exits.partlyDone,
        code: "partly_done",
        message: `removed the prompt from ${done} of ${formatCount(users.length, "assistant")}, but updating "${user.name}" failed: ${trimPeriod(error.message)}; the prompt was not deleted`,
        outcome: "done",
        hint: "fix the cause and run the same command again",
        cause: error,
      });
    }
    session.notes.note(`Removed the prompt from "${user.name}"`);
  }
}
