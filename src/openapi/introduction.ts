/** The head of the document. Markdown. */
export const introduction = [
  "The Public API of a voice-assistant service: assistants and what they know, contacts, calls with their recordings, and statistics. This document is made from the contract by which voxctl's emulator checks every request.",
  "A decision fills each gap of the service's documents. Content that a decision adds is marked `x-assumed` with the decision's id; a real deployment may differ there.",
  "**Keys.** Send `Authorization: Bearer <API key>` with every request. A key belongs to one organization and has one role; `x-permission` lists the permission that an operation requires, `x-feature` the features of the organization.",
  '**Responses.** A success is `{"data": …}`, an error `{"error": {"code", "message", "details"}}`. Use `code`, never `message`. Times are ISO 8601 in UTC.',
  "**Lists.** Send `limit`, and while `meta.has_more` is true send `meta.next_cursor` back as `cursor`. A cursor is opaque.",
  "**Limits.** Requests are counted per key, in the bucket that `x-bucket` names. `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` show its state; `Retry-After` of a 429 is the time to wait in seconds. After a 429 without that header, wait at least 60 seconds, and longer each time.",
].join("\n\n");
