/** Effects of an operation beyond its summary, for users of the API. Markdown. */
export const descriptions: Readonly<Record<string, string>> = {
  ping: "Any valid key is allowed.",
  "contacts.create":
    "`group_id` is the id of a group of type `contacts`. Contacts have no unique fields: the same request sent twice creates two contacts.",
  "groups.create":
    "A group contains only items of its type. Its name is unique among the groups of that type.",
  "groups.delete":
    "Deletes the group and every contact, knowledge item, forwarding, glossary entry or pronunciation rule in it permanently. A group that is assigned to an assistant and the organization's last group of a type can't be deleted: 409.",
  "knowledge.list": "The items have no `text`; get an item to read it.",
  "knowledge.create":
    "The text is indexed afterwards: poll the item until `sync_status.state` is `synced` or `failed`. Use a timeout: an item that can't be queued stays `pending`.",
  "knowledge.update":
    "Every valid PATCH indexes the item again, even if it changes only the name or sends `{}`. It supersedes an indexing in progress.",
  "prompts.create":
    "A text may contain `@preCallData`, which is replaced with the response of the assistant's pre-call webhook. If automated rating is enabled, every save rates the prompt.",
  "prompts.delete":
    "Returns 409 while an assistant's `prompt_id` refers to it. An `email_prompt_id` does not prevent the deletion: clear both from assistants first.",
  "voices.list":
    "All voices that new assistants can have, in one response. Reserved voices, and retired voices that an assistant still has, are not listed.",
  "assistants.create":
    "The service assigns a phone number, which can't be chosen. All referenced resources must belong to the organization. A `pre_call_webhook` is validated and stored with encrypted credentials; saving does not call it.",
  "assistants.update":
    "Changes only the fields that are sent. A new `introduction` applies to calls that start later. `pre_call_webhook`: if omitted, it is unchanged; `null` removes it with its credentials; an object requires `enabled`, and `url` if that is true; omitted fields are unchanged. In it, `headers` replaces all headers and `null` clears them; `auth` with the same `type` keeps an omitted credential, a different `type` requires a credential, and `null` removes it. The object of a GET response can be sent back unchanged.",
  "forwardings.create":
    "`destination_type` `sip` requires `sip_uri`, `sip_refer` requires `sip_refer_target`. `phone` is accepted without a `phone_number`, but then there is no number to dial.",
  "forwardings.update":
    "The fields that a `destination_type` requires are checked on the resulting forwarding. `group_id` can't change.",
  "glossary.update": "`group_id` can't change.",
  "pronunciation.create":
    "A rule matches one written word and requires at least one of `replacement`, `spell_out`, `speaking_rate` and `ipa`. Only v2 voices support speaking rate and IPA.",
  "pronunciation.update": "`group_id` can't change.",
  "calendars.create": "A calendar's name is unique within the organization.",
  "calendars.update": "`schedules` replaces the whole list.",
  "calendars.delete": "Returns 409 while an assistant uses it.",
  "tools.create":
    "Tools are webhooks. The `secret` is never returned; `has_secret` shows whether one is set.",
  "tools.update": "A `secret` of `null` clears the stored secret.",
  "tools.delete": "Returns 409 while an assistant uses it.",
  "calls.list": "`created_from` is inclusive, `created_to` is exclusive; both may have an offset.",
  "calls.create":
    "Queues a call. Send exactly one of `assistant_id` and `assistant_phone`, and exactly one of `to` and `target_phone`; the destination is converted to E.164 and returned as `to`. An assistant makes one call in any 60 seconds: a second call returns 429 without `Retry-After`; wait at least 60 seconds. A destination that is blocked for the assistant always returns 409 `outbound_target_blocked`.",
  "calls.recording.get":
    "The audio file, or a part of it with a `Range` header. Use the response's `Content-Type`: new recordings are FLAC, older ones WAV, and MPEG is possible.",
  "calls.recording.delete":
    "Permanently erases the recording: both channels, the playback copy and the waveform. The call with its transcript, analyses and notes is kept. Erasing it again succeeds. A call without a recording returns 404; a call in progress, or one whose recording is still being processed, returns 409. After a 500 nothing has changed, and the request can be repeated.",
  "statistics.summary": "Every ISO week with at least one completed call, newest first, and every assistant.",
  "statistics.usage":
    "`assistant_id` is an assistant's id, or `all`. Durations are billable whole seconds, at least 60 for a call. `hourly_call_counts_last_24h` covers the 24 hours before the request, regardless of `week` and `year`.",
  "orgs.create":
    "An organization of `type` `msp` requires its purchased `license`, which is created with it. One of `type` `customer` requires `parentOrganizationId`, its MSP, and `externalLicenseId`, an `available` license of that MSP. `externalOrganizationId` is the distributor's own unique identifier: a duplicate returns 409.",
  "orgs.tree": "The complete hierarchy, without usage.",
  "orgs.delete":
    "Permanently deletes the organization and its data; its API keys stop working. Its license is released; an MSP's licenses are deleted. An MSP with customers returns 409: delete the customers first.",
  "licenses.upsert":
    "Unknown licenses are created `available`. `disabled` blocks the organization with the license; `available` enables it again. Returns all licenses of the MSP.",
  "licenses.reassign":
    "The license must be `available` and of the same MSP. The previous license becomes `available`, unless it is `disabled`. An organization that was blocked by its license becomes active.",
  "usage.list": "`from` and `to` are inclusive days, 92 days at most. Days without calls are omitted.",
  "billing.get":
    "For an MSP, includes its customers and the licenses that it owns. Default: the current month.",
  "partners.create": "Also creates the partner's internal MSP organization.",
  "partners.delete":
    "Returns 409 while the partner has organizations, including its internal one: there is no cascade.",
  "customers.create": "A customer of an active partner.",
  "customers.delete": "Permanently deletes the customer's organization and its data.",
  "legacy.call":
    "The assistant is identified by its phone number. Only German numbers (+49) can be called; `details` can have at most 1,000 words.",
};
