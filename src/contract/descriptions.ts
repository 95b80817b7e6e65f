/** Effects of an operation beyond its summary, for the caller. Markdown. */
export const descriptions: Readonly<Record<string, string>> = {
  ping: "Any valid key may ask.",
  "contacts.create":
    "`group_id` names a group of type `contacts`. Nothing about a contact is unique: the same request sent twice makes two contacts.",
  "groups.create":
    "A group contains only items of its type. Its name is unique among the groups of that type.",
  "groups.delete":
    "Deletes the group and every contact, knowledge item, forwarding, glossary entry or pronunciation rule in it, for good. A group that is assigned to an assistant, and the organization's last group of a type, are not deleted: 409.",
  "knowledge.list": "The items come without their `text`; get one to read it.",
  "knowledge.create":
    "The text is indexed afterwards: poll the item until `sync_status.state` is `synced` or `failed`, with a timeout, since an item stays `pending` if it could not be queued.",
  "knowledge.update":
    "Every valid PATCH indexes the item again, even if it changes only the name or sends `{}`. It supersedes an indexing in progress.",
  "prompts.create":
    "A text may contain `@preCallData`, which is replaced with the response of the assistant's pre-call webhook. If automated rating is on, every save rates the prompt.",
  "prompts.delete":
    "Refused with 409 while an assistant names it as its `prompt_id`. An `email_prompt_id` that names it does not stop the deletion: clear both from assistants first.",
  "voices.list":
    "The voices that new assistants can have, all in one response. Reserved voices, and retired voices that an assistant still has, are not listed.",
  "assistants.create":
    "Gives the assistant a phone number, which can't be chosen. Everything it refers to must belong to the organization. A `pre_call_webhook` is checked and stored with its credentials encrypted; saving never calls it.",
  "assistants.update":
    "Changes only the fields that are sent. A new `introduction` applies to calls that start later. `pre_call_webhook`: if omitted, it is unchanged; `null` removes it with its credentials; an object needs `enabled`, and `url` if that is true, and keeps its omitted fields. In it, `headers` replaces all headers and `null` clears them; `auth` with the same `type` keeps an omitted credential, a different `type` needs a credential, and `null` removes it. The object of a GET response can be sent back unchanged.",
  "forwardings.create":
    "`destination_type` `sip` needs `sip_uri`, `sip_refer` needs `sip_refer_target`. `phone` is accepted without a `phone_number`, but then there is no number to dial.",
  "forwardings.update":
    "The fields that a `destination_type` requires are checked on the resulting forwarding. `group_id` can't change.",
  "glossary.update": "`group_id` can't change.",
  "pronunciation.create":
    "A rule matches one written word and needs at least one of `replacement`, `spell_out`, `speaking_rate` and `ipa`. Speaking rate and IPA are heard with v2 voices only.",
  "pronunciation.update": "`group_id` can't change.",
  "calendars.create": "A calendar's name is unique within the organization.",
  "calendars.update": "`schedules` replaces the whole list.",
  "calendars.delete": "Refused with 409 while an assistant has it.",
  "tools.create":
    "Tools are webhooks. The `secret` is never answered; `has_secret` shows whether one is set.",
  "tools.update": "A `secret` of `null` clears the stored one.",
  "tools.delete": "Refused with 409 while an assistant has it.",
  "calls.list": "`created_from` is included, `created_to` is not; both may carry an offset.",
  "calls.create":
    "Queues a call. Send exactly one of `assistant_id` and `assistant_phone`, and exactly one of `to` and `target_phone`; the destination is made an E.164 number and answered as `to`. An assistant makes one call in any 60 seconds: a second one is refused with 429 without `Retry-After`; wait at least 60 seconds. A destination that is blocked for the assistant is refused with 409 `outbound_target_blocked` every time.",
  "calls.recording.get":
    "The bytes, or with a `Range` header a part of them. Use the response's `Content-Type`: new recordings are FLAC, older ones WAV, and MPEG is possible.",
  "calls.recording.delete":
    "Permanently erases the recording: both channels, the playback copy and the waveform. The call with its transcript, analyses and notes is kept. Erasing it again succeeds. A call without a recording returns 404; a call in progress, or one whose recording is still being processed, returns 409. After a 500 nothing has changed, and the request may be repeated.",
  "statistics.summary": "Every ISO week with at least one completed call, newest first, and every assistant.",
  "statistics.usage":
    "`assistant_id` is an assistant's id, or `all`. Durations are billable whole seconds, at least 60 for a call. `hourly_call_counts_last_24h` covers the 24 hours before the request, whatever `week` and `year` say.",
  "orgs.create":
    "Of `type` `msp` with the `license` that it was sold, which is created with it; of `type` `customer` with `parentOrganizationId`, its MSP, and `externalLicenseId`, an `available` license of that MSP. `externalOrganizationId` is the distributor's own identifier and unique: a duplicate is refused with 409.",
  "orgs.tree": "The full hierarchy, without usage.",
  "orgs.delete":
    "Deletes the organization with all that is in it, for good; its API keys stop working. Its license is released; an MSP's licenses go with it. An MSP with customers is refused with 409: delete them first.",
  "licenses.upsert":
    "Unknown licenses are created `available`. `disabled` blocks the organization with the license; `available` enables it again. Returns all licenses of the MSP.",
  "licenses.reassign":
    "The license must be `available` and of the same MSP. The former one becomes `available`; one that is `disabled` stays so. An organization that was blocked by its license becomes active.",
  "usage.list": "`from` and `to` are days and included, 92 days at most. Days without calls are omitted.",
  "billing.get": "Of an MSP with its customers and the licenses that it owns; the current month by default.",
  "partners.create": "Also creates the partner's internal MSP organization.",
  "partners.delete":
    "Refused with 409 while the partner has organizations, its internal one included: there is no cascade.",
  "customers.create": "A customer of an active partner.",
  "customers.delete": "Deletes the customer's organization with all that is in it, for good.",
  "legacy.call":
    "The assistant is named by its phone number. Only German numbers (+49) are called; `details` hold 1,000 words at most.",
};
