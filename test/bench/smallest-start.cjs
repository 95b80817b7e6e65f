// The smallest program that serves an empty emulator in memory: it creates the tables, stores a key's digest,
// listens, prints its URL, finds the key and responds with a page. It shows the limit for `voxctl emulator
// start`. node smallest-start.cjs SCHEMA
const { hash, randomBytes } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { createServer } = require("node:http");
const isNewer = Number(process.versions.node.split(".")[0]) >= 24;
const { DatabaseSync } = require(isNewer ? "node:sqlite" : "@photostructure/sqlite");

const [schema] = process.argv.slice(2);
const database = new DatabaseSync(":memory:");
database.exec(`BEGIN; ${readFileSync(schema, "utf8")}; CREATE TABLE kept (digest BLOB PRIMARY KEY); COMMIT`);
const admin = randomBytes(32).toString("base64url");
const digestOf = (key) => hash("sha256", key, "buffer");
database.prepare("INSERT INTO kept (digest) VALUES (?)").run(digestOf(admin));
const known = database.prepare("SELECT 1 FROM kept WHERE digest = ?");
const page = database.prepare(
  "SELECT id, group_id, members FROM contacts ORDER BY organization_id, id LIMIT 50",
);
const server = createServer((request, response) => {
  const key = request.headers.authorization?.slice("Bearer ".length) ?? "";
  const isKnown = known.get(digestOf(key)) !== undefined;
  response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
  response.end(isKnown ? JSON.stringify({ data: page.all() }) : "{}");
});
server.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  process.stdout.write(`${JSON.stringify({ url, keys: { admin } })}\n`);
});
// The handler's reference prevents garbage collection of the database. With the driver for Node 20, a statement must
// not outlive its database.
process.once("SIGTERM", () => {
  database.close();
  process.exit();
});
