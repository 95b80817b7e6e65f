// The smallest program that lists contacts of an offline emulator: it acquires the lock, opens the file,
// finds the key's digest, reads a page and prints it. It shows the limit for `voxctl contacts list`. node
// smallest-list.cjs DATABASE
const { hash } = require("node:crypto");
const isNewer = Number(process.versions.node.split(".")[0]) >= 24;
const { DatabaseSync } = require(isNewer ? "node:sqlite" : "@photostructure/sqlite");

const [path] = process.argv.slice(2);
const lock = new DatabaseSync(`${path}.lock`);
lock.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
const database = new DatabaseSync(path);
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
database.prepare("SELECT id FROM keys WHERE digest = ?").get(hash("sha256", "a key", "buffer"));
const { objects } = database
  .prepare(
    `SELECT group_concat('{"id":"' || id || '","group_id":"' || group_id || '",' || members) AS objects
     FROM (SELECT id, group_id, members FROM contacts ORDER BY organization_id, id LIMIT 50)`,
  )
  .get();
process.stdout.write(`${JSON.stringify(JSON.parse(`[${objects}]`), null, 2)}\n`);
database.close();
lock.close();
