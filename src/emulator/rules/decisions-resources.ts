import { done } from "./evidence.js";
import type { Rules } from "./rule.js";

/** Decisions about the Public API's resources, where the documents are silent. */
export const resourceDecisions: Rules = {
  "D-contact": {
    text: "A contact has first_name and group_id (both required), last_name, and up to 10 phone numbers and 10 emails of at most 320 characters. Duplicates are allowed.",
    refuses: true,
  },
  "D-empty-text":
    "A contact's last_name, a glossary entry's definition and a tool's description are empty by default. Empty text or white space clears them; null returns 400.",
  "D-group": {
    text: "A group's name is unique within its organization and type, else 409; its type can't change. Groups of every type except contacts can be assigned to assistants.",
    refuses: true,
  },
  "D-knowledge": {
    text: "A knowledge item is active by default. Its indexing starts 1 s and ends 3 s after the request; a newer PATCH replaces one in progress.",
    seen: done("knowledge.create"),
  },
  "D-prompt": {
    text: "A prompt requires name, kind (answering or email, which can't change) and text. If rating is enabled, it is rated 2 s after a save. prompt_id refers to an answering prompt and email_prompt_id to an email prompt; deleting the prompt keeps email_prompt_id.",
    refuses: true,
  },
  "D-rating-off":
    "Saving a prompt while rating is disabled removes its rating; a PATCH without fields is not a save.",
  "D-voice": {
    text: "A voice has a name, languages, gender and generation. Setting a voice that is not selectable returns 404; an assistant may keep the voice that it has.",
    refuses: true,
  },
  "D-assistant": {
    text: "An assistant refers to prompts and to groups, calendars and tools in arrays without duplicates. If no number is available, a create returns 409. A deleted assistant's number becomes available after its last call, and its calls stay listed.",
    refuses: true,
  },
  "D-enterprise":
    "An enterprise line refuses any pre_call_webhook in a PATCH, and a locked greeting any introduction, including unchanged values.",
  "D-webhook": {
    text: "An enabled webhook object requires its `url` in the same object. Its auth is `none`, `bearer`, `basic` or `api_key`, returned as has_secret or has_password. The URL is http or https without credentials; headers that a request sets itself and more than 100 headers are refused.",
    refuses: true,
  },
  "D-forwarding": {
    text: "A forwarding has an optional name, any type (default: standard) and a timeout of 1 to 300 s (default: 30 s). SIP targets have at most 2,048 characters. After a PATCH, the resulting destination must be complete.",
    refuses: true,
  },
  "D-glossary": {
    text: "A glossary entry has a term (required) and a definition.",
    seen: done("glossary.create"),
  },
  "D-pronunciation": {
    text: "A pronunciation rule has a token without white space, and at least one of replacement, spell_out, speaking_rate (0.5 to 2) and ipa.",
    refuses: true,
  },
  "D-calendar": {
    text: "A calendar has an IANA time zone (default: Europe/Berlin) and schedules of intervals from HH:MM to HH:MM, in order and without overlap, with overrides for dates. Deleting an assigned one returns 409.",
    refuses: true,
    refusedAs: ["D-strict", "public.errors.1"],
  },
  "D-tool": {
    text: "Tools are listed, created, read, changed and deleted at /tools like other resources: a unique name in snake_case, a url, a method, headers, parameters as a JSON Schema, and a write-only secret. An assigned one can't be deleted: 409.",
    refuses: true,
  },
  "D-call": {
    text: "A call has a direction, a status from queued to completed, no_answer, busy or failed, two numbers, its times, a duration after its end, and its recording. created_from is inclusive, created_to is exclusive; filtering by an unknown assistant returns 404.",
    refuses: true,
  },
  "D-deleted-assistant":
    "Calls of a deleted assistant are listed by its id as long as any exist; otherwise the response is 404. A number lists the calls of every assistant that has or had it.",
  "D-normalize": {
    text: "Spaces and - . / ( ) are removed from a destination; a leading 00 becomes +; without + or 00 it is a national number of the assistant's country. If the result is not an E.164 number, the response is 400.",
    refuses: true,
  },
  "D-lifecycle": {
    text: "An outbound call rings 2 s after it was queued and is answered 5 s later. The destination's last digits determine its end: 0001 no answer, 0002 busy, 0003 failed, 0004 hung up after 10 s, all others after 90 s. Its recording is ready 5 s after the call.",
    seen: done("calls.get"),
  },
  "D-cooldown": {
    text: "The cooldown starts with the assistant's last outbound call through any API. Inbound and refused calls don't count.",
    atOnce: true,
  },
  "D-recording": {
    text: "Recordings are generated from the call's id and are as long as the call. One byte range is served per request; a malformed range is ignored, and one past the end returns 416. If-Range and a strong ETag are supported.",
    refuses: true,
  },
  "D-stats": {
    text: "Only completed calls count, at their created_at, in days and ISO weeks of UTC; a call is billed as at least 60 s. A week 53 in a year without one returns 400; a deleted assistant is unknown, but its calls stay in `all`.",
    refuses: true,
    seen: done(["statistics.summary", "statistics.usage"]),
  },
};
