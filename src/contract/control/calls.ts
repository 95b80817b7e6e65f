import * as z from "zod";
import { E164, ObjectId } from "../primitives.js";
import { DateTime } from "../primitives-texts.js";
import { Analysis, callOutcomes, directions, recordingFormats, Utterance } from "../public/calls.js";
import { defineControl } from "./operation.js";
import { olderThan } from "./paging.js";
import { WebhookExchange } from "./webhook-exchange.js";

/** Longest call, in seconds. The recording of a longer call would be too large for a response. */
const longestSeconds = 14_400;

const course = {
  status: z.enum(callOutcomes, `must be one of ${callOutcomes.join(", ")}`).default("completed"),
  duration_seconds: z.int().min(0).max(longestSeconds, "must be at most 4 hours").optional(),
  transcript: z.array(Utterance).optional(),
};

export const Call = z.looseObject({ id: z.string(), status: z.string() });

const ofOrganization = { organization_id: z.string().optional(), assistant_id: z.string().optional() };

export const calls = defineControl({
  "calls.list": {
    method: "GET",
    path: "/calls",
    summary: "List calls in one or all organizations, newest first (not rate-limited or logged)",
    /** `number` matches part of the caller's number or of the called number. */
    query: z.object({ ...olderThan, ...ofOrganization, number: z.string().optional() }),
    responseShape: "page",
    response: Call.extend({ organization_id: z.string(), assistant_name: z.string().nullable() }),
  },
  "calls.get": {
    method: "GET",
    path: "/calls/{id}",
    summary: "Show a call with its stages, webhook request and prompt",
    response: z.looseObject({
      call: Call,
      /**
       * Time of each stage of the call; null for a stage that doesn't occur. Older emulators don't send this
       * field.
       */
      course: z
        .looseObject({
          outcome: z.enum(callOutcomes),
          rings_at: z.string(),
          answered_at: z.string().nullable(),
          ended_at: z.string(),
          recorded_at: z.string().nullable(),
          erased_at: z.string().nullable(),
        })
        .optional(),
      organization_id: z.string(),
      assistant_name: z.string().nullable(),
      /** Null if no webhook request was sent. Only `POST /incoming-calls` sends webhook requests. */
      webhook: WebhookExchange.nullable(),
      prompt: z.string().nullable(),
    }),
  },
  "calls.counts": {
    method: "GET",
    path: "/call-counts",
    summary: "Count recent calls by hour; hours without calls are omitted",
    query: z.object({ ...ofOrganization, days: z.coerce.number().int().min(1).max(366).default(28) }),
    responseShape: "page",
    response: z.looseObject({ hour: z.string(), calls: z.number() }),
  },
  "calls.create": {
    method: "POST",
    path: "/calls",
    summary: "Create a past call",
    body: z.strictObject({
      assistant_id: ObjectId,
      direction: z.enum(directions).default("inbound"),
      from: E164.optional(),
      to: E164.optional(),
      created_at: DateTime.optional(),
      recording: z.enum(recordingFormats).nullable().default(null),
      ...course,
    }),
    response: Call,
  },
  "calls.update": {
    method: "PATCH",
    path: "/calls/{id}",
    summary: "Set the outcome, transcript and analyses of a call in progress",
    body: z.strictObject({ ...course, analyses: z.array(Analysis).optional() }),
    response: Call,
  },
});
