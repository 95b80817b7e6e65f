import type * as z from "zod";
import type { Schema } from "./operation.js";

const examples = new WeakMap<Schema, unknown>();

export function setExample<T extends z.ZodType>(schema: T, example: z.input<T>): T {
  examples.set(schema, example);
  return schema;
}

export function findExample(schema: Schema | undefined): unknown {
  return schema && examples.get(schema);
}

/** The demo data contains the contact and the call with these IDs, so that their examples work unchanged. */
export const exampleIds = {
  contact_id: "65f1a0b2c3d4e5f601234567",
  group_id: "65f0c0ffee65f0c0ffee0002",
  knowledge_item_id: "65f0c0ffee65f0c0ffee0003",
  prompt_id: "65f0c0ffee65f0c0ffee0004",
  email_prompt_id: "65f0c0ffee65f0c0ffee0005",
  voice_id: "65f0c0ffee65f0c0ffee0006",
  assistant_id: "65f0c0ffee65f0c0ffee0007",
  forwarding_id: "65f0c0ffee65f0c0ffee0008",
  glossary_id: "65f0c0ffee65f0c0ffee0009",
  pronunciation_id: "65f0c0ffee65f0c0ffee000a",
  calendar_id: "65f0c0ffee65f0c0ffee000b",
  tool_id: "65f0c0ffee65f0c0ffee000c",
  call_id: "65f1a0b2c3d4e5f601234568",
  organizationId: "65f0c0ffee65f0c0ffee000d",
  customerOrganizationId: "65f0c0ffee65f0c0ffee000e",
  externalPartnerId: "elbe",
  externalCustomerId: "optik-lange",
} as const;

export const exampleTime = "2026-11-17T09:30:00.000Z";
export const exampleTimes = { created_at: exampleTime, updated_at: exampleTime };
