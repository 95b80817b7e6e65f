import { inFile, type Mutant } from "./mutant.js";

/** Of what the contract says of fields, limits and paths. */
export const contractMutants: readonly Mutant[] = [
  ...inFile("contract/primitives", [
    ["D-empty-text", 'text.trim() === "" ? "" : text', "text"],
    ["public.general.7", "/^[a-f0-9]{24}$/", "/^[a-fA-F0-9]{24}$/"],
    ["public.general.8", "/^\\+\\d{6,20}$/", "/^\\+\\d{5,20}$/"],
    ["D-text", "text.length <= 200 || codePoints(text) <= 200", "text.length <= 200"],
    ["D-limit", ".default(50)", ".default(49)"],
  ]),
  ...inFile("contract/operation", [
    ["D-roles", 'DELETE: "delete",', 'DELETE: "write",'],
    ["public.limits.write", '(method === "GET" ? "read" : "write")', '"read"'],
  ]),
  ...inFile("contract/limits", [
    [
      "public.limits.read",
      "read: { limit: 1000, windowSeconds: 60 }",
      "read: { limit: 1001, windowSeconds: 60 }",
    ],
    [
      "public.limits.write",
      "write: { limit: 200, windowSeconds: 60 }",
      "write: { limit: 201, windowSeconds: 60 }",
    ],
    [
      "public.limits.outbound",
      "outbound_trigger: { limit: 60, windowSeconds: 3600 }",
      "outbound_trigger: { limit: 60, windowSeconds: 60 }",
    ],
    [
      "dist.limits.1",
      "distributor: { limit: 60, windowSeconds: 60 }",
      "distributor: { limit: 61, windowSeconds: 60 }",
    ],
    ["legacy.limit", "legacy: { limit: 60, windowSeconds: 60 }", "legacy: { limit: 61, windowSeconds: 60 }"],
    ["public.limits.1", "cooldownSeconds = 60;", "cooldownSeconds = 59;"],
  ]),
  ...inFile("contract/public/pre-call-webhook", [
    ["public.webhook.url", "!webhook.enabled || (webhook.url !== undefined && webhook.url !== null)", "true"],
    [
      "public.webhook.enabled",
      'enabled: z.boolean("must be true or false"),\n      url',
      'enabled: z.boolean("must be true or false").default(false),\n      url',
    ],
    [
      "public.operations.7k",
      'z.strictObject({ type: z.literal("bearer"), secret: Secret.optional(), ...shown })',
      'z.strictObject({ type: z.literal("bearer"), secret: Secret.optional() })',
    ],
  ]),
  ...inFile("contract/public/forwardings", [
    ["public.operations.8c", 'z.union([E164, z.literal("")]', "z.union([E164, E164]"],
    ["public.forwarding.types", "z.enum(destinationTypes, ", "z.string("],
    ["D-forwarding", '.max(300, "must', '.max(301, "must'],
  ]),
  ...inFile("contract/public/pronunciation", [["public.pronunciation.token", "/^\\S+$/u", "/\\S/u"]]),
  ...inFile("contract/version", [["public.versioning.1", '"1.6.0"', '"1.6.1"']]),
  ...inFile("contract/primitives-http", [
    [
      "public.general.5b",
      'isObject(value), "must be an object")',
      'isObject(value), "must be an object")\n    .transform((value) =>\n      Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one])),\n    )',
    ],
    ["D-webhook", 'username === "" && password === "" ? undefined', "username !== password ? undefined"],
  ]),
  ...inFile("contract/primitives-items", [["public.items.group-immutable", "z.never(", "z.string("]]),
  ...inFile("contract/public/contacts", [
    [
      "public.contact.fields",
      "    first_name: fields.first_name,\n",
      '    first_name: fields.first_name.default("x"),\n',
    ],
    ["D-contact", '.max(10, "must be at most 10 numbers")', '.max(11, "must be at most 10 numbers")'],
    ["public.endpoints.delete", 'answer: "empty"', 'answer: "item"'],
  ]),
  ...inFile("contract/public/voices", [["public.endpoints.voices", 'answer: "list"', 'answer: "page"']]),
  ...inFile("contract/public/groups", [["public.group.types", "z.enum(groupTypes, ", "z.string("]]),
  ...inFile("contract/public/prompts", [["public.prompt.kinds", "z.enum(promptKinds, ", "z.string("]]),
  ...inFile("contract/public/assistants", [
    [
      "public.assistant.required",
      "    ...fields,\n",
      '    ...fields,\n    introduction: LongText.default(""),\n',
    ],
    [
      "public.assistant.readonly",
      "const AssistantUpdate = z.strictObject({",
      "const AssistantUpdate = z.strictObject({\n  phone_number: E164.optional(),",
    ],
    ["D-assistant", "new Set(ids).size === ids.length", "new Set(ids).size <= ids.length"],
  ]),
  ...inFile("contract/public/schedules", [
    ["public.calendar.kinds", "z.enum(scheduleKinds, ", "z.string("],
    ["D-calendar", "if (before && from < before.to) {", "if (before && from < before.from) {"],
  ]),
  ...inFile("contract/public/tools", [
    ["public.tool.webhook-only", 'z.literal("webhook", ', 'z.enum(["webhook", "mcp"], '],
  ]),
  ...inFile("contract/public/calls", [
    [
      "public.operations.12a",
      '{ rule: "public.operations.12a", names: ["assistant_id", "assistant_phone"] },\n',
      "",
    ],
    ["public.operations.12b", '{ rule: "public.operations.12b", names: ["to", "target_phone"] },\n', ""],
    ["public.operations.12c", "details: LongText.optional().meta(", "details: LongText.meta("],
  ]),
  ...inFile("contract/public/recordings", [
    ["public.operations.14b", 'area: "call_logs.call_recording"', "area: null"],
  ]),
  ...inFile("contract/public/statistics", [
    ["public.operations.16a", "wholeNumber(1, 53)", "wholeNumber(0, 53)"],
  ]),
  ...inFile("contract/public/glossary", [
    ["D-glossary", 'definition: OptionalText.default("")', "definition: OptionalText"],
  ]),
];
