import { isFields } from "../../base/fields.js";
import {
  assistantReads,
  at,
  calendarSaves,
  done,
  forwardingSaves,
  has,
  isPublic,
  promptSaves,
  succeeded,
  syncState,
  toolReads,
  webhookOf,
  webhookPatch,
} from "./evidence.js";
import type { Rules } from "./rule.js";

/** API rules about the Public API's conventions, resources and states. */
export const publicResourceRules: Rules = {
  "public.general.2": {
    text: "A successful response has an object under `data`.",
    seen: (seen) =>
      isPublic(seen) && succeeded(seen) && isFields(at(seen.response, "data")) && seen.method !== "DELETE",
  },
  "public.general.3": {
    text: "A list response has an array `data`, and `meta` with `has_more` and `next_cursor` (text, or null on the last page).",
    seen: (seen) => isPublic(seen) && succeeded(seen) && has(seen.response, "meta"),
  },
  "public.general.4": {
    text: "An error response has `error` with `code`, `message` and `details`.",
    seen: (seen) => isPublic(seen) && seen.status >= 400,
  },
  "public.general.5a": {
    text: "Field names that the API defines are in snake_case.",
    seen: (seen) => isPublic(seen) && succeeded(seen) && isFields(at(seen.response, "data")),
  },
  "public.general.5b": {
    text: "If the client chooses an object's keys (a tool's parameters, a webhook's headers), the service doesn't change these keys.",
    refuses: true,
    seen: (seen) =>
      isPublic(seen) &&
      succeeded(seen) &&
      (has(seen.request, "parameters") || has(seen.request, "headers") || has(webhookOf(seen), "headers")),
  },
  "public.general.6": {
    text: "Times are ISO 8601 in UTC.",
    seen: (seen) => isPublic(seen) && has(at(seen.response, "data"), "created_at"),
  },
  "public.general.7": {
    text: "IDs consist of 24 lowercase hexadecimal digits. A path with an invalid ID returns 400.",
    refuses: true,
  },
  "public.general.8": { text: "Phone numbers consist of a plus sign and 6 to 20 digits.", refuses: true },
  "public.general.9a": {
    text: "A page of a list has at most `limit` rows. Following `next_cursor` while `has_more` is true returns every row exactly once.",
    seen: (seen) => isPublic(seen) && succeeded(seen) && seen.query.has("cursor"),
  },
  "public.general.9b": {
    text: "Cursors are opaque; a cursor that the service did not issue returns 400.",
    refuses: true,
  },
  "public.general.10": "The service pushes no data to clients; clients poll for changes.",
  "public.contact.fields": {
    text: "A contact has `first_name` (required), other names, phone numbers, emails and a group.",
    refuses: true,
    seen: done("contacts.create"),
  },
  "public.contact.group": {
    text: "A contact's `group_id` must refer to a group of type `contacts`; otherwise, the response is 404.",
    refuses: true,
    seen: done("contacts.create"),
  },
  "public.group.types": {
    text: "A group has one of these types: `contacts`, `knowledges`, `forwardings`, `glossaries`, `pronunciations`.",
    refuses: true,
    seen: done("groups.create"),
  },
  "public.group.own-type": {
    text: "A group contains only items of its type.",
    refuses: true,
    refusedAs: ["public.operations.8a", "public.operations.10"],
  },
  "public.knowledge.text": {
    text: "Only a GET by ID returns a knowledge item's `text`; list, create and PATCH don't.",
    seen: done("knowledge.get"),
  },
  "public.knowledge.sync": {
    text: "A knowledge item's `sync_status.state` is `pending`, `syncing`, `synced` or `failed`.",
    seen: done("knowledge.get"),
  },
  "public.prompt.kinds": {
    text: "A prompt's kind is `answering` (for answering the phone) or `email`.",
    seen: done("prompts.create"),
  },
  "public.prompt.token": {
    text: "`@preCallData` in a prompt is replaced with the pre-call webhook's response for the call.",
    seen: done(promptSaves, (seen) => String(at(seen.request, "text")).includes("@preCallData")),
  },
  "public.prompt.rating": {
    text: "If automated rating is enabled, every save of a prompt requests a rating.",
    seen: done(promptSaves, (seen) => isFields(at(seen.response, "data", "rating"))),
  },
  "public.voice.generations": {
    text: "A voice's generation is `v1` or `v2`.",
    seen: done("voices.list"),
  },
  "public.assistant.required": {
    text: "Creating an assistant requires name, language, voice_id, company_name, company_industry and introduction.",
    refuses: true,
    seen: done("assistants.create"),
  },
  "public.assistant.readonly": {
    text: "An assistant's `phone_number` and `carrier` are set by the platform; clients can't set them.",
    refusedAs: ["D-strict"],
    seen: (seen) =>
      ["assistants.create", "assistants.update"].includes(seen.operation ?? "") &&
      (has(seen.request, "phone_number") || has(seen.request, "carrier")),
  },
  "public.assistant.refs": {
    text: "Every resource that an assistant refers to must belong to the same organization; otherwise, the response is 404.",
    refuses: true,
    seen: done(
      "assistants.update",
      (seen) => isFields(seen.request) && Object.keys(seen.request).some((name) => /_ids?$/.test(name)),
    ),
  },
  "public.webhook.enabled": {
    text: "A `pre_call_webhook` sent as an object requires `enabled`.",
    refuses: true,
    seen: webhookPatch((seen) => isFields(webhookOf(seen))),
  },
  "public.webhook.url": {
    text: "An enabled webhook must have a `url`.",
    refuses: true,
    seen: webhookPatch((seen) => at(webhookOf(seen), "enabled") === true),
  },
  "public.webhook.secrets": {
    text: "A webhook's passwords and secrets are never returned.",
    seen: done(assistantReads, (seen) => isFields(at(seen.response, "data", "pre_call_webhook", "auth"))),
  },
  "public.forwarding.types": {
    text: "The type of a forwarding's destination is `phone`, `sip` or `sip_refer`.",
    refuses: true,
    seen: done(forwardingSaves),
  },
  "public.items.group-immutable": {
    text: "A forwarding, glossary entry or pronunciation rule stays in the group in which it was created.",
    refuses: true,
  },
  "public.pronunciation.token": {
    text: "A pronunciation rule applies to one written word, not to a phrase.",
    refuses: true,
    seen: done("pronunciation.create"),
  },
  "public.calendar.kinds": {
    text: "A calendar's schedule has a kind (`opening`, `service`, `office` or `operating`), a weekly template and overrides for dates.",
    refuses: true,
    seen: done(calendarSaves, (seen) => has(seen.request, "schedules")),
  },
  "public.calendar.unique": {
    text: "Giving a calendar the name of another calendar in the organization returns 409.",
    refuses: true,
  },
  "public.call.detail": {
    text: "A GET of a call returns its transcript, analyses and notes; the list of calls omits them.",
    seen: done("calls.get"),
  },
  "public.call.trigger-fields": {
    text: "Triggering a call returns call_id, assistant_id, assistant_phone (or null), `to`, status and created_at.",
    seen: done("calls.create"),
  },
  "public.tool.webhook-only": {
    text: "Only tools of type `webhook` can be created through the API.",
    refuses: true,
  },
  "public.tool.secret": {
    text: "A tool's secret is never returned; `has_secret` shows whether the tool has one.",
    seen: done(toolReads, (seen) => at(seen.response, "data", "has_secret") === true),
  },
  "public.states.create": { text: "A new knowledge item is `pending`.", seen: done("knowledge.create") },
  "public.states.indexing": {
    text: "Indexing changes the state from `pending` through `syncing` to `synced` or `failed`.",
    seen: syncState("syncing", "synced", "failed"),
  },
  "public.states.patch": {
    text: "Any valid PATCH of a knowledge item, in any state, sets it to `pending` and indexes it again.",
    seen: done("knowledge.update"),
  },
  "public.states.failed": {
    text: "A `failed` knowledge item stays `failed` until the next PATCH.",
    seen: syncState("failed"),
  },
  "public.states.queue":
    "If the queue can't accept an item, the item stays `pending`; a later PATCH tries again to queue it.",
  "public.states.recording": {
    text: "Deleting a recording changes its state from `available` to `erased`.",
    refusedAs: ["public.operations.14a"],
    seen: done("calls.recording.delete"),
  },
};
