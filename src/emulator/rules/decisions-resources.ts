import { done } from "./evidence.js";
import type { Rules } from "./rule.js";

export const resourceDecisions: Rules = {
  "D-contact": {
    text: "A contact has first_name and group_id (both required), last_name, and up to 10 phone numbers and 10 emails of at most 320 characters. Duplicates are allowed.",
    refuses: true,
  },
  "D-empty-text":
    "A contact's last_name, a glossary entry's definition and a tool's description are empty by default. Setting one of these fields to an empty string or white space clears it; setting it to null returns 400.",
  "D-group": {
    text: "A group's name must be unique within its organization and type; a duplicate returns 409. A group's type can't change. Groups of every type except `contacts` can be assigned to assistants.",
    refuses: true,
  },
  "D-knowledge": {
    text: "A knowledge item is active by default. Indexing starts 1 s and ends 3 s after the request; a PATCH during indexing starts indexing again.",
    seen: done("knowledge.create"),
  },
  "D-prompt": {
    text: "A prompt requires name, kind and text. Its kind is `answering` or `email` and can't change. If rating is enabled, a prompt is rated 2 s after it is saved. prompt_id refers to a prompt of kind `answering`, and email_prompt_id to one of kind `email`. An assistant keeps its email_prompt_id when that prompt is deleted.",
    refuses: true,
  },
  "D-rating-off":
    "Saving a prompt while rating is disabled removes its rating. A PATCH without fields does not count as a save.",
  "D-voice": {
    text: "A voice has a name, languages, a gender and a generation. Setting a voice that is not selectable returns 404; an assistant may keep its current voice.",
    refuses: true,
  },
  "D-assistant": {
    text: "An assistant refers to up to two prompts, and to groups, calendars and tools in arrays without duplicates. If no number is available, creating an assistant returns 409. A deleted assistant's calls stay listed. Its number becomes available after its last call.",
    refuses: true,
  },
  "D-enterprise":
    "A PATCH with a pre_call_webhook is refused on an enterprise line, and a PATCH with an introduction is refused if the greeting is locked, even if the values are unchanged.",
  "D-webhook": {
    text: "A webhook object with `enabled: true` requires `url` in the same object. Its auth has the type `none`, `bearer`, `basic` or `api_key`; responses show has_secret or has_password instead of the credential. The URL is an http or https URL without credentials. More than 100 headers, or headers that HTTP clients set themselves, are refused.",
    refuses: true,
  },
  "D-forwarding": {
    text: "A forwarding has an optional name, a type that can be any text (default: `standard`) and a timeout of 1 to 300 s (default: 30 s). SIP targets have at most 2,048 characters. After a PATCH, the forwarding must still have the field that its `destination_type` requires.",
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
    text: "A calendar has an IANA time zone (default: Europe/Berlin) and schedules with overrides for dates. The intervals of a schedule have the form HH:MM to HH:MM, are in order and don't overlap. Deleting an assigned calendar returns 409.",
    refuses: true,
    refusedAs: ["D-strict", "public.errors.1"],
  },
  "D-tool": {
    text: "Tools are listed, created, read, changed and deleted at /tools like other resources. A tool has a unique name in snake_case, a url, a method, headers, parameters as a JSON Schema, and a write-only secret. Deleting an assigned tool returns 409.",
    refuses: true,
  },
  "D-call": {
    text: "A call has a direction, a status (from `queued` to `completed`, `no_answer`, `busy` or `failed`), two numbers, its times, its recording and, after its end, a duration. created_from is inclusive and created_to is exclusive. Filtering by an unknown assistant returns 404.",
    refuses: true,
  },
  "D-deleted-assistant":
    "Listing calls by a deleted assistant's ID returns that assistant's calls, or 404 if it has none. Listing calls by a number returns the calls of every assistant that has or had this number.",
  "D-normalize": {
    text: "Spaces and - . / ( ) are removed from a destination; a leading 00 becomes +. A number without + or 00 is treated as a national number of the assistant's country. If the result is not an E.164 number, the response is 400.",
    refuses: true,
  },
  "D-lifecycle": {
    text: "An outbound call rings 2 s after it was queued and is answered 5 s later. The destination's last digits determine how the call ends: 0001 is not answered, 0002 is busy, 0003 fails, 0004 ends after 10 s, and a call to any other number ends after 90 s. The recording is ready 5 s after the call.",
    seen: done("calls.get"),
  },
  "D-cooldown": {
    text: "The cooldown starts with the assistant's last outbound call through any API. Inbound calls and refused calls don't start it.",
    atOnce: true,
  },
  "D-recording": {
    text: "Recordings are generated from the call's ID and are as long as the call. A request can ask for one byte range; a malformed range is ignored, and a range past the end returns 416. If-Range and a strong ETag are supported.",
    refuses: true,
  },
  "D-stats": {
    text: "Statistics include only completed calls, grouped by created_at into UTC days and ISO weeks. A call is billed as at least 60 s. Requesting week 53 of a year that has only 52 weeks returns 400. Requesting the usage of a deleted assistant returns 404, but its calls are still included in `all`.",
    refuses: true,
    seen: done(["statistics.summary", "statistics.usage"]),
  },
};
