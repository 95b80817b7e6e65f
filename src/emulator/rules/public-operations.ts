import type { RuleTexts } from "./rule.js";

/** The documents' rules about the Public API's operations. */
export const publicOperationRules: RuleTexts = {
  "public.endpoints.ping": "GET /ping answers `ok` and `now`, and never 403.",
  "public.endpoints.crud":
    "Every listed path and method exists; a create answers 201, everything else that succeeds 200.",
  "public.endpoints.voices": "GET /voices answers a plain array, without pages or `meta`.",
  "public.endpoints.filters":
    "Lists are filtered by group_id, groups by type, calls by assistant_id, assistant_phone, created_from and created_to.",
  "public.endpoints.delete": "A DELETE that succeeds answers 200 with the empty success.",
  "public.operations.1a": "Deleting a group deletes every item in it.",
  "public.operations.1b": "A group that is assigned to an assistant can't be deleted: 409.",
  "public.operations.1c": "The last group of a type can't be deleted: 409.",
  "public.operations.2": "Creating a knowledge item and every PATCH of one start its indexing.",
  "public.operations.3a": "A prompt that an assistant's `prompt_id` names can't be deleted: 409.",
  "public.operations.3b":
    "Deleting a prompt is not held up by an `email_prompt_id` that names it: the guard does not look there.",
  "public.operations.4a": "Creating an assistant gives it a phone number.",
  "public.operations.4b": "What a new assistant refers to is checked before anything is saved.",
  "public.operations.4c":
    "A webhook sent on create is validated and its credentials are stored encrypted. Saving never calls it.",
  "public.operations.5": "A PATCH of an assistant changes what it names and nothing else.",
  "public.operations.6a":
    "A new introduction is used by calls that begin after it; calls under way keep the one they began with.",
  "public.operations.6b": "A line whose greeting is managed by code refuses a new introduction: 409.",
  "public.operations.7a": "PATCH without `pre_call_webhook` leaves the webhook as it is.",
  "public.operations.7b": "PATCH with `pre_call_webhook: null` removes the webhook and its credentials.",
  "public.operations.7c":
    "PATCH with a webhook object needs `enabled`, and `url` when enabled; fields that it leaves out keep their values.",
  "public.operations.7d": "A header map in a webhook PATCH replaces all headers; null clears them.",
  "public.operations.7e": "A webhook PATCH without `auth` keeps it; `auth: null` removes it.",
  "public.operations.7f": "The same auth type without a secret keeps the secret that is stored.",
  "public.operations.7g":
    "Another auth type drops the old fields and needs its own credential, else 400; the type none needs nothing.",
  "public.operations.7h": "Switching a webhook off keeps its credentials.",
  "public.operations.7i": "The webhook of an enterprise assistant can't be changed: 409.",
  "public.operations.7j":
    "When someone else clears the webhook or changes its auth at the same moment, the PATCH answers 409 and none of it is applied.",
  "public.operations.7k": "What GET shows of a webhook can be sent back by PATCH without its credentials.",
  "public.operations.8a":
    "A new forwarding needs a group of type forwardings of the same organization, else 404.",
  "public.operations.8b":
    "A destination of type sip needs `sip_uri`, one of type sip_refer needs `sip_refer_target`.",
  "public.operations.8c":
    "A destination of type phone may have no phone number or an empty one, on create and on PATCH.",
  "public.operations.9":
    "A PATCH of a forwarding, glossary entry or pronunciation rule is partial and can't change its group.",
  "public.operations.10":
    "A new glossary entry or pronunciation rule needs a group of its own type, else 404.",
  "public.operations.11": "Calendar names are unique within the organization.",
  "public.operations.11b": "`schedules` in a PATCH of a calendar replaces all of its schedules.",
  "public.operations.11c": "A calendar that is assigned to assistants can't be deleted: 409.",
  "public.operations.12a": "Triggering a call takes either assistant_id or assistant_phone, exactly one.",
  "public.operations.12b": "Triggering a call takes either to or target_phone, exactly one.",
  "public.operations.12c": "Triggering a call may bring free text as `details`.",
  "public.operations.12d": "The destination of a call is brought into E.164 and shown so as `to`.",
  "public.operations.12e": "A triggered call answers 201 and begins as queued.",
  "public.operations.12f":
    "A destination that is exactly one of the assistant's blocked numbers answers 409 outbound_target_blocked, and there is no call, however often it is tried.",
  "public.operations.13a": "A recording's download honours Range: the whole with 200, a part with 206.",
  "public.operations.13b":
    "A recording's Content-Type is that of its stored format: audio/flac, audio/wav or audio/mpeg.",
  "public.operations.13c": "A download where there is no recording answers 404 with the JSON error body.",
  "public.operations.14a":
    "Deleting a recording keeps the call; `recording.available` becomes false and the download 404.",
  "public.operations.14b": "Deleting a recording needs the permission for it, else 403.",
  "public.operations.14c": "Deleting a recording again succeeds and changes nothing.",
  "public.operations.14d": "Deleting the recording of a call that never had one answers 404.",
  "public.operations.14e":
    "Deleting a recording answers 409 while the call is running or the recording is being processed.",
  "public.operations.14f": "When deleting a recording fails with 500, it stays downloadable.",
  "public.operations.15":
    "The statistics' summary lists every week with a completed call and every assistant, without an `all`.",
  "public.operations.16a":
    "Usage needs week (1 to 53), year (2020 to 2100) and assistant_id (`all` or an id), else 400.",
  "public.operations.16b": "Usage of an assistant outside the organization answers 404.",
  "public.operations.16c": "Durations in statistics are billable whole seconds, at least 60 for a call.",
  "public.operations.16d":
    "hourly_call_counts_last_24h is about the 24 hours up to now, whatever week and year were asked for.",
  "public.operations.17":
    "The list of voices shows those that can be chosen; legacy and reserved ones are left out.",
};
