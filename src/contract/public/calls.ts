import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { exampleIds, exampleTime, exampleTimes, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { E164, ObjectId, pageQuery, Timestamp, timestamps } from "../primitives.js";
import { DateTime, LongText } from "../primitives-texts.js";

/** Only `queued` is documented (public.operations.12e). The other statuses are assumed (D-call). */
const callStatuses = [
  "queued",
  "ringing",
  "in_progress",
  "completed",
  "no_answer",
  "busy",
  "failed",
] as const;
export const callOutcomes = ["completed", "no_answer", "busy", "failed"] as const;
export const directions = ["inbound", "outbound"] as const;
export const recordingFormats = ["flac", "wav", "mpeg"] as const;
const speakers = ["assistant", "user"] as const;

export type CallStatus = (typeof callStatuses)[number];
export type CallOutcome = (typeof callOutcomes)[number];
export type Direction = (typeof directions)[number];
export type RecordingFormat = (typeof recordingFormats)[number];

const Recording = z.object({
  available: z.boolean(),
  content_type: assumed(
    "D-call",
    z.string().nullable().meta({ description: "Null if no recording is available" }),
  ),
});

const fields = {
  id: ObjectId,
  assistant_id: ObjectId,
  direction: assumed("D-call", z.enum(directions)),
  status: assumed("D-call", z.enum(callStatuses)),
  from: assumed("D-call", E164.nullable()),
  to: assumed("D-call", E164.nullable()),
  started_at: assumed("D-call", Timestamp.nullable()),
  ended_at: assumed("D-call", Timestamp.nullable()),
  duration_seconds: assumed("D-call", z.int().min(0).nullable()),
  recording: Recording,
  created_at: timestamps.created_at,
  updated_at: timestamps.updated_at,
};

const Call = z.object(fields);

export const Utterance = z.object({
  role: z.enum(speakers, `must be one of ${speakers.join(", ")}`),
  text: LongText,
  offset_seconds: z
    .number("must be the number of seconds since the start of the call")
    .min(0, "must be 0 or more"),
});
export const Analysis = z.object({ name: z.string(), value: z.string() });
const Note = z.object({ text: z.string(), author: z.string(), created_at: Timestamp });

// public.call.detail
const CallDetail = z.object({
  ...fields,
  details: assumed("D-call", z.string().nullable()),
  transcript: assumed("D-call", z.array(Utterance)),
  analyses: assumed("D-call", z.array(Analysis)),
  notes: assumed("D-call", z.array(Note)),
});

const destinationForm = "must be a phone number like +4915112345678 or 030 1234567";
// The text may be a national number. Its validity depends on the assistant's country (D-normalize).
const DestinationText = assumed("D-normalize", z.string("must be a phone number"), z.string(destinationForm));

/** Pairs of fields. A request must contain exactly one field of each pair. */
const alternatives = [
  { rule: "public.operations.12a", names: ["assistant_id", "assistant_phone"] },
  { rule: "public.operations.12b", names: ["to", "target_phone"] },
] as const;

const requireExactlyOne = (first: string, second: string) => ({
  if: { required: [first] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { not: { required: [second] } },
  else: { required: [second] },
});

const OutboundCall = z
  .strictObject({
    assistant_id: ObjectId.optional(),
    assistant_phone: E164.optional(),
    to: DestinationText.optional().meta({ description: "Number to call; converted to E.164" }),
    target_phone: DestinationText.optional().meta({ description: "Alias of `to`, for older clients" }),
    // public.operations.12c
    details: LongText.optional().meta({ description: "Information for the assistant about this call" }),
  })
  .check(({ value, issues }) => {
    for (const { rule, names } of alternatives) {
      const [first, second] = names;
      const given = names.filter((name) => value[name] !== undefined);
      if (given.length === 1) continue;
      const message =
        given.length === 0 ? `is required unless ${second} is given` : `can't be combined with ${first}`;
      const path = [given.length === 0 ? first : second];
      issues.push({ code: "custom", input: value, path, message, params: { rule } });
    }
  })
  .meta({ allOf: alternatives.map(({ names: [first, second] }) => requireExactlyOne(first, second)) });

/** public.call.trigger-fields */
const QueuedCall = ruled(
  "public.call.trigger-fields",
  z.object({
    call_id: ObjectId,
    assistant_id: ObjectId,
    assistant_phone: E164.nullable(),
    to: E164,
    status: z.string(),
    created_at: Timestamp,
  }),
);

// public.endpoints.filters
const CallFilters = pageQuery({
  assistant_id: ObjectId.optional(),
  assistant_phone: E164.optional(),
  created_from: DateTime.optional().meta({ description: "Calls created at or after this time" }),
  created_to: DateTime.optional().meta({ description: "Calls created before this time" }),
}).check(({ value, issues }) => {
  const { created_from: from, created_to: to } = value;
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)) {
    const message = "must not be before created_from";
    issues.push({ code: "custom", input: value, path: ["created_to"], message, params: { rule: "D-call" } });
  }
});

const call: z.input<typeof Call> = {
  id: exampleIds.call_id,
  assistant_id: exampleIds.assistant_id,
  direction: "outbound",
  status: "completed",
  from: "+493221100001",
  to: "+4915112345678",
  started_at: "2026-11-17T09:30:07.000Z",
  ended_at: "2026-11-17T09:31:37.000Z",
  duration_seconds: 90,
  recording: { available: true, content_type: "audio/flac" },
  ...exampleTimes,
};
setExample(Call, call);
setExample(CallDetail, {
  ...call,
  details: "Erinnere an den Termin morgen um 9 Uhr.",
  transcript: [
    { role: "assistant", text: "Guten Tag, hier ist die Zahnarztpraxis Dr. Sommer.", offset_seconds: 0 },
    { role: "user", text: "Guten Tag! Ja, ich komme morgen.", offset_seconds: 8.5 },
  ],
  analyses: [{ name: "outcome", value: "confirmed" }],
  notes: [{ text: "Bringt den Heilplan mit.", author: "Empfang", created_at: exampleTime }],
});
setExample(OutboundCall, {
  assistant_id: exampleIds.assistant_id,
  to: "+4915112345678",
  details: "Erinnere an den Termin morgen um 9 Uhr.",
});
setExample(QueuedCall, {
  call_id: exampleIds.call_id,
  assistant_id: exampleIds.assistant_id,
  assistant_phone: "+493221100001",
  to: "+4915112345678",
  status: "queued",
  created_at: exampleTime,
});

export const calls = defineOperations(
  {
    api: "public",
    about: "Inbound and outbound calls, with their transcripts and recordings.",
    area: "calls",
  },
  {
    "calls.list": {
      method: "GET",
      path: "/calls",
      summary: "List calls, newest first",
      query: CallFilters,
      responseShape: "page",
      response: Call,
      errors: [404],
    },
    "calls.create": {
      method: "POST",
      path: "/calls",
      summary: "Trigger a call from an assistant to a number",
      body: OutboundCall,
      responseShape: "item",
      response: QueuedCall,
      errors: [404, 409],
      bucket: "outbound_trigger",
      feature: "outbound_calls",
    },
    "calls.get": {
      method: "GET",
      path: "/calls/{call_id}",
      summary: "Show a call with its transcript, analyses and notes",
      responseShape: "item",
      response: CallDetail,
    },
  },
);

export type Call = z.output<typeof Call>;
export type CallDetail = z.output<typeof CallDetail>;
export type Utterance = z.output<typeof Utterance>;
export type Analysis = z.output<typeof Analysis>;
export type Note = z.output<typeof Note>;
