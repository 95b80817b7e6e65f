/**
 * Checks of request bodies, written from the documents and decisions. They are independent of the contract.
 */
export type Body = Readonly<Record<string, unknown>>;

interface Field {
  /** Required on create. */
  required?: boolean;
  /** Refused in a PATCH. */
  immutable?: boolean;
  /** Accepted, but not stored. */
  writeOnly?: boolean;
  /** The value that a create without this field stores; undefined if the documents don't specify it. */
  initial?: unknown;
  /** Whether the service trims the value, as it does for names (D-text). */
  trims?: boolean;
  isValid(value: unknown): boolean;
}

type Fields = Readonly<Record<string, Field>>;

const isText = (value: unknown) => typeof value === "string";
/** D-text */
const isName = (value: unknown) =>
  typeof value === "string" && value.trim() !== "" && [...value.trim()].length <= 200;
/** public.general.7 */
export const isId = (value: unknown) => typeof value === "string" && /^(?:[a-f0-9]{24}|id-\d+)$/.test(value);
/** public.general.8 */
const isPhone = (value: unknown) => typeof value === "string" && /^\+\d{6,20}$/.test(value);
const orNull = (isValid: (value: unknown) => boolean) => (value: unknown) => value === null || isValid(value);
const listOf = (isValid: (value: unknown) => boolean, most: number) => (value: unknown) =>
  Array.isArray(value) && value.length <= most && value.every(isValid);
/** References have no duplicates (D-assistant). */
const isReferences = (value: unknown) =>
  listOf(isId, Number.POSITIVE_INFINITY)(value) &&
  Array.isArray(value) &&
  new Set(value).size === value.length;
const isOneOf =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value);
const isBoolean = (value: unknown) => typeof value === "boolean";

const name: Field = { required: true, trims: true, isValid: isName };
const groupId: Field = { required: true, isValid: isId };
/** public.items.group-immutable */
const fixedGroupId: Field = { ...groupId, immutable: true };
const references: Field = { initial: [], isValid: isReferences };
const reference: Field = { initial: null, isValid: orNull(isId) };

export const groupTypes = ["contacts", "knowledges", "forwardings", "glossaries", "pronunciations"] as const;

/** Fields according to the section "Resources and their fields" of the documents, and to the decisions. */
export const fieldsOf = {
  contacts: {
    group_id: groupId,
    first_name: name,
    last_name: { trims: true, isValid: orNull(isName) },
    phone_numbers: { initial: [], isValid: listOf(isPhone, 10) },
    emails: { initial: [], isValid: listOf(isText, 10) },
  },
  groups: { type: { required: true, immutable: true, isValid: isOneOf(...groupTypes) }, name },
  "knowledge-items": {
    group_id: groupId,
    name,
    text: { required: true, isValid: isText },
    active: { initial: true, isValid: isBoolean },
  },
  prompts: {
    name,
    kind: { required: true, immutable: true, isValid: isOneOf("answering", "email") },
    text: { required: true, isValid: isText },
  },
  forwardings: {
    group_id: fixedGroupId,
    name: { initial: null, trims: true, isValid: orNull(isName) },
    type: { initial: "standard", isValid: isName },
    destination_type: { required: true, isValid: isOneOf("phone", "sip", "sip_refer") },
    phone_number: { initial: null, isValid: (value) => value === null || value === "" || isPhone(value) },
    sip_uri: { initial: null, isValid: orNull(isText) },
    sip_refer_target: { initial: null, isValid: orNull(isText) },
    timeout: {
      initial: 30,
      isValid: (value) => typeof value === "number" && value >= 1 && value <= 300,
    },
  },
  glossary: { group_id: fixedGroupId, term: name, definition: { isValid: isText } },
  pronunciation: {
    group_id: fixedGroupId,
    token: { required: true, isValid: (value) => typeof value === "string" && /^\S+$/u.test(value) },
    replacement: { isValid: orNull(isName) },
    spell_out: { isValid: isBoolean },
  },
  calendars: {
    name,
    timezone: { initial: "Europe/Berlin", isValid: isOneOf("Europe/Berlin", "Europe/Vienna") },
    schedules: { initial: [], isValid: (value) => Array.isArray(value) },
  },
  tools: {
    name: {
      required: true,
      isValid: (value) => typeof value === "string" && /^[a-z][a-z0-9_]*$/.test(value),
    },
    type: { initial: "webhook", isValid: isOneOf("webhook") },
    url: { required: true, isValid: (value) => typeof value === "string" && /^https?:\/\//.test(value) },
    secret: { writeOnly: true, isValid: orNull(isText) },
  },
  assistants: {
    name,
    language: name,
    voice_id: { required: true, isValid: isId },
    company_name: name,
    company_industry: name,
    introduction: { required: true, isValid: isText },
    prompt_id: reference,
    email_prompt_id: reference,
    knowledge_group_ids: references,
    glossary_group_ids: references,
    pronunciation_group_ids: references,
    forwarding_group_ids: references,
    calendar_ids: references,
    tool_ids: references,
    pre_call_webhook: { writeOnly: true, isValid: (value) => value === null || isObject(value) },
  },
  calls: {
    assistant_id: { isValid: isId },
    assistant_phone: {
      isValid: (value) => isPhone(value) || (isText(value) && String(value).startsWith("phone-")),
    },
    to: { isValid: isText },
    target_phone: { isValid: isText },
    details: { isValid: isText },
  },
} as const satisfies Record<string, Fields>;

export type Resource = keyof typeof fieldsOf;

export function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the sorted paths of the invalid, missing or unknown (D-strict) fields of a body. */
export function findProblems(resource: Resource, body: Body, isCreate: boolean): string[] {
  const fields: Fields = fieldsOf[resource];
  const wrong = Object.entries(body).flatMap(([key, value]) => {
    const field = fields[key];
    if (!field || (!isCreate && field.immutable)) return [key];
    return field.isValid(value) ? [] : [key];
  });
  const missing = Object.entries(fields).flatMap(([key, field]) =>
    isCreate && field.required && !Object.hasOwn(body, key) ? [key] : [],
  );
  return [...wrong, ...missing].sort();
}

/** Returns the stored form of a valid body, with trimmed names (D-text). */
export function toStored(resource: Resource, body: Body, isCreate: boolean): Record<string, unknown> {
  const fields: Fields = fieldsOf[resource];
  const stored: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields)) {
    if (field.writeOnly) continue;
    const value = Object.hasOwn(body, key) ? body[key] : isCreate ? field.initial : undefined;
    if (value !== undefined) stored[key] = field.trims && typeof value === "string" ? value.trim() : value;
  }
  return stored;
}
