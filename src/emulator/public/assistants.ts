import type { Assistant, assistants } from "../../contract/public/assistants.js";
import type { Webhook } from "../../contract/public/pre-call-webhook.js";
import type { Handlers, PublicContext } from "../context.js";
import { ColumnTable } from "../kernel/column-table.js";
import { decryptHeaders, encryptHeaders, encryptSecret } from "../kernel/secrets.js";
import { conflict, notFound } from "../refusal.js";
import { requireGroup } from "./groups.js";
import { provisionNumber, releaseNumber } from "./numbers.js";
import { requirePrompt } from "./prompts.js";
import { requireSelectableVoice } from "./voices.js";
import { mergeWebhook, refusalOfRace, type StoredWebhook, type WebhookChange } from "./webhook-merge.js";

export const carrier = "emulated";

interface StoredAssistant extends Omit<Assistant, "pre_call_webhook"> {
  pre_call_webhook: Omit<Webhook, "headers"> | null;
  /** The header values and the credential are encrypted. */
  webhook_headers: Webhook["headers"] | null;
  webhook_credential: string | null;
  enterprise: boolean;
  greeting_locked: boolean;
}

const table = new ColumnTable<StoredAssistant>("assistants", "the assistant", {
  name: "text",
  language: "text",
  voice_id: "text",
  company_name: "text",
  company_industry: "text",
  introduction: "text",
  phone_number: "text",
  carrier: "text",
  prompt_id: "text",
  email_prompt_id: "text",
  knowledge_group_ids: "json",
  glossary_group_ids: "json",
  pronunciation_group_ids: "json",
  forwarding_group_ids: "json",
  calendar_ids: "json",
  tool_ids: "json",
  pre_call_webhook: "json",
  webhook_headers: "json",
  webhook_credential: "text",
  enterprise: "boolean",
  greeting_locked: "boolean",
});

// The API shows no credentials (public.webhook.secrets).
function toAssistant(context: PublicContext, row: StoredAssistant): Assistant {
  const { webhook_headers, webhook_credential, enterprise, greeting_locked, ...assistant } = row;
  return { ...assistant, pre_call_webhook: readStoredWebhook(context, row)?.webhook ?? null };
}

function readStoredWebhook({ state }: PublicContext, row: StoredAssistant): StoredWebhook | null {
  if (!row.pre_call_webhook) return null;
  const { auth, ...settings } = row.pre_call_webhook;
  const headers = decryptHeaders(state.options, row.webhook_headers ?? {});
  return { webhook: { ...settings, headers, auth }, credential: row.webhook_credential };
}

/** Returns the columns for a change to the webhook, with encrypted secrets (public.operations.4c). */
function buildWebhookColumns({ state }: PublicContext, change: WebhookChange, before: StoredWebhook | null) {
  switch (change.type) {
    case "removed":
      return { pre_call_webhook: null, webhook_headers: null, webhook_credential: null };
    case "merged": {
      const { webhook, credential } = change;
      const { headers, ...settings } = webhook;
      const stored =
        credential &&
        ("sent" in credential ? encryptSecret(state.options, credential.sent) : credential.stored);
      return {
        pre_call_webhook: settings,
        // Unchanged headers keep their stored form, even if it can't be decrypted.
        webhook_headers:
          headers === before?.webhook.headers ? undefined : encryptHeaders(state.options, headers),
        webhook_credential: stored,
      };
    }
    default:
      return {};
  }
}

const groupFields = [
  ["knowledge_group_ids", "knowledges"],
  ["glossary_group_ids", "glossaries"],
  ["pronunciation_group_ids", "pronunciations"],
  ["forwarding_group_ids", "forwardings"],
] as const;

type References = Partial<
  Pick<
    Assistant,
    "prompt_id" | "email_prompt_id" | "calendar_ids" | "tool_ids" | (typeof groupFields)[number][0]
  >
>;

/**
 * Checks that the organization owns all resources to which the assistant refers (public.assistant.refs).
 * @throws Refusal not_found for the first resource that the organization doesn't own
 */
function requireReferences(context: PublicContext, body: References): void {
  // prompt_id must refer to a prompt of kind `answering`, and email_prompt_id to one of kind `email`
  // (D-prompt).
  if (body.prompt_id) requirePrompt(context, body.prompt_id, "answering");
  if (body.email_prompt_id) requirePrompt(context, body.email_prompt_id, "email");
  for (const [field, type] of groupFields) {
    for (const id of body[field] ?? []) requireGroup(context, id, type, "public.assistant.refs");
  }
  for (const id of body.calendar_ids ?? []) requireOwn(context, "calendars", "the calendar", id);
  for (const id of body.tool_ids ?? []) requireOwn(context, "tools", "the tool", id);
}

function requireOwn(context: PublicContext, name: "calendars" | "tools", what: string, id: string): void {
  const row = context.database
    .prepare(`SELECT 1 FROM ${name} WHERE id = ? AND organization_id = ?`)
    .get(id, context.organization.id);
  if (!row) throw notFound(`${what} ${id}`, "public.assistant.refs");
}

/** Returns the time when an assistant's last call ends, but not earlier than now. */
function findEndOfCalls(context: PublicContext, assistantId: string): number {
  const row = context.database
    .prepare("SELECT max(ended_at) AS ended_at FROM calls WHERE organization_id = ? AND assistant_id = ?")
    .get(context.organization.id, assistantId);
  return Math.max(context.now, Number(row?.["ended_at"] ?? 0));
}

export const assistantHandlers: Handlers<typeof assistants> = {
  "assistants.list": (context, { query }) => {
    const page = table.page(context, query);
    return { ...page, rows: page.rows.map((row) => toAssistant(context, row)) };
  },

  "assistants.create": (context, { body }) => {
    // Check the whole request before a number is assigned (public.operations.4b). Don't call the webhook
    // (public.operations.4c).
    const change = mergeWebhook(null, body.pre_call_webhook, { enterprise: false });
    requireSelectableVoice(context, body.voice_id);
    requireReferences(context, body);
    return toAssistant(
      context,
      table.insert(context, {
        ...body,
        phone_number: provisionNumber(context),
        carrier,
        pre_call_webhook: null,
        webhook_headers: null,
        webhook_credential: null,
        ...buildWebhookColumns(context, change, null),
        enterprise: false,
        greeting_locked: false,
      }),
    );
  },

  "assistants.get": (context, { path }) => toAssistant(context, table.require(context, path.assistant_id)),

  "assistants.update": (context, { path, body }) => {
    const assistant = table.require(context, path.assistant_id);
    const webhook = readStoredWebhook(context, assistant);
    const change = mergeWebhook(webhook, body.pre_call_webhook, assistant);
    // An assistant can keep a voice that is no longer selectable (D-voice).
    if (body.voice_id !== undefined && body.voice_id !== assistant.voice_id) {
      requireSelectableVoice(context, body.voice_id);
    }
    requireReferences(context, body);
    if (change.type === "refused") throw change.refusal;
    // Refuses even an unchanged introduction (public.operations.6b, D-enterprise).
    if (body.introduction !== undefined && assistant.greeting_locked) {
      throw conflict("public.operations.6b", "this line's greeting is managed by its enterprise profile");
    }
    if (change.type === "merged" && webhook && context.strikes("webhook_race")) {
      table.update(context, assistant.id, buildWebhookColumns(context, { type: "removed" }, webhook));
      const refusal = refusalOfRace(
        webhook,
        readStoredWebhook(context, table.require(context, assistant.id)),
      );
      // Return the refusal: throwing it would also roll back the simulated change by another request
      // (public.operations.7j).
      if (refusal) return refusal;
    }
    const { pre_call_webhook: _, ...changes } = body;
    const columns = buildWebhookColumns(context, change, webhook);
    // public.operations.5
    return toAssistant(context, table.update(context, assistant.id, { ...changes, ...columns }));
  },

  "assistants.delete": (context, { path }) => {
    const assistant = table.require(context, path.assistant_id);
    table.delete(context, assistant.id);
    if (assistant.phone_number !== null) {
      releaseNumber(context.database, assistant.phone_number, findEndOfCalls(context, assistant.id));
    }
  },
};
