import type { faultTypes } from "../../../contract/control/choices.js";

/** Each kind of fault in a sentence. */
export const faultTexts: Readonly<Record<(typeof faultTypes)[number], string>> = {
  error_before: "The request is answered with 500, and nothing has changed.",
  error_after: "What was asked for is done, and the answer is 500 all the same.",
  drop_before: "The connection is cut before anything is done.",
  drop_after: "What was asked for is done, and the connection is cut before the answer.",
  truncate: "What was asked for is done, and its answer breaks off in the middle.",
  garbage: "What was asked for is done, and its answer is no JSON.",
  delay: "The answer comes so much later, by the world's clock.",
  limiter_down: "The limiter can't be reached: 429 without headers, 503 for distributors and tools.",
  index_failure: "The indexing of a knowledge item ends as failed.",
  index_queue_down: "The indexing of a knowledge item never starts: it stays pending.",
  recording_erase_failure: "Erasing a recording answers 500, and the recording is still there.",
  webhook_race:
    "While a webhook is changed, somebody else clears it: 409, and nothing of the change is applied.",
  org_creation_failure: "The first version of the distributor API can't make an organization.",
  call_failure: "The legacy interface can't place a call.",
};

/** The faults that people try first. */
export const presets: readonly { name: string; text: string; fault: Readonly<Record<string, unknown>> }[] = [
  {
    name: "Lose one answer",
    text: "The next contact is made, but its answer never comes. Does your program make it twice?",
    fault: { kind: "drop_after", operation: "contacts.create", times: 1 },
  },
  {
    name: "One in five fails",
    text: "Every request fails with 500 at a chance of 0.2, for ten minutes of the world.",
    fault: { kind: "error_before", probability: 0.2, expires_in_seconds: 600 },
  },
  {
    name: "Out of order",
    text: "Everything answers 500 for one minute of the world. Does your program wait, and go on?",
    fault: { kind: "error_before", expires_in_seconds: 60 },
  },
  {
    name: "Slow answers",
    text: "Each answer takes three seconds for the next ten requests. Do you wait so long?",
    fault: { kind: "delay", delay_ms: 3_000, times: 10 },
  },
  {
    name: "Too many requests",
    text: "The limiter fails for three requests: 429 without Retry-After.",
    fault: { kind: "limiter_down", times: 3 },
  },
  {
    name: "A broken answer",
    text: "The next answer is no JSON, though what was asked for is done.",
    fault: { kind: "garbage", times: 1 },
  },
  {
    name: "Knowledge that fails",
    text: "The next knowledge item ends as failed when it is indexed.",
    fault: { kind: "index_failure", times: 1 },
  },
];
