import type { Row } from "./table.js";

const times = "created_at updated_at";

// Documented fields (section "Resources and their fields") | fields by decision
const contact = `id group_id first_name phone_numbers emails | last_name ${times}`;
const group = `id type name | ${times}`;
const knowledgeItem = `id group_id name active sync_status | ${times}`;
const knowledgeDetail = `id group_id name text active sync_status | ${times}`;
const prompt = `id | name kind text rating ${times}`;
const voice = `id generation | name languages gender ${times}`;
const assistant = `id name language voice_id company_name company_industry introduction phone_number carrier prompt_id email_prompt_id knowledge_group_ids pre_call_webhook | glossary_group_ids pronunciation_group_ids forwarding_group_ids calendar_ids tool_ids ${times}`;
const forwarding = `id group_id type destination_type phone_number sip_uri sip_refer_target timeout | name ${times}`;
const glossaryItem = `id group_id | term definition ${times}`;
const pronunciationItem = `id group_id | token replacement spell_out speaking_rate ipa ${times}`;
const calendar = `id name schedules | timezone ${times}`;
const call =
  "id created_at recording | assistant_id direction status from to started_at ended_at duration_seconds updated_at";
const callDetail = `${call} details transcript analyses notes`;
const triggeredCall = "call_id assistant_id assistant_phone to status created_at";
const tool = `id has_secret | name description type url method headers parameters ${times}`;

const assistantReferences =
  "prompt_id email_prompt_id knowledge_group_ids glossary_group_ids pronunciation_group_ids forwarding_group_ids calendar_ids tool_ids pre_call_webhook";

/**
 * The endpoints of the Public API, in the order of the service's document; `also` is the document's column of additional
 * errors.
 */
// biome-ignore format: a line per operation, as the documents have it
export const publicRows: readonly Row[] = [
  { operation: "ping", request: "GET /ping", success: 200, responseType: "item", also: [], response: "ok now" },

  { operation: "contacts.list", request: "GET /contacts", query: "cursor limit group_id", success: 200, responseType: "page", also: [], response: contact },
  { operation: "contacts.create", request: "POST /contacts", body: "group_id! first_name! phone_numbers emails | last_name", success: 201, responseType: "item", also: [404], response: contact },
  { operation: "contacts.get", request: "GET /contacts/{contact_id}", success: 200, responseType: "item", also: [404], response: contact },
  { operation: "contacts.update", request: "PATCH /contacts/{contact_id}", body: "group_id first_name phone_numbers emails | last_name", success: 200, responseType: "item", also: [404], response: contact },
  { operation: "contacts.delete", request: "DELETE /contacts/{contact_id}", success: 200, responseType: "empty", also: [404] },

  { operation: "groups.list", request: "GET /groups", query: "cursor limit type", success: 200, responseType: "page", also: [], response: group },
  { operation: "groups.create", request: "POST /groups", body: "type! name!", success: 201, responseType: "item", also: [409], response: group },
  { operation: "groups.get", request: "GET /groups/{group_id}", success: 200, responseType: "item", also: [404], response: group },
  { operation: "groups.update", request: "PATCH /groups/{group_id}", body: "name", success: 200, responseType: "item", also: [404, 409], response: group },
  { operation: "groups.delete", request: "DELETE /groups/{group_id}", success: 200, responseType: "empty", also: [404, 409] },

  { operation: "knowledge.list", request: "GET /knowledge-items", query: "cursor limit group_id", success: 200, responseType: "page", also: [], response: knowledgeItem },
  { operation: "knowledge.create", request: "POST /knowledge-items", body: "group_id! name! text! active", success: 201, responseType: "item", also: [404], response: knowledgeItem },
  { operation: "knowledge.get", request: "GET /knowledge-items/{knowledge_item_id}", success: 200, responseType: "item", also: [404], response: knowledgeDetail },
  { operation: "knowledge.update", request: "PATCH /knowledge-items/{knowledge_item_id}", body: "group_id name text active", success: 200, responseType: "item", also: [404], response: knowledgeItem },
  { operation: "knowledge.delete", request: "DELETE /knowledge-items/{knowledge_item_id}", success: 200, responseType: "empty", also: [404] },

  { operation: "prompts.list", request: "GET /prompts", query: "cursor limit", success: 200, responseType: "page", also: [], response: prompt },
  { operation: "prompts.create", request: "POST /prompts", body: "| name! kind! text!", success: 201, responseType: "item", also: [], response: prompt },
  { operation: "prompts.get", request: "GET /prompts/{prompt_id}", success: 200, responseType: "item", also: [404], response: prompt },
  { operation: "prompts.update", request: "PATCH /prompts/{prompt_id}", body: "| name text", success: 200, responseType: "item", also: [404], response: prompt },
  { operation: "prompts.delete", request: "DELETE /prompts/{prompt_id}", success: 200, responseType: "empty", also: [404, 409] },

  { operation: "voices.list", request: "GET /voices", success: 200, responseType: "list", also: [], response: voice },

  { operation: "assistants.list", request: "GET /assistants", query: "cursor limit", success: 200, responseType: "page", also: [], response: assistant },
  { operation: "assistants.create", request: "POST /assistants", body: `name! language! voice_id! company_name! company_industry! introduction! ${assistantReferences}`, success: 201, responseType: "item", also: [404, 409], response: assistant },
  { operation: "assistants.get", request: "GET /assistants/{assistant_id}", success: 200, responseType: "item", also: [404], response: assistant },
  { operation: "assistants.update", request: "PATCH /assistants/{assistant_id}", body: `name language voice_id company_name company_industry introduction ${assistantReferences}`, success: 200, responseType: "item", also: [404, 409], response: assistant },
  { operation: "assistants.delete", request: "DELETE /assistants/{assistant_id}", success: 200, responseType: "empty", also: [404] },

  { operation: "forwardings.list", request: "GET /forwardings", query: "cursor limit group_id", success: 200, responseType: "page", also: [], response: forwarding },
  { operation: "forwardings.create", request: "POST /forwardings", body: "group_id! type destination_type! phone_number sip_uri sip_refer_target timeout | name", success: 201, responseType: "item", also: [404], response: forwarding },
  { operation: "forwardings.get", request: "GET /forwardings/{forwarding_id}", success: 200, responseType: "item", also: [404], response: forwarding },
  { operation: "forwardings.update", request: "PATCH /forwardings/{forwarding_id}", body: "type destination_type phone_number sip_uri sip_refer_target timeout | name", success: 200, responseType: "item", also: [404], response: forwarding },
  { operation: "forwardings.delete", request: "DELETE /forwardings/{forwarding_id}", success: 200, responseType: "empty", also: [404] },

  { operation: "glossary.list", request: "GET /glossary", query: "cursor limit group_id", success: 200, responseType: "page", also: [], response: glossaryItem },
  { operation: "glossary.create", request: "POST /glossary", body: "group_id! | term! definition", success: 201, responseType: "item", also: [404], response: glossaryItem },
  { operation: "glossary.get", request: "GET /glossary/{glossary_id}", success: 200, responseType: "item", also: [404], response: glossaryItem },
  { operation: "glossary.update", request: "PATCH /glossary/{glossary_id}", body: "| term definition", success: 200, responseType: "item", also: [404], response: glossaryItem },
  { operation: "glossary.delete", request: "DELETE /glossary/{glossary_id}", success: 200, responseType: "empty", also: [404] },

  { operation: "pronunciation.list", request: "GET /pronunciation", query: "cursor limit group_id", success: 200, responseType: "page", also: [], response: pronunciationItem },
  { operation: "pronunciation.create", request: "POST /pronunciation", body: "group_id! | token! replacement spell_out speaking_rate ipa", success: 201, responseType: "item", also: [404], response: pronunciationItem },
  { operation: "pronunciation.get", request: "GET /pronunciation/{pronunciation_id}", success: 200, responseType: "item", also: [404], response: pronunciationItem },
  { operation: "pronunciation.update", request: "PATCH /pronunciation/{pronunciation_id}", body: "| token replacement spell_out speaking_rate ipa", success: 200, responseType: "item", also: [404], response: pronunciationItem },
  { operation: "pronunciation.delete", request: "DELETE /pronunciation/{pronunciation_id}", success: 200, responseType: "empty", also: [404] },

  { operation: "calendars.list", request: "GET /calendars", query: "cursor limit", success: 200, responseType: "page", also: [], response: calendar },
  { operation: "calendars.create", request: "POST /calendars", body: "name! schedules | timezone", success: 201, responseType: "item", also: [409], response: calendar },
  { operation: "calendars.get", request: "GET /calendars/{calendar_id}", success: 200, responseType: "item", also: [404], response: calendar },
  { operation: "calendars.update", request: "PATCH /calendars/{calendar_id}", body: "name schedules | timezone", success: 200, responseType: "item", also: [404, 409], response: calendar },
  { operation: "calendars.delete", request: "DELETE /calendars/{calendar_id}", success: 200, responseType: "empty", also: [404, 409] },

  { operation: "calls.list", request: "GET /calls", query: "cursor limit assistant_id assistant_phone created_from created_to", success: 200, responseType: "page", also: [404], response: call },
  { operation: "calls.create", request: "POST /calls", body: "assistant_id assistant_phone to target_phone details", success: 201, responseType: "item", also: [404, 409], response: triggeredCall },
  { operation: "calls.get", request: "GET /calls/{call_id}", success: 200, responseType: "item", also: [404], response: callDetail },
  // D-recording adds 416.
  { operation: "calls.recording.get", request: "GET /calls/{call_id}/recording", success: 200, responseType: "binary", also: [404, 416] },
  { operation: "calls.recording.delete", request: "DELETE /calls/{call_id}/recording", success: 200, responseType: "empty", also: [404, 409] },

  { operation: "statistics.summary", request: "GET /statistics/summary", success: 200, responseType: "item", also: [], response: "| weeks assistants" },
  { operation: "statistics.usage", request: "GET /statistics/usage", query: "week! year! assistant_id!", success: 200, responseType: "item", also: [404], response: "hourly_call_counts_last_24h | week year assistant_id weekly monthly last_24h" },

  // The documents don't specify the paths and payloads of tools (D-tool).
  { operation: "tools.list", request: "GET /tools", query: "cursor limit", success: 200, responseType: "page", also: [], response: tool },
  { operation: "tools.create", request: "POST /tools", body: "| name! description type url! method headers parameters secret", success: 201, responseType: "item", also: [409], response: tool },
  { operation: "tools.get", request: "GET /tools/{tool_id}", success: 200, responseType: "item", also: [404], response: tool },
  { operation: "tools.update", request: "PATCH /tools/{tool_id}", body: "| name description type url method headers parameters secret", success: 200, responseType: "item", also: [404, 409], response: tool },
  { operation: "tools.delete", request: "DELETE /tools/{tool_id}", success: 200, responseType: "empty", also: [404, 409] },
];
