import { done } from "./evidence.js";
import type { Rules } from "./rule.js";

/** Decisions about the Public API's resources, where the documents are silent. */
export const resourceDecisions: Rules = {
  "D-contact": {
    text: "A contact has first_name and group_id (both required), last_name, up to 10 phone numbers and up to 10 emails of at most 320 characters. Duplicates are allowed.",
    refuses: true,
  },
  "D-empty-text":
    "A contact's last_name, a glossary entry's definition and a tool's description are empty texts where they are not given. Empty text or white space clears them; null is refused with 400.",
  "D-group": {
    text: "A group's name is unique within organization and type, else 409; its type can't change. Groups of every type but contacts can be assigned to assistants.",
    refuses: true,
  },
  "D-knowledge": {
    text: "A knowledge item is active by default. Its indexing starts 1 s and ends 3 s after the request; a newer PATCH replaces one in progress.",
    seen: done("knowledge.create"),
  },
  "D-prompt": {
    text: "A prompt needs name, kind (answering or email, which can't change) and text. It is rated 2 s after a save where rating is on. prompt_id takes an answering prompt and email_prompt_id an email one, which may stay behind when its prompt is deleted.",
    refuses: true,
  },
  "D-rating-off":
    "Saving a prompt while rating is disabled removes its rating; a PATCH without fields does not save.",
  "D-voice": {
    text: "A voice has a name, languages, gender and generation. One that can't be chosen returns 404 when it is set; keeping one that an assistant has is fine.",
    refuses: true,
  },
  "D-assistant": {
    text: "An assistant's references are prompts and arrays of groups, calendars and tools, without duplicates. When no number is left, a create returns 409. A deleted assistant's number is free after its last call, and its calls stay listed.",
    refuses: true,
  },
  "D-enterprise":
    "An enterprise line refuses any pre_call_webhook in a PATCH, and a locked greeting any introduction, equal values too.",
  "D-webhook": {
    text: "A webhook object that is enabled needs its `url` in the object itself. Its auth is `none`, `bearer`, `basic` or `api_key`, returned as has_secret or has_password. The address is http or https without credentials; headers that a request sets itself are refused, as are more than 100.",
    refuses: true,
  },
  "D-forwarding": {
    text: "A forwarding has an optional name, a free type (standard unless given) and a timeout of 1 to 300 s (30 unless given). SIP targets have at most 2,048 characters. What a destination needs is judged on the result of a PATCH.",
    refuses: true,
  },
  "D-glossary": {
    text: "A glossary entry has a term (required) and a definition.",
    seen: done("glossary.create"),
  },
  "D-pronunciation": {
    text: "A pronunciation rule has a token without white space and at least one of replacement, spell_out, speaking_rate (0.5 to 2) and ipa.",
    refuses: true,
  },
  "D-calendar": {
    text: "A calendar has an IANA time zone (Europe/Berlin unless given) and schedules of intervals from HH:MM to HH:MM, ordered and apart, with overrides for dates. Deleting an assigned one returns 409.",
    refuses: true,
    refusedAs: ["D-strict", "public.errors.1"],
  },
  "D-tool": {
    text: "Tools are listed, created, read, changed and deleted at /tools like the rest: a unique name in snake_case, a url, a method, headers, parameters as a JSON Schema, and a secret that is only written. An assigned one can't be deleted: 409.",
    refuses: true,
  },
  "D-call": {
    text: "A call has a direction, a status from queued to completed, no_answer, busy or failed, two numbers, its times, a duration once it is over, and its recording. created_from counts itself in, created_to does not; filtering by an unknown assistant returns 404.",
    refuses: true,
  },
  "D-deleted-assistant":
    "Calls filtered by a deleted assistant's id are listed while there are any; otherwise the response is 404. A number lists the calls of every assistant that has it or had it.",
  "D-normalize": {
    text: "A destination loses spaces and - . / ( ); 00 at its begin becomes +; without either it is a national number of the assistant's country. If the result is not an E.164 number, the answer is 400.",
    refuses: true,
  },
  "D-lifecycle": {
    text: "An outbound call rings 2 s after it was queued and is answered 5 s later. The destination's last digits choose its end: 0001 no answer, 0002 busy, 0003 failed, 0004 hung up after 10 s, all others 90 s. Its recording is ready 5 s after the call.",
    seen: done("calls.get"),
  },
  "D-cooldown": {
    text: "The cooldown counts from the assistant's last outbound call, whichever interface made it. Inbound calls and refused ones don't count.",
    atOnce: true,
  },
  "D-recording": {
    text: "Recordings are made from the call's id and as long as the call. One byte range is served per request, a malformed one ignored, one past the end answered with 416; If-Range and a strong ETag are honoured.",
    refuses: true,
  },
  "D-stats": {
    text: "Only completed calls count, at their created_at, in days and ISO weeks of UTC; a call is billed as at least 60 s. A week 53 in a year without one returns 400; a deleted assistant is unknown, its calls stay in `all`.",
    refuses: true,
    seen: done(["statistics.summary", "statistics.usage"]),
  },
};
