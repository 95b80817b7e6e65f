import type { faultTypes } from "../../../contract/control/choices.js";

/** A sentence for each type of fault. */
export const faultTexts: Readonly<Record<(typeof faultTypes)[number], string>> = {
  error_before: "The request is answered with 500, and nothing has changed.",
  error_after: "The request is executed, but the response is 500.",
  drop_before: "The connection is cut before anything is done.",
  drop_after: "The request is executed, and the connection is cut before the response.",
  truncate: "The request is executed, and the response is cut in the middle.",
  garbage: "The request is executed, and the response is invalid JSON.",
  delay: "The response is delayed, on the emulator's clock.",
  limiter_down: "The limiter can't be reached: 429 without headers, 503 for distributors and tools.",
  index_failure: "The indexing of a knowledge item ends as failed.",
  index_queue_down: "The indexing of a knowledge item never starts: it stays pending.",
  recording_erase_failure: "Erasing a recording answers 500, and the recording is kept.",
  webhook_race:
    "While a webhook is changed, somebody else clears it: 409, and nothing of the change is applied.",
  org_creation_failure: "The first version of the distributor API can't make an organization.",
  call_failure: "The legacy interface can't place a call.",
};

/** Common faults to try first. */
export const presets: readonly { name: string; text: string; fault: Readonly<Record<string, unknown>> }[] = [
  {
    name: "Lose one response",
    text: "The next contact is created, but its response never arrives. Does your program create it twice?",
    fault: { kind: "drop_after", operation: "contacts.create", times: 1 },
  },
  {
    name: "One in five fails",
    text: "Every request fails with 500 with a probability of 0.2, for ten minutes of the emulator's clock.",
    fault: { kind: "error_before", probability: 0.2, expires_in_seconds: 600 },
  },
  {
    name: "Out of order",
    text: "Every request fails with 500 for one minute of the emulator's clock. Does your program wait and continue?",
    fault: { kind: "error_before", expires_in_seconds: 60 },
  },
  {
    name: "Slow responses",
    text: "Each of the next ten responses takes three seconds. Does your program wait that long?",
    fault: { kind: "delay", delay_ms: 3_000, times: 10 },
  },
  {
    name: "Too many requests",
    text: "The limiter fails for three requests: 429 without Retry-After.",
    fault: { kind: "limiter_down", times: 3 },
  },
  {
    name: "A broken response",
    text: "The next request is executed, but its response is invalid JSON.",
    fault: { kind: "garbage", times: 1 },
  },
  {
    name: "Knowledge that fails",
    text: "The next knowledge item ends as failed when it is indexed.",
    fault: { kind: "index_failure", times: 1 },
  },
];
