// The smallest program that copies an organization's contacts twice. The first collect reads pages from one file and
// stores each row with its digest in another. The second collect checks whether any row differs. There are no
// requests, limits, schemas, counters or manifest. It shows the limit for `voxctl mirror create`. node
// smallest-mirror.cjs SOURCE TARGET
const { hash } = require("node:crypto");
const isNewer = Number(process.versions.node.split(".")[0]) >= 24;
const { DatabaseSync } = require(isNewer ? "node:sqlite" : "@photostructure/sqlite");

const [sourcePath, targetPath] = process.argv.slice(2);
const source = new DatabaseSync(sourcePath);
const target = new DatabaseSync(targetPath);
target.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE contacts (organization_id TEXT, id TEXT, group_id TEXT, members TEXT, PRIMARY KEY (organization_id, id)) STRICT, WITHOUT ROWID;
  CREATE INDEX by_group ON contacts(group_id, organization_id, id);
  CREATE TABLE mirrored (resource TEXT, id TEXT, hash TEXT, pass INTEGER, PRIMARY KEY (resource, id)) STRICT, WITHOUT ROWID`);
const page = source.prepare(
  `SELECT group_concat('{"id":"' || id || '","group_id":"' || group_id || '",' || members) AS objects
   FROM (SELECT id, group_id, members FROM contacts WHERE id > ? ORDER BY organization_id, id LIMIT 200)`,
);
const mark = target.prepare(
  `UPDATE mirrored SET pass = ?1 WHERE resource = ?2 AND id IN (SELECT value FROM json_each(?3))
   AND hash IN (SELECT value FROM json_each(?4)) RETURNING id`,
);
const contact = target.prepare("INSERT INTO contacts VALUES (?, ?, ?, ?)");
const mirrored = target.prepare("INSERT INTO mirrored VALUES (?, ?, ?, ?)");

for (const pass of [1, 2]) {
  for (let last = ""; ; ) {
    const { objects } = page.get(last);
    if (objects === null) break;
    const rows = JSON.parse(`[${objects}]`).map((raw) => {
      const digest = hash("sha256", JSON.stringify(raw), "hex").slice(0, 32);
      return { raw, digest };
    });
    target.exec("BEGIN");
    if (pass === 1) {
      for (const { raw, digest } of rows) {
        const { id, group_id, ...members } = raw;
        contact.run("an organization", id, group_id, JSON.stringify(members).slice(1));
        mirrored.run("contacts", id, digest, pass);
      }
    } else {
      const [ids, digests] = [rows.map(({ raw }) => raw.id), rows.map(({ digest }) => digest)];
      const same = mark.all(pass, "contacts", JSON.stringify(ids), JSON.stringify(digests));
      if (same.length !== rows.length) throw new Error("a contact changed");
    }
    target.exec("COMMIT");
    last = rows.at(-1).raw.id;
  }
}
target.close();
source.close();
