import { at, done, has, refusedBy } from "./evidence.js";
import type { Rules } from "./rule.js";

/** API rules about calls, recordings, statistics and voices. */
export const publicCallRules: Rules = {
  "public.operations.12a": {
    text: "Triggering a call requires either assistant_id or assistant_phone, not both.",
    refuses: true,
    seen: done("calls.create"),
  },
  "public.operations.12b": {
    text: "Triggering a call requires either `to` or `target_phone`, not both.",
    refuses: true,
    seen: done("calls.create"),
  },
  "public.operations.12c": {
    text: "A request that triggers a call can contain free text in `details`.",
    seen: done("calls.create", (seen) => has(seen.request, "details")),
  },
  "public.operations.12d": {
    text: "A call's destination is converted to E.164 and shown as `to`.",
    refusedAs: ["D-normalize"],
    seen: done("calls.create", (seen) => {
      const sent = at(seen.request, "to") ?? at(seen.request, "target_phone");
      return sent !== at(seen.response, "data", "to");
    }),
  },
  "public.operations.12e": {
    text: "Triggering a call returns 201, and the call starts as `queued`.",
    seen: done("calls.create"),
  },
  "public.operations.12f": {
    text: "Calling one of the assistant's blocked numbers returns 409 `outbound_target_blocked`, and no call is created.",
    refuses: true,
    atOnce: true,
  },
  "public.operations.13a": {
    text: "Downloading a recording supports the Range header: the response is 200 for the whole file, or 206 for a part.",
    seen: done("calls.recording.get", (seen) => seen.status === 206),
  },
  "public.operations.13b": {
    text: "A recording's Content-Type matches its stored format: audio/flac, audio/wav or audio/mpeg.",
    seen: done("calls.recording.get"),
  },
  "public.operations.13c": {
    text: "Downloading a missing recording returns 404 with the JSON error body.",
    refuses: true,
  },
  "public.operations.14a": {
    text: "Deleting a recording keeps the call; `recording.available` becomes false and the download returns 404.",
    refuses: true,
    seen: done("calls.recording.delete"),
  },
  "public.operations.14b": {
    text: "Deleting a recording requires a separate permission; without it, the response is 403.",
    refusedAs: ["public.auth.5"],
    seen: refusedBy("public.auth.5", "calls.recording.delete"),
  },
  "public.operations.14c": "Deleting a recording again succeeds without making a change.",
  "public.operations.14d": {
    text: "Deleting the recording of a call that never had one returns 404.",
    refuses: true,
  },
  "public.operations.14e": {
    text: "Deleting a recording returns 409 while the call is running or the recording is being processed.",
    refuses: true,
  },
  "public.operations.14f": {
    text: "If deleting a recording fails with 500, the recording can still be downloaded.",
    refuses: true,
  },
  "public.operations.15": {
    text: "The statistics summary lists every assistant, and every week with a completed call. Its list of assistants has no entry for all assistants together.",
    seen: done("statistics.summary"),
  },
  "public.operations.16a": {
    text: "Requesting usage requires `week` (1 to 53), `year` (2020 to 2100) and `assistant_id` (`all` or an ID); otherwise, the response is 400.",
    refuses: true,
    seen: done("statistics.usage"),
  },
  "public.operations.16b": {
    text: "Requesting the usage of an assistant outside the organization returns 404.",
    refuses: true,
  },
  "public.operations.16c": {
    text: "Durations in statistics are in whole billable seconds; each call counts as at least 60.",
    seen: done("statistics.usage"),
  },
  "public.operations.16d": {
    text: "`hourly_call_counts_last_24h` covers the last 24 hours, regardless of `week` and `year`.",
    seen: done("statistics.usage"),
  },
  "public.operations.17": {
    text: "The list of voices contains only selectable voices; it omits legacy and reserved voices.",
    seen: done("voices.list"),
  },
};
