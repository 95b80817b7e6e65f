import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { exampleIds, exampleTimes, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { E164, Name, ObjectId, pageQuery, timestamps } from "../primitives.js";
import { LongText } from "../primitives-texts.js";
import { Webhook, WebhookInput } from "./pre-call-webhook.js";

const References = assumed(
  "D-assistant",
  z
    .array(ObjectId, "must be a list of ids")
    .refine((ids) => new Set(ids).size === ids.length, "must not contain duplicates")
    .meta({ uniqueItems: true }),
  z.array(ObjectId),
);

const Assistant = z.object({
  id: ObjectId,
  name: z.string(),
  language: z.string(),
  voice_id: ObjectId,
  company_name: z.string(),
  company_industry: z.string(),
  introduction: z.string(),
  /** The platform assigns the number (public.assistant.readonly). */
  phone_number: E164.nullable(),
  carrier: z.string().nullable(),
  prompt_id: ObjectId.nullable(),
  email_prompt_id: ObjectId.nullable(),
  knowledge_group_ids: z.array(ObjectId),
  glossary_group_ids: assumed("D-assistant", z.array(ObjectId)),
  pronunciation_group_ids: assumed("D-assistant", z.array(ObjectId)),
  forwarding_group_ids: assumed("D-assistant", z.array(ObjectId)),
  calendar_ids: assumed("D-assistant", z.array(ObjectId)),
  tool_ids: assumed("D-assistant", z.array(ObjectId)),
  pre_call_webhook: Webhook.nullable(),
  ...timestamps,
});

const fields = {
  name: Name,
  language: Name,
  voice_id: ObjectId,
  company_name: Name,
  company_industry: Name,
  introduction: LongText,
};

const AssistantCreate = ruled(
  "public.assistant.required",
  z.strictObject({
    ...fields,
    prompt_id: ObjectId.nullable().default(null),
    email_prompt_id: ObjectId.nullable().default(null),
    knowledge_group_ids: References.default([]),
    glossary_group_ids: References.default([]),
    pronunciation_group_ids: References.default([]),
    forwarding_group_ids: References.default([]),
    calendar_ids: References.default([]),
    tool_ids: References.default([]),
    pre_call_webhook: WebhookInput.nullable().optional(),
  }),
);

// All fields are optional (public.operations.5). The platform sets phone_number and carrier
// (public.assistant.readonly).
const AssistantUpdate = z.strictObject({
  name: fields.name.optional(),
  language: fields.language.optional(),
  voice_id: fields.voice_id.optional(),
  company_name: fields.company_name.optional(),
  company_industry: fields.company_industry.optional(),
  introduction: fields.introduction.optional(),
  prompt_id: ObjectId.nullable().optional(),
  email_prompt_id: ObjectId.nullable().optional(),
  knowledge_group_ids: References.optional(),
  glossary_group_ids: References.optional(),
  pronunciation_group_ids: References.optional(),
  forwarding_group_ids: References.optional(),
  calendar_ids: References.optional(),
  tool_ids: References.optional(),
  pre_call_webhook: WebhookInput.nullable().optional(),
});

setExample(Assistant, {
  id: exampleIds.assistant_id,
  name: "Empfang",
  language: "de",
  voice_id: exampleIds.voice_id,
  company_name: "Zahnarztpraxis Dr. Sommer",
  company_industry: "Zahnmedizin",
  introduction: "Guten Tag, Zahnarztpraxis Dr. Sommer. Was kann ich für Sie tun?",
  phone_number: "+493221100001",
  carrier: "emulator",
  prompt_id: exampleIds.prompt_id,
  email_prompt_id: null,
  knowledge_group_ids: [exampleIds.group_id],
  glossary_group_ids: [],
  pronunciation_group_ids: [],
  forwarding_group_ids: [],
  calendar_ids: [exampleIds.calendar_id],
  tool_ids: [exampleIds.tool_id],
  pre_call_webhook: {
    enabled: true,
    url: "https://praxis.example.org/hooks/caller",
    headers: { "X-Location": "Mitte" },
    auth: { type: "bearer", has_secret: true },
  },
  ...exampleTimes,
});
setExample(AssistantCreate, {
  name: "Empfang",
  language: "de",
  voice_id: exampleIds.voice_id,
  company_name: "Zahnarztpraxis Dr. Sommer",
  company_industry: "Zahnmedizin",
  introduction: "Guten Tag, Zahnarztpraxis Dr. Sommer. Was kann ich für Sie tun?",
  prompt_id: exampleIds.prompt_id,
  knowledge_group_ids: [exampleIds.group_id],
  pre_call_webhook: {
    enabled: true,
    url: "https://praxis.example.org/hooks/caller",
    headers: { "X-Location": "Mitte" },
    auth: { type: "bearer", secret: "a-secret-of-your-own" },
  },
});
setExample(AssistantUpdate, { introduction: "Zahnarztpraxis Dr. Sommer, guten Abend. Wie kann ich helfen?" });

export const assistants = defineOperations(
  {
    api: "public",
    about: "Assistants that answer and make calls, using prompts, voices and tools.",
    area: "assistants",
  },
  {
    "assistants.list": {
      method: "GET",
      path: "/assistants",
      summary: "List assistants",
      query: pageQuery({}),
      responseShape: "page",
      response: Assistant,
    },
    "assistants.create": {
      method: "POST",
      path: "/assistants",
      summary: "Create an assistant with a phone number",
      body: AssistantCreate,
      responseShape: "item",
      response: Assistant,
      errors: [404, 409],
    },
    "assistants.get": {
      method: "GET",
      path: "/assistants/{assistant_id}",
      summary: "Show an assistant",
      responseShape: "item",
      response: Assistant,
    },
    "assistants.update": {
      method: "PATCH",
      path: "/assistants/{assistant_id}",
      summary: "Change an assistant",
      body: AssistantUpdate,
      responseShape: "item",
      response: Assistant,
      errors: [409],
    },
    "assistants.delete": {
      method: "DELETE",
      path: "/assistants/{assistant_id}",
      summary: "Delete an assistant",
      responseShape: "empty",
    },
  },
);

export type Assistant = z.output<typeof Assistant>;
