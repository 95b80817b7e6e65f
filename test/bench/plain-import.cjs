// The obvious code: reads the lines of a file and inserts each with its own commit, which is as durable as
// the emulator's writes (WAL, NORMAL). node plain-import.cjs DATABASE FILE
const { readFileSync } = require("node:fs");
const isNewer = Number(process.versions.node.split(".")[0]) >= 24;
const { DatabaseSync } = require(isNewer ? "node:sqlite" : "@photostructure/sqlite");

const [path, file] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec(
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE contacts (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, phone TEXT, email TEXT) STRICT",
);
const insert = database.prepare(
  "INSERT INTO contacts (first_name, last_name, phone, email) VALUES (?, ?, ?, ?)",
);
const [, ...lines] = readFileSync(file, "utf8").trim().split("\n");
for (const line of lines) insert.run(...line.split(";"));
database.close();
console.log(JSON.stringify({ created: lines.length }));
