/** The head of the document. Markdown. */
export const introduction = [
  "The Public API of a voice-assistant service: assistants and what they know, contacts, calls with their recordings, and statistics. This document is made from the contract by which voxctl's emulator checks every request.",
  "Where the service's own documents are silent, a decision fills the gap. Content that a decision adds is marked `x-assumed` with the decision's id; a real deployment may differ there.",
  "**Keys.** Send `Authorization: Bearer <API key>` with every request. A key belongs to one organization and has one role; `x-permission` says what an operation needs of it, `x-feature` which features of the organization.",
  '**Responses.** A success is `{"data": …}`, an error `{"error": {"code", "message", "details"}}`. Use `code`, never `message`. Times are ISO 8601 in UTC.',
  "**Lists.** Send `limit`, and while `meta.has_more` is true send `meta.next_cursor` back as `cursor`. A cursor is opaque.",
  "**Limits.** Requests are counted per key, in the bucket that `x-bucket` names. `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` say how it stands; a 429 of a bucket that is used up says in `Retry-After` how long to wait. After a 429 without that header wait longer each time, 60 seconds at least.",
].join("\n\n");
