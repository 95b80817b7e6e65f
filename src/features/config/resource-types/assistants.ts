import * as z from "zod";
import type { FieldSpec, ResourceType, ResourceTypeName } from "./resource-type.js";
import { common, headers, name, reference, references, secret, text, voice } from "./schemas.js";

const refers = (field: string, api: string, to: ResourceTypeName): FieldSpec => ({
  name: field,
  api,
  to,
  form: api.endsWith("s") ? "references" : "reference",
});

const required = (field: string, form: "name" | "exact"): FieldSpec => ({
  name: field,
  api: field,
  form,
  isRequired: true,
});

/** The webhook's members are separate fields, so that a file can omit some of them. */
const webhook = (field: string, form: "exact" | "secret" = "exact"): FieldSpec => ({
  name: `pre_call_webhook.${field}`,
  api: `pre_call_webhook.${field}`,
  form,
});
const whole = (field: string): FieldSpec => ({ name: field, api: field, form: "exact", isWhole: true });

const auth = z.strictObject({
  type: text,
  username: text.optional(),
  header_name: text.optional(),
  secret: secret.optional(),
  password: secret.optional(),
});

const Webhook = z
  .strictObject({
    enabled: z.boolean("must be true or false"),
    url: text.nullable().optional(),
    headers: headers.nullable().optional(),
    auth: auth.nullable().optional(),
  })
  // public.webhook.url
  .refine(({ enabled, url }) => !enabled || (url !== undefined && url !== null), {
    path: ["url"],
    message: "is required when enabled is true",
  });

export const assistants: ResourceType = {
  name: "assistants",
  layout: "object",
  item: {
    resource: "assistants",
    nameField: "name",
    fields: [
      required("name", "name"),
      required("language", "name"),
      { name: "voice", api: "voice_id", form: "voice", isRequired: true },
      required("company_name", "name"),
      required("company_industry", "name"),
      required("introduction", "exact"),
      refers("prompt", "prompt_id", "prompts"),
      refers("email_prompt", "email_prompt_id", "prompts"),
      refers("knowledge", "knowledge_group_ids", "knowledge"),
      refers("glossary", "glossary_group_ids", "glossary"),
      refers("pronunciation", "pronunciation_group_ids", "pronunciation"),
      refers("forwardings", "forwarding_group_ids", "forwardings"),
      refers("calendars", "calendar_ids", "calendars"),
      refers("tools", "tool_ids", "tools"),
      whole("pre_call_webhook"),
      webhook("enabled"),
      webhook("url"),
      { ...webhook("headers"), isHeaders: true },
      whole("pre_call_webhook.auth"),
      webhook("auth.type"),
      webhook("auth.username"),
      webhook("auth.header_name"),
      webhook("auth.secret", "secret"),
      webhook("auth.password", "secret"),
    ],
  },
  file: z.strictObject({
    name,
    language: text.optional(),
    voice: voice.optional(),
    company_name: text.optional(),
    company_industry: text.optional(),
    introduction: text.optional(),
    prompt: reference.nullable().optional(),
    email_prompt: reference.nullable().optional(),
    knowledge: references.optional(),
    glossary: references.optional(),
    pronunciation: references.optional(),
    forwardings: references.optional(),
    calendars: references.optional(),
    tools: references.optional(),
    pre_call_webhook: Webhook.nullable().optional(),
    ...common,
  }),
};
