// Writes to copies of a service whose data differs from the emulator's assumptions.
import { expect, it } from "vitest";
import { commandLine } from "../helpers/cli.js";
import { openFork, readAllRows } from "../helpers/mirror.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

// biome-ignore lint/suspicious/noExplicitAny: rows of any resource
type AnyRow = any;

/** `change` changes the rows that the source returns. */
async function copyWith(resource: string, change: (row: AnyRow) => object) {
  await using source = await openTestEmulator("in process", { seed: "demo" });
  await source.advance(60);
  const overrides = reshapeResponses(source.instance, ({ path }, { body }) => {
    if (!new RegExp(`/${resource}(\\?|/|$)`).test(path)) return undefined;
    const { data } = body;
    return { body: { ...body, data: Array.isArray(data) ? data.map(change) : change(data) } };
  });
  const { run, data } = commandLine({ overrides });
  const made = await run("mirror", "create", "acme", "-o", "json");
  expect(made.code, made.stderr).toBe(0);
  return openFork(data, "acme");
}

const withAuth = (auth: object) => (row: AnyRow) =>
  row.pre_call_webhook ? { ...row, pre_call_webhook: { ...row.pre_call_webhook, auth } } : row;

it.each(["bearer", "basic", "api_key", "oauth2"])(
  "[public.operations.7k] a fork accepts its own webhook with auth of type %s",
  async (type) => {
    const { ask } = await copyWith("assistants", withAuth({ type }));
    const assistant = (await readAllRows(ask, "/assistants")).find((row) => row.pre_call_webhook);
    const { pre_call_webhook } = assistant;
    const sent = { ...pre_call_webhook, url: "https://example.org/moved" };
    const changed = await ask("PATCH", `/assistants/${assistant.id}`, { pre_call_webhook: sent });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(changed.body.data.pre_call_webhook).toMatchObject(sent);
  },
);

it("[public.operations.1a] a fork can delete a group of an undocumented type", async () => {
  const { ask } = await copyWith("groups", (row) =>
    row.type === "contacts" ? { ...row, type: "labels" } : row,
  );
  const groups = (await readAllRows(ask, "/groups")).filter(({ type }) => type === "labels");
  const statuses: number[] = [];
  for (const { id } of groups) statuses.push((await ask("DELETE", `/groups/${id}`)).status);
  expect(statuses).toEqual([...groups.slice(1).map(() => 200), 409]);
});

it.each(["name", "kind", "text"])("[D-prompt] a fork refuses a prompt without its %s", async (field) => {
  const { ask } = await copyWith("prompts", (row) => ({ ...row, name: ` ${row.name} `, kind: "chat" }));
  const { [field as "name"]: _, ...prompt } = { name: "Reception", kind: "answering", text: "Be kind." };
  const refused = await ask("POST", "/prompts", prompt);
  expect(refused.status, JSON.stringify(refused.body)).toBe(400);
});

it("[M10] [mirror.unknown-field] a fork refuses an unknown field within a field", async () => {
  const { ask, emulator } = await copyWith("calendars", (row) => ({
    ...row,
    schedules: row.schedules.map((schedule: object) => ({ ...schedule, label: "x" })),
  }));
  const [{ id, schedules }] = await readAllRows(ask, "/calendars");
  const refused = await ask("PATCH", `/calendars/${id}`, { schedules });
  expect([refused.status, refused.headers.get("x-emulator-rule")]).toEqual([400, "mirror.unknown-field"]);
  expect(refused.body.error.details[0].path).toEqual(["schedules", "label"]);
  expect(await emulator.control("GET", "/mirror")).toMatchObject({
    manifest: { unknown_fields: { calendars: ["schedules.label"] }, contradicted: [] },
  });
});
