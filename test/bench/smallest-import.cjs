// The smallest program that does the work of an import in process. It reads the rows of a file, normalizes their
// numbers, finds repeated rows, and journals each row as planned, sent and done. It creates each contact with a
// separate request. The request checks the key's digest and the window, assigns an id and stores the text that the
// API shows. The program reads the response. As in voxctl, the requests of a turn share one commit, and their journal
// entries share another. It has no validation, rules, faults, log or pacing. It shows the limit for an import. node
// smallest-import.cjs DATABASE JOURNAL FILE
const { hash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const isNewer = Number(process.versions.node.split(".")[0]) >= 24;
const { DatabaseSync } = require(isNewer ? "node:sqlite" : "@photostructure/sqlite");

const [worldPath, journalPath, file] = process.argv.slice(2);
const rowsPerPlan = 1_000;
const requestsPerTurn = 32;

function opened(path) {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  return {
    database,
    inTransaction(work) {
      begin.run();
      work();
      commit.run();
    },
  };
}

const journal = opened(journalPath);
journal.database.exec(`
  CREATE TABLE items (number INTEGER PRIMARY KEY, state TEXT NOT NULL, body TEXT, fingerprint TEXT, target TEXT, answer TEXT);
  CREATE INDEX items_open ON items (state, number) WHERE state IN ('planned', 'sent');
  CREATE INDEX items_target ON items (target) WHERE target IS NOT NULL;
  CREATE TABLE row_keys (key TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
`);
const items = {
  plan: journal.database.prepare(
    "INSERT INTO items (number, state, body, fingerprint) VALUES (?, 'planned', ?, ?)",
  ),
  key: journal.database.prepare("INSERT OR IGNORE INTO row_keys (key, number) VALUES (?, ?)"),
  next: journal.database.prepare(
    "SELECT number, body FROM items WHERE state = 'planned' ORDER BY number LIMIT ?",
  ),
  sent: journal.database.prepare("UPDATE items SET state = 'sent' WHERE number = ?"),
  done: journal.database.prepare("UPDATE items SET state = 'done', target = ?, answer = ? WHERE number = ?"),
};

const world = opened(worldPath);
const organization = world.database.prepare("SELECT min(id) AS id FROM organizations").get().id;
const group = "f".repeat(24);
world.database
  .prepare(
    "INSERT INTO groups (id, organization_id, type, name, created_at, updated_at) VALUES (?, ?, ?, ?, 0, 0)",
  )
  .run(group, organization, "contacts", "Bench");
const insert = world.database.prepare(
  "INSERT INTO contacts (organization_id, id, group_id, members) VALUES (?, ?, ?, ?)",
);
const count = world.database.prepare(
  "INSERT INTO windows (scope, bucket, started_at, count) VALUES ('smallest', 'write', ?, ?) ON CONFLICT DO UPDATE SET count = excluded.count",
);
const key = "a key";
const digest = hash("sha256", key, "hex");
const window = { startedAt: Date.now(), count: 0 };

/** A create: request and response are text. */
function created(presented, request) {
  if (hash("sha256", presented, "hex") !== digest) throw new Error("401");
  window.count += 1;
  const { group_id, ...members } = JSON.parse(request);
  const now = new Date().toISOString();
  const id = window.count.toString(16).padStart(24, "0");
  const text = JSON.stringify({ ...members, created_at: now, updated_at: now }).slice(1);
  insert.run(organization, id, group_id, text);
  return `{"data":{"id":"${id}","group_id":"${group_id}",${text}}`;
}

function e164(written) {
  const digits = written.replace(/[^\d+]/g, "");
  return digits.startsWith("0") ? `+49${digits.slice(1)}` : digits;
}

const [, ...lines] = readFileSync(file, "utf8").trim().split("\n");
for (let at = 0; at < lines.length; at += rowsPerPlan) {
  journal.inTransaction(() => {
    for (const [index, line] of lines.slice(at, at + rowsPerPlan).entries()) {
      const [first_name, last_name, phone, email] = line.split(";");
      const body = JSON.stringify({
        first_name,
        last_name,
        phone_numbers: [e164(phone)],
        emails: [email],
      });
      const number = at + index + 1;
      for (const one of [e164(phone), email]) items.key.run(`${one} ${first_name} ${last_name}`, number);
      items.plan.run(number, body, hash("sha256", body));
    }
  });
}
let answered = [];
let total = 0;
for (;;) {
  const turn = items.next.all(requestsPerTurn);
  journal.inTransaction(() => {
    for (const { number, answer } of answered) items.done.run(answer.id, JSON.stringify(answer), number);
    for (const { number } of turn) items.sent.run(number);
  });
  if (turn.length === 0) break;
  const texts = [];
  world.inTransaction(() => {
    for (const { body } of turn) {
      const request = JSON.stringify({ group_id: group, ...JSON.parse(body) });
      texts.push(created(key, request));
    }
    count.run(window.startedAt, window.count);
  });
  answered = texts.map((text, index) => ({ number: turn[index].number, answer: JSON.parse(text).data }));
  total += turn.length;
}
journal.database.close();
world.database.close();
console.log(JSON.stringify({ created: total }));
