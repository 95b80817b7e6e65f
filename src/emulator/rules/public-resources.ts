import type { RuleTexts } from "./rule.js";

/** The documents' rules about the Public API's conventions, resources and states. */
export const publicResourceRules: RuleTexts = {
  "public.general.2": "A success answers an object under `data`.",
  "public.general.3":
    "A list answers `data`, an array, and `meta` with `has_more` and `next_cursor` (text, or null on the last page).",
  "public.general.4": "A failure answers `error` with `code`, `message` and `details`.",
  "public.general.5a": "Field names that the API defines are snake_case.",
  "public.general.5b":
    "Objects whose keys are the caller's (a tool's parameters, a webhook's headers) keep those keys as they were sent.",
  "public.general.6": "Times are ISO 8601 in UTC.",
  "public.general.7":
    "Ids are 24 hexadecimal digits in lower case. A path with an id of another form answers 400.",
  "public.general.8": "Phone numbers are a plus sign and 6 to 20 digits.",
  "public.general.9a":
    "Lists come in pages of `limit` rows. Following `next_cursor` while `has_more` is true shows every row exactly once.",
  "public.general.9b": "A cursor is opaque; one that the service did not issue is refused with 400.",
  "public.general.10": "The service pushes nothing to its clients: they poll.",
  "public.contact.fields":
    "A contact has `first_name` (required), further names, phone numbers, emails and a group.",
  "public.contact.group": "The `group_id` of a contact must name a group of type `contacts`, else 404.",
  "public.group.types":
    "A group is of one of the types contacts, knowledges, forwardings, glossaries and pronunciations.",
  "public.group.own-type": "A group holds items of its own type and no others.",
  "public.knowledge.text":
    "The whole `text` of a knowledge item comes with a get by id only, not with list, create or PATCH.",
  "public.knowledge.sync":
    "The `sync_status.state` of a knowledge item is pending, syncing, synced or failed.",
  "public.prompt.kinds": "A prompt is for answering the phone or for email.",
  "public.prompt.token":
    "`@preCallData` in a prompt stands for what the pre-call webhook answered for this call.",
  "public.prompt.rating": "Where automated rating is switched on, every save of a prompt asks for a rating.",
  "public.voice.generations": "Voices come in the generations v1 and v2.",
  "public.assistant.required":
    "Creating an assistant needs name, language, voice_id, company_name, company_industry and introduction.",
  "public.assistant.readonly":
    "An assistant's `phone_number` and `carrier` are given by the platform; callers can't set them.",
  "public.assistant.refs":
    "Everything an assistant refers to must belong to the caller's organization, else 404.",
  "public.webhook.enabled": "A `pre_call_webhook` sent as an object must say `enabled`.",
  "public.webhook.url": "A webhook that is enabled must have a `url`.",
  "public.webhook.secrets": "A webhook's passwords and secrets are never given back.",
  "public.forwarding.types": "The destination of a forwarding is of type phone, sip or sip_refer.",
  "public.items.group-immutable":
    "A forwarding, glossary entry or pronunciation rule stays in the group that it was created in.",
  "public.pronunciation.token": "A pronunciation rule is about one written word, not a phrase.",
  "public.calendar.kinds":
    "A calendar's schedule is of the kind opening, service, office or operating, with a week's template and overrides for dates.",
  "public.calendar.unique": "Two calendars of an organization can't have the same name: 409.",
  "public.call.detail":
    "One call shows its transcript, analyses and notes; the list of calls shows none of them.",
  "public.call.trigger-fields":
    "Triggering a call answers call_id, assistant_id, assistant_phone (or null), to, status and created_at.",
  "public.tool.webhook-only": "Only tools of type webhook can be created through the API.",
  "public.tool.secret": "A tool's secret is never given back; `has_secret` says whether there is one.",
  "public.states.create": "A new knowledge item begins as pending.",
  "public.states.indexing": "Indexing leads from pending through syncing to synced, or to failed.",
  "public.states.patch":
    "Any valid PATCH of a knowledge item, in whatever state, makes it pending and indexes it again.",
  "public.states.failed": "A failed knowledge item stays failed until a PATCH.",
  "public.states.queue":
    "When the queue could not take an item it stays pending; a later PATCH puts it into the queue again.",
  "public.states.recording": "Deleting a recording leads from available to erased.",
};
