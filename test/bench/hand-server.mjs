// A server for comparison that an expert could write in an hour with Hono, zod and SQLite. It has keys,
// limits, the API rules of contacts, and the emulator's durability. Run by `node hand-server.mjs
// DIRECTORY-WITH-HONO DATABASE`.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as z from "zod";

const [folder, path] = process.argv.slice(2);
const installed = createRequire(join(folder, "package.json"));
const { Hono } = installed("hono");
const { serve } = installed("@hono/node-server");
const isNewer = Number(process.versions.node.split(".")[0]) >= 24;
const { DatabaseSync } = createRequire(import.meta.url)(isNewer ? "node:sqlite" : "@photostructure/sqlite");

const database = new DatabaseSync(path);
database.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
  CREATE TABLE groups (id TEXT PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE contacts (
    id TEXT PRIMARY KEY, group_id TEXT NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
    first_name TEXT NOT NULL, last_name TEXT NOT NULL, phone_numbers TEXT NOT NULL, emails TEXT NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL
  );
  CREATE INDEX contacts_by_group ON contacts(group_id, id);
  INSERT INTO groups VALUES ('${"a".repeat(24)}', 'Default');
`);
// With older versions of Node.js, the driver crashes if a statement outlives its database.
process.on("exit", () => database.close());
const statements = {
  group: database.prepare("SELECT 1 FROM groups WHERE id = ?"),
  one: database.prepare("SELECT * FROM contacts WHERE id = ?"),
  page: database.prepare("SELECT * FROM contacts WHERE id > ? ORDER BY id LIMIT ?"),
  insert: database.prepare("INSERT INTO contacts VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
};

const Id = z.string().regex(/^[0-9a-f]{24}$/);
const Contact = z.strictObject({
  group_id: Id,
  first_name: z.string().trim().min(1).max(200),
  last_name: z.string().trim().max(200).default(""),
  phone_numbers: z
    .array(z.string().regex(/^\+[1-9]\d{5,14}$/))
    .max(10)
    .default([]),
  emails: z.array(z.email()).max(10).default([]),
});
const Page = z.object({ limit: z.coerce.number().int().min(1).max(200).default(50), cursor: Id.optional() });

const digestOf = (key) => createHash("sha256").update(key).digest("hex");
const keys = new Set([digestOf("hand")]);
const windows = new Map();
let serial = 0;
const nextId = () => {
  serial += 1;
  return (
    Math.floor(Date.now() / 1000)
      .toString(16)
      .padStart(8, "0") + serial.toString(16).padStart(16, "0")
  );
};
const shown = (contact) => ({
  ...contact,
  phone_numbers: JSON.parse(contact.phone_numbers),
  emails: JSON.parse(contact.emails),
});
const refuse = (context, status, code, message) =>
  context.json({ error: { code, message, details: [] } }, status);

const app = new Hono();
app.use(async (context, next) => {
  const digest = digestOf((context.req.header("authorization") ?? "").replace(/^Bearer /, ""));
  if (!keys.has(digest)) return refuse(context, 401, "unauthorized", "the key is not valid");
  const now = Date.now();
  const name = `${digest} ${context.req.method === "GET" ? "read" : "write"}`;
  let window = windows.get(name);
  if (!window || now >= window.endsAt) {
    window = { endsAt: now + 60_000, count: 0 };
    windows.set(name, window);
  }
  window.count += 1;
  if (window.count > 1e9) return refuse(context, 429, "rate_limit_exceeded", "the limit is used up");
  context.header("X-RateLimit-Limit", "1000000000");
  context.header("X-RateLimit-Remaining", String(1e9 - window.count));
  context.header("X-RateLimit-Reset", String(Math.ceil(window.endsAt / 1000)));
  return next();
});
app.get("/contacts/:id", (context) => {
  const id = Id.safeParse(context.req.param("id"));
  if (!id.success) return refuse(context, 400, "validation_failed", "the id is malformed");
  const contact = statements.one.get(id.data);
  return contact ? context.json({ data: shown(contact) }) : refuse(context, 404, "not_found", "no contact");
});
app.get("/contacts", (context) => {
  const query = Page.safeParse(context.req.query());
  if (!query.success) return refuse(context, 400, "validation_failed", query.error.message);
  const { limit, cursor } = query.data;
  const rows = statements.page.all(cursor ?? "", limit + 1);
  const hasMore = rows.length > limit;
  const data = rows.slice(0, limit).map(shown);
  return context.json({
    data,
    meta: { has_more: hasMore, next_cursor: hasMore ? data.at(-1).id : null },
  });
});
app.post("/contacts", async (context) => {
  const body = Contact.safeParse(await context.req.json().catch(() => undefined));
  if (!body.success) return refuse(context, 400, "validation_failed", body.error.message);
  const { group_id, first_name, last_name, phone_numbers, emails } = body.data;
  if (!statements.group.get(group_id)) return refuse(context, 404, "not_found", "no group");
  const now = new Date().toISOString();
  const contact = { id: nextId(), ...body.data, created_at: now, updated_at: now };
  statements.insert.run(
    ...[contact.id, group_id, first_name, last_name],
    ...[JSON.stringify(phone_numbers), JSON.stringify(emails), now, now],
  );
  return context.json({ data: contact }, 201);
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(port));
