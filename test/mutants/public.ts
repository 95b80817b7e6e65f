import { inFile, type Mutant } from "./mutant.js";

/** Of the Public API's resources. */
export const publicMutants: readonly Mutant[] = [
  ...inFile("emulator/public/groups", [
    ["public.operations.1b", "field !== null && isAssigned(context, field, group.id)", "field === null"],
    ["public.operations.1c", '(Number(row?.["n"]) <= 1)', '(Number(row?.["n"]) < 1)'],
    ["public.group.own-type", "table.find(context, id)?.type !== type", "!table.find(context, id)"],
    ["D-group", 'taken && taken["id"] !== exceptId', "taken && exceptId === undefined"],
  ]),
  ...inFile("emulator/public/contacts", [
    [
      "public.contact.group",
      'requireGroup(context, body.group_id, "contacts", "public.contact.group");\n    // D-contact',
      "// D-contact",
    ],
  ]),
  ...inFile("emulator/database/schema/contacts", [
    [
      "public.operations.1a",
      "REFERENCES groups(id) ON DELETE CASCADE",
      "REFERENCES groups(id) ON DELETE NO ACTION",
    ],
  ]),
  ...inFile("emulator/public/prompts", [
    ["D-rating-off", "? context.now : null;", "? context.now : (undefined as unknown as null);"],
    [
      "public.operations.3a",
      "WHERE prompt_id = ? AND organization_id",
      "WHERE prompt_id IS NULL AND ?1 IS NULL AND organization_id",
    ],
    [
      "public.operations.3b",
      "WHERE prompt_id = ? AND organization_id",
      "WHERE ? IN (prompt_id, email_prompt_id) AND organization_id",
    ],
    ["public.prompt.rating", 'features.has("prompt_rating")', 'features.has("public_api")'],
    ["D-prompt", "prompt && (prompt.kind === kind || context", "prompt && (prompt.kind !== kind || context"],
  ]),
  ...inFile("emulator/public/knowledge", [
    [
      "public.states.patch",
      "askForIndexing(context, id);\n    return",
      "if (Object.keys(body).length > 0) askForIndexing(context, id);\n    return",
    ],
    [
      "public.knowledge.text",
      "return { ...fields, sync_status, created_at, updated_at };",
      "return { ...fields, text: readText(context, row.id), sync_status, created_at, updated_at } as KnowledgeItem;",
    ],
    ["public.states.failed", '? "failed" : "synced"', '? "synced" : "synced"'],
    [
      "public.knowledge.sync",
      "return { ...fields, sync_status, created_at, updated_at };",
      'return { ...fields, sync_status: { ...sync_status, state: "done" }, created_at, updated_at };',
    ],
    ["public.states.create", "indexing_asked_at: context.now,", "indexing_asked_at: context.now - 5_000,"],
    ["public.operations.2", "askForIndexing(context, id);\n    return", "return"],
  ]),
  ...inFile("emulator/public/knowledge-indexing", [
    ["public.states.queue", 'ends === "lost" || age', "age"],
    [
      "public.states.indexing",
      'return status("syncing", askedAt + startsAfterMilliseconds);',
      'return status("pending", askedAt);',
    ],
    ["D-knowledge", "endsAfterMilliseconds = 3_000", "endsAfterMilliseconds = 4_000"],
  ]),
  ...inFile("emulator/public/assistants", [
    [
      "public.assistant.refs",
      'for (const id of body.tool_ids ?? []) requireOwn(context, "tools", "the tool", id);',
      "",
    ],
    [
      "D-voice",
      "body.voice_id !== undefined && body.voice_id !== assistant.voice_id",
      "body.voice_id !== undefined",
    ],
    ["public.operations.4b", "requireReferences(context, body);\n    return shown(", "return shown("],
    [
      "public.operations.6b",
      "body.introduction !== undefined && assistant.greeting_locked",
      "body.introduction !== assistant.introduction && body.introduction !== undefined && assistant.greeting_locked",
    ],
    ["public.operations.7j", "if (refusal) return refusal;", ""],
    [
      "public.webhook.secrets",
      "const { webhook_headers, webhook_credential, enterprise, greeting_locked, ...assistant } = row;",
      "const { webhook_headers, enterprise, greeting_locked, ...assistant } = row;",
    ],
    ["public.operations.4c", "encryptSecret(world.options, credential.sent)", "credential.sent"],
    ["public.operations.5", "{ ...changes, ...columns }", '{ company_industry: "", ...changes, ...columns }'],
  ]),
  ...inFile("emulator/public/webhook-merge", [
    ["public.operations.7a", 'return { kind: "preserved" };', 'return { kind: "removed" };'],
    [
      "public.operations.7b",
      'if (sent === null || !merged) return { kind: "removed" };',
      'if (sent === null || !merged) return { kind: "preserved" };',
    ],
    [
      "public.operations.7c",
      "sent.url === undefined ? (stored?.webhook.url ?? null) : sent.url",
      "sent.url ?? null",
    ],
    ["public.operations.7d", ": (sent.headers ?? {}),", ": { ...stored?.webhook.headers, ...sent.headers },"],
    [
      "public.operations.7e",
      "if (sent === null) return { auth: null, credential: null };",
      "if (sent === null) return { auth: old, credential: oldCredential };",
    ],
    ["public.operations.7f", "(same ? oldCredential : null)", "null"],
    ["public.operations.7g", "const same = old?.type === sent.type;", "const same = old !== null;"],
    [
      "public.operations.7h",
      "enabled: sent.enabled,",
      "enabled: sent.enabled || (stored?.webhook.enabled ?? false),",
    ],
    ["public.operations.7i", "if (line.enterprise) {", "if (line.enterprise && sent !== null) {"],
    [
      "D-enterprise",
      "if (line.enterprise) {",
      "if (line.enterprise && sent?.enabled !== stored?.webhook.enabled) {",
    ],
  ]),
  ...inFile("emulator/public/forwardings", [
    [
      "public.operations.8b",
      'destination[field] !== null && destination[field] !== ""',
      "destination[field] !== null",
    ],
    [
      "public.operations.8a",
      'requireGroup(context, body.group_id, "forwardings", "public.operations.8a");',
      "",
    ],
    [
      "D-head",
      '"forwardings.list": (context, { query }) => table.page(context, query, { group_id: query.group_id }),',
      '"forwardings.list": (context, { query }) => {\n    if (query.group_id) requireGroup(context, query.group_id, "forwardings", "D-head");\n    return table.page(context, query, { group_id: query.group_id });\n  },',
    ],
  ]),
  ...inFile("emulator/public/pronunciation", [
    [
      "public.operations.10",
      'requireGroup(context, body.group_id, "pronunciations", "public.operations.10");',
      "",
    ],
    [
      "D-pronunciation",
      "if (replacement !== null || spell_out",
      "if (replacement !== undefined || spell_out",
    ],
  ]),
  ...inFile("emulator/public/calendars", [
    [
      "public.calendar.unique",
      "if (body.name !== undefined) refuseTakenName(context, body.name, calendar.id);",
      "",
    ],
    ["public.operations.11c", "refuseAssigned(context, calendar);\n", "\n"],
    ["public.operations.11", "refuseTakenName(context, body.name);\n    return", "return"],
    [
      "public.operations.11b",
      "return table.update(context, calendar.id, body);",
      "return table.update(context, calendar.id, {\n      ...body,\n      ...(body.schedules && { schedules: [...calendar.schedules, ...body.schedules] }),\n    });",
    ],
  ]),
  ...inFile("emulator/public/tools", [
    ["public.tool.secret", "has_secret: secret !== null", "has_secret: true"],
    ["D-tool", "refuseAssigned(context, row);\n    table", "table"],
  ]),
  ...inFile("emulator/public/voices", [
    ["public.operations.17", "WHERE selectable = 1 ORDER", "ORDER"],
    ["public.voice.generations", '  generation: "text",\n', ""],
  ]),
  ...inFile("emulator/public/ping", [["public.endpoints.ping", "isoTime(context.now)", "isoTime(0)"]]),
  ...inFile("emulator/public/glossary", [
    [
      "public.operations.9",
      "table.update(context, path.glossary_id, body)",
      'table.update(context, path.glossary_id, { term: "", ...body })',
    ],
  ]),
  ...inFile("emulator/public/numbers", [
    ["public.operations.4a", "return takeNumber(database, organization.id);", "return numberOf(1);"],
  ]),
];
