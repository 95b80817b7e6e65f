import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A resource that the service doesn't have, written by following docs/adding-a-resource.md step by step. */

const contract = `import * as z from "zod";
import { assumed, requiredBy } from "../assumed.js";
import { exampleTimes, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { Name, ObjectId, pageQuery, timestamps } from "../primitives.js";
import { OptionalText } from "../primitives-texts.js";

const Reminder = z.object({
  id: ObjectId,
  name: assumed("D-glossary", z.string()),
  note: assumed("D-glossary", z.string()),
  ...timestamps,
});

const ReminderCreate = z.strictObject({
  name: requiredBy("D-glossary", Name),
  note: OptionalText.default(""),
});
const ReminderUpdate = z.strictObject({ name: Name.optional(), note: OptionalText.optional() });

setExample(Reminder, {
  id: "65f0c0ffee65f0c0ffee000f",
  name: "Recall",
  note: "Prophylaxe",
  ...exampleTimes,
});
setExample(ReminderCreate, { name: "Recall" });
setExample(ReminderUpdate, { note: "Prophylaxe" });

export const reminders = defineOperations(
  { api: "public", about: "Appointments that assistants remind of.", area: "reminders" },
  {
    "reminders.list": {
      method: "GET",
      path: "/reminders",
      summary: "List reminders",
      query: pageQuery({}),
      responseShape: "page",
      response: Reminder,
    },
    "reminders.create": {
      method: "POST",
      path: "/reminders",
      summary: "Create a reminder",
      body: ReminderCreate,
      responseShape: "item",
      response: Reminder,
    },
    "reminders.get": {
      method: "GET",
      path: "/reminders/{reminder_id}",
      summary: "Show a reminder",
      responseShape: "item",
      response: Reminder,
    },
    "reminders.update": {
      method: "PATCH",
      path: "/reminders/{reminder_id}",
      summary: "Change a reminder",
      body: ReminderUpdate,
      responseShape: "item",
      response: Reminder,
    },
    "reminders.delete": {
      method: "DELETE",
      path: "/reminders/{reminder_id}",
      summary: "Delete a reminder",
      responseShape: "empty",
    },
  },
);

export type Reminder = z.output<typeof Reminder>;
`;

const handlers = `import type { Reminder, reminders } from "../../contract/public/reminders.js";
import type { Handlers } from "../context.js";
import { plantRecord } from "../kernel/planting.js";
import { Table } from "../kernel/table.js";
import type { PlantDemo } from "../seed/seed.js";

export const remindersSchema = \`
CREATE TABLE reminders (
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  members TEXT NOT NULL,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;
\`;

const table = new Table<Reminder>("reminders", "the reminder", { columns: [], members: ["name", "note"] });

export const reminderHandlers: Handlers<typeof reminders> = {
  "reminders.list": (context, { query }) => table.page(context, query),

  "reminders.create": (context, { body }) => table.insert(context, body),

  "reminders.get": (context, { path }) => table.get(context, path.reminder_id),

  "reminders.update": (context, { path, body }) =>
    table.update(context, table.require(context, path.reminder_id), body),

  "reminders.delete": (context, { path }) => table.delete(context, path.reminder_id),
};

/** A reminder of the practice. */
export const plantReminders: PlantDemo = (state, organizationId) =>
  plantRecord(state, table, organizationId, { name: "Recall", note: "Prophylaxe nach sechs Monaten" });
`;

const noun = `import { reminders as reminderOperations } from "../../contract/public/reminders.js";
import type { Noun } from "../derive/noun.js";
import { showBeginning } from "../output/fields.js";

export const reminders: Noun = {
  name: "reminders",
  noun: "reminder",
  plural: "reminders",
  summary: "Reminders: appointments that assistants remind of",
  operations: reminderOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name" },
    { header: "NOTE", value: showBeginning("note", 60), optional: true },
  ],
  referable: { list: "reminders.list", noun: "reminder" },
  verbs: {
    "reminders.list": { examples: [{ command: "voxctl reminders list" }] },
    "reminders.get": { examples: [{ command: "voxctl reminders get Recall" }] },
    "reminders.create": { examples: [{ command: "voxctl reminders create --name Recall" }] },
    "reminders.update": { examples: [{ command: "voxctl reminders update Recall --note Prophylaxe" }] },
    "reminders.delete": { examples: [{ command: "voxctl reminders delete Recall" }] },
  },
};
`;

const test = `import { expect, it } from "vitest";
import { testOnBothTransports } from "../../helpers/test-emulator.js";

testOnBothTransports("reminders", (open) => {
  it("[D-glossary] a reminder is made, changed and deleted", async () => {
    await using emulator = await open();
    const made = await emulator.ask("POST", "/reminders", { body: { name: "Recall" } });
    expect(made).toMatchObject({ status: 201, body: { data: { name: "Recall", note: "" } } });
    const at = \`/reminders/\${made.body.data.id}\`;
    expect((await emulator.ask("PATCH", at, { body: { note: "X" } })).body.data.note).toBe("X");
    expect((await emulator.ask("DELETE", at)).status).toBe(200);
    expect((await emulator.ask("GET", at)).status).toBe(404);
  });
});
`;

const written: Readonly<Record<string, string>> = {
  "src/contract/public/reminders.ts": contract,
  "src/emulator/public/reminders.ts": handlers,
  "src/cli/nouns/reminders.ts": noun,
  "test/emulator/public/reminders.test.ts": test,
};

const times = "created_at updated_at";
const reminder = `id | name note ${times}`;
const row = (line: string) => `  { ${line} },\n`;

/** Lines to add to files, each before the last occurrence of its marker. */
const added: readonly (readonly [path: string, mark: string, line: string])[] = [
  [
    "src/contract/contract.ts",
    "import { statistics }",
    'import { reminders } from "./public/reminders.js";\n',
  ],
  ["src/contract/contract.ts", "};\n\n/**", "  reminders,\n"],
  [
    "src/emulator/resources.ts",
    "  voices: async () =>",
    `  reminders: async () =>
    resource(
      (await import("../contract/public/reminders.js")).reminders,
      (await import("./public/reminders.js")).reminderHandlers,
    ),
`,
  ],
  [
    "src/emulator/resources.ts",
    "  ];\n}\n\n/**",
    '    (await import("./public/reminders.js")).remindersSchema,\n',
  ],
  ["src/emulator/resources.ts", "  ];\n}\n", '    (await import("./public/reminders.js")).plantReminders,\n'],
  [
    "src/cli/catalog.ts",
    '        resource(\n          "voices",',
    `        resource(
          "reminders",
          "appointments that assistants remind of",
          async () => (await import("./nouns/reminders.js")).reminders,
        ),
`,
  ],
  [
    "test/independent/collect-responses.ts",
    '    await resource(\n      "forwardings",',
    '    await resource("reminders", "/reminders", { name: "Recall" }, { note: "Prophylaxe" });\n',
  ],
  [
    "test/library/types.test.ts",
    "import type { statistics }",
    'import type { reminders } from "../../src/contract/public/reminders.js";\n',
  ],
  ["test/library/types.test.ts", "  typeof statistics &", "  typeof reminders &\n"],
  ["test/fuzz/fuzz.test.ts", '  tool_id: "tools"', '  reminder_id: "reminders",\n'],
  [
    "test/independent/table-public.ts",
    '  { operation: "contacts.list"',
    [
      `operation: "reminders.list", request: "GET /reminders", query: "cursor limit", success: 200, responseType: "page", also: [], response: "${reminder}"`,
      `operation: "reminders.create", request: "POST /reminders", body: "| name! note", success: 201, responseType: "item", also: [], response: "${reminder}"`,
      `operation: "reminders.get", request: "GET /reminders/{reminder_id}", success: 200, responseType: "item", also: [404], response: "${reminder}"`,
      `operation: "reminders.update", request: "PATCH /reminders/{reminder_id}", body: "| name note", success: 200, responseType: "item", also: [404], response: "${reminder}"`,
      `operation: "reminders.delete", request: "DELETE /reminders/{reminder_id}", success: 200, responseType: "empty", also: [404]`,
    ]
      .map(row)
      .join(""),
  ],
];

/** Paths of the scratch resource, with `<resource>` instead of its name. */
export const touchedPaths: readonly string[] = [
  ...new Set(
    [...Object.keys(written), ...added.map(([path]) => path)].map((path) =>
      path.replace("reminders", "<resource>"),
    ),
  ),
];

export function addScratchResource(root: string): void {
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const [path, mark, line] of added) {
    const file = join(root, path);
    const text = readFileSync(file, "utf8");
    const at = text.lastIndexOf(mark);
    if (at === -1) throw new Error(`${path} has no "${mark}"`);
    writeFileSync(file, text.slice(0, at) + line + text.slice(at));
  }
}
