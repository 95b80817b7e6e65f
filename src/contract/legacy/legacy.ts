import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { Health } from "../distributor/health.js";
import { exampleIds, exampleTime, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { E164, ObjectId, Timestamp } from "../primitives.js";
import { boundedText } from "../primitives-texts.js";

const maximumWords = 1000; // legacy.details

/** Counts words separated by white space (D-legacy-words). */
function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

// This is not the schema `E164`, because the legacy API has different error codes for a malformed number and
// for a value that is not text.
const PhoneNumber = z.string("must be a phone number").refine((text) => z.safeParse(E164, text).success, {
  message: "must be a phone number like +4915112345678: + and 6 to 20 digits",
  params: { rule: "legacy.phone-format" },
  abort: true,
});

function withFewWords(text: z.ZodString) {
  return text.refine((words) => countWords(words) <= maximumWords, {
    message: `must contain at most ${maximumWords} words`,
    params: { rule: "legacy.details" },
  });
}

const Details = assumed(
  "D-text",
  withFewWords(boundedText(0, 100_000, "must be text of at most 100,000 characters")),
  withFewWords(z.string("must be text")),
);

const OutboundCall = ruled(
  "legacy.call",
  z.strictObject({
    assistantPhoneNumber: PhoneNumber,
    targetPhoneNumber: PhoneNumber.refine((number) => number.startsWith("+49"), {
      message: "must be a German number: only +49 is supported",
      params: { rule: "legacy.german" },
    }),
    details: Details.optional(),
  }),
);

/** legacy.call */
const OutboundCallResponse = z.object({
  callId: ObjectId,
  assistantPhoneNumber: E164,
  targetPhoneNumber: E164,
  timestamp: Timestamp,
});

setExample(OutboundCall, {
  assistantPhoneNumber: "+493221100001",
  targetPhoneNumber: "+4915112345678",
  details: "Erinnere an den Termin morgen um 9 Uhr.",
});
setExample(OutboundCallResponse, {
  callId: exampleIds.call_id,
  assistantPhoneNumber: "+493221100001",
  targetPhoneNumber: "+4915112345678",
  timestamp: exampleTime,
});

export const legacy = defineOperations(
  { api: "legacy", about: "Outbound calls and the service's health.", area: null },
  {
    "legacy.call": {
      method: "POST",
      path: "/api/v1/outbound/call",
      summary: "Trigger an outbound call through the legacy API",
      body: OutboundCall,
      responseShape: "item",
      response: OutboundCallResponse,
      feature: "outbound_calls",
    },
    "legacy.health": {
      method: "GET",
      path: "/api/v1/health",
      summary: "Check that the legacy API responds and the key is valid",
      responseShape: "bare",
      response: Health,
    },
  },
);
