import type { faultTypes } from "../../../../contract/control/choices.js";

export const faultTexts: Readonly<Record<(typeof faultTypes)[number], string>> = {
  error_before: "The request is not executed, and the response is 500.",
  error_after: "The request is executed, but the response is 500.",
  drop_before: "The connection is closed before the request is executed.",
  drop_after: "The request is executed, and the connection is closed before the response.",
  truncate: "The request is executed, and the response is truncated.",
  garbage: "The request is executed, and the response is invalid JSON.",
  delay: "The response is delayed. The delay is measured with the emulator's clock.",
  limiter_down:
    "The rate limiter is unavailable: 429 without rate-limit headers, or 503 from distributor APIs and MCP tools.",
  index_failure: "Indexing a knowledge item fails.",
  index_queue_down: "Indexing a knowledge item never starts, so the item stays pending.",
  recording_erase_failure: "Erasing a recording fails with 500, and the recording is kept.",
  webhook_race:
    "Another request clears the webhook during an update. The update returns 409 and is not applied.",
  org_creation_failure: "Distributor API v1 can't create an organization.",
  call_failure: "The legacy API can't place a call.",
};

export const presets: readonly { name: string; text: string; fault: Readonly<Record<string, unknown>> }[] = [
  {
    name: "Lose one response",
    text: "The next contact is created, but the response is lost. Does your program create it twice?",
    fault: { kind: "drop_after", operation: "contacts.create", times: 1 },
  },
  {
    name: "Fail one request in five",
    text: "For ten minutes of emulator time, each request has a 20% chance of failing with 500.",
    fault: { kind: "error_before", probability: 0.2, expires_in_seconds: 600 },
  },
  {
    name: "Outage",
    text: "For one minute of emulator time, every request fails with 500. Does your program wait and then continue?",
    fault: { kind: "error_before", expires_in_seconds: 60 },
  },
  {
    name: "Slow responses",
    text: "Each of the next ten responses takes three seconds. Does your program wait that long?",
    fault: { kind: "delay", delay_ms: 3_000, times: 10 },
  },
  {
    name: "Too many requests",
    text: "The rate limiter fails for three requests, which return 429 without Retry-After.",
    fault: { kind: "limiter_down", times: 3 },
  },
  {
    name: "Broken response",
    text: "The next request is executed, but its response is invalid JSON.",
    fault: { kind: "garbage", times: 1 },
  },
  {
    name: "Failed indexing",
    text: "Indexing the next knowledge item fails.",
    fault: { kind: "index_failure", times: 1 },
  },
];
