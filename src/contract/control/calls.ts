import * as z from "zod";
import { DateTime, E164, ObjectId } from "../primitives.js";
import { Analysis, callOutcomes, directions, recordingFormats, Utterance } from "../public/calls.js";
import { defineControl } from "./operation.js";

/** Longer calls would make recordings that don't fit into an answer. */
const longestSeconds = 14_400;

const course = {
  status: z.enum(callOutcomes, `must be one of ${callOutcomes.join(", ")}`).default("completed"),
  duration_seconds: z.int().min(0).max(longestSeconds).optional(),
  transcript: z.array(Utterance).optional(),
};

/** With the fields that the Public API shows. */
export const Call = z.looseObject({ id: z.string(), status: z.string() });

export const calls = defineControl({
  "calls.create": {
    method: "POST",
    path: "/calls",
    summary: "Make a call of the past",
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
    summary: "Decide how a call that is under way ends, what is said in it and found out",
    body: z.strictObject({ ...course, analyses: z.array(Analysis).optional() }),
    response: Call,
  },
});
