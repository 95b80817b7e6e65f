export const descriptions: Readonly<Record<string, string>> = {
  ping: "Any valid key is allowed.",
  "contacts.create":
    "`group_id` is the ID of a group of type `contacts`. Contacts have no unique fields, so sending the same request twice creates two contacts.",
  "groups.create":
    "A group contains only items of its type. Its name must be unique among the groups of that type.",
  "groups.delete":
    "Permanently deletes the group and every contact, knowledge item, forwarding, glossary entry or pronunciation rule in it. Deleting a group that is assigned to an assistant, or the organization's last group of a type, returns 409.",
  "knowledge.list": "Lists omit `text`. To read an item's text, get the item by its ID.",
  "knowledge.create":
    "The text is indexed asynchronously. Poll the item until `sync_status.state` is `synced` or `failed`, and use a timeout because an item that can't be queued stays `pending`.",
  "knowledge.update":
    "Every valid PATCH indexes the item again, even if it changes only the name or sends `{}`. A PATCH supersedes indexing that is in progress.",
  "prompts.create":
    "The text may contain `@preCallData`, which is replaced with the response from the assistant's pre-call webhook. If automated rating is enabled, every save rates the prompt.",
  "prompts.delete":
    "Returns 409 while an assistant's `prompt_id` refers to the prompt. An `email_prompt_id` does not prevent the deletion. Before you delete a prompt, clear both fields in the assistants that use it.",
  "voices.list":
    "Returns all voices that new assistants can use, in one response. Reserved voices are omitted. Retired voices are also omitted, even if an assistant still uses them.",
  "assistants.create":
    "The service assigns a phone number, which can't be chosen. All referenced resources must belong to the organization. A `pre_call_webhook` is validated and stored with encrypted credentials; saving does not call it.",
  "assistants.update":
    "Changes only the fields that are sent. A new `introduction` applies to calls that start later. If `pre_call_webhook` is omitted, the webhook is unchanged; `null` removes it with its credentials. If `pre_call_webhook` is an object, it must contain `enabled` and, if `enabled` is true, `url`. Fields that the object omits are unchanged. In the object, `headers` replaces all headers, and `headers: null` clears them. If `auth` has the same `type` as before, an omitted credential is kept; a different `type` requires a credential. `auth: null` removes the authentication. The object from a GET response can be sent back unchanged.",
  "forwardings.create":
    "The `destination_type` `sip` requires `sip_uri`, and `sip_refer` requires `sip_refer_target`. `phone` is accepted without a `phone_number`, but then there is no number to dial.",
  "forwardings.update":
    "The resulting forwarding must have the fields that its `destination_type` requires. `group_id` can't change.",
  "glossary.update": "`group_id` can't change.",
  "pronunciation.create":
    "A rule matches one written word and requires at least one of `replacement`, `spell_out`, `speaking_rate` and `ipa`. Only v2 voices support speaking rate and IPA.",
  "pronunciation.update": "`group_id` can't change.",
  "calendars.create": "A calendar's name must be unique within the organization.",
  "calendars.update": "`schedules` replaces all existing schedules.",
  "calendars.delete": "Returns 409 while an assistant uses the calendar.",
  "tools.create":
    "All tools are webhooks. The `secret` is never returned; `has_secret` shows whether one is set.",
  "tools.update": "If `secret` is `null`, the stored secret is cleared.",
  "tools.delete": "Returns 409 while an assistant uses the tool.",
  "calls.list": "`created_from` is inclusive, and `created_to` is exclusive; both may have a UTC offset.",
  "calls.create":
    "Queues a call. Send either `assistant_id` or `assistant_phone`, and either `to` or `target_phone`; the destination is converted to E.164 and returned as `to`. An assistant may place one call in any 60-second period. A second request returns 429 without `Retry-After`; wait at least 60 seconds. Calling a destination that is blocked for the assistant always returns 409 `outbound_target_blocked`.",
  "calls.recording.get":
    "Returns the audio file, or a part of it if the request has a `Range` header. Check the response's `Content-Type`: FLAC for new recordings, WAV for older ones, or MPEG.",
  "calls.recording.delete":
    "Permanently erases the recording: both channels, the playback copy and the waveform. The call with its transcript, analyses and notes is kept. Erasing the recording again succeeds. Returns 404 if the call never had a recording, and 409 if the call is in progress or its recording is still being processed. After a 500, nothing has changed and the request can be repeated.",
  "statistics.summary":
    "Returns all ISO weeks with at least one completed call (newest first), and all assistants.",
  "statistics.usage":
    "`assistant_id` is an assistant's ID, or `all`. Durations are in whole billable seconds; each call counts as at least 60. `hourly_call_counts_last_24h` covers the 24 hours before the request, regardless of `week` and `year`.",
  "orgs.create":
    "An organization of `type` `msp` requires `license`: the license that the MSP purchases, which is created together with the organization. An organization of `type` `customer` requires `parentOrganizationId` (its MSP) and `externalLicenseId` (an `available` license of that MSP). `externalOrganizationId` is the distributor's own unique identifier; a duplicate returns 409.",
  "orgs.tree": "Returns the complete hierarchy, without usage.",
  "orgs.delete":
    "Permanently deletes the organization and its data; its API keys stop working. A customer's license is released; an MSP's licenses are deleted. Deleting an MSP that has customers returns 409; delete the customers first.",
  "licenses.upsert":
    "Unknown licenses are created as `available`. Setting a license to `disabled` blocks the organization that has it; setting it to `available` unblocks that organization. Returns all of the MSP's licenses.",
  "licenses.reassign":
    "The license must be `available` and belong to the same MSP. The previous license becomes `available`, unless it is `disabled`. An organization that was blocked because of its license becomes active.",
  "usage.list": "`from` and `to` are inclusive and cover at most 92 days. Days without calls are omitted.",
  "billing.get":
    "For an MSP, the summary includes its customers and the licenses that it owns. The default month is the current one.",
  "partners.create": "Also creates the partner's internal MSP organization.",
  "partners.delete":
    "Returns 409 while the partner has any organization; its internal organization also counts. Deletions don't cascade.",
  "customers.create": "The partner must be active.",
  "customers.delete": "Permanently deletes the customer's organization and its data.",
  "legacy.call":
    "The assistant is identified by its phone number. Only German numbers (+49) can be called; `details` can have at most 1,000 words.",
};
