// The smallest program that does the work of a get, a page and a durable create. It checks the key's digest
// and a rate-limit window in memory. It stores rows as text in SQLite, with one commit for concurrent
// requests, and keeps the last requests in memory. It has no API rules, validation or faults. Its speed is
// the upper limit for the emulator. Run by `node smallest-server.mjs DATABASE`.
import { hash } from "node:crypto";
import { createServer } from "node:http";
import { openSqlite } from "./servers.mjs";

const database = openSqlite(process.argv[2]);
database.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 2000;
  CREATE TABLE groups (id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE contacts (id TEXT PRIMARY KEY, group_id TEXT NOT NULL REFERENCES groups(id), object TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX contacts_by_group ON contacts(group_id, id);
  INSERT INTO groups VALUES ('${"a".repeat(24)}');
`);
process.on("exit", () => database.close());
const statements = {
  begin: database.prepare("BEGIN IMMEDIATE"),
  commit: database.prepare("COMMIT"),
  one: database.prepare("SELECT object FROM contacts WHERE id = ?"),
  page: database.prepare(
    "SELECT group_concat(object) AS objects, max(id) AS last FROM (SELECT id, object FROM contacts WHERE id > ? ORDER BY id LIMIT ?)",
  ),
  insert: database.prepare("INSERT INTO contacts VALUES (?, ?, ?)"),
  change: database.prepare("UPDATE contacts SET object = ? WHERE id = ?"),
};
const key = hash("sha256", "smallest", "hex");
let window = { endsAt: 0, count: 0 };
let serial = 0;
const log = [];
let group;

function commit() {
  const answers = group;
  group = undefined;
  statements.commit.run();
  for (const answer of answers) answer();
}

/** Responds when all concurrent requests are committed. */
function committed(work, answer) {
  if (!group) {
    group = [];
    statements.begin.run();
    setImmediate(commit);
  }
  const result = work();
  group.push(() => answer(result));
}

function objectOf(id, body) {
  const now = new Date().toISOString();
  return JSON.stringify({ id, ...body, created_at: now, updated_at: now });
}

function written(request, body) {
  if (request.method === "POST") {
    serial += 1;
    const id = serial.toString(16).padStart(24, "0");
    const object = objectOf(id, body);
    statements.insert.run(id, body.group_id, object);
    return `{"data":${object}}`;
  }
  const id = request.url.slice(-24);
  const object = objectOf(id, { ...JSON.parse(statements.one.get(id).object), ...body });
  statements.change.run(object, id);
  return `{"data":${object}}`;
}

function read({ url }) {
  const mark = url.indexOf("?limit=");
  if (mark < 0) return `{"data":${statements.one.get(url.slice(-24)).object}}`;
  const { objects, last } = statements.page.get("", Number(url.slice(mark + 7)));
  return `{"data":[${objects}],"meta":{"has_more":true,"next_cursor":"${last}"}}`;
}

const server = createServer((request, response) => {
  const send = (status, body) => {
    const now = Date.now();
    if (hash("sha256", (request.headers.authorization ?? "").slice(7), "hex") !== key)
      return response.destroy();
    if (now >= window.endsAt) window = { endsAt: now + 60_000, count: 0 };
    window.count += 1;
    if (log.push({ at: now, url: request.url, status, body }) > 1_000) log.splice(0, 500);
    response.writeHead(status, {
      "Content-Type": "application/json; charset=utf-8",
      "X-RateLimit-Limit": "1000000000",
      "X-RateLimit-Remaining": String(1e9 - window.count),
      "X-RateLimit-Reset": String(Math.ceil(window.endsAt / 1000)),
      "Content-Length": Buffer.byteLength(body),
    });
    response.end(body);
  };
  if (request.method === "GET") {
    send(200, read(request));
    return;
  }
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(chunks).toString());
    committed(
      () => written(request, body),
      (text) => send(request.method === "POST" ? 201 : 200, text),
    );
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
